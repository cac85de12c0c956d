// A sum (or maximum) along a row in 16 lanes, then 4, then one. The compiler may not reorder
// additions by itself; written this way they run in vectors, and always in the same order.
#pragma once

#include <limits>

#include "attention/core/real.hpp"

// g++ would take a short loop apart before it looks for vectors, and then finds few.
#if defined(__GNUC__) && !defined(__clang__)
#define ATTENTION_KEEP_LOOP _Pragma("GCC unroll 1")
#else
#define ATTENTION_KEEP_LOOP
#endif

namespace attention::kernels {

inline constexpr Size lanes = 16;

// f(0) … f(n-1) joined, beginning with `start`, which must change nothing (0 for a sum). What is
// left over goes into fewer lanes, not into some of many: a vector is slow to read from memory
// where only a part of it has just been written.
template <class F, class Join>
real join_row(Size n, real start, F f, Join join) {
  real lane[lanes];
  for (real& l : lane) l = start;
  Size i = 0;
  for (; i + lanes <= n; i += lanes) {
    ATTENTION_KEEP_LOOP
    for (Size k = 0; k < lanes; ++k) lane[k] = join(lane[k], f(i + k));
  }
  ATTENTION_KEEP_LOOP
  for (Size k = 0; k < 8; ++k) lane[k] = join(lane[k], lane[k + 8]);
  ATTENTION_KEEP_LOOP
  for (Size k = 0; k < 4; ++k) lane[k] = join(lane[k], lane[k + 4]);
  for (; i + 4 <= n; i += 4) {
    ATTENTION_KEEP_LOOP
    for (Size k = 0; k < 4; ++k) lane[k] = join(lane[k], f(i + k));
  }
  real all = join(join(lane[0], lane[2]), join(lane[1], lane[3]));
  ATTENTION_KEEP_LOOP
  for (; i < n; ++i) all = join(all, f(i));
  return all;
}

template <class F>
real sum_row(Size n, F f) {
  return join_row(n, 0, f, [](real a, real b) { return a + b; });
}

// The largest of x(0) … x(n-1). NaN may get lost here; in a softmax it comes back with the sum.
template <class X>
real max_of(X x, Size n) {
  return join_row(n, -std::numeric_limits<real>::infinity(), x,
                  [](real a, real b) { return a > b ? a : b; });
}

// What a softmax takes off a row. Where there is nothing but -inf, exp(x - 0) is 0 too, while
// -inf - -inf would be NaN.
template <class X>
real shift_of(X x, Size n) {
  const real highest = max_of(x, n);
  return highest == -std::numeric_limits<real>::infinity() ? 0 : highest;
}

inline constexpr Size exp_cost = 25;  // an element of a softmax, in multiply-adds

}  // namespace attention::kernels
