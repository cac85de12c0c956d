// What pictures refuse. Labels are not refused, whatever their bytes (draw/label.hpp).
#include <climits>

#include "attention/draw/axes.hpp"
#include "attention/draw/bars.hpp"
#include "attention/draw/curve.hpp"
#include "attention/draw/font.hpp"
#include "attention/draw/heatmap.hpp"
#include "attention/draw/sheet.hpp"
#include "attention/draw/terminal.hpp"
#include "attention/draw/ticks.hpp"
#include "misuse.hpp"

using namespace attention;
using namespace attention::draw;

namespace {

const Tensor map = ones({2, 3}), maps = ones({2, 3, 4});
const double nan_ = not_a_number, inf = infinity;

Canvas paper() { return Canvas(8, 5); }

// Labels of which a field was changed by hand.
Labels labels(int every, int cell, std::size_t lays) {
  Labels made;
  made.texts = {"a", "b"};
  made.lays.resize(lays);
  made.every = every, made.cell = cell;
  return made;
}
void cells(const Cells& cells) {
  Canvas canvas = paper();
  draw_cells(canvas, cells, 0, 0, {});
}

}  // namespace

TEST_CASE("misuse: canvases") {
  refuse({
      {"draw::Canvas::Canvas", "no width", [] { Canvas(0, 5); },
       "canvas: 0 x 5 pixels; each side can be 1 to 16384; draw a part of the data"},
      {"draw::Canvas::Canvas", "a negative height", [] { Canvas(5, INT_MIN); },
       "canvas: 5 x -2147483648 pixels; each side can be 1 to 16384; draw a part of the data"},
      {"draw::Canvas::Canvas", "too wide", [] { Canvas(16385, 5); },
       "canvas: 16385 x 5 pixels; each side can be 1 to 16384; draw a part of the data"},
      {"draw::Canvas::at", "beyond the right", [] { paper().at(8, 0); },
       "canvas: no pixel (8, 0) in 8 x 5"},
      {"draw::Canvas::at", "above the top", [] { paper().at(0, -1); },
       "canvas: no pixel (0, -1) in 8 x 5"},
      {"draw::Canvas::line", "to NaN",
       [] {
         paper().line({0, 0}, {nan_, 3}, 1, {});
       },
       "canvas: a line at (nan, 3); pixels are needed, no more than 1e+09 away"},
      {"draw::Canvas::line", "farther than arithmetic goes",
       [] {
         paper().line({0, 0}, {1e300, 3}, 1, {});
       },
       "canvas: a line at (1e+300, 3); pixels are needed, no more than 1e+09 away"},
      {"draw::Canvas::line", "a negative thickness",
       [] {
         paper().line({0, 0}, {1, 1}, -1, {});
       },
       "canvas: a line -1 pixels thick; 0 to 16384 are possible"},
      {"draw::Canvas::polyline", "through infinity",
       [] {
         const Point points[] = {{0, 0}, {1, inf}, {2, 2}};
         paper().polyline(points, 1, {});
       },
       "canvas: a line at (1, inf); pixels are needed, no more than 1e+09 away"},
      {"draw::Canvas::text", "at NaN",
       [] {
         paper().text({nan_, 0}, "a");
       },
       "canvas: a text at (nan, 0); pixels are needed, no more than 1e+09 away"},
      {"draw::Canvas::text", "letters of no size",
       [] {
         paper().text({0, 0}, "a", {.size = 0});
       },
       "text: letters of 0 pixels; 1 to 4096 are possible"},
      {"draw::Canvas::save", "into no folder", [] { paper().save("/no/such/file.png"); },
       "write_file: /no/such/file.png: there is no folder /no/such; create it first"},
      {"draw::ink", "a negative size", [] { ink("a", -14); },
       "text: letters of -14 pixels; 1 to 4096 are possible"},
      {"draw::ink", "a size beyond all pictures", [] { ink("a", INT_MAX); },
       "text: letters of 2147483647 pixels; 1 to 4096 are possible"},
      {"draw::text_width", "no size", [] { text_width("a", 0); },
       "text: letters of 0 pixels; 1 to 4096 are possible"},
      {"draw::fit", "no size", [] { fit("a", 0, 10); },
       "text: letters of 0 pixels; 1 to 4096 are possible"},
  });
}

