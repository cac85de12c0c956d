// The model, top to bottom. The letters used in every shape of the library:
//   B batch   T time (positions)   C channels (d_model)   H heads   D = C / H (d_k)   V vocabulary
// Next: generate.hpp, which lets a trained model write; encoder_decoder.hpp, with a second stack.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attention/nn/cache.hpp"
#include "attention/nn/layers.hpp"
#include "attention/nn/multi_head_attention.hpp"
#include "attention/nn/positions.hpp"

namespace attention {

// Where a block normalizes: before each of its two parts, or after adding them (the paper's way).
enum class NormPlacement { pre, post };
NormPlacement norm_placement(const std::string& name);  // throws on an unknown name
std::string to_string(NormPlacement placement);

struct TransformerConfig {
  Size vocabulary = 0;  // V
  Size context = 0;     // the largest T
  Size channels = 64;   // C
  int heads = 4;        // H
  int layers = 2;
  Size hidden = 0;      // of the feed-forward layers; 0 is 4 C
  bool causal = false;  // each position sees only itself and earlier ones: a language model
  bool tied = false;    // the output weight is the embedding's
  real dropout = 0;
  PositionKind positions = PositionKind::sinusoidal;
  NormPlacement norm = NormPlacement::pre;
  Activation activation = Activation::gelu;
};

// The same with the hidden size filled in. Throws on a size that is not positive, and on heads that
// do not divide the channels.
TransformerConfig checked(TransformerConfig config);

// x (B, T, C) and what a part of a block makes of it, added up and normalized: the part gets
// normalized numbers (pre), or whatever follows does (post).
template <class Part>
Tensor add_part(const Tensor& x, NormPlacement placement, const LayerNorm& norm,
                const Dropout& dropout, const Part& part) {
  if (placement == NormPlacement::pre) return x + dropout(part(norm(x)));
  return norm(x + dropout(part(x)));
}

// One layer: x + attention, then x + feed-forward, each with its normalization.
struct Block {
  NormPlacement placement;
  LayerNorm attention_norm;
  MultiHeadAttention attention;
  LayerNorm feed_forward_norm;
  FeedForward feed_forward;
  Dropout dropout;

  Block(const TransformerConfig& config, Random& random);
  Tensor operator()(const Tensor& x, const Mask& mask) const;  // (B, T, C) -> (B, T, C)
  // What comes next of a sequence (B, n, C) -> (B, n, C); `seen` grows by it.
  Tensor next(const Tensor& x, KeyValues& seen, const Mask& mask) const;
  void visit(auto&& f) const {
    f("attention_norm", attention_norm), f("attention", attention);
    f("feed_forward_norm", feed_forward_norm), f("feed_forward", feed_forward);
  }
};

struct Transformer {
  TransformerConfig config;
  Embedding embedding;
  Positions positions;
  Dropout dropout;
  std::vector<Block> blocks;
  std::optional<LayerNorm> norm;  // after the last block; post-norm blocks end with their own
  std::optional<Linear> output;   // none when tied

  Transformer(TransformerConfig config, Random& random);

  // ids (B, T) -> logits (B, T, V). The mask (padding, say) is joined with the causal one. Throws
  // when T exceeds the context, and on ids outside [0, V).
  Tensor operator()(const Tokens& ids, const Mask& mask = {}) const;

  // What comes next of sequences that the cache has seen so far: ids (B, n) -> logits (B, n, V),
  // the same as above would give in these places. Nothing is recorded. Throws on a model that is
  // not causal, when all together exceed the context, and on a cache that does not fit; it is
  // unchanged then.
  Tensor next(const Tokens& ids, KeyValueCache& cache) const;

  void visit(auto&& f) const {
    f("embedding", embedding), f("positions", positions), f("blocks", blocks), f("norm", norm);
    f("output", output);
  }

 private:
  Tensor embed(const Tokens& ids, Size first = 0) const;  // (B, n) -> (B, n, C)
  Tensor to_logits(const Tensor& x) const;                // (B, n, C) -> (B, n, V)
};

}  // namespace attention
