#include "attention/draw/curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/core/error.hpp"
#include "attention/draw/axes.hpp"
#include "attention/draw/font.hpp"
#include "attention/draw/ticks.hpp"

namespace attention::draw {
namespace {

constexpr double tiniest = std::numeric_limits<double>::min(),
                 largest = std::numeric_limits<double>::max();

// One axis: from values to pixels.
struct Axis {
  double low = HUGE_VAL, high = -HUGE_VAL;
  bool log = false;
  double from = 0, to = 1;  // the pixels of low and high

  double map(double value) const { return log ? std::log(value) : value; }
  bool shows(double value) const { return std::isfinite(value) && (!log || value > 0); }
  void include(double value) {
    if (!shows(value)) return;
    low = std::min(low, value), high = std::max(high, value);
  }
  double pixel(double value) const {
    constexpr double part = 0x1p-15;  // exact; the whole, or pixels times it, may be beyond numbers
    const double start = map(low) * part;
    return from + (to - from) * (map(value) * part - start) / (map(high) * part - start);
  }
  // Ends that differ, even when there were one value or none, and room around the values.
  void settle(double room) {
    if (low > high) low = log ? 1 : 0, high = log ? 10 : 1;
    if (log) {
      const double factor = low == high ? 2 : std::pow(high, room) / std::pow(low, room);
      low = std::max(low / factor, tiniest), high = std::min(high * factor, largest);
    } else {
      const double more = low == high ? std::max(std::abs(low), 1.0) / 2 : room * high - room * low;
      low = std::max(low - more, -largest), high = std::min(high + more, largest);
    }
  }
};

struct Plot {
  Axis x, y;
  bool any;  // of the points can be shown
  std::vector<double> x_ticks, y_ticks;
  std::vector<std::string> x_texts, y_texts;
};

Plot measure(const Curve& curve) {
  Plot plot;
  plot.y.log = curve.log;
  for (const Series& series : curve.series)
    for (Point p : series.points)
      if (std::isfinite(p.x) && plot.y.shows(p.y)) plot.x.include(p.x), plot.y.include(p.y);
  plot.any = plot.x.low <= plot.x.high;
  for (const Level& level : curve.levels) plot.y.include(level.value);
  plot.x.settle(0);
  plot.y.settle(0.05);
  const int ticks = std::max(2, curve.height / 70);
  plot.x_ticks = round_ticks(plot.x.low, plot.x.high, std::max(2, curve.width / 110));
  plot.y_ticks = curve.log ? log_ticks(plot.y.low, plot.y.high, ticks)
                           : round_ticks(plot.y.low, plot.y.high, ticks);
  plot.x_texts = tick_texts(plot.x_ticks);
  plot.y_texts = tick_texts(plot.y_ticks);
  return plot;
}

void draw_grid(Canvas& canvas, const Plot& plot) {
  const int left = static_cast<int>(plot.x.from), right = static_cast<int>(plot.x.to);
  const int top = static_cast<int>(plot.y.to), bottom = static_cast<int>(plot.y.from);
  for (std::size_t i = 0; i < plot.y_ticks.size(); ++i) {
    const double y = plot.y.pixel(plot.y_ticks[i]);
    canvas.fill(left, static_cast<int>(std::lround(y)), right - left, 1, faint_colour);
    canvas.text({left - gap + 0.0, y}, plot.y_texts[i], {.size = tick_size, .align = Align::right});
  }
  for (std::size_t i = 0; i < plot.x_ticks.size(); ++i) {
    const double x = plot.x.pixel(plot.x_ticks[i]);
    canvas.fill(static_cast<int>(std::lround(x)), top, 1, bottom - top, faint_colour);
    canvas.text({x, bottom + gap + tick_size / 2.0}, plot.x_texts[i],
                {.size = tick_size, .align = Align::centre});
  }
  canvas.fill(left, top, 1, bottom - top, dim_colour);
  canvas.fill(left, bottom, right - left + 1, 1, dim_colour);
}

// Neighbours that fall into the same column of pixels become first, least, greatest and last: the
// picture is the same, and a hundred thousand points cost no more than a thousand.
void draw_series(Canvas& canvas, const Plot& plot, const Series& series, Colour colour) {
  std::vector<Point> line, column;
  const auto close_column = [&] {
    if (column.empty()) return;
    const auto by_height = [](Point a, Point b) { return a.y < b.y; };
    auto [least, most] = std::minmax_element(column.begin(), column.end(), by_height);
    if (most < least) std::swap(least, most);
    line.insert(line.end(), {column.front(), *least, *most, column.back()});
    column.clear();
  };
  const auto close_line = [&] {
    close_column();
    canvas.polyline(line, line.size() == 4 ? 5 : 2, colour);  // one point alone: a dot
    line.clear();
  };
  for (Point p : series.points) {
    if (!std::isfinite(p.x) || !plot.y.shows(p.y)) {
      close_line();
      continue;
    }
    const Point at{plot.x.pixel(p.x), plot.y.pixel(p.y)};
    if (!column.empty() && std::floor(column.back().x) != std::floor(at.x)) close_column();
    column.push_back(at);
  }
  close_line();
}

// Names stand on their lines, at the right; under them where the line above is too close, and
// further to the left where another name is there already.
void draw_levels(Canvas& canvas, const Plot& plot, std::vector<Level> levels) {
  std::sort(levels.begin(), levels.end(), [](auto& a, auto& b) { return a.value > b.value; });
  double line_above = -HUGE_VAL, name_above = -HUGE_VAL, right = 0;
  for (const Level& level : levels) {
    if (!plot.y.shows(level.value)) continue;
    const double y = plot.y.pixel(level.value);
    for (double x = plot.x.from + 1; x < plot.x.to; x += 10)
      canvas.line({x, y + 0.5}, {std::min(x + 5, plot.x.to), y + 0.5}, 1.2, dim_colour);
    const double room = tick_size + 4;
    const double middle = y - line_above < room ? y + room / 2 + 1 : y - room / 2;
    if (middle - name_above >= room) right = plot.x.to - gap;
    const std::string name =
        fit(level.name, tick_size, static_cast<int>(plot.x.to - plot.x.from) / 2);
    const int width = text_width(name, tick_size);
    canvas.fill(static_cast<int>(right) - width - 3, static_cast<int>(middle - room / 2) + 1,
                width + 6, tick_size + 2, paper_colour, 0.75);
    canvas.text({right, middle}, name,
                {.size = tick_size, .colour = dim_colour, .align = Align::right});
    line_above = y, name_above = middle, right -= width + 2 * gap;
  }
}

// A dash and a name for each series, in lines as wide as the plot. Returns the height taken.
int draw_names(Canvas& canvas, const std::vector<Series>& series, int left, int right, int top) {
  int x = left, y = top;
  bool any = false;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series[i].name.empty()) continue;
    const std::string name = fit(series[i].name, name_size, right - left - 30);
    const int width = 30 + text_width(name, name_size);
    if (x > left && x + width > right) x = left, y += 22;
    canvas.fill(x, y + 9, 22, 3, series_colour(static_cast<int>(i)));
    canvas.text({x + 30.0, y + 10.0}, name, {.size = name_size});
    x += width + 24;
    any = true;
  }
  return any ? y + 30 - top : 0;
}

}  // namespace

