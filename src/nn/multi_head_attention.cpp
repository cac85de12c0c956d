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
  KeyValues all = project(x);  // (B, n, C)
  if (seen.keys.defined()) {
    const Shape &before = seen.keys.shape(), &now = all.keys.shape();
    if (before.rank() != 3 || now.rank() != 3 || !(before.with(1, now[1]) == now))
      fail("attention: {} was seen, and {} comes next; the same sequences and channels are needed",
           before, now);
    all = {concat({seen.keys, all.keys}, 1), concat({seen.values, all.values}, 1)};
  }
  const Tensor result = (*this)(x, all, mask);
  seen = std::move(all);  // only now that nothing can fail any more
  return result;
}

}  // namespace attention
