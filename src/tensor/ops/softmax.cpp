// Softmax, its logarithm, and the loss made of it. Each rule stands as a formula over tensors, and
// where a benchmark shows a gain, as a fused kernel used while gradients are not recorded.
#include "attention/core/error.hpp"
#include "attention/core/kernels.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

struct Rows {
  Size rows, columns;
};

Rows rows_of(const Tensor& x) {
  const Size columns = x.size(-1);
  return {columns > 0 ? x.count() / columns : 0, columns};
}

kernels::RowMask row_mask(const Mask& mask, const Shape& shape) {
  if (!mask.defined()) return {};
  return {mask.data(), Offsets(mask.shape(), shape, 1)};
}

const Mask& example_mask() {  // the last row is masked completely
  static const Mask mask(Shape{3, 5}, {1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0});
  return mask;
}

// Softmax along the last axis. Each row of the gradient is what arrives, less its own mean weighted
// by the row's probabilities, times those probabilities.
struct Softmax {
  Mask mask;
  static constexpr auto name = "softmax";
  Tensor forward(const Tensor& x) const {
    const auto [rows, columns] = rows_of(x);
    Buffer out(x.count());
    kernels::softmax(out.fill(), x.data(), row_mask(mask, x.shape()), rows, columns);
    return Tensor(x.shape(), std::move(out));
  }
  Tensors backward(const Link& l) const { return {recording() ? formula(l) : fused(l)}; }

  static Tensor formula(const Link& l) { return l.out * (l.grad - sum(l.out * l.grad, -1, keep)); }
  static Tensor fused(const Link& l) {
    const auto [rows, columns] = rows_of(l.out);
    Buffer dx(l.out.count());
    kernels::softmax_backward(dx.fill(), l.out.data(), l.grad.data(), rows, columns);
    return Tensor(l.out.shape(), std::move(dx));
  }
  static Examples examples() {
    auto along = [](int axis) { return [axis](const Tensor& x) { return softmax(x, axis); }; };
    return {{along(-1), sample({2, 3, 5})},
            {along(0), sample({2, 3, 5})},
            {along(1), sample({3, 3, 3})},
            {[](const Tensor& x) { return softmax(x, -1, example_mask()); }, sample({2, 3, 5})}};
  }
};

struct LogSoftmax {
  Mask mask;
  static constexpr auto name = "log_softmax";
  bool may_be_infinite() const { return mask.defined(); }  // -inf is the log of a masked 0
  Tensor forward(const Tensor& x) const {
    const auto [rows, columns] = rows_of(x);
    Buffer out(x.count());
    kernels::log_softmax(out.fill(), x.data(), row_mask(mask, x.shape()), rows, columns);
    return Tensor(x.shape(), std::move(out));
  }
  Tensors backward(const Link& l) const {
    const Tensor arrived = mask.defined() ? where(mask, l.grad, 0) : l.grad;
    return {arrived - softmax(l.in[0], -1, mask) * sum(arrived, -1, keep)};
  }
  static Examples examples() {
    auto along = [](int axis) { return [axis](const Tensor& x) { return log_softmax(x, axis); }; };
    auto masked = [](const Tensor& x) {  // what is masked is -inf: leave it out of the sum
      return where(example_mask(), log_softmax(x, -1, example_mask()), 0);
    };
    return {{along(-1), sample({2, 3, 5})},
            {along(0), sample({2, 3, 5})},
            {along(1), sample({3, 3, 3})},
            {masked, sample({2, 3, 5})}};
  }
};

// The loss of a row is -Σ_j q_j log softmax(x)_j, where q is 1 at the target, or with smoothing ε
// 1 - ε + ε/V there and ε/V elsewhere. Its gradient is softmax(x) - q.
struct CrossEntropy {
  Ids targets;
  CrossEntropyOptions options;
  Size over;  // what the sum is divided by
  static constexpr auto name = "cross_entropy";

  kernels::Targets rule() const { return {targets.data(), options.ignore, options.smoothing}; }

  Tensor forward(const Tensor& logits) const {
    const auto [rows, columns] = rows_of(logits);
    Buffer losses(rows), total(1);
    kernels::cross_entropy(losses.fill(), logits.data(), rule(), rows, columns);
    kernels::sum(total.fill(), losses.data(), 1, rows, 1);
    *total.fill() = over > 0 ? *total.data() / static_cast<real>(over) : 0;
    return Tensor(Shape{}, std::move(total));
  }
  Tensors backward(const Link& l) const {
    if (over == 0) return {zeros(l.in[0].shape())};
    return {recording() ? formula(l) : fused(l)};
  }

