#include "attention/nn/multi_head_attention.hpp"

#include <cmath>

#include "attention/core/error.hpp"

namespace attention {

Tensor split_heads(const Tensor& x, int heads) {
  if (x.rank() != 3 || heads < 1 || x.size(2) % heads != 0)
    fail("split_heads: {} into {} heads; (B, T, C) is needed, and heads that divide C", x.shape(),
         heads);
  const Tensor apart =
      reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads});  // (B, T, H, D)
  return permute(apart, {0, 2, 1, 3});                               // (B, H, T, D)
}

Tensor merge_heads(const Tensor& x) {
  if (x.rank() != 4) fail("merge_heads: {}; (B, H, T, D) is needed", x.shape());
  const Tensor apart = permute(x, {0, 2, 1, 3});                         // (B, T, H, D)
  return reshape(apart, {x.size(0), x.size(2), x.size(1) * x.size(3)});  // (B, T, C)
}

Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask) {
  const real scale = 1 / std::sqrt(static_cast<real>(q.size(-1)));
  const Tensor scores = matmul(q * scale, k, transpose_b);  // (…, T, S)
  return matmul(softmax(scores, -1, mask), v);              // (…, T, E)
}

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
  const Tensor q = split_heads(query(x), heads);       // (B, H, T, D)
  const Tensor k = split_heads(key(memory), heads);    // (B, H, S, D)
  const Tensor v = split_heads(value(memory), heads);  // (B, H, S, D)
  return output(merge_heads(attend(q, k, v, mask)));   // (B, T, C)
}

}  // namespace attention
