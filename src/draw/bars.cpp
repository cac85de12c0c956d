#include "attention/draw/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/draw/axes.hpp"
#include "attention/draw/font.hpp"
#include "attention/draw/label.hpp"
#include "attention/draw/ticks.hpp"

namespace attention::draw {
namespace {

constexpr int row_height = 32, thickness = 20, level_line = 20;

// From values to pixels. Zero is always on the axis, and the ends always differ.
struct ValueAxis {
  double low = 0, high = 0;
  double left = 0, right = 1;  // the pixels of low and high

  void include(double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
  double pixel(double value) const {
    constexpr double part = 0x1p-15;  // exact; the whole, or pixels times it, may be beyond numbers
    return left + (right - left) * (value * part - low * part) / (high * part - low * part);
  }
};

std::string value_text(double value) {
  if (std::isnan(value)) return "nan";  // never -nan
  return fmt::format("{:.4g}", value + 0.0);
}

bool to_the_left(double value) { return value < 0 && std::isfinite(value); }

ValueAxis axis_of(const BarChart& chart, int left, int right) {
  ValueAxis axis;
  int before = 0, after = 0;  // room for the numbers at the bars' ends
  for (const Bar& bar : chart.bars) {
    axis.include(bar.value);
    int& room = to_the_left(bar.value) ? before : after;
    room = std::max(room, 2 * gap + text_width(value_text(bar.value), name_size));
  }
  for (const Level& level : chart.levels) axis.include(level.value);
  if (axis.low == axis.high) axis.high = 1;
  axis.left = left + before, axis.right = right - after;
  return axis;
}

void draw_axis(Canvas& canvas, const ValueAxis& axis, int top, int bottom) {
  const int most = std::clamp(static_cast<int>(axis.right - axis.left) / 80, 2, 10);
  const std::vector<double> ticks = round_ticks(axis.low, axis.high, most);
  const std::vector<std::string> texts = tick_texts(ticks);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double x = axis.pixel(ticks[i]);
    canvas.fill(static_cast<int>(std::lround(x)), top, 1, bottom - top, faint_colour);
    canvas.text({x, bottom + gap + tick_size / 2.0}, texts[i],
                {.size = tick_size, .align = Align::centre});
  }
}

// The bar, its number beyond its end, and its name left of everything.
void draw_bar(Canvas& canvas, const ValueAxis& axis, const Bar& bar, int left, int middle) {
  const int zero = static_cast<int>(std::lround(axis.pixel(0)));
  const bool finite = std::isfinite(bar.value);
  const int end = finite ? static_cast<int>(std::lround(axis.pixel(bar.value))) : zero;
  canvas.fill(std::min(zero, end), middle - thickness / 2, std::abs(end - zero), thickness,
              series_colour(bar.colour));
  const bool negative = to_the_left(bar.value);
  canvas.text({end + (negative ? -gap : gap) + 0.0, middle + 0.0}, value_text(bar.value),
              {.size = name_size,
               .colour = finite ? ink_colour : dim_colour,
               .align = negative ? Align::right : Align::left});
  canvas.text({left - gap + 0.0, middle + 0.0}, bar.name,
              {.size = name_size, .align = Align::right});
}

// A dashed line over all bars, its name above them, on the side where there is more room.
void draw_level(Canvas& canvas, const ValueAxis& axis, const Level& level, int name_at,
                int bottom) {
  const double x = axis.pixel(level.value), room = std::max(x, canvas.width() - x) - margin - gap;
  for (double y = name_at - 8; y < bottom; y += 10)
    canvas.line({x + 0.5, y}, {x + 0.5, std::min<double>(y + 5, bottom)}, 1.2, dim_colour);
  const bool leftward = x > canvas.width() / 2.0;
  canvas.text(
      {x + (leftward ? -gap : gap), name_at + 0.0},
      fit(visible(level.name), tick_size, static_cast<int>(room)),
      {.size = tick_size, .colour = dim_colour, .align = leftward ? Align::right : Align::left});
}

}  // namespace

// From above: the title, a line for the name of each level, the bars, the axis and its name.
Canvas render(const BarChart& chart) {
  if (chart.width < 320) fail("bars: {} pixels are too narrow; 320 is the least", chart.width);
  const Size count = static_cast<Size>(chart.bars.size());
  if (count > Canvas::max_side / row_height - 10)
    fail("bars: {} bars are more than a picture can show; draw a part of them", count);

  std::vector<Level> levels = chart.levels;
  std::erase_if(levels, [](const Level& level) { return !std::isfinite(level.value); });
  std::vector<Bar> bars = chart.bars;
  int widest = 0;
  for (Bar& bar : bars) {
    bar.name = bar.name.empty() ? "" : fit(visible(bar.name), name_size, chart.width / 3);
    widest = std::max(widest, text_width(bar.name, name_size));
  }
  const int left = margin + widest + gap, right = chart.width - margin - gap;
  const int above = margin + (chart.title.empty() ? 0 : 34);
  const int top = above + level_line * static_cast<int>(levels.size());
  const int bottom = top + row_height * static_cast<int>(std::max<Size>(count, 1));
  const int below = 2 * gap + tick_size + (chart.value_name.empty() ? 0 : 24) + margin;

  Canvas canvas(chart.width, bottom + below);
  const ValueAxis axis = axis_of(chart, left, right);
  canvas.text({chart.width / 2.0, margin + title_size / 2.0},
              fit(chart.title, title_size, chart.width - 2 * margin),
              {.size = title_size, .align = Align::centre});
  draw_axis(canvas, axis, top, bottom);
  for (std::size_t i = 0; i < bars.size(); ++i)
    draw_bar(canvas, axis, bars[i], left, top + row_height * static_cast<int>(i) + row_height / 2);
  canvas.fill(static_cast<int>(std::lround(axis.pixel(0))), top, 1, bottom - top, dim_colour);
  for (std::size_t i = 0; i < levels.size(); ++i)
    draw_level(canvas, axis, levels[i], above + level_line * static_cast<int>(i) + level_line / 2,
               bottom);
  canvas.text({(axis.left + axis.right) / 2, canvas.height() - margin - name_size / 2.0},
              fit(chart.value_name, name_size, right - left),
              {.size = name_size, .colour = dim_colour, .align = Align::centre});
  return canvas;
}

}  // namespace attention::draw
