// Sums and maxima over the middle axis of three. A row in memory is reduced in lanes; rows above
// one another are joined one by one. The order is fixed, so the result is the same for any number
// of threads.
#include <algorithm>
#include <limits>

#include "attention/core/kernels.hpp"
#include "attention/core/threads.hpp"
#include "lanes.hpp"

namespace attention::kernels {
namespace {

constexpr Size columns_per_range = 64;

// to (width) = n rows, `step` apart, joined one by one.
template <class Join>
void join_rows(real* to, const real* x, Size n, Size step, Size width, real start, Join join) {
  std::fill_n(to, width, start);
  for (Size j = 0; j < n; ++j, x += step)
    for (Size i = 0; i < width; ++i) to[i] = join(to[i], x[i]);
}

template <class Join>
void reduce(real* out, const real* x, Size outer, Size n, Size inner, real start, Join join) {
  const Size work = outer * n * inner * moving;
  if (inner == 1)
    parallel_for(outer, 1, work, [&](Size begin, Size end) {
      for (Size o = begin; o < end; ++o)
        out[o] = join_row(
            n, start, [=](Size i) { return x[o * n + i]; }, join);
    });
  else if (outer == 1)
    parallel_for(inner, columns_per_range, work, [&](Size begin, Size end) {
      join_rows(out + begin, x + begin, n, inner, end - begin, start, join);
    });
  else
    parallel_for(outer, 1, work, [&](Size begin, Size end) {
      for (Size o = begin; o < end; ++o)
        join_rows(out + o * inner, x + o * n * inner, n, inner, inner, start, join);
    });
}

}  // namespace

void sum(real* out, const real* x, Size outer, Size n, Size inner) {
  reduce(out, x, outer, n, inner, real(0), [](real a, real b) { return a + b; });
}

void max(real* out, const real* x, Size outer, Size n, Size inner) {
  constexpr real lowest = -std::numeric_limits<real>::infinity();
  reduce(out, x, outer, n, inner, lowest,
         [](real a, real b) { return a > b || a != a ? a : b; });  // NaN wins
}

}  // namespace attention::kernels
