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

Tensor MultiHeadAttention::operator()(const Tensor& x, const KeyValues& seen,
                                      const Mask& mask) const {
  return output(attend_heads(query(x), seen.keys, seen.values, heads, mask));  // (B, T, C)
}

Tensor MultiHeadAttention::next(const Tensor& x, KeyValues& seen, const Mask& mask) const {
  const KeyValues fresh = project(x);  // (B, n, C)
  const bool first = !seen.keys.defined();
  seen =
      first ? fresh
            : KeyValues{concat({seen.keys, fresh.keys}, 1), concat({seen.values, fresh.values}, 1)};
  return (*this)(x, seen, mask);
}

}  // namespace attention
