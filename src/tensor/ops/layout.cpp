// Ops that give a tensor another shape or order. Taking parts of one is in parts.cpp.
#include <algorithm>

#include "attention/core/error.hpp"
#include "attention/core/kernels.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

struct Reshape {
  Shape shape;
  static constexpr auto name = "reshape";
  Tensor forward(const Tensor& x) const { return Tensor(shape, x.node().values); }
  Tensors backward(const Link& l) const { return {reshape(l.grad, l.in[0].shape())}; }
  static Examples examples() {
    return {{[](const Tensor& x) { return reshape(x, {3, 4}); }, sample({2, 3, 2})}};
  }
};

struct Permute {
  Axes axes;
  static constexpr auto name = "permute";
  Tensor forward(const Tensor& x) const {
    SizeList sizes;
    for (int axis : axes) sizes.push_back(x.shape()[axis]);
    Buffer out(x.count());
    kernels::permute(out.fill(), x.data(), x.shape(), axes);
    return Tensor(Shape(sizes), std::move(out));
  }
  Tensors backward(const Link& l) const {
    Axes back = axes;
    for (std::size_t i = 0; i < axes.size(); ++i) back[axes[i]] = static_cast<int>(i);
    return {permute(l.grad, back)};
  }
  static Examples examples() {
    Examples list;
    Axes axes{0, 1, 2};
    do {
      auto f = [axes](const Tensor& x) { return permute(x, axes); };
      list.push_back({f, sample({2, 3, 4})});
      list.push_back({f, sample({3, 3, 3})});
    } while (std::next_permutation(axes.begin(), axes.end()));
    return list;
  }
};

struct BroadcastTo {
  Shape shape;
  static constexpr auto name = "broadcast_to";
  Tensor forward(const Tensor& x) const {
    Buffer out(shape.count());
    kernels::zip(out.fill(), shape, x.data(), x.shape(), x.data(), x.shape(), 1,
                 [](real v, real) { return v; });
    return Tensor(shape, std::move(out));
  }
  Tensors backward(const Link& l) const { return {l.grad}; }  // summed down by backward()
  static Examples examples() {
    auto f = [](const Tensor& x) { return broadcast_to(x, {2, 3, 4}); };
    return {{f, sample({3, 1})}, {f, sample({2, 1, 4})}, {f, sample({})}};
  }
};

}  // namespace

Tensor reshape(const Tensor& x, const Shape& shape) {
  check_defined("reshape", x);
  if (shape.count() != x.count())
    fail("reshape: {} has {} values, {} has {}; the counts have to be equal", x.shape(), x.count(),
         shape, shape.count());
  return apply(Reshape{shape}, x);
}

Tensor permute(const Tensor& x, const Axes& axes) {
  check_defined("permute", x);
  const Axes sorted = axes_of(x.shape(), axes, "permute");
  if (static_cast<int>(sorted.size()) != x.rank())
    fail("permute: {} axes for shape {}: each of its {} must be named once", sorted.size(),
         x.shape(), x.rank());
  Axes order;
  for (int axis : axes) order.push_back(axis_of(x.shape(), axis, "permute"));
  return apply(Permute{order}, x);
}

Tensor transpose(const Tensor& x, int a, int b) {
  check_defined("transpose", x);
  Axes axes;
  for (int i = 0; i < x.rank(); ++i) axes.push_back(i);
  a = axis_of(x.shape(), a, "transpose");
  b = axis_of(x.shape(), b, "transpose");
  std::swap(axes[a], axes[b]);
  return permute(x, axes);
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  check_defined("broadcast_to", x);
  if (!broadcasts_to(x.shape(), shape))
    fail("broadcast_to: {} does not stretch to {}: a size must be equal or 1", x.shape(), shape);
  return apply(BroadcastTo{shape}, x);
}

}  // namespace attention
