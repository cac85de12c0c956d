// Scaled dot-product attention, one head or several side by side. The formulas are the last lines
// of attend() and attend_heads(): what a graph holds where its weights are asked for, and what the
// fused op is tested against.
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/core/kernels.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

thread_local bool maps_wanted = false;

real scale_of(Size depth) { return 1 / std::sqrt(static_cast<real>(depth)); }

// With S = q kᵀ / sqrt(D), W = softmax(S) and O = W v, for a gradient g of O: dv = Wᵀ g, and from
// dW = g vᵀ softmax's rule makes dS = W (dW - Σ W dW), so dq = dS k / sqrt(D), dk = dSᵀ q /
// sqrt(D).
struct Attend {
  int heads;
  Shape scores;           // of S: (…, T, S), or (B, H, T, S) when heads lie side by side
  Mask mask;              // with a column for each key
  Buffer highest, share;  // of each row of S, for the fused rule
  static constexpr auto name = "attend";

  Tensor forward(const Tensor& q, const Tensor& k, const Tensor& v) const {
    const kernels::AttentionSize size = sizes(q, k, v);
    const Shape shape = q.shape().with(q.rank() - 1, size.value_step());
    Buffer out(shape.count());
    kernels::attention(out.fill(), highest.fill(), share.fill(), q.data(), k.data(), v.data(),
                       rows(), size);
    return Tensor(shape, std::move(out));
  }
  Tensors backward(const Link& l) const { return recording() ? formula(l) : fused(l); }

  Tensors formula(const Link& l) const {
    const bool apart = scores.rank() == l.in[0].rank();
    const auto split = [&](const Tensor& x) { return apart ? x : split_heads(x, heads); };
    const auto merge = [&](const Tensor& x) { return apart ? x : merge_heads(x); };
    const Tensor q = split(l.in[0]), k = split(l.in[1]), v = split(l.in[2]), g = split(l.grad);
    const real scale = scale_of(q.size(-1));
    const Tensor weights = softmax(matmul(q * scale, k, transpose_b), -1, mask);
    const Tensor to_weights = matmul(g, v, transpose_b);
    const Tensor slope = weights * (to_weights - sum(weights * to_weights, -1, keep)) * scale;
    return {merge(matmul(slope, k)), merge(matmul(slope, q, transpose_a)),
            merge(matmul(weights, g, transpose_a))};
  }
  Tensors fused(const Link& l) const {
    const Tensor &q = l.in[0], &k = l.in[1], &v = l.in[2];
    Buffer dq(q.count()), dk(k.count()), dv(v.count());
    const kernels::AttentionSize size = sizes(q, k, v);
    kernels::attention_backward(dq.fill(), dk.fill(), dv.fill(), l.grad.data(), l.out.data(),
                                highest.data(), share.data(), q.data(), k.data(), v.data(), rows(),
                                size);
    return {Tensor(q.shape(), std::move(dq)), Tensor(k.shape(), std::move(dk)),
            Tensor(v.shape(), std::move(dv))};
  }

  kernels::AttentionSize sizes(const Tensor& q, const Tensor& k, const Tensor& v) const {
    const Size depth = q.size(-1) / heads;
    return {q.shape().outer(q.rank() - 2),
            heads,
            q.size(-2),
            k.size(-2),
            depth,
            v.size(-1) / heads,
            scale_of(depth)};
  }
  kernels::RowMask rows() const {
    if (!mask.defined()) return {};
    return {mask.data(), Offsets(mask.shape(), scores, 1)};
  }

  static Examples examples() {
    const auto one = [](const Mask& mask) {
      return
          [=](const Tensor& q, const Tensor& k, const Tensor& v) { return attend(q, k, v, mask); };
    };
    const auto several = [](int heads, const Mask& mask) {
      return [=](const Tensor& q, const Tensor& k, const Tensor& v) {
        return attend_heads(q, k, v, heads, mask);
      };
    };
    const Mask some = greater(sample({2, 1, 3, 5}, 7), real(-0.3));
    const Mask none_for_one(Shape{3, 5}, {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0});
    return {{one({}), sample({3, 2}), sample({5, 2}, 2), sample({5, 4}, 3)},
            {one(none_for_one), sample({2, 3, 4}), sample({2, 5, 4}, 2), sample({2, 5, 2}, 3)},
            {several(2, some), sample({2, 3, 6}), sample({2, 5, 6}, 2), sample({2, 5, 4}, 3)},
            {several(3, causal_mask(3)), sample({3, 3, 3}), sample({3, 3, 3}, 2),
             sample({3, 3, 3}, 3)}};
  }
};

