// The vocabulary: every op on tensors, on one screen. Each is differentiable, to any order, and
// throws an Error that names it when the shapes do not fit. Operands broadcast (core/shape.hpp)
// where nothing else is said. An axis counts from the front, or from the back when negative.
// The bodies, a family each, are in src/tensor/ops/, as named. Next: autograd.hpp.
#pragma once

#include "attention/tensor/mask.hpp"
#include "attention/tensor/tensor.hpp"

namespace attention {

enum Keep : bool { drop = false, keep = true };  // whether a reduced axis stays, with size 1
enum Transpose { no_transpose = 0, transpose_a = 1, transpose_b = 2, transpose_both = 3 };

// ---- arithmetic (arithmetic.cpp)
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& x);
Tensor pow(const Tensor& x, real exponent);
Tensor where(const Mask& mask, const Tensor& a, const Tensor& b);  // a where true, else b

// ---- functions of one number (functions.cpp)
Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);  // 1 / (1 + exp(-x))
Tensor relu(const Tensor& x);     // max(x, 0); slope 0 at 0
Tensor erf(const Tensor& x);
Tensor gelu(const Tensor& x);       // x Φ(x), Φ the normal distribution function; exact, by erf
Tensor gelu_tanh(const Tensor& x);  // x (1 + tanh(sqrt(2/π) (x + 0.044715 x³))) / 2

// ---- products (matmul.cpp)
// (…, M, K) x (…, K, N) -> (…, M, N); leading axes broadcast. A transposed operand is given as
// (…, K, M) or (…, N, K). Both operands need at least two axes.
Tensor matmul(const Tensor& a, const Tensor& b, Transpose transpose = no_transpose);
// x W + b: x (…, in), W (in, out), b (out,) -> (…, out).
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);

// ---- layout (layout.cpp)
Tensor reshape(const Tensor& x, const Shape& shape);  // the same count; shares the values
Tensor permute(const Tensor& x, const Axes& axes);    // axis i of the result is axes[i] of x
Tensor transpose(const Tensor& x, int a, int b);      // two axes swapped
Tensor broadcast_to(const Tensor& x, const Shape& shape);

// ---- parts (parts.cpp)
Tensor slice(const Tensor& x, int axis, Size begin, Size end);  // indices [begin, end) of the axis
Tensor concat(const Tensors& list, int axis);                   // along an axis that all have
Tensor stack(const Tensors& list, int axis);                    // along a new axis
// table (V, C), ids of any shape in [0, V) -> (shape of ids, C). The gradient adds up repeated ids.
Tensor gather_rows(const Tensor& table, const Tokens& ids);

// ---- reductions (reduce.cpp)
// Of no values, the sum is 0; their mean, maximum and variance throw. No axes: each value for
// itself.
Tensor sum(const Tensor& x, const Axes& axes, Keep keep = drop);
Tensor mean(const Tensor& x, const Axes& axes, Keep keep = drop);
Tensor max(const Tensor& x, const Axes& axes, Keep keep = drop);  // ties share the gradient equally
Tensor variance(const Tensor& x, const Axes& axes, Keep keep = drop);  // biased: divided by n
Tensor sum(const Tensor& x);  // of everything, as are the next three
Tensor mean(const Tensor& x);
Tensor max(const Tensor& x);
Tensor variance(const Tensor& x);
// Ties go to the lowest index; NaN, where there is one, is the greatest, as in max. Not
// differentiable.
Tokens argmax(const Tensor& x, int axis);

// ---- softmax and the loss (softmax.cpp)
// Along the axis, over what the mask (broadcast to x) admits: the rest gets exactly 0, and so does
// all of a slice that is masked completely. log_softmax gives -inf there.
Tensor softmax(const Tensor& x, int axis, const Mask& mask = {});
Tensor log_softmax(const Tensor& x, int axis, const Mask& mask = {});

struct CrossEntropyOptions {
  int ignore = -1;     // targets of this value are not scored
  real smoothing = 0;  // in [0, 1): the share of the target's probability spread over all V
  Size over = 0;       // divide by this many instead of the scored targets: for micro-batches
};
// logits (…, V), targets of the leading shape in [0, V) -> scalar: the mean over the scored targets
// of -log softmax(logits)[target], in nats. Nothing scored: 0. Throws on a target out of range.
Tensor cross_entropy(const Tensor& logits, const Tokens& targets, CrossEntropyOptions options = {});

// ---- attention (attention.cpp)
// Vaswani et al. (2017), eq. 1: softmax(q kᵀ / sqrt(D), over keys) v, for q (…, T, D), k (…, S, D)
// and v (…, S, E) -> (…, T, E). A query whose keys are all masked gets zeros;
// with D = 0 all scores are 0.
Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask = {});
// The same in each of H heads that lie side by side: q (B, T, H D), k (B, S, H D), v (B, S, H E) ->
// (B, T, H E), as if split, attended and merged. The mask broadcasts to (B, H, T, S).
Tensor attend_heads(const Tensor& q, const Tensor& k, const Tensor& v, int heads,
                    const Mask& mask = {});

// (B, T, C) -> (B, H, T, D) and back. The heads are an axis of their own before they move in front
// of the positions: a mere reshape to (B, H, T, D) would mix positions and channels.
Tensor split_heads(const Tensor& x, int heads);
Tensor merge_heads(const Tensor& x);

// While one of these is alive on a thread, both go step by step, so that the weights are in
// the graph: made_by(result, "softmax"). Otherwise they are never all there at once.
class AttentionMaps {
 public:
  AttentionMaps();
  ~AttentionMaps();
  AttentionMaps(const AttentionMaps&) = delete;
  AttentionMaps& operator=(const AttentionMaps&) = delete;

 private:
  bool before_;
};

// ---- normalization and noise (normalize.cpp)
// Along the last axis: (x - mean) / sqrt(variance + eps), the variance biased.
Tensor normalize(const Tensor& x, real eps = real(1e-5));
// normalize(x) * gain + bias, both (C,): Ba, Kiros and Hinton (2016), eq. 4.
Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, real eps = real(1e-5));
// Each element 0 with probability `rate`, else divided by 1 - rate. Throws unless 0 <= rate < 1.
Tensor dropout(const Tensor& x, real rate, Random& random);

}  // namespace attention
