// A matrix as a picture: an attention map, a table of positions, any rows x columns of numbers.
// The same Heatmap goes to a terminal with terminal.hpp; many maps at once: sheet.hpp.
#pragma once

#include <string>
#include <vector>

#include "attention/draw/canvas.hpp"
#include "attention/draw/colour.hpp"
#include "attention/tensor/tensor.hpp"

namespace attention::draw {

//   draw::render({.values = map, .rows = tokens, .columns = tokens}).save("map.png");
struct Heatmap {
  Tensor values = {};                     // (rows, columns); NaN is drawn grey
  std::vector<std::string> rows = {};     // one for each row, or none: numbers from 0
  std::vector<std::string> columns = {};  // UTF-8, both
  std::string title = {};
  std::string row_name = "query", column_name = "key";
  Scale scale = Scale::unit;
  bool numbers = false;  // write each value into its cell, where there is room
};

// Throws unless there are two axes with at least one value, and as many labels as rows and columns
// (or none).
void check(const Heatmap& map);
Canvas render(const Heatmap& map);

// A positional encoding (T, C): position down, dimension across, in the colours of signed numbers.
Heatmap positions(const Tensor& table, std::string title = "positional encoding");

}  // namespace attention::draw
