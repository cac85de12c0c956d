#include "attention/draw/colour.hpp"

#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"

namespace attention::draw {
namespace {

// Night, sea, leaf, sun: L* climbs from 8 to 91, fastest at the start, where most weights are.
constexpr Colour sequential[] = {{24, 16, 58},   {50, 64, 136},  {38, 110, 148},
                                 {34, 152, 138}, {118, 192, 98}, {250, 230, 92}};
// Blue below zero, orange above: a pair that no common colour blindness confuses.
constexpr Colour signed_values[] = {{18, 52, 122},   {62, 120, 190},  {164, 200, 230},
                                    {248, 248, 246}, {246, 192, 136}, {214, 112, 36},
                                    {122, 44, 8}};

template <std::size_t N>
Colour along(const Colour (&anchors)[N], double share) {
  const double place = share * (N - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), N - 2);
  return mix(anchors[i], anchors[i + 1], place - static_cast<double>(i));
}

}  // namespace

Colour mix(Colour from, Colour to, double share) {
  if (std::isnan(share)) share = 0;
  const auto between = [share](int a, int b) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * std::clamp(share, 0.0, 1.0)));
  };
  return {between(from.red, to.red), between(from.green, to.green), between(from.blue, to.blue)};
}

double lightness(Colour colour) {
  const auto linear = [](int value) {
    const double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  const double y =
      0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
  return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389 / 27;
}

Colour series_colour(int index) {
  static constexpr Colour colours[] = {{30, 98, 170},  {214, 112, 36}, {30, 140, 112},
                                       {178, 62, 120}, {128, 110, 24}, {96, 84, 180}};
  constexpr int count = std::size(colours);
  return colours[(index % count + count) % count];
}

double ColourScale::share(double value) const {
  if (!(low < high)) fail("colour scale: from {} to {}; the lower end comes first", low, high);
  if (std::isnan(value)) return value;
  const double half_low = low / 2, half_high = high / 2;  // high - low may be beyond any number
  return (std::clamp(value, low, high) / 2 - half_low) / (half_high - half_low);
}

Colour ColourScale::operator()(double value) const {
  if (std::isnan(value)) return missing_colour;
  return diverging ? along(signed_values, share(value)) : along(sequential, share(value));
}

ColourScale colour_scale(Scale scale, std::span<const real> values) {
  if (scale == Scale::unit) return {};
  if (scale != Scale::data && scale != Scale::diverging)
    fail("colour scale: number {} is none; unit, data and diverging are known",
         static_cast<int>(scale));
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) low = 0, high = 1;  // nothing but NaN
  if (scale == Scale::diverging) {
    const double greatest = std::max(std::abs(low), std::abs(high));
    return {greatest > 0 ? -greatest : -1, greatest > 0 ? greatest : 1, true};
  }
  const double more = std::max(1.0, std::abs(low));
  if (low == high) std::isfinite(low + more) ? high += more : low -= more;
  return {low, high};
}

}  // namespace attention::draw
