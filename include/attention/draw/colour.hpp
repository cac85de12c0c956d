// Colours, and the scales that turn numbers into them. Lightness rises (or falls) all the way along
// a scale, so it can be read without telling red from green, and in grey on paper.
#pragma once

#include <cstdint>
#include <span>

#include "attention/core/real.hpp"

namespace attention::draw {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Colour&) const = default;
};
static_assert(sizeof(Colour) == 3);  // a row of them is a row of a PNG

inline constexpr Colour paper_colour{255, 255, 255}, ink_colour{38, 42, 51};
inline constexpr Colour faint_colour{226, 229, 234}, dim_colour{118, 124, 136};
inline constexpr Colour missing_colour{172, 172, 172};  // for NaN

Colour mix(Colour from, Colour to, double share);  // share 0 (or NaN): from, 1: to
double lightness(Colour colour);                   // CIE L*: 0 black, 100 white
Colour series_colour(int index);                   // distinct ones for the lines of a curve

enum class Scale {
  unit,       // 0 to 1: probabilities
  data,       // least to greatest value
  diverging,  // -m to m, where m is the greatest magnitude: zero is white
};

// The ends of a scale and the colour of each number between; numbers outside get the nearest end.
// Throws unless low < high.
struct ColourScale {
  double low = 0, high = 1;
  bool diverging = false;

  double share(double value) const;  // 0 at low, 1 at high; NaN stays NaN
  Colour operator()(double value) const;
};

ColourScale colour_scale(Scale scale, std::span<const real> values);  // infinities and NaN aside

}  // namespace attention::draw
