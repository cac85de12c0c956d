// A link along which attention should go: what toy data know, and what is looked up in the maps of
// a model (nn/heads.hpp).
#pragma once

#include "attention/core/real.hpp"

namespace attention {

// In sequence `row` of a batch, position `query` should look at position `key`.
struct AttentionLink {
  Size row, query, key;
  bool operator==(const AttentionLink&) const = default;
};

}  // namespace attention
