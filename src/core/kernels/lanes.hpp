// A sum (or maximum) along a row in 16 lanes that are joined at the end. The compiler may not
// reorder additions by itself; written this way they run in vectors, and always in the same order.
#pragma once

#include <algorithm>
#include <limits>

#include "attention/core/real.hpp"

namespace attention::kernels {

inline constexpr Size lanes = 16;

// f(0) … f(n-1) joined, beginning with `start`, which must change nothing (0 for a sum).
template <class F, class Join>
real join_row(Size n, real start, F f, Join join) {
  real lane[lanes];
  std::fill_n(lane, lanes, start);
  Size i = 0;
  for (; i + lanes <= n; i += lanes)
    for (Size k = 0; k < lanes; ++k) lane[k] = join(lane[k], f(i + k));
  for (Size k = 0; i + k < n; ++k) lane[k] = join(lane[k], f(i + k));
#pragma GCC unroll 8  // or the lanes would go through memory
  for (Size half = lanes / 2; half > 0; half /= 2)
    for (Size k = 0; k < half; ++k) lane[k] = join(lane[k], lane[k + half]);
  return lane[0];
}

template <class F>
real sum_row(Size n, F f) {
  return join_row(n, 0, f, [](real a, real b) { return a + b; });
}

// NaN may get lost here; in a softmax it comes back with the sum.
inline real max_of(const real* x, Size n) {
  return join_row(
      n, -std::numeric_limits<real>::infinity(), [&](Size j) { return x[j]; },
      [](real a, real b) { return a > b ? a : b; });
}

}  // namespace attention::kernels