Canvas render(const Curve& curve) {
  if (curve.width < 320 || curve.height < 240)
    fail("curve: {} x {} pixels are too few; 320 x 240 is the least", curve.width, curve.height);
  Canvas canvas(curve.width, curve.height);  // first: it refuses what would take too many ticks
  Plot plot = measure(curve);
  int widest = 0;
  for (const std::string& text : plot.y_texts)
    widest = std::max(widest, text_width(text, tick_size));

  const int left = margin + (curve.y_name.empty() ? 0 : 24) + widest + gap;
  const int right = curve.width - margin - 8;
  const int above = margin + (curve.title.empty() ? 0 : 32);
  const int top = above + draw_names(canvas, curve.series, left, right, above - 4);
  const int bottom = curve.height - margin - 24 - (curve.x_name.empty() ? 0 : 24);
  plot.x.from = left, plot.x.to = right;
  plot.y.from = bottom, plot.y.to = top;

  canvas.text({curve.width / 2.0, margin + title_size / 2.0},
              fit(curve.title, title_size, curve.width - 2 * margin),
              {.size = title_size, .align = Align::centre});
  const TextStyle quiet{.size = name_size, .colour = dim_colour, .align = Align::centre};
  TextStyle turned = quiet;
  turned.upward = true;
  canvas.text({(left + right) / 2.0, curve.height - margin - name_size / 2.0},
              fit(curve.x_name, name_size, right - left), quiet);
  canvas.text({margin + name_size / 2.0, (top + bottom) / 2.0},
              fit(curve.y_name, name_size, bottom - top), turned);
  draw_grid(canvas, plot);
  if (!plot.any) canvas.text({(left + right) / 2.0, (top + bottom) / 2.0}, "no points", quiet);
  for (std::size_t i = 0; i < curve.series.size(); ++i)
    draw_series(canvas, plot, curve.series[i], series_colour(static_cast<int>(i)));
  draw_levels(canvas, plot, curve.levels);
  return canvas;
}

}  // namespace attention::draw
