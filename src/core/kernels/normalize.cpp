// Layer normalization, a row at a time, in two passes: the mean first, then the squares of what is
// left, because E[x²] - E[x]² loses all its digits when the mean is large.
#include <algorithm>
#include <cmath>

#include "attention/core/kernels.hpp"
#include "attention/core/memory.hpp"
#include "attention/core/threads.hpp"
#include "lanes.hpp"

namespace attention::kernels {
namespace {

struct Moments {
  real mean, rstd;  // rstd is 1 / sqrt(variance + eps)
};

Moments moments_of(const real* x, real eps, Size columns) {
  const real one_nth = 1 / static_cast<real>(columns);
  const real mean = sum_row(columns, [=](Size j) { return x[j]; }) * one_nth;
  const real variance =
      sum_row(columns, [=](Size j) { return (x[j] - mean) * (x[j] - mean); }) * one_nth;
  return {mean, 1 / std::sqrt(variance + eps)};
}

}  // namespace

void normalize(real* out, real* rstd, const real* x, real eps, Size rows, Size columns) {
  parallel_for(rows, 1, rows * columns * 4, [&](Size begin, Size end) {
    for (Size row = begin; row < end; ++row) {
      const real* from = x + row * columns;
      real* to = out + row * columns;
      const auto [mean, r] = moments_of(from, eps, columns);
      rstd[row] = r;
      for (Size j = 0; j < columns; ++j) to[j] = (from[j] - mean) * r;
    }
  });
}

void normalize_backward(real* dx, const real* y, const real* rstd, const real* g, Size rows,
                        Size columns) {
  const real one_nth = 1 / static_cast<real>(columns);
  parallel_for(rows, 1, rows * columns * 4, [&](Size begin, Size end) {
    for (Size row = begin; row < end; ++row) {
      const real *value = y + row * columns, *arrived = g + row * columns;
      const real r = rstd[row];
      real* to = dx + row * columns;
      const real mean = sum_row(columns, [=](Size j) { return arrived[j]; }) * one_nth;
      const real along = sum_row(columns, [=](Size j) { return arrived[j] * value[j]; }) * one_nth;
      for (Size j = 0; j < columns; ++j) to[j] = r * (arrived[j] - mean - value[j] * along);
    }
  });
}

void layer_norm(real* out, real* mean, real* rstd, const real* x, const real* gain,
                const real* bias, real eps, Size rows, Size columns) {
  parallel_for(rows, 1, rows * columns * 6, [&](Size begin, Size end) {
    for (Size row = begin; row < end; ++row) {
      const real* from = x + row * columns;
      real* to = out + row * columns;
      const auto [m, r] = moments_of(from, eps, columns);
      mean[row] = m, rstd[row] = r;
      for (Size j = 0; j < columns; ++j) to[j] = (from[j] - m) * r * gain[j] + bias[j];
    }
  });
}

// Gain and bias get sums over all rows: each block of rows has sums of its own, and these are added
// up in the order of the blocks.
void layer_norm_backward(real* dx, real* dgain, real* dbias, const real* x, const real* mean,
                         const real* rstd, const real* gain, const real* g, Size rows,
                         Size columns) {
  constexpr Size block = 32;
  const Size blocks = (rows + block - 1) / block;
  const Buffer gains(blocks * columns), biases(blocks * columns);
  const real one_nth = 1 / static_cast<real>(columns);
  parallel_for(blocks, 1, rows * columns * 10, [&](Size begin, Size end) {
    for (Size b = begin; b < end; ++b) {
      real *to_gain = gains.fill() + b * columns, *to_bias = biases.fill() + b * columns;
      std::fill_n(to_gain, columns, real(0));
      std::fill_n(to_bias, columns, real(0));
      for (Size row = b * block; row < std::min(rows, (b + 1) * block); ++row) {
        const real *from = x + row * columns, *arrived = g + row * columns;
        real* to = dx + row * columns;
        const real m = mean[row], r = rstd[row];
        const auto y = [=](Size j) { return (from[j] - m) * r; };
        const auto h = [=](Size j) { return arrived[j] * gain[j]; };
        const real average = sum_row(columns, h) * one_nth;
        const real along = sum_row(columns, [=](Size j) { return h(j) * y(j); }) * one_nth;
        // Two loops: for one, g++ would have too many overlaps to rule out, and use no vectors.
        for (Size j = 0; j < columns; ++j) to[j] = r * (h(j) - average - y(j) * along);
        for (Size j = 0; j < columns; ++j) {
          to_gain[j] += arrived[j] * y(j);
          to_bias[j] += arrived[j];
        }
      }
    }
  });
  sum(dgain, gains.data(), 1, blocks, columns);
  sum(dbias, biases.data(), 1, blocks, columns);
}

}  // namespace attention::kernels
