// Multi-head attention: several attentions (attend() in tensor/ops.hpp) side by side. B batch, T
// positions, C channels, H heads, D = C / H channels of a head. Next: transformer.hpp.
#pragma once

#include "attention/nn/layers.hpp"

namespace attention {

// What an attention is paid to, projected: (B, S, C) each; undefined before anything was seen.
struct KeyValues {
  Tensor keys, values;
};

// Section 3.2.2: each head projects the whole of x with its own part of the weights, attends, and
// the heads' outputs, put side by side, are projected once more.
struct MultiHeadAttention {
  int heads;
  Linear query, key, value, output;

  MultiHeadAttention(Size channels, int heads, Random& random);  // throws unless H divides C

  // The mask broadcasts to (B, H, T, S): causal_mask(T), padding_mask(lengths, S) or both.
  Tensor operator()(const Tensor& x, const Mask& mask = {}) const { return (*this)(x, x, mask); }
  // Cross-attention: queries from x (B, T, C), keys and values from memory (B, S, C).
  Tensor operator()(const Tensor& x, const Tensor& memory, const Mask& mask) const;

  // The same in two steps, for keys and values that are used again and again.
  KeyValues project(const Tensor& memory) const { return {key(memory), value(memory)}; }
  Tensor operator()(const Tensor& x, const KeyValues& seen, const Mask& mask) const;
  // Attention to all that was seen and to x itself (B, n, C), which from then on was seen, too.
  Tensor next(const Tensor& x, KeyValues& seen, const Mask& mask) const;

  void visit(auto&& f) const {
    f("query", query), f("key", key), f("value", value), f("output", output);
  }
};

}  // namespace attention