TEST_CASE("what lies outside a canvas is left out, however far") {
  Canvas canvas = paper();
  canvas.fill(INT_MAX, 0, INT_MAX, 2, ink_colour);
  canvas.frame(INT_MIN, INT_MIN, 3, 3, ink_colour);
  canvas.blend(INT_MIN, 0, ink_colour, 1);
  canvas.blend(2, 2, ink_colour, nan_);  // NaN covers nothing
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 8; ++x) CHECK(canvas.at(x, y) == paper_colour);
  canvas.fill(INT_MIN, 1, INT_MAX, 1, ink_colour);  // ends at -1
  CHECK(canvas.at(0, 1) == paper_colour);
  canvas.fill(-1, 1, INT_MAX, 1, ink_colour);
  CHECK(canvas.at(7, 1) == ink_colour);
}

TEST_CASE("misuse: colours, ticks, labels and legends") {
  refuse({
      {"draw::ColourScale::share", "the ends turned round",
       [] {
         ColourScale{2, 1}.share(1.5);
       },
       "colour scale: from 2 to 1; the lower end comes first"},
      {"draw::ColourScale::operator()", "no range",
       [] {
         ColourScale{1, 1}(1);
       },
       "colour scale: from 1 to 1; the lower end comes first"},
      {"draw::colour_scale", "a scale that is none", [] { colour_scale(Scale(3), {}); },
       "colour scale: number 3 is none; unit, data and diverging are known"},
      {"draw::log_ticks", "from nothing", [] { log_ticks(0, 1, 5); },
       "log ticks: at most 5 from 0 to 1; 0 < low < high is needed, and at least one tick"},
      {"draw::log_ticks", "the ends turned round", [] { log_ticks(2, 1, 5); },
       "log ticks: at most 5 from 2 to 1; 0 < low < high is needed, and at least one tick"},
      {"draw::log_ticks", "to infinity", [] { log_ticks(1, inf, 5); },
       "log ticks: at most 5 from 1 to inf; 0 < low < high is needed, and at least one tick"},
      {"draw::log_ticks", "no ticks", [] { log_ticks(1, 1000, 0); },
       "log ticks: at most 0 from 1 to 1000; 0 < low < high is needed, and at least one tick"},
      {"draw::row_labels", "too few names", [] { row_labels({"a"}, 2, 12); },
       "labels: 1 for 2 cells of 12 pixels; one for each is needed, or none for numbers"},
      {"draw::row_labels", "a negative count", [] { row_labels({}, -1, 12); },
       "labels: 0 for -1 cells of 12 pixels; one for each is needed, or none for numbers"},
      {"draw::column_labels", "cells of no width", [] { column_labels({}, 2, 0); },
       "labels: 0 for 2 cells of 0 pixels; one for each is needed, or none for numbers"},
      {"draw::draw_rows", "a lay too few",
       [] {
         Canvas canvas = paper();
         draw_rows(canvas, labels(1, 12, 1), 0, 0);
       },
       "labels: 2 texts and 1 lays, every 1 of cells of 12 pixels; each text needs a lay, and the "
       "others at least 1"},
      {"draw::draw_columns", "every 0",
       [] {
         Canvas canvas = paper();
         draw_columns(canvas, labels(0, 12, 2), 0, 0);
       },
       "labels: 2 texts and 2 lays, every 0 of cells of 12 pixels; each text needs a lay, and the "
       "others at least 1"},
      {"draw::draw_cells", "no values",
       [] {
         cells({nullptr, 2, 3, 1, 1});
       },
       "cells: 2 x 3 of 1 x 1 pixels without values; 1 to 16384 pixels each way are possible"},
      {"draw::draw_cells", "a negative number of rows",
       [] {
         cells({map.data(), -2, 3, 1, 1});
       },
       "cells: -2 x 3 of 1 x 1 pixels; 1 to 16384 pixels each way are possible"},
      {"draw::draw_cells", "cells wider than a picture",
       [] {
         cells({map.data(), 2, 3, INT_MAX, 1});
       },
       "cells: 2 x 3 of 1 x 2147483647 pixels; 1 to 16384 pixels each way are possible"},
      {"draw::legend_width", "no height", [] { legend_width({}, 0); },
       "legend: 0 pixels high; at least 1 is needed"},
      {"draw::draw_legend", "no range",
       [] {
         Canvas canvas = paper();
         draw_legend(canvas, {1, 1}, 0, 0, 5);
       },
       "colour scale: from 1 to 1; the lower end comes first"},
  });
}

TEST_CASE("numbers near the largest there are keep their share of a scale") {
  constexpr double most = std::numeric_limits<double>::max();
  CHECK(ColourScale{-most, most, true}.share(0) == 0.5);
  CHECK(ColourScale{-most, most, true}.share(most) == 1);
}

