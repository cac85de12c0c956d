// Heatmaps, sheets and curves: colours at known places, and layouts that adapt.
#include <catch2/catch.hpp>
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/draw/axes.hpp"
#include "attention/draw/curve.hpp"
#include "attention/draw/sheet.hpp"
#include "attention/draw/terminal.hpp"
#include "attention/draw/ticks.hpp"
#include "draw_test.hpp"

using namespace attention;
using namespace attention::draw;

TEST_CASE("a heatmap shows its corners in the colours of its scale, and its legend the ends") {
  const Canvas canvas = render(Heatmap{.values = from_values({0, 1, 0.5, 0.25}, {2, 2})});
  const ColourScale scale;
  for (double value : {0.0, 1.0, 0.5, 0.25}) CHECK(count(canvas, scale(value)) >= 40 * 40);
  int left = canvas.width(), right = 0, top = canvas.height(), bottom = 0;
  for (int y = 0; y < canvas.height(); ++y)
    for (int x = 0; x < canvas.width() - 80; ++x) {  // without the legend
      if (canvas.at(x, y) == scale(0)) left = std::min(left, x), top = std::min(top, y);
      if (canvas.at(x, y) == scale(0.25)) right = std::max(right, x), bottom = std::max(bottom, y);
    }
  CHECK((left + 40 <= right && top + 40 <= bottom));
  CHECK(canvas.at(left, top) == scale(0));   // the first row is above,
  CHECK(canvas.at(right, top) == scale(1));  // the second column to the right
  CHECK(canvas.at(left, bottom) == scale(0.5));
  CHECK(edge_is_paper(canvas));

  const Canvas missing =
      render(Heatmap{.values = from_values({static_cast<real>(not_a_number), 1}, {1, 2})});
  CHECK(count(missing, missing_colour) >= 40 * 80);
}

TEST_CASE("nothing is cut off, whatever the sizes and labels") {
  const Names odd = {"", " ", "\n", "\xff\xfe", std::string(5000, 'w'), "苹果", "🍎", "e\u0301"};
  const std::string title = "quite a long title for a small map, or is it?";
  for (Size rows : {1, 3, 16, 70})
    for (Size columns : {1, 8, 300}) {
      INFO(rows << " x " << columns);
      Heatmap map{.values = ramp(rows, columns), .title = title};
      if (columns == 8) map.columns = odd;
      CHECK(edge_is_paper(render(map)));
      map.numbers = true, map.scale = Scale::diverging;
      CHECK(edge_is_paper(render(map)));
    }
  CHECK(edge_is_paper(render(positions(ramp(64, 64)))));
  CHECK(render(Heatmap{.values = ramp(256, 256)}).height() < 1000);
}

TEST_CASE("long axes are thinned out, short ones are not") {
  CHECK(row_labels({}, 16, 40).every == 1);
  const Labels rows = row_labels({}, 256, 2);
  CHECK(rows.every * 2 >= rows.size);  // labels do not touch
  CHECK(rows.every == 10);             // and count in round steps
  const Labels columns = column_labels({}, 256, 2);
  CHECK(columns.every * 2 >= text_width("255", columns.size));

  const Labels words = column_labels({"because", "a"}, 2, 20);
  CHECK(words.lays[0] == Labels::Lay::upward);
  CHECK(words.extent > text_width("because", words.size));
  CHECK(column_labels({"be", "a"}, 2, 40).lays[0] == Labels::Lay::across);
}

TEST_CASE("a sheet shows every head of every layer") {
  // Each map has a value of its own, so each has a colour of its own to count.
  std::vector<real> values;
  for (int map = 0; map < 6; ++map) values.insert(values.end(), 16, real(0.1) + real(0.15) * map);
  const Tensor all = from_values(values, {6, 4, 4});
  const auto half = [&](int first) {
    return from_values({values.begin() + first * 16, values.begin() + (first + 3) * 16}, {3, 4, 4});
  };
  const Canvas canvas = render(AttentionSheet{.layers = {half(0), half(3)}, .title = "all"});
  const ColourScale scale;
  for (int map = 0; map < 6; ++map) CHECK(count(canvas, scale(values[map * 16])) >= 200 * 200);
  CHECK(edge_is_paper(canvas));
  CHECK(edge_is_paper(render(AttentionSheet{Tensors(12, zeros({12, 64, 80}))})));
}

