// A few named numbers side by side: the speed of several kernels, the loss without each head. Bars
// begin at zero and lie flat, so that names of any length, Chinese or English, are read across.
#pragma once

#include <string>
#include <vector>

#include "attention/draw/canvas.hpp"
#include "attention/draw/curve.hpp"

namespace attention::draw {

struct Bar {
  std::string name = {};
  double value = 0;  // one that is not finite gets no bar; it is written where the bar would begin
  int colour = 0;    // series_colour(colour): another one for the bars that matter
};

//   draw::render(draw::BarChart{.bars = {{"naive", 0.9}, {"blocks", 5.2}}}).save("speed.png");
struct BarChart {
  std::vector<Bar> bars = {};      // from above
  std::vector<Level> levels = {};  // dashed lines across all bars: "nothing taken away"
  std::string title = {};
  std::string value_name = {};  // below the axis: "GFLOP/s"
  int width = 960;              // the height follows from the number of bars
};

// Throws when it is narrower than 320 pixels, and on more bars than a picture can show.
Canvas render(const BarChart& chart);

}  // namespace attention::draw
