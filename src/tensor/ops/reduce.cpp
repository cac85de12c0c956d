// Sums, means, maxima and variances over any axes. The kernels reduce the middle axis of three;
// neighbouring axes are taken as one, so most reductions are a single pass.
#include "attention/core/error.hpp"
#include "attention/core/kernels.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

Axes all_axes(const Tensor& x, std::string_view op) {
  check_defined(op, x);
  Axes axes;
  for (int i = 0; i < x.rank(); ++i) axes.push_back(i);
  return axes;
}

Shape dropped(Shape shape, const Axes& axes) {
  for (std::size_t i = axes.size(); i-- > 0;) shape = shape.without(axes[i]);
  return shape;
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

// How many values each result is made of; at least one.
Size some_to_reduce(const Tensor& x, const Axes& axes, std::string_view op) {
  check_defined(op, x);
  Size count = 1;
  for (int axis : axes_of(x.shape(), axes, op)) count *= x.shape()[axis];
  if (count == 0) fail("{}: {} has no values along these axes, and so no {}", op, x.shape(), op);
  return count;
}

template <class Op>
Tensor reduced(const Tensor& x, const Axes& axes, Keep keep) {
  check_defined(Op::name, x);
  const Axes sorted = axes_of(x.shape(), axes, Op::name);
  const Tensor result = apply(Op{sorted}, x);
  return keep ? result : reshape(result, dropped(x.shape(), sorted));
}

}  // namespace

Tensor sum(const Tensor& x, const Axes& axes, Keep keep) { return reduced<Sum>(x, axes, keep); }

Tensor max(const Tensor& x, const Axes& axes, Keep keep) {
  some_to_reduce(x, axes, "max");
  return reduced<Max>(x, axes, keep);
}

Tensor mean(const Tensor& x, const Axes& axes, Keep keep) {
  const Size count = some_to_reduce(x, axes, "mean");
  return sum(x, axes, keep) * (1 / static_cast<real>(count));
}

Tensor variance(const Tensor& x, const Axes& axes, Keep kept) {
  some_to_reduce(x, axes, "variance");
  const Tensor centred = x - mean(x, axes, keep);
  return mean(centred * centred, axes, kept);
}

Tensor sum(const Tensor& x) { return sum(x, all_axes(x, "sum")); }
Tensor mean(const Tensor& x) { return mean(x, all_axes(x, "mean")); }
Tensor max(const Tensor& x) { return max(x, all_axes(x, "max")); }
Tensor variance(const Tensor& x) { return variance(x, all_axes(x, "variance")); }

Tokens argmax(const Tensor& x, int axis) {
  check_defined("argmax", x);
  axis = axis_of(x.shape(), axis, "argmax");
  const Size n = x.shape()[axis], outer = x.shape().outer(axis), inner = x.shape().inner(axis);
  if (n == 0) fail("argmax: axis {} of {} is empty: there is no greatest", axis, x.shape());
  std::vector<int> best(outer * inner);
  for (Size o = 0; o < outer; ++o)
    for (Size i = 0; i < inner; ++i) {
      const real* column = x.data() + o * n * inner + i;
      Size winner = 0;
      for (Size j = 1; j < n; ++j) {
        const real value = column[j * inner], best_yet = column[winner * inner];
        if (value > best_yet || (value != value && best_yet == best_yet)) winner = j;  // as max()
      }
      best[o * inner + i] = static_cast<int>(winner);
    }
  return Tokens(x.shape().without(axis), std::move(best));
}

}  // namespace attention
