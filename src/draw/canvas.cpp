#include "attention/draw/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/draw/font.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

namespace attention::draw {
namespace {

double distance(Point p, Point a, Point b) {  // from a point to a stretch of line
  const double x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
  const double t = length > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / length : 0;
  const double s = std::clamp(t, 0.0, 1.0);
  return std::hypot(p.x - a.x - s * x, p.y - a.y - s * y);
}

// Positions beyond this are nobody's pixels, and arithmetic on them would go wrong.
constexpr double farthest = 1e9;

void check_point(const char* what, Point p) {
  if (!(std::abs(p.x) <= farthest && std::abs(p.y) <= farthest))
    fail("canvas: {} at ({}, {}); pixels are needed, no more than {:g} away", what, p.x, p.y,
         farthest);
}

// The pixels that a line may touch, inside the picture.
struct Extent {
  int left, top, right, bottom;  // right and bottom excluded
  int width() const { return right - left; }
  bool empty() const { return left >= right || top >= bottom; }
};

Extent extent_of(std::span<const Point> points, double reach, const Canvas& canvas) {
  double left = HUGE_VAL, top = HUGE_VAL, right = -HUGE_VAL, bottom = -HUGE_VAL;
  for (Point p : points) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  }
  const auto inside = [](double v, int end) {
    return static_cast<int>(std::clamp(v, 0.0, end + 0.0));
  };
  return {inside(std::floor(left - reach), canvas.width()),
          inside(std::floor(top - reach), canvas.height()),
          inside(std::ceil(right + reach), canvas.width()),
          inside(std::ceil(bottom + reach), canvas.height())};
}

}  // namespace

Canvas::Canvas(int width, int height, Colour background) : width_(width), height_(height) {
  if (width < 1 || height < 1 || width > max_side || height > max_side)
    fail("canvas: {} x {} pixels; each side can be 1 to {}; draw a part of the data", width, height,
         max_side);
  pixels_.assign(static_cast<std::size_t>(width) * height, background);
}

Colour Canvas::at(int x, int y) const {
  if (x < 0 || y < 0 || x >= width_ || y >= height_)
    fail("canvas: no pixel ({}, {}) in {} x {}", x, y, width_, height_);
  return pixels_[static_cast<std::size_t>(y) * width_ + x];
}

void Canvas::blend(int x, int y, Colour colour, double cover) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  Colour& pixel = pixels_[static_cast<std::size_t>(y) * width_ + x];
  pixel = cover >= 1 ? colour : mix(pixel, colour, cover);
}

void Canvas::fill(int x, int y, int width, int height, Colour colour, double cover) {
  fill_box({x, y, width, height}, colour, cover);
}

void Canvas::fill_box(const Box& box, Colour colour, double cover) {
  const auto inside = [](Size v, int end) { return static_cast<int>(std::clamp<Size>(v, 0, end)); };
  const int left = inside(box.x, width_), right = inside(box.x + box.width, width_);
  const int top = inside(box.y, height_), bottom = inside(box.y + box.height, height_);
  for (int row = top; row < bottom; ++row)
    for (int column = left; column < right; ++column) blend(column, row, colour, cover);
}

void Canvas::frame(int x, int y, int width, int height, Colour colour) {
  const Size left = Size(x) - 1, top = Size(y) - 1, right = Size(x) + width, wide = Size(width) + 2;
  fill_box({left, top, wide, 1}, colour, 1);
  fill_box({left, Size(y) + height, wide, 1}, colour, 1);
  fill_box({left, y, 1, height}, colour, 1);
  fill_box({right, y, 1, height}, colour, 1);
}

void Canvas::line(Point from, Point to, double thickness, Colour colour) {
  const Point ends[] = {from, to};
  polyline(ends, thickness, colour);
}

// Each pixel is covered as far as the nearest stretch covers it, once for the whole line: corners,
// where stretches overlap, are no darker than the rest.
void Canvas::polyline(std::span<const Point> points, double thickness, Colour colour) {
  if (points.empty()) return;
  for (const Point point : points) check_point("a line", point);
  if (!(thickness >= 0 && thickness <= max_side))
    fail("canvas: a line {} pixels thick; 0 to {} are possible", thickness, max_side);
  const double reach = thickness / 2 + 1;
  const Extent all = extent_of(points, reach, *this);
  if (all.empty()) return;
  std::vector<float> cover(static_cast<std::size_t>(all.width()) * (all.bottom - all.top));
  for (std::size_t i = 0; i < std::max<std::size_t>(points.size() - 1, 1); ++i) {
    const Point a = points[i], b = points[std::min(i + 1, points.size() - 1)];
    const Point stretch[] = {a, b};
    const Extent box = extent_of(stretch, reach, *this);
    for (int y = box.top; y < box.bottom; ++y)
      for (int x = box.left; x < box.right; ++x) {
        const double away = distance({x + 0.5, y + 0.5}, a, b);
        float& c = cover[static_cast<std::size_t>(y - all.top) * all.width() + x - all.left];
        c = std::max(c, static_cast<float>(std::clamp(thickness / 2 + 0.5 - away, 0.0, 1.0)));
      }
  }
  const float* c = cover.data();
  for (int y = all.top; y < all.bottom; ++y)
    for (int x = all.left; x < all.right; ++x) blend(x, y, colour, *c++);
}

void Canvas::text(Point at, std::string_view utf8, const TextStyle& style) {
  check_point("a text", at);
  const Ink letters = ink(utf8, style.size);
  const double share = style.align == Align::left ? 0 : style.align == Align::right ? 1 : 0.5;
  // Half the height of a capital letter lies above the middle, and of a Chinese one nearly so.
  const int top = static_cast<int>(std::lround(0.365 * style.size)) - letters.baseline;
  const int left = -static_cast<int>(std::lround(share * letters.width));
  const int x0 = static_cast<int>(std::lround(at.x)), y0 = static_cast<int>(std::lround(at.y));
  const std::uint8_t* cover = letters.cover.data();
  for (int row = 0; row < letters.height; ++row)
    for (int column = 0; column < letters.width; ++column) {
      const int along = left + column, across = top + row;
      const int x = style.upward ? x0 + across : x0 + along;
      const int y = style.upward ? y0 - along : y0 + across;
      if (*cover) blend(x, y, style.colour, *cover / 255.0);
      ++cover;
    }
}

std::vector<std::uint8_t> Canvas::png() const {
  std::vector<std::uint8_t> bytes;
  const auto append = [](void* to, void* data, int size) {
    const auto* begin = static_cast<const std::uint8_t*>(data);
    auto& out = *static_cast<std::vector<std::uint8_t>*>(to);
    out.insert(out.end(), begin, begin + size);
  };
  if (!stbi_write_png_to_func(append, &bytes, width_, height_, 3, pixels_.data(), width_ * 3))
    fail("canvas: no memory left to pack {} x {} pixels", width_, height_);
  return bytes;
}

void Canvas::save(const std::filesystem::path& file) const {
  const std::vector<std::uint8_t> bytes = png();
  write_file(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace attention::draw
