// What the tests of pictures share.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "attention/draw/font.hpp"
#include "attention/draw/heatmap.hpp"

namespace attention::draw {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline const Names sentence = {"小明", "喜欢", "吃", "苹果", "，",
                               "因为", "苹果", "很", "甜",   "。"};

struct Folder {  // of our own, gone at the end
  fs::path path = fs::temp_directory_path() / ("attention_draw_" + std::to_string(getpid()));
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
  long files() const { return std::distance(fs::directory_iterator(path), {}); }
};

struct Environment {  // a variable as it should be, until the end of the scope
  Environment(const char* name, const char* value) : name(name) {
    if (const char* old = std::getenv(name)) before = old, was_set = true;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Environment() { was_set ? setenv(name, before.c_str(), 1) : unsetenv(name); }
  const char* name;
  std::string before;
  bool was_set = false;
};

struct NoFonts {
  NoFonts() { set_fonts({}); }
  ~NoFonts() { set_fonts(find_fonts()); }
};

inline long count(const Canvas& canvas, Colour colour) {
  long found = 0;
  for (int y = 0; y < canvas.height(); ++y)
    for (int x = 0; x < canvas.width(); ++x) found += canvas.at(x, y) == colour;
  return found;
}

inline bool edge_is_paper(
    const Canvas& canvas) {  // nothing touches the border, so nothing is cut off
  for (int x = 0; x < canvas.width(); ++x)
    if (!(canvas.at(x, 0) == paper_colour && canvas.at(x, canvas.height() - 1) == paper_colour))
      return false;
  for (int y = 0; y < canvas.height(); ++y)
    if (!(canvas.at(0, y) == paper_colour && canvas.at(canvas.width() - 1, y) == paper_colour))
      return false;
  return true;
}

inline Tensor ramp(Size rows, Size columns) {
  std::vector<real> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        static_cast<real>(i) / static_cast<real>(std::max<std::size_t>(values.size() - 1, 1));
  return from_values(values, {rows, columns});
}

}  // namespace attention::draw