TEST_CASE("ticks are round numbers inside the axis") {
  using Ticks = std::vector<double>;
  CHECK(tick_texts(round_ticks(0, 1, 5)) == Names{"0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(tick_texts(round_ticks(-1, 1, 4)) == Names{"-1.0", "-0.5", "0", "0.5", "1.0"});
  CHECK(tick_texts(round_ticks(0, 99999, 5)) == Names{"0", "20k", "40k", "60k", "80k"});
  CHECK(tick_texts(round_ticks(2.31, 2.39, 4)) == Names{"2.32", "2.34", "2.36", "2.38"});
  CHECK(tick_texts({1e-5, 1.5e-5, 0}) == Names{"1e-5", "1.5e-5", "0"});
  CHECK(tick_texts(log_ticks(0.09, 12, 9)) ==
        Names{"0.1", "0.2", "0.5", "1.0", "2.0", "5.0", "10.0"});
  CHECK(tick_texts(log_ticks(1e-6, 1e-2, 5)) == Names{"1e-6", "1e-5", "1e-4", "1e-3", "1e-2"});
  for (double high : {1e-12, 0.37, 5.0, 123456.0, 1e300}) {
    const Ticks ticks = round_ticks(0, high, 6);
    CHECK(ticks.size() >= 3);
    CHECK(ticks.back() <= high * 1.000001);
  }
}

TEST_CASE("a curve draws what is there: no points, one, gaps, a hundred thousand") {
  const Colour first = series_colour(0);
  CHECK(count(render(Curve{}), first) == 0);
  CHECK(count(render(Curve{.series = {{"", {{3, not_a_number}}}}}), first) == 0);
  CHECK(count(render(Curve{.series = {{"", {{3, 2}}}}}), first) > 4);  // a dot

  Series falling, broken, many;
  for (int i = 0; i <= 100; ++i) {
    falling.points.push_back({i * 1.0, 3 - i / 50.0});
    broken.points.push_back({i * 1.0, i > 20 && i < 80 ? not_a_number : 3 - i / 50.0});
  }
  for (int i = 0; i < 100000; ++i) many.points.push_back({i * 1.0, i == 54321 ? 9.0 : 1.0 + i % 2});
  const long whole = count(render(Curve{.series = {falling}}), first);
  const long gap = count(render(Curve{.series = {broken}}), first);
  CHECK(gap < whole * 6 / 10);
  CHECK(gap > whole * 2 / 10);

  Series burst = falling;
  burst.points[50].y = HUGE_VAL;  // infinity is a gap, too, and does not flatten the rest
  CHECK(count(render(Curve{.series = {burst}}), first) > whole * 9 / 10);

  // The one high value among a hundred thousand is still to be seen: well above all others.
  const Canvas dense = render(Curve{.series = {many}, .title = "dense"});
  bool seen = false;
  for (int x = 100; x < dense.width(); ++x)
    for (int y = 60; y < 100; ++y) seen = seen || lightness(dense.at(x, y)) < 60;
  CHECK(seen);
  CHECK(edge_is_paper(dense));
  CHECK(edge_is_paper(render(Curve{.series = {{"a long name", many.points}, {"another", {}}},
                                   .levels = {{"chance, ln V", 4.1}, {"bigram", 4.0}, {"x", 4.05}},
                                   .log = true})));
  CHECK(count(render(Curve{.series = {{"", {{0, -1}, {1, 0}}}}, .log = true}), first) == 0);
  CHECK_THROWS_WITH(render(Curve{.width = 100}), Catch::Contains("100 x 560 pixels are too few"));
}
