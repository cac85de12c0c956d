#include "attention/core/shape.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "attention/core/error.hpp"

namespace attention {

Shape::Shape(std::span<const Size> sizes) : rank_(static_cast<int>(sizes.size())) {
  if (sizes.size() > max_rank)
    fail("shape: {} axes; at most {} are possible", sizes.size(), max_rank);
  std::copy(sizes.begin(), sizes.end(), sizes_.begin());
  bool overflow = false, empty = false;
  for (Size size : sizes) {
    if (size < 0)
      fail("shape: a size is negative: {}; each has to be given, none is worked out",
           to_string(*this));
    empty = empty || size == 0;
    // A size of 0 is no excuse for the others: inner() and outer() multiply without it.
    if (size > 0) overflow = __builtin_mul_overflow(count_, size, &count_) || overflow;
  }
  if (overflow) fail("shape: {} has more elements than 64 bits count", to_string(*this));
  if (empty) count_ = 0;
}

void Shape::no_axis(int axis) const {
  if (rank_ == 0) fail("shape: axis {} of a scalar, which has no axes", axis);
  fail("shape: axis {} of {}: 0 to {} are possible", axis, *this, rank_ - 1);
}

Shape Shape::with(int axis, Size size) const {
  if (axis < 0 || axis >= rank_) no_axis(axis);
  std::array<Size, max_rank> sizes = sizes_;
  sizes[axis] = size;
  return Shape(std::span(sizes.data(), rank_));
}

Shape Shape::without(int axis) const {
  if (axis < 0 || axis >= rank_) no_axis(axis);
  SizeList sizes(begin(), end());
  sizes.erase(sizes.begin() + axis);
  return Shape(sizes);
}

Shape Shape::with_last(Size size) const {
  SizeList sizes(begin(), end());
  sizes.push_back(size);
  return Shape(sizes);
}

Size Shape::inner(int axis) const {
  if (axis < 0 || axis >= rank_) no_axis(axis);
  Size count = 1;
  for (int i = axis + 1; i < rank_; ++i) count *= sizes_[i];
  return count;
}

Size Shape::outer(int axis) const {
  if (axis < 0 || axis >= rank_) no_axis(axis);
  Size count = 1;
  for (int i = 0; i < axis; ++i) count *= sizes_[i];
  return count;
}

bool Shape::operator==(const Shape& other) const {
  return std::equal(begin(), end(), other.begin(), other.end());
}

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (int i = 0; i < shape.rank(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.rank() == 1 ? ",)" : ")");
}

int axis_of(const Shape& shape, int axis, std::string_view op) {
  const int rank = shape.rank();
  if (axis < -rank || axis >= rank) {
    if (rank == 0) fail("{}: axis {} of a scalar, which has no axes", op, axis);
    fail("{}: axis {} of {}: there are {} axes, so {} to {} are possible", op, axis, shape, rank,
         -rank, rank - 1);
  }
  return axis < 0 ? axis + rank : axis;
}

Axes axes_of(const Shape& shape, const Axes& axes, std::string_view op) {
  Axes result;
  for (int axis : axes) result.push_back(axis_of(shape, axis, op));
  std::sort(result.begin(), result.end());
  auto twice = std::adjacent_find(result.begin(), result.end());
  if (twice != result.end()) fail("{}: axis {} of {} is named twice", op, *twice, shape);
  return result;
}

Shape broadcast(const Shape& a, const Shape& b, std::string_view op) {
  const int rank = std::max(a.rank(), b.rank());
  std::array<Size, Shape::max_rank> sizes;
  for (int i = 1; i <= rank; ++i) {
    const Size x = i <= a.rank() ? a[a.rank() - i] : 1;
    const Size y = i <= b.rank() ? b[b.rank() - i] : 1;
    if (x != y && x != 1 && y != 1)
      fail(
          "{}: {} and {} do not broadcast: at axis {} from the end, {} is not {}, and neither is 1",
          op, a, b, i, x, y);
    sizes[rank - i] = x == 1 ? y : x;
  }
  return Shape(std::span(sizes.data(), rank));
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  if (from.rank() > to.rank()) return false;
  for (int i = 1; i <= from.rank(); ++i) {
    const Size size = from[from.rank() - i];
    if (size != 1 && size != to[to.rank() - i]) return false;
  }
  return true;
}

SizeList broadcast_steps(const Shape& from, const Shape& to) {
  if (!broadcasts_to(from, to)) fail("shape: {} does not stretch to {}", from, to);
  SizeList steps(to.rank(), 0);
  Size step = 1;
  for (int i = 1; i <= from.rank(); ++i) {
    const Size size = from[from.rank() - i];
    if (size != 1) steps[to.rank() - i] = step;
    step *= size;
  }
  return steps;
}

Offsets::Offsets(std::span<const Size> sizes, std::span<const Size> steps) {
  if (sizes.size() != steps.size() || sizes.size() > Shape::max_rank)
    fail("offsets: {} sizes and {} steps; each size needs one, and {} are the most", sizes.size(),
         steps.size(), Shape::max_rank);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    if (rank_ > 0 && steps_[rank_ - 1] == steps[i] * sizes[i]) {
      sizes_[rank_ - 1] *= sizes[i];
      steps_[rank_ - 1] = steps[i];
    } else {
      sizes_[rank_] = sizes[i];
      steps_[rank_++] = steps[i];
    }
  }
}

Offsets::Offsets(const Shape& from, const Shape& to, int inner_axes) {
  if (inner_axes < 0 || inner_axes > to.rank())
    fail("offsets: without the last {} axes of {}; 0 to {} are possible", inner_axes, to,
         to.rank());
  const SizeList steps = broadcast_steps(from, to);
  const std::size_t leading = steps.size() - inner_axes;
  *this = Offsets(std::span(to.begin(), leading), std::span(steps).first(leading));
}

}  // namespace attention

fmt::format_context::iterator fmt::formatter<attention::Shape>::format(
    const attention::Shape& shape, format_context& context) const {
  return formatter<std::string_view>::format(attention::to_string(shape), context);
}