TEST_CASE("misuse: charts") {
  refuse({
      {"draw::render", "bars that are too narrow", [] { render(BarChart{.width = 300}); },
       "bars: 300 pixels are too narrow; 320 is the least"},
      {"draw::render", "bars that are too wide", [] { render(BarChart{.width = INT_MAX}); },
       "canvas: 2147483647 x 101 pixels; each side can be 1 to 16384; draw a part of the data"},
      {"draw::render", "too many bars", [] { render(BarChart{.bars = std::vector<Bar>(1000)}); },
       "bars: 1000 bars are more than a picture can show; draw a part of them"},
      {"draw::render", "a curve that is too narrow", [] { render(Curve{.width = 100}); },
       "curve: 100 x 560 pixels are too few; 320 x 240 is the least"},
      {"draw::render", "a curve that is too high", [] { render(Curve{.height = INT_MAX}); },
       "canvas: 960 x 2147483647 pixels; each side can be 1 to 16384; draw a part of the data"},
      {"draw::render", "a map without values", [] { render(Heatmap{}); },
       "heatmap: it has no values: the tensor is undefined"},
      {"draw::check", "three axes", [] { check({.values = maps}); },
       "heatmap: the values have shape (2, 3, 4); a map has 2 axes, rows and columns; pick one of "
       "them"},
      {"draw::check", "nothing",
       [] {
         check({.values = zeros({0, 3})});
       },
       "heatmap: shape (0, 3) has no values to draw"},
      {"draw::check", "too many columns",
       [] {
         check({.values = zeros({1, 20000})});
       },
       "heatmap: (1, 20000) has more rows or columns than a picture can show; draw a part of it"},
      {"draw::check", "a label too few", [] { check({.values = map, .rows = {"a"}}); },
       "heatmap: 1 row labels for the 2 rows of (2, 3); give one for each, or none for numbers"},
      {"draw::positions", "a vector", [] { render(positions(ones({3}))); },
       "heatmap: the values have shape (3,); a map has 2 axes, rows and columns; pick one of them"},
      {"draw::to_text", "a label too few",
       [] {
         to_text({.values = map, .columns = {"a", "b"}});
       },
       "heatmap: 2 column labels for the 3 columns of (2, 3); give one for each, or none for "
       "numbers"},
      {"draw::to_text", "a narrow terminal", [] { to_text({.values = map}, {.width = 12}); },
       "heatmap: a terminal of 12 columns is too narrow; 40 is the least"},
      {"draw::render", "a sheet of no layers", [] { render(AttentionSheet{}); },
       "attention sheet: there are no layers to draw"},
      {"draw::render", "a sheet of an undefined layer",
       [] {
         render(AttentionSheet{{maps, Tensor()}});
       },
       "attention sheet: layer 2 is undefined: it was never given maps"},
      {"draw::render", "a sheet of two axes", [] { render(AttentionSheet{{map}}); },
       "attention sheet: layer 1 has shape (2, 3); the maps of a layer are (heads, queries, keys)"},
      {"draw::render", "a sheet of two shapes",
       [] {
         render(AttentionSheet{{maps, ones({1, 3, 4})}});
       },
       "attention sheet: layer 2 has shape (1, 3, 4), layer 1 has (2, 3, 4); all must be alike"},
      {"draw::render", "a sheet with a label too few",
       [] {
         render(AttentionSheet{{maps}, {"a", "b"}});
       },
       "attention sheet: 2 query labels for the 3 of (2, 3, 4); give one for each, or none"},
  });
}

TEST_CASE("charts of numbers that no axis holds are drawn, or refused in words") {
  for (const double value : {1e308, -1e308, 1e-308, inf, nan_}) {
    INFO(value);
    CHECK_NOTHROW(render(BarChart{.bars = {{"a", value}, {"b", -value}}}));
    CHECK_NOTHROW(render(Curve{.series = {{"a", {{0, value}, {1, value / 2}}}}}));
    CHECK_NOTHROW(render(Curve{.series = {{"a", {{0, value}, {1, -value}}}}}));
    CHECK_NOTHROW(render(Curve{.series = {{"a", {{0, std::abs(value)}, {1, 1}}}}, .log = true}));
    CHECK_NOTHROW(render(Heatmap{.values = full({2, 2}, real(value)), .scale = Scale::data}));
    CHECK_NOTHROW(to_text({.values = full({2, 2}, real(value)), .scale = Scale::diverging}));
  }
}
