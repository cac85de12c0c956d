// Sums, means, maxima and variances over any axes. The kernels reduce the middle axis of three;
// neighbouring axes are taken as one, so most reductions are a single pass.
#include "attention/core/error.hpp"
#include "attention/core/kernels.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

Axes all_axes(const Tensor& x) {
  Axes axes;
  for (int i = 0; i < x.rank(); ++i) axes.push_back(i);
  return axes;
}

Shape dropped(Shape shape, const Axes& axes) {
  for (std::size_t i = axes.size(); i-- > 0;) shape = shape.without(axes[i]);
  return shape;
}

Size reduced_count(const Shape& shape, const Axes& axes) {
  Size count = 1;
  for (int axis : axes) count *= shape[axis];
  return count;
}

using Kernel = void (*)(real*, const real*, Size outer, Size n, Size inner);

// Runs of neighbouring axes, from the last to the first, each reduced in one pass.
Tensor reduce(Tensor x, const Axes& axes, Kernel kernel) {
  if (axes.empty()) return x.detach();  // never the caller's own handle
  for (std::size_t i = axes.size(); i > 0;) {
    const int last = axes[--i];
    int first = last;
    while (i > 0 && axes[i - 1] == first - 1) first = axes[--i];
    const Size outer = x.shape().outer(first), inner = x.shape().inner(last);
    Size n = 1;
    Shape shape = x.shape();
    for (int axis = first; axis <= last; ++axis) {
      n *= shape[axis];
      shape = shape.with(axis, 1);
    }
    Buffer out(shape.count());
    kernel(out.fill(), x.data(), outer, n, inner);
    x = Tensor(shape, std::move(out));
  }
  return x;
}

// Along each axis, pairs of axes and all, with and without keeping; sizes all different and equal.
template <class F>
Examples reduction_examples(F f) {
  Examples list;
  for (const Axes& axes :
       {Axes{0}, Axes{1}, Axes{2}, Axes{0, 1}, Axes{0, 2}, Axes{1, 2}, Axes{0, 1, 2}, Axes{-1}})
    for (Keep kept : {drop, keep})
      for (const Shape& shape : {Shape{2, 3, 4}, Shape{3, 3, 3}})
        list.push_back(
            {[f, axes, kept](const Tensor& x) { return f(x, axes, kept); }, sample(shape)});
  return list;
}

// Both keep the reduced axes; the public functions drop them afterwards.
struct Sum {
  Axes axes;
  static constexpr auto name = "sum";
  Tensor forward(const Tensor& x) const { return reduce(x, axes, kernels::sum); }
  Tensors backward(const Link& l) const { return {broadcast_to(l.grad, l.in[0].shape())}; }
  static Examples examples() {
    return reduction_examples([](const Tensor& x, const Axes& a, Keep k) { return sum(x, a, k); });
  }
};

struct Max {
  Axes axes;
  static constexpr auto name = "max";
  Tensor forward(const Tensor& x) const { return reduce(x, axes, kernels::max); }
  Tensors backward(const Link& l) const {
    const Tensor winners =  // a constant: 1 where x is the maximum, else 0
        zip(l.in[0], l.out, name, 1, [](real x, real highest) { return real(x == highest); });
    return {winners * (l.grad / sum(winners, axes, keep))};
  }
  static Examples examples() {
    return reduction_examples([](const Tensor& x, const Axes& a, Keep k) { return max(x, a, k); });
  }
};

template <class Op>
Tensor reduced(const Tensor& x, const Axes& axes, Keep keep) {
  const Axes sorted = axes_of(x.shape(), axes, Op::name);
  const Tensor result = apply(Op{sorted}, x);
  return keep ? result : reshape(result, dropped(x.shape(), sorted));
}

}  // namespace

Tensor sum(const Tensor& x, const Axes& axes, Keep keep) { return reduced<Sum>(x, axes, keep); }

Tensor max(const Tensor& x, const Axes& axes, Keep keep) {
  if (reduced_count(x.shape(), axes_of(x.shape(), axes, "max")) == 0)
    fail("max: {} has nothing along the axes to take the maximum of", x.shape());
  return reduced<Max>(x, axes, keep);
}

Tensor mean(const Tensor& x, const Axes& axes, Keep keep) {
  const Size count = reduced_count(x.shape(), axes_of(x.shape(), axes, "mean"));
  if (count == 0) fail("mean: {} has nothing along the axes to average", x.shape());
  return sum(x, axes, keep) * (1 / static_cast<real>(count));
}

Tensor variance(const Tensor& x, const Axes& axes, Keep kept) {
  const Tensor centred = x - mean(x, axes, keep);
  return mean(centred * centred, axes, kept);
}

Tensor sum(const Tensor& x) { return sum(x, all_axes(x)); }
Tensor mean(const Tensor& x) { return mean(x, all_axes(x)); }
Tensor max(const Tensor& x) { return max(x, all_axes(x)); }
Tensor variance(const Tensor& x) { return variance(x, all_axes(x)); }

Tokens argmax(const Tensor& x, int axis) {
  axis = axis_of(x.shape(), axis, "argmax");
  const Size n = x.shape()[axis], outer = x.shape().outer(axis), inner = x.shape().inner(axis);
  if (n == 0) fail("argmax: axis {} of {} is empty", axis, x.shape());
  std::vector<int> best(outer * inner);
  for (Size o = 0; o < outer; ++o)
    for (Size i = 0; i < inner; ++i) {
      const real* column = x.data() + o * n * inner + i;
      Size winner = 0;
      for (Size j = 1; j < n; ++j)
        if (column[j * inner] > column[winner * inner]) winner = j;
      best[o * inner + i] = static_cast<int>(winner);
    }
  return Tokens(x.shape().without(axis), std::move(best));
}

}  // namespace attention
