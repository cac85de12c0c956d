#include "attention/draw/ticks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"

namespace attention::draw {
namespace {

// 1, 2, 5, 10, 20, 50 …: the least that is at least so much.
double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (double factor : {1.0, 2.0, 5.0})
    if (power * factor >= least * (1 - 1e-9)) return power * factor;
  return power * 10;
}

// 1.5e-5: as printf would have it, without the zeros.
std::string power_text(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const int power = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  return fmt::format("{:.3g}e{}", value / std::pow(10.0, power), power);
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int at_most) {
  if (!(low < high) || at_most < 1) return {low};
  const double step = round_step(high / at_most - low / at_most);
  std::vector<double> ticks;
  const double slack = step * 1e-6;  // an end that is a multiple but for rounding counts
  for (double i = std::ceil((low - slack) / step);
       i * step <= high + slack && std::isfinite(i * step); ++i)
    ticks.push_back(i == 0 ? 0.0 : i * step);
  return ticks;
}

std::vector<double> log_ticks(double low, double high, int at_most) {
  if (!(low > 0 && low < high) || std::isinf(high) || at_most < 1)
    fail("log ticks: at most {} from {} to {}; 0 < low < high is needed, and at least one tick",
         at_most, low, high);
  const double decades =
      std::isfinite(high / low) ? std::log10(high / low) : std::log10(high) - std::log10(low);
  if (decades < 1) return round_ticks(low, high, at_most);
  std::vector<double> ticks;
  const bool between = decades * 3 <= at_most;
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / at_most)));
  for (int power = static_cast<int>(std::floor(std::log10(low))); std::pow(10, power) <= high;
       ++power)
    for (double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10, power);
      if (factor > 1 ? !between : power % stride != 0) continue;
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push_back(value);
    }
  return ticks;
}

std::vector<std::string> tick_texts(const std::vector<double>& ticks) {
  double greatest = 0, least = HUGE_VAL;  // least: also of the steps between them
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    greatest = std::max(greatest, std::abs(ticks[i]));
    if (ticks[i] != 0) least = std::min(least, std::abs(ticks[i]));
    if (i > 0) least = std::min(least, std::abs(ticks[i] - ticks[i - 1]));
  }
  std::vector<std::string> texts;
  if (greatest >= 1e9 || least < 1e-4) {
    for (double value : ticks) texts.push_back(value == 0 ? "0" : power_text(value));
    return texts;
  }
  const double unit = greatest < 1e4 ? 1 : greatest < 1e6 ? 1e3 : 1e6;
  const char* suffix = unit == 1 ? "" : unit == 1e3 ? "k" : "M";
  int decimals = 0;  // as many as it takes until no tick has more
  const auto has_more = [&](double value) {
    const double scaled = value / unit * std::pow(10, decimals);
    return std::abs(scaled - std::round(scaled)) > 0.01;
  };
  while (decimals < 6 && std::any_of(ticks.begin(), ticks.end(), has_more)) ++decimals;
  for (double value : ticks)
    texts.push_back(value == 0 ? "0" : fmt::format("{:.{}f}{}", value / unit, decimals, suffix));
  return texts;
}

}  // namespace attention::draw
