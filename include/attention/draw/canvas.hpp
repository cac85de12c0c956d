// A picture in red, green and blue that can be filled, drawn on and saved as PNG. Positions are in
// pixels from the upper left corner; what falls outside is left out, but positions that are no
// finite number (or beyond 1e9) are refused. Next: heatmap.hpp, curve.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "attention/draw/colour.hpp"

namespace attention::draw {

enum class Align { left, centre, right };

struct TextStyle {
  int size = 14;  // of an em, in pixels
  Colour colour = ink_colour;
  Align align = Align::left;
  bool upward = false;  // turned a quarter, to be read from below to above
};

struct Point {
  double x, y;
};

class Canvas {
 public:
  static constexpr int max_side = 16384;

  // Throws unless both sides are 1 to max_side.
  Canvas(int width, int height, Colour background = paper_colour);

  int width() const { return width_; }
  int height() const { return height_; }
  Colour at(int x, int y) const;  // throws outside the picture

  void blend(int x, int y, Colour colour, double cover);  // cover 0: as it was, 1: the colour
  void fill(int x, int y, int width, int height, Colour colour, double cover = 1);
  void frame(int x, int y, int width, int height, Colour colour);  // one pixel, around the outside
  void line(Point from, Point to, double thickness, Colour colour);
  void polyline(std::span<const Point> points, double thickness, Colour colour);  // one: a dot
  // `at` is where the text begins, is centred or ends; its height is the middle of the letters.
  void text(Point at, std::string_view utf8, const TextStyle& style = {});

  std::vector<std::uint8_t> png() const;
  // As PNG, by write_file: aside and then renamed. Throws, naming the file and the cause.
  void save(const std::filesystem::path& file) const;

 private:
  struct Box {
    Size x, y, width, height;
  };
  void fill_box(const Box& box, Colour colour, double cover);

  int width_, height_;
  std::vector<Colour> pixels_;
};

}  // namespace attention::draw
