// What a model that goes on token by token keeps of the tokens before: the keys and values of each
// of its attentions. The next token then costs one position instead of all of them again; it needs
// no more, for in a causal model nothing that was computed before changes by what comes after.
#pragma once

#include <string_view>
#include <vector>

#include "attention/nn/multi_head_attention.hpp"

namespace attention {

// Empty at first. Made and filled by Transformer::next, or by EncoderDecoder::start and next.
struct KeyValueCache {
  std::vector<KeyValues> seen;    // of each block: the positions so far, (B, T, C)
  std::vector<KeyValues> memory;  // of each decoder block: the source, (B, S, C), which stays
  Mask padding;                   // of the source

  Size length() const;     // T, how many positions it has seen
  Size sequences() const;  // B; 0 while it is empty

  // Sequence i goes on from what was sequence rows[i]; some may be left out, or go on twice. Throws
  // on a row outside [0, B), and on none.
  void select(const std::vector<int>& rows);

  // Throws unless `ids` (B, n) can come next in a model, called `name`, of so many layers and such
  // a context.
  void check(std::string_view name, const Tokens& ids, std::size_t layers, Size context) const;
};

}  // namespace attention
