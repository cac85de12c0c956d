// What pictures with axes share: labels thinned out until they fit, the cells of a map, and the
// legend of a colour scale. Used by heatmap.hpp, sheet.hpp, curve.hpp and bars.hpp.
#pragma once

#include <string>
#include <vector>

#include "attention/draw/canvas.hpp"
#include "attention/draw/colour.hpp"

namespace attention::draw {

// Pixels: around and between, and the sizes of letters.
inline constexpr int margin = 20, gap = 8, title_size = 17, name_size = 14, tick_size = 13;

// Labels along the rows or columns of a map whose cells are `cell` pixels.
struct Labels {
  enum class Lay { across, upward, stacked };  // stacked: upright letters, one below the other

  std::vector<std::string> texts;  // one for each row or column
  std::vector<Lay> lays;
  int cell = 1, size = 12;
  int every = 1;   // only each so-manieth is written
  int extent = 0;  // pixels needed beside the map, ticks included
};

// No names: numbers from 0. Throws on too few names.
Labels row_labels(const std::vector<std::string>& names, int count, int cell);
Labels column_labels(const std::vector<std::string>& names, int count, int cell);
void draw_rows(Canvas& canvas, const Labels& labels, int x, int y);     // to the left of x
void draw_columns(Canvas& canvas, const Labels& labels, int x, int y);  // below y

// `values` are rows x columns; a thin frame goes around them.
struct Cells {
  const real* values;
  int rows, columns;
  int cell_width, cell_height;
  int width() const { return columns * cell_width; }
  int height() const { return rows * cell_height; }
};
void draw_cells(Canvas& canvas, const Cells& cells, int x, int y, const ColourScale& scale);

// A bar from the scale's low end (at the bottom) to its high end, with numbers to the right.
int legend_width(const ColourScale& scale, int height);
void draw_legend(Canvas& canvas, const ColourScale& scale, int x, int y, int height);

}  // namespace attention::draw
