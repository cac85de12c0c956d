// The sizes of a tensor's axes, and the rules of broadcasting. Row-major: the last axis is the one
// whose neighbours are neighbours in memory. Next: random.hpp, memory.hpp.
#pragma once

#include <fmt/core.h>

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/core/memory.hpp"
#include "attention/core/real.hpp"

namespace attention {

using SizeList = std::vector<Size, Pooled<Size>>;

class Shape {
 public:
  static constexpr int max_rank = 8;

  Shape() = default;  // rank 0: a scalar, one element
  // Throws when a size is negative, when there are more than max_rank of them, or when the product
  // of those that are not 0 does not fit 64 bits: before anything is allocated.
  Shape(std::initializer_list<Size> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}
  explicit Shape(std::span<const Size> sizes);

  int rank() const { return rank_; }
  Size count() const { return count_; }  // the number of elements
  Size operator[](int axis) const {      // axis in [0, rank), as all below
    if (axis < 0 || axis >= rank_) no_axis(axis);
    return sizes_[axis];
  }
  const Size* begin() const { return sizes_.data(); }
  const Size* end() const { return sizes_.data() + rank_; }

  Shape with(int axis, Size size) const;  // the same, but for one axis
  Shape without(int axis) const;          // one axis fewer
  Shape with_last(Size size) const;       // one axis more, at the end

  // How many elements lie behind one index of the axis, and how many before it.
  Size inner(int axis) const;
  Size outer(int axis) const;

  bool operator==(const Shape& other) const;

 private:
  [[noreturn]] void no_axis(int axis) const;

  std::array<Size, max_rank> sizes_{};
  int rank_ = 0;
  Size count_ = 1;
};

std::string to_string(const Shape& shape);  // "(2, 3)", "(4,)", "()"

// An axis counted from the front (0 …) or, negative, from the back (-1 is the last), made to count
// from the front. Throws, naming the op, where the shape has no such axis.
int axis_of(const Shape& shape, int axis, std::string_view op);

// A set of axes to reduce over, written -1 or {0, 2}.
struct Axes : std::vector<int, Pooled<int>> {
  Axes() = default;
  Axes(int axis) : vector{axis} {}
  Axes(std::initializer_list<int> axes) : vector(axes) {}
};

// The same axes from the front, in rising order. Throws on one out of range or named twice.
Axes axes_of(const Shape& shape, const Axes& axes, std::string_view op);

// The shape that both stretch to: axes are lined up at the end, and where one has size 1 or no axis
// at all, the other decides. Throws, naming the op, where two sizes differ and neither is 1.
Shape broadcast(const Shape& a, const Shape& b, std::string_view op);
bool broadcasts_to(const Shape& from, const Shape& to);

// Step in memory per index of each axis of `to` for something of shape `from` stretched to it:
// row-major, with step 0 along the axes that are stretched. Throws unless it broadcasts.
SizeList broadcast_steps(const Shape& from, const Shape& to);

// Where the k-th row (or matrix) of a stretched operand begins. Made of the leading axes of the
// result and the operand's steps along them; axes that lie behind one another in memory are merged,
// so the usual case is one multiplication.
class Offsets {
 public:
  Offsets() = default;  // always 0
  Offsets(std::span<const Size> sizes, std::span<const Size> steps);
  // For an operand of shape `from` stretched to `to`, leaving out the last `inner_axes` axes.
  Offsets(const Shape& from, const Shape& to, int inner_axes);

  Size operator()(Size index) const {
    Size offset = 0;
    for (int i = rank_ - 1; i > 0; --i) {
      offset += index % sizes_[i] * steps_[i];
      index /= sizes_[i];
    }
    return rank_ > 0 ? offset + index * steps_[0] : 0;
  }

 private:
  std::array<Size, Shape::max_rank> sizes_{}, steps_{};
  int rank_ = 0;
};

}  // namespace attention

template <>
struct fmt::formatter<attention::Shape> : fmt::formatter<std::string_view> {
  format_context::iterator format(const attention::Shape& shape, format_context& context) const;
};
