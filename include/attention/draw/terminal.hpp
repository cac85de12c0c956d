// A heatmap as text: blocks of colour where the terminal has them, else characters that grow darker
// from blank to @.
#pragma once

#include <cstdio>
#include <string>

#include "attention/draw/heatmap.hpp"
#include "attention/draw/label.hpp"

namespace attention::draw {

enum class Ansi { none, colours_256, colours_24_bit };

struct Terminal {
  Ansi ansi = Ansi::none;
  int width = 80;  // in columns
};

// Whether the stream is a terminal that shows colours, and NO_COLOR is unset or empty.
bool colour_wanted(std::FILE* stream);
Terminal terminal(std::FILE* stream = stdout);  // its colours and its width (80 if it has none)

// One line for each row. Cells narrow to fit the width, down to one character; where even that is
// too wide, one character stands for several columns and shows the greatest magnitude among them.
// Throws as render does, and when the width is less than 40.
std::string to_text(const Heatmap& map, const Terminal& terminal = {});

}  // namespace attention::draw