// Throws unless q (…, T, D), k (…, S, D) and v (…, S, E) fit each other.
void check_attend(const Tensor& q, const Tensor& k, const Tensor& v) {
  check_defined("attend", q, k, v);
  if (q.rank() < 2 || k.rank() < 2 || v.rank() < 2 || q.size(-1) != k.size(-1) ||
      k.size(-2) != v.size(-2))
    fail("attend: q {}, k {} and v {}; (…, T, D), (…, S, D) and (…, S, E) are needed", q.shape(),
         k.shape(), v.shape());
}

// Whether nothing has to be stretched but the mask. What does not broadcast is left to the formula,
// whose ops know what to say.
bool fusible(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask,
             const Shape& scores) {
  const int rank = q.rank();
  if (k.rank() != rank || v.rank() != rank) return false;
  const Shape keys = q.shape().with(rank - 2, k.size(-2));
  return k.shape() == keys && v.shape() == keys.with(rank - 1, v.size(-1)) && q.count() > 0 &&
         (!mask.defined() || broadcasts_to(mask.shape(), scores));
}

Tensor fused(const Tensor& q, const Tensor& k, const Tensor& v, int heads, const Mask& mask,
             const Shape& scores) {
  const int last = mask.shape().rank() - 1;
  const bool stretched = mask.defined() && (last < 0 || mask.shape()[last] != k.size(-2));
  const Size rows = scores.outer(scores.rank() - 1);
  return apply(
      Attend{heads, scores, stretched ? mask.expand(scores) : mask, Buffer(rows), Buffer(rows)}, q,
      k, v);
}

}  // namespace

AttentionMaps::AttentionMaps() : before_(maps_wanted) { maps_wanted = true; }
AttentionMaps::~AttentionMaps() { maps_wanted = before_; }

Tensor split_heads(const Tensor& x, int heads) {
  check_defined("split_heads", x);
  if (x.rank() != 3 || heads < 1 || x.size(2) % heads != 0)
    fail("split_heads: {} into {} heads; (B, T, C) is needed, and heads that divide C", x.shape(),
         heads);
  const Tensor apart =
      reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads});  // (B, T, H, D)
  return permute(apart, {0, 2, 1, 3});                               // (B, H, T, D)
}

Tensor merge_heads(const Tensor& x) {
  check_defined("merge_heads", x);
  if (x.rank() != 4) fail("merge_heads: {}; (B, H, T, D) is needed", x.shape());
  const Tensor apart = permute(x, {0, 2, 1, 3});                         // (B, T, H, D)
  return reshape(apart, {x.size(0), x.size(2), x.size(1) * x.size(3)});  // (B, T, C)
}

Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask) {
  check_attend(q, k, v);
  if (!maps_wanted) {
    const Shape scores = q.shape().with(q.rank() - 1, k.size(-2));
    if (fusible(q, k, v, mask, scores)) return fused(q, k, v, 1, mask, scores);
  }
  const Tensor scores = matmul(q * scale_of(q.size(-1)), k, transpose_b);  // (…, T, S)
  return matmul(softmax(scores, -1, mask), v);                             // (…, T, E)
}

Tensor attend_heads(const Tensor& q, const Tensor& k, const Tensor& v, int heads,
                    const Mask& mask) {
  check_defined("attend_heads", q, k, v);
  if (heads < 1) fail("attend_heads: {} heads; at least 1 is needed", heads);
  const auto divides = [&](const Tensor& x) { return x.rank() == 3 && x.size(2) % heads == 0; };
  if (!divides(q) || !divides(k) || !divides(v))
    fail(
        "attend_heads: q {}, k {} and v {} with {} heads; (B, T, H D), (B, S, H D) and (B, S, H E) "
        "are needed",
        q.shape(), k.shape(), v.shape(), heads);
  if (!maps_wanted) {
    const Shape scores{q.size(0), heads, q.size(1), k.size(1)};
    if (fusible(q, k, v, mask, scores)) return fused(q, k, v, heads, mask, scores);
  }
  return merge_heads(
      attend(split_heads(q, heads), split_heads(k, heads), split_heads(v, heads), mask));
}

}  // namespace attention
