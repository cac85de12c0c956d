#include "attention/nn/multi_head_attention.hpp"

#include "attention/core/error.hpp"

namespace attention {

MultiHeadAttention::MultiHeadAttention(Size channels, int heads, Random& random)
    : heads(heads),
      query(channels, channels, random),
      key(channels, channels, random),
      value(channels, channels, random),
      output(channels, channels, random) {
  if (heads < 1 || channels % heads != 0)
    fail("attention: {} heads do not divide {} channels; each head needs the same whole number",
         heads, channels);
}

Tensor MultiHeadAttention::operator()(const Tensor& x, const Tensor& memory,
                                      const Mask& mask) const {
  const Tensor q = query(x);                          // (B, T, C)
  const Tensor k = key(memory), v = value(memory);    // (B, S, C)
  return output(attend_heads(q, k, v, heads, mask));  // (B, T, C)
}

}  // namespace attention
