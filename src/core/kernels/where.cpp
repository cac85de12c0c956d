// The choice between two tensors, element by element, each stretched to the shape of the result.
// Along the last axis an operand either advances with the result or stands still: a loop for each
// case, without a branch inside.
#include "attention/core/elementwise.hpp"
#include "attention/core/kernels.hpp"

namespace attention::kernels {
namespace {

// What is read along a row: an element for each of the result's, or one for all.
template <class T>
struct Row {
  const T* data;
  bool moves;
  Row from(Size begin) const { return {data + (moves ? begin : 0), moves}; }
};

// Where the rows of an operand are.
template <class T>
struct Operand {
  const T* data;
  Offsets at;
  bool moves;
  Operand(const T* data, const Shape& from, const Shape& to)
      : data(data), at(from, to, 1), moves(broadcast_steps(from, to)[to.rank() - 1] != 0) {}
  Row<T> row(Size index) const { return {data + at(index), moves}; }
};

// Calls f with the function that gives element i of the row.
template <class F>
void along(const Row<real>& row, F f) {
  if (row.moves)
    f([x = row.data](Size i) { return x[i]; });
  else
    f([x = *row.data](Size) { return x; });
}

void choose(real* out, const Row<std::uint8_t>& mask, const Row<real>& a, const Row<real>& b,
            Size count) {
  if (!mask.moves)
    return along(*mask.data ? a : b, [=](auto chosen) {
      for (Size i = 0; i < count; ++i) out[i] = chosen(i);
    });
  along(a, [=, m = mask.data](auto of_a) {
    along(b, [=](auto of_b) {
      for (Size i = 0; i < count; ++i) {
        const real x = of_a(i), y = of_b(i);  // both are read, so that nothing branches
        out[i] = m[i] ? x : y;
      }
    });
  });
}

}  // namespace

void where(real* out, const Shape& shape, const std::uint8_t* mask, const Shape& mask_shape,
           const real* a, const Shape& a_shape, const real* b, const Shape& b_shape) {
  const Size count = shape.count(), work = count * (2 + moving);
  const auto flat = [&](const Shape& s) { return s.count() == count || s.count() == 1; };
  if (flat(mask_shape) && flat(a_shape) && flat(b_shape)) {
    const Row<std::uint8_t> choice{mask, mask_shape.count() == count};
    const Row<real> if_true{a, a_shape.count() == count}, if_false{b, b_shape.count() == count};
    return parallel_for(count, elements_per_range, work, [&](Size begin, Size end) {
      choose(out + begin, choice.from(begin), if_true.from(begin), if_false.from(begin),
             end - begin);
    });
  }
  if (count == 0) return;
  const Size columns = shape[shape.rank() - 1], rows = count / columns;
  const Operand choice(mask, mask_shape, shape);
  const Operand if_true(a, a_shape, shape), if_false(b, b_shape, shape);
  parallel_for(rows, 1, work, [&](Size begin, Size end) {
    for (Size row = begin; row < end; ++row)
      choose(out + row * columns, choice.row(row), if_true.row(row), if_false.row(row), columns);
  });
}

}  // namespace attention::kernels
