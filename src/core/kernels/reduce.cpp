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

template <class Join>
void reduce(real* out, const real* x, Size outer, Size n, Size inner, real start, Join join) {
  if (inner == 1) {
    parallel_for(outer, 1, outer * n * moving, [&](Size begin, Size end) {
      for (Size o = begin; o < end; ++o)
        out[o] = join_row(
            n, start, [=](Size i) { return x[o * n + i]; }, join);
    });
    return;
  }
  const Size ranges = (inner + columns_per_range - 1) / columns_per_range;
  parallel_for(outer * ranges, 1, outer * n * inner * moving, [&](Size begin, Size end) {
    for (Size k = begin; k < end; ++k) {
      const Size o = k / ranges, first = k % ranges * columns_per_range;
      const Size width = std::min(columns_per_range, inner - first);
      real* to = out + o * inner + first;
      std::fill_n(to, width, start);
      for (Size j = 0; j < n; ++j) {
        const real* row = x + (o * n + j) * inner + first;
        for (Size i = 0; i < width; ++i) to[i] = join(to[i], row[i]);
      }
    }
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
