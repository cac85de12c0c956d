// Softmax and the loss, a row at a time. The maximum is taken off first, so that exp never
// overflows and the largest term is exp(0) = 1: log of the sum is never log of 0.
#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/core/kernels.hpp"
#include "attention/core/threads.hpp"
#include "lanes.hpp"

namespace attention::kernels {
namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();
constexpr Size exp_cost = 10;

bool admits(const std::uint8_t* mask, Size column) { return !mask || mask[column]; }

real max_of(const real* x, const std::uint8_t* mask, Size columns) {
  real highest = -infinity;
  for (Size j = 0; j < columns; ++j)
    if (admits(mask, j) && !(x[j] <= highest)) highest = x[j];  // NaN is taken, and stays
  return highest;
}

// exp(x - highest) in out, 0 where masked; returns the sum.
real exponentials(real* out, const real* x, const std::uint8_t* mask, real highest, Size columns) {
  real total = 0;
  for (Size j = 0; j < columns; ++j) {
    out[j] = admits(mask, j) ? std::exp(x[j] - highest) : 0;
    total += out[j];
  }
  return total;
}

real log_sum_exp(const real* x, const std::uint8_t* mask, real highest, Size columns) {
  real total = 0;
  for (Size j = 0; j < columns; ++j)
    if (admits(mask, j)) total += std::exp(x[j] - highest);
  return highest + std::log(total);
}

template <class Body>
void each_row(Size rows, Size columns, Body body) {
  parallel_for(rows, 1, rows * columns * exp_cost, [&](Size begin, Size end) {
    for (Size row = begin; row < end; ++row) body(row, row * columns);
  });
}

}  // namespace

void softmax(real* out, const real* x, const RowMask& mask, Size rows, Size columns) {
  each_row(rows, columns, [&](Size row, Size at) {
    const std::uint8_t* admitted = mask.row(row);
    const real highest = max_of(x + at, admitted, columns);
    if (highest == -infinity) {  // nothing admitted, or nothing but -inf
      std::fill_n(out + at, columns, real(0));
      return;
    }
    const real total = exponentials(out + at, x + at, admitted, highest, columns);
    const real share = 1 / total;
    for (Size j = 0; j < columns; ++j) out[at + j] *= share;
  });
}

void softmax_backward(real* dx, const real* y, const real* dy, Size rows, Size columns) {
  each_row(rows, columns, [&](Size, Size at) {
    const real mean = sum_row(columns, [&](Size j) { return y[at + j] * dy[at + j]; });
    for (Size j = 0; j < columns; ++j) dx[at + j] = y[at + j] * (dy[at + j] - mean);
  });
}

void log_softmax(real* out, const real* x, const RowMask& mask, Size rows, Size columns) {
  each_row(rows, columns, [&](Size row, Size at) {
    const std::uint8_t* admitted = mask.row(row);
    const real highest = max_of(x + at, admitted, columns);
    const real log_total =
        highest == -infinity ? 0 : log_sum_exp(x + at, admitted, highest, columns);
    for (Size j = 0; j < columns; ++j)
      out[at + j] = admits(admitted, j) ? x[at + j] - log_total : -infinity;
  });
}

// With q_target = 1 - s + s/V and the other q = s/V, the loss -Σ q (x - L), L = log Σ exp(x), is
// L - (1 - s) x_target - s mean(x). Both terms are taken relative to the maximum.
void cross_entropy(real* loss, const real* x, const Targets& targets, Size rows, Size columns) {
  each_row(rows, columns, [&](Size row, Size at) {
    const int target = targets.ids[row];
    if (target == targets.ignore) {
      loss[row] = 0;
      return;
    }
    const real total = log_sum_exp(x + at, nullptr, max_of(x + at, nullptr, columns), columns);
    real others = 0;
    if (targets.smoothing > 0) {
      for (Size j = 0; j < columns; ++j) others += total - x[at + j];
      others /= static_cast<real>(columns);
    }
    loss[row] = (1 - targets.smoothing) * (total - x[at + target]) + targets.smoothing * others;
  });
}

void cross_entropy_backward(real* dx, const real* x, const Targets& targets, real scale, Size rows,
                            Size columns) {
  const real everywhere = scale * targets.smoothing / static_cast<real>(columns);
  each_row(rows, columns, [&](Size row, Size at) {
    const int target = targets.ids[row];
    if (target == targets.ignore) {
      std::fill_n(dx + at, columns, real(0));
      return;
    }
    const real highest = max_of(x + at, nullptr, columns);
    const real share = scale / exponentials(dx + at, x + at, nullptr, highest, columns);
    for (Size j = 0; j < columns; ++j) dx[at + j] = dx[at + j] * share - everywhere;
    dx[at + target] -= scale * (1 - targets.smoothing);
  });
}

}  // namespace attention::kernels
