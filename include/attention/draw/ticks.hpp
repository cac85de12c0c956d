// Round numbers for the ticks of an axis, and how they are written. Used by axes.hpp, curve.hpp and
// bars.hpp.
#pragma once

#include <string>
#include <vector>

namespace attention::draw {

// Multiples of 1, 2 or 5 times a power of ten inside [low, high], at most so many.
std::vector<double> round_ticks(double low, double high, int at_most);
// The same for a logarithmic axis; throws unless 0 < low < high and at_most > 0. Powers of ten, and
// 2 and 5 times them.
std::vector<double> log_ticks(double low, double high, int at_most);
// Each with the decimals that tell them apart: "0.5" "1.0"; "20k" "40k"; "1e-5".
std::vector<std::string> tick_texts(const std::vector<double>& ticks);

}  // namespace attention::draw
