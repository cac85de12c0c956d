// Numbers over training steps: losses, rates, accuracies. One line for each series, dashed lines
// for levels worth comparing with ("chance", ln V).
#pragma once

#include <string>
#include <vector>

#include "attention/draw/canvas.hpp"

namespace attention::draw {

struct Series {
  std::string name = {};
  std::vector<Point> points = {};  // x: step, y: loss; a value that is not finite leaves a gap
};

struct Level {
  std::string name = {};
  double value = 0;
};

struct Curve {
  std::vector<Series> series = {};
  std::vector<Level> levels = {};
  std::string title = {};
  std::string x_name = "step", y_name = "loss";
  bool log = false;  // of the y axis; values of 0 and below leave a gap
  int width = 960, height = 560;
};

Canvas render(const Curve& curve);  // throws when it is smaller than 320 x 240

}  // namespace attention::draw
