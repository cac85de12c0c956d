// Softmax and the loss, a row at a time. The maximum is taken off first, so that exp never
// overflows and the largest term is exp(0) = 1: log of the sum is never log of 0.
#include <algorithm>
#include <limits>

#include "attention/core/kernels.hpp"
#include "attention/core/math.hpp"
#include "attention/core/threads.hpp"
#include "lanes.hpp"

namespace attention::kernels {
namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();

// Calls f with the function that gives number j of a row: of x, or where there is a mask, of y,
// where x is written with -inf in place of what is masked. exp makes exactly 0 of that, so the
// loops that follow need not know about masks.
template <class F>
void admit(real* y, const real* x, const std::uint8_t* mask, Size columns, F f) {
  if (!mask) return f([=](Size j) { return x[j]; });
  for (Size j = 0; j < columns; ++j) {
    const real value = x[j];
    y[j] = mask[j] ? value : -infinity;
  }
  f([=](Size j) { return y[j]; });
}

// y = exp(x - shift); returns the sum.
template <class X>
real exponentials(real* y, X x, real shift, Size columns) {
  for (Size j = 0; j < columns; ++j) y[j] = math::exp(x(j) - shift);
  return sum_row(columns, [=](Size j) { return y[j]; });
}

// log Σ exp(x - shift): not yet added to the maximum, where a large one would swallow it.
template <class X>
real log_sum_exp(X x, real shift, Size columns) {
  return math::log(sum_row(columns, [=](Size j) { return math::exp(x(j) - shift); }));
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
    real* const y = out + at;
    admit(y, x + at, mask.row(row), columns, [=](auto from) {
      const real total = exponentials(y, from, shift_of(from, columns), columns);
      const real share = total == 0 ? 0 : 1 / total;  // nothing admitted, or nothing but -inf
      for (Size j = 0; j < columns; ++j) y[j] *= share;
    });
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
    real* const y = out + at;
    admit(y, x + at, mask.row(row), columns, [=](auto from) {
      const real shift = shift_of(from, columns);
      const real log_total = log_sum_exp(from, shift, columns);
      for (Size j = 0; j < columns; ++j) {  // -inf stays, whatever the others are, NaN or -inf too
        const real value = from(j);
        y[j] = value == -infinity ? value : value - shift - log_total;
      }
    });
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
    const auto logit = [from = x + at](Size j) { return from[j]; };
    const real highest = max_of(logit, columns);
    const real total = log_sum_exp(logit, highest, columns);
    const auto cost = [=](Size j) { return highest - logit(j) + total; };
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
    const auto logit = [from = x + at](Size j) { return from[j]; };
    const real share = scale / exponentials(dx + at, logit, max_of(logit, columns), columns);
    for (Size j = 0; j < columns; ++j) dx[at + j] = dx[at + j] * share - everywhere;
    dx[at + target] -= scale * (1 - targets.smoothing);
  });
}

}  // namespace attention::kernels
