#include "attention/tensor/mask.hpp"

#include "attention/core/error.hpp"

namespace attention {
namespace {

template <class Test>
Mask compare(const Tensor& a, const Tensor& b, std::string_view op, Test test) {
  if (!a.defined() || !b.defined())
    fail("{}: the {} tensor is undefined: there are no values to compare", op,
         a.defined() ? "second" : "first");
  const Shape shape = broadcast(a.shape(), b.shape(), op);
  const Offsets a_at(a.shape(), shape, 0), b_at(b.shape(), shape, 0);
  Mask::Bytes bytes(shape.count());
  for (Size i = 0; i < shape.count(); ++i) bytes[i] = test(a.data()[a_at(i)], b.data()[b_at(i)]);
  return Mask(shape, std::move(bytes));
}

}  // namespace

Mask::Mask(const Shape& shape, Bytes bytes) : shape_(shape) {
  if (static_cast<Size>(bytes.size()) != shape.count())
    fail("mask: {} values for shape {}, which has {}", bytes.size(), shape, shape.count());
  bytes_ = std::allocate_shared<const Bytes>(Pooled<Bytes>(), std::move(bytes));
}

bool Mask::at(std::initializer_list<Size> index) const {
  if (!bytes_) return true;
  if (static_cast<int>(index.size()) != shape_.rank())
    fail("mask: {} indices for shape {}; give one for each of its {} axes", index.size(), shape_,
         shape_.rank());
  Size offset = 0;
  int axis = 0;
  for (Size i : index) {
    if (i < 0 || i >= shape_[axis])
      fail("mask: index {} on axis {} of {}: 0 to {} are possible", i, axis, shape_,
           shape_[axis] - 1);
    offset = offset * shape_[axis++] + i;
  }
  return (*bytes_)[offset] != 0;
}

Mask Mask::expand(const Shape& shape) const {
  if (!bytes_ || shape_ == shape) return *this;
  if (!broadcasts_to(shape_, shape))
    fail("mask: {} does not broadcast to {}: a size must be equal or 1", shape_, shape);
  const Offsets from(shape_, shape, 0);
  Mask::Bytes bytes(shape.count());
  for (Size i = 0; i < shape.count(); ++i) bytes[i] = (*bytes_)[from(i)];
  return Mask(shape, std::move(bytes));
}

Mask Mask::transpose(int a, int b) const {
  if (!bytes_) return *this;
  a = axis_of(shape_, a, "mask");
  b = axis_of(shape_, b, "mask");
  const Shape result = shape_.with(a, shape_[b]).with(b, shape_[a]);
  SizeList steps = broadcast_steps(shape_, shape_);
  std::swap(steps[a], steps[b]);
  const Offsets from(std::span(result.begin(), result.end()), steps);
  Mask::Bytes bytes(result.count());
  for (Size i = 0; i < result.count(); ++i) bytes[i] = (*bytes_)[from(i)];
  return Mask(result, std::move(bytes));
}

Mask operator&(const Mask& a, const Mask& b) {
  if (!a.defined()) return b;
  if (!b.defined()) return a;
  const Shape shape = broadcast(a.shape(), b.shape(), "mask");
  const Mask left = a.expand(shape), right = b.expand(shape);
  Mask::Bytes bytes(shape.count());
  for (Size i = 0; i < shape.count(); ++i) bytes[i] = left.data()[i] && right.data()[i];
  return Mask(shape, std::move(bytes));
}

Mask operator!(const Mask& mask) {
  if (!mask.defined()) fail("mask: the opposite of no mask has no shape; make the mask first");
  Mask::Bytes bytes(mask.shape().count());
  for (Size i = 0; i < mask.shape().count(); ++i) bytes[i] = !mask.data()[i];
  return Mask(mask.shape(), std::move(bytes));
}

Mask causal_mask(Size queries, Size keys) {
  if (queries < 0 || queries > keys)
    fail("causal_mask: {} queries and {} keys; a query needs a key at its own position", queries,
         keys);
  Mask::Bytes bytes(Shape{queries, keys}.count());
  for (Size i = 0; i < queries; ++i)
    for (Size j = 0; j < keys; ++j) bytes[i * keys + j] = j <= i + keys - queries;
  return Mask(Shape{queries, keys}, std::move(bytes));
}

Mask padding_mask(const std::vector<Size>& lengths, Size positions) {
  if (positions < 0) fail("padding_mask: {} positions; their number cannot be negative", positions);
  const Size count = static_cast<Size>(lengths.size());
  Mask::Bytes bytes(Shape{count, positions}.count());
  for (Size b = 0; b < count; ++b) {
    if (lengths[b] < 0 || lengths[b] > positions)
      fail("padding_mask: length {} of sequence {}; 0 to {} are possible", lengths[b], b,
           positions);
    for (Size t = 0; t < lengths[b]; ++t) bytes[b * positions + t] = 1;
  }
  return Mask(Shape{count, 1, 1, positions}, std::move(bytes));
}

Mask equal(const Tensor& a, const Tensor& b) {
  return compare(a, b, "equal", [](real x, real y) { return x == y; });
}

Mask greater(const Tensor& a, const Tensor& b) {
  return compare(a, b, "greater", [](real x, real y) { return x > y; });
}

}  // namespace attention