  Tensor formula(const Link& l) const {
    const auto [rows, columns] = rows_of(l.in[0]);
    Tensor q = zeros({rows, columns}), scored = zeros({rows, 1});
    for (Size i = 0; i < rows; ++i) {
      if (targets[i] == options.ignore) continue;
      real* row = q.edit() + i * columns;
      for (Size j = 0; j < columns; ++j) row[j] = options.smoothing / static_cast<real>(columns);
      row[targets[i]] += 1 - options.smoothing;
      scored.edit()[i] = 1;
    }
    const Tensor x = reshape(l.in[0], {rows, columns});
    const Tensor to_x = (softmax(x, -1) - q) * scored * (l.grad / static_cast<real>(over));
    return reshape(to_x, l.in[0].shape());
  }
  Tensor fused(const Link& l) const {
    const Tensor& x = l.in[0];
    const auto [rows, columns] = rows_of(x);
    Buffer dx(x.count());
    kernels::cross_entropy_backward(dx.fill(), x.data(), rule(),
                                    l.grad.item() / static_cast<real>(over), rows, columns);
    return Tensor(x.shape(), std::move(dx));
  }
  static Examples examples() {
    const Tokens targets(Shape{2, 3}, {4, -1, 0, 2, 2, -1});
    auto with = [targets](CrossEntropyOptions options) {
      return [=](const Tensor& x) { return cross_entropy(x, targets, options); };
    };
    return {{with({}), sample({2, 3, 5})},
            {with({.smoothing = real(0.1)}), sample({2, 3, 5})},
            {with({.over = 7}), sample({2, 3, 5})}};
  }
};

// Both softmaxes work along the last axis; another one is brought there and back.
template <class Op>
Tensor along(const Tensor& x, int axis, Mask mask) {
  check_defined(Op::name, x);
  axis = axis_of(x.shape(), axis, Op::name);
  if (mask.defined() && !broadcasts_to(mask.shape(), x.shape()))
    fail("{}: a mask of shape {} does not broadcast to {}: a size must be equal or 1", Op::name,
         mask.shape(), x.shape());
  const int last = x.rank() - 1;
  if (axis != last)
    return transpose(
        along<Op>(transpose(x, axis, last), last, mask.expand(x.shape()).transpose(axis, last)),
        axis, last);
  const bool stretched_rows =
      mask.defined() &&
      (mask.shape().rank() == 0 || mask.shape()[mask.shape().rank() - 1] != x.shape()[last]);
  return apply(Op{stretched_rows ? mask.expand(x.shape()) : mask}, x);
}

}  // namespace

Tensor softmax(const Tensor& x, int axis, const Mask& mask) {
  return along<Softmax>(x, axis, mask);
}

Tensor log_softmax(const Tensor& x, int axis, const Mask& mask) {
  return along<LogSoftmax>(x, axis, mask);
}

Tensor cross_entropy(const Tensor& logits, const Tokens& targets, CrossEntropyOptions options) {
  check_defined("cross_entropy", logits);
  targets.check("cross_entropy");
  if (logits.rank() < 1 || !(logits.shape().without(logits.rank() - 1) == targets.shape))
    fail(
        "cross_entropy: logits {} and targets {}: the targets need the shape of the logits "
        "without the last axis",
        logits.shape(), targets.shape);
  if (!(options.smoothing >= 0 && options.smoothing < 1))
    fail("cross_entropy: label smoothing {}; 0 <= smoothing < 1 is needed", options.smoothing);
  if (options.over < 0) fail("cross_entropy: over = {} tokens; a count is needed", options.over);
  const Size vocabulary = logits.size(-1);
  Size scored = 0;
  for (std::size_t i = 0; i < targets.ids.size(); ++i) {
    const int id = targets.ids[i];
    if (id == options.ignore) continue;
    if (vocabulary == 0)
      fail("cross_entropy: target {} for logits {}: with no vocabulary there is none", id,
           logits.shape());
    if (id < 0 || id >= vocabulary)
      fail("cross_entropy: target {} at position {}: 0 to {} are possible, or {} to ignore it", id,
           i, vocabulary - 1, options.ignore);
    ++scored;
  }
  return apply(CrossEntropy{ids_of(targets), options, options.over > 0 ? options.over : scored},
               logits);
}

}  // namespace attention
