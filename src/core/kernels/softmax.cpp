// Softmax and the loss, a row at a time. The maximum is taken off first, so that exp never
// overflows and the largest term is exp(0) = 1: log of the sum is never log of 0.
#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/core/kernels.hpp"
#include "attention/core/math.hpp"
#include "attention/core/threads.hpp"
#include "lanes.hpp"

namespace attention::kernels {
namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();
constexpr Size exp_cost = 25;

// What a row of softmax begins with: x, and -inf where masked. exp makes exactly 0 of that, so the
// loops that follow need not know about masks.
void admit(real* out, const real* x, const std::uint8_t* mask, Size columns) {
  if (mask)
    for (Size j = 0; j < columns; ++j) out[j] = mask[j] ? x[j] : -infinity;
  else
    std::copy_n(x, columns, out);
}

// In a row without anything but -inf, exp(x - 0) is 0 too, while -inf - -inf would be NaN.
real shift_of(const real* x, Size columns) {
  const real highest = max_of(x, columns);
  return highest == -infinity ? 0 : highest;
}

// x = exp(x - shift); returns the sum.
real exponentials(real* x, real shift, Size columns) {
  for (Size j = 0; j < columns; ++j) x[j] = math::exp(x[j] - shift);
  return sum_row(columns, [&](Size j) { return x[j]; });
}

// log Σ exp(x - shift): not yet added to the maximum, where a large one would swallow it.
real log_sum_exp(const real* x, real shift, Size columns) {
  return std::log(sum_row(columns, [&](Size j) { return math::exp(x[j] - shift); }));
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
    real* y = out + at;
    admit(y, x + at, mask.row(row), columns);
    const real total = exponentials(y, shift_of(y, columns), columns);
    const real share = total == 0 ? 0 : 1 / total;  // nothing admitted, or nothing but -inf
    for (Size j = 0; j < columns; ++j) y[j] *= share;
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
    real* y = out + at;
    admit(y, x + at, mask.row(row), columns);
    const real shift = shift_of(y, columns);
    const real log_total = log_sum_exp(y, shift, columns);
    for (Size j = 0; j < columns; ++j)  // -inf stays, whatever the others are, NaN or -inf too
      y[j] = y[j] == -infinity ? y[j] : y[j] - shift - log_total;
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
    const real highest = max_of(x + at, columns);
    const real total = log_sum_exp(x + at, highest, columns);
    const auto cost = [&](Size j) { return highest - x[at + j] + total; };
    real others = 0;
    if (targets.smoothing > 0) others = sum_row(columns, cost) / static_cast<real>(columns);
    loss[row] = (1 - targets.smoothing) * cost(target) + targets.smoothing * others;
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
    std::copy_n(x + at, columns, dx + at);
    const real share = scale / exponentials(dx + at, max_of(dx + at, columns), columns);
    for (Size j = 0; j < columns; ++j) dx[at + j] = dx[at + j] * share - everywhere;
    dx[at + target] -= scale * (1 - targets.smoothing);
  });
}

}  // namespace attention::kernels
