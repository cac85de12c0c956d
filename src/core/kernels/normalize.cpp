// Layer normalization, a row at a time, in two passes: the mean first, then the squares of what is
// left, because E[x²] - E[x]² loses all its digits when the mean is large.
#include <cmath>

#include "attention/core/kernels.hpp"
#include "attention/core/threads.hpp"
#include "lanes.hpp"

namespace attention::kernels {
void normalize(real* out, real* rstd, const real* x, real eps, Size rows, Size columns) {
  const real one_nth = 1 / static_cast<real>(columns);
  parallel_for(rows, 1, rows * columns * 4, [&](Size begin, Size end) {
    for (Size row = begin; row < end; ++row) {
      const real* from = x + row * columns;
      real* to = out + row * columns;
      const real mean = sum_row(columns, [&](Size j) { return from[j]; }) * one_nth;
      for (Size j = 0; j < columns; ++j) to[j] = from[j] - mean;
      const real variance = sum_row(columns, [&](Size j) { return to[j] * to[j]; }) * one_nth;
      const real r = rstd[row] = 1 / std::sqrt(variance + eps);
      for (Size j = 0; j < columns; ++j) to[j] *= r;
    }
  });
}

void normalize_backward(real* dx, const real* y, const real* rstd, const real* g, Size rows,
                        Size columns) {
  const real one_nth = 1 / static_cast<real>(columns);
  parallel_for(rows, 1, rows * columns * 4, [&](Size begin, Size end) {
    for (Size row = begin; row < end; ++row) {
      const Size at = row * columns;
      const real mean = sum_row(columns, [&](Size j) { return g[at + j]; }) * one_nth;
      const real along = sum_row(columns, [&](Size j) { return g[at + j] * y[at + j]; }) * one_nth;
      for (Size j = 0; j < columns; ++j)
        dx[at + j] = rstd[row] * (g[at + j] - mean - y[at + j] * along);
    }
  });
}

}  // namespace attention::kernels
