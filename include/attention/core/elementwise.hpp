// One loop for every function of one number, and one for every function of two: an op only says
// what happens to an element. Results are independent of the number of threads (see threads.hpp).
#pragma once

#include "attention/core/shape.hpp"
#include "attention/core/threads.hpp"

namespace attention::kernels {

inline constexpr Size elements_per_range = 1024;  // ranges begin at multiples: whole vectors

// out[i] = f(x[i]). `cost` is about how many multiply-adds one call of f is worth.
template <class F>
void map(real* out, const real* x, Size count, Size cost, F f) {
  parallel_for(count, elements_per_range, count * (cost + moving), [&](Size begin, Size end) {
    for (Size i = begin; i < end; ++i) out[i] = f(x[i]);
  });
}

// out[i] = f(a[i], b[i]).
template <class F>
void zip(real* out, const real* a, const real* b, Size count, Size cost, F f) {
  parallel_for(count, elements_per_range, count * (cost + moving), [&](Size begin, Size end) {
    for (Size i = begin; i < end; ++i) out[i] = f(a[i], b[i]);
  });
}

// The same for operands that are stretched to the shape of the result. Along the last axis an
// operand either advances with the result or stands still: four loops, each without a branch
// inside.
template <class F>
void zip(real* out, const Shape& shape, const real* a, const Shape& a_shape, const real* b,
         const Shape& b_shape, Size cost, F f) {
  if (a_shape == shape && b_shape == shape) return zip(out, a, b, shape.count(), cost, f);
  if (b_shape.count() == 1 && a_shape.count() == shape.count())
    return map(out, a, shape.count(), cost, [f, y = *b](real x) { return f(x, y); });
  if (a_shape.count() == 1 && b_shape.count() == shape.count())
    return map(out, b, shape.count(), cost, [f, x = *a](real y) { return f(x, y); });
  if (shape.count() == 0) return;
  const int last = shape.rank() - 1;
  const Size columns = shape[last];
  const Size rows = shape.count() / columns;
  const Offsets a_at(a_shape, shape, 1), b_at(b_shape, shape, 1);
  const bool a_moves = broadcast_steps(a_shape, shape)[last] != 0;
  const bool b_moves = broadcast_steps(b_shape, shape)[last] != 0;
  parallel_for(rows, 1, shape.count() * (cost + moving), [&](Size begin, Size end) {
    for (Size row = begin; row < end; ++row) {
      real* to = out + row * columns;
      const real *x = a + a_at(row), *y = b + b_at(row);
      if (a_moves && b_moves) {
        for (Size i = 0; i < columns; ++i) to[i] = f(x[i], y[i]);
      } else if (a_moves) {
        for (Size i = 0; i < columns; ++i) to[i] = f(x[i], *y);
      } else if (b_moves) {
        for (Size i = 0; i < columns; ++i) to[i] = f(*x, y[i]);
      } else {
        for (Size i = 0; i < columns; ++i) to[i] = f(*x, *y);
      }
    }
  });
}

}  // namespace attention::kernels
