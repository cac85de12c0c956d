#include "attention/train/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "attention/core/error.hpp"

namespace attention {
namespace {

constexpr std::array kinds{"constant", "cosine", "noam"};  // in the order of ScheduleKind

// The share of the rate that warm-up allows: 1/n, 2/n … 1, and 1 from then on.
double rise(double step, double warmup) { return step < warmup ? step / warmup : 1; }

// 1 until `start`, `final` from `end` on, half a cosine in between.
double fall(Size step, Size start, Size end, double final) {
  if (step <= start) return 1;
  if (step >= end) return final;
  const double way = static_cast<double>(step - start) / static_cast<double>(end - start);
  return final + (1 - final) * (1 + std::cos(std::numbers::pi * way)) / 2;
}

double noam(double step, double warmup, double channels) {
  const double falling = std::pow(step, -0.5);
  const double shape = warmup > 0 ? std::min(falling, step * std::pow(warmup, -1.5)) : falling;
  return std::pow(channels, -0.5) * shape;
}

}  // namespace

real Schedule::operator()(Size step) const {
  if (step < 1) fail("schedule: step {}; steps count from 1", step);
  if (!(rate >= 0) || std::isinf(rate))
    fail("schedule: a rate of {}; a finite number is needed, at least 0", rate);
  if (warmup < 0) fail("schedule: a warm-up of {} steps; 0 is none", warmup);
  static_cast<void>(to_string(kind));  // throws on a number that is no kind
  double share = 1;
  switch (kind) {
    case ScheduleKind::constant:
      share = rise(step, warmup);
      break;
    case ScheduleKind::cosine:
      if (steps < 1)
        fail("schedule: cosine has to know the number of all steps, and steps is {}", steps);
      if (steps < warmup)
        fail("schedule: a warm-up of {} steps in a cosine of {}, warm-up included", warmup, steps);
      if (!(final >= 0 && final <= 1))
        fail("schedule: final = {}; it is a share of the rate, 0 to 1", final);
      share = rise(step, warmup) * fall(step, std::max<Size>(warmup, 1), steps, final);
      break;
    case ScheduleKind::noam:
      if (channels < 1) fail("schedule: noam has to know d_model, and channels is {}", channels);
      share = noam(step, warmup, channels);
      break;
  }
  return static_cast<real>(rate * share);
}

ScheduleKind schedule_kind(const std::string& name) {
  const auto found = std::find(kinds.begin(), kinds.end(), name);
  if (found == kinds.end())
    fail("schedule: there is no kind {}; {} are possible", name, fmt::join(kinds, ", "));
  return static_cast<ScheduleKind>(found - kinds.begin());
}

std::string to_string(ScheduleKind kind) {
  const auto number = static_cast<std::size_t>(kind);
  if (number >= kinds.size())
    fail("schedule: number {} is no kind; {} are possible", static_cast<int>(kind),
         fmt::join(kinds, ", "));
  return kinds[number];
}

}  // namespace attention
