// Bars: as long as their numbers say, from zero, and nothing cut off.
#include "attention/draw/bars.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "attention/core/error.hpp"
#include "draw_test.hpp"

using namespace attention;
using namespace attention::draw;

namespace {

// Where a colour is: the columns of pixels from the first to the last, in one row of a picture.
struct Extent {
  int first = -1, last = -1;
  int length() const { return first < 0 ? 0 : last - first + 1; }
};

Extent extent(const Canvas& canvas, Colour colour) {
  Extent found;
  for (int x = 0; x < canvas.width(); ++x)
    for (int y = 0; y < canvas.height(); ++y)
      if (canvas.at(x, y) == colour) {
        if (found.first < 0) found.first = x;
        found.last = x;
      }
  return found;
}

}  // namespace

TEST_CASE("a bar is as long as its number says, and begins at zero") {
  const Canvas canvas = render(BarChart{.bars = {{"one", 1, 0}, {"three", 3, 1}, {"four", 4, 2}}});
  const Extent one = extent(canvas, series_colour(0)), three = extent(canvas, series_colour(1)),
               four = extent(canvas, series_colour(2));
  CHECK(one.length() > 100);
  CHECK(std::abs(three.length() - 3 * one.length()) <= 3);
  CHECK(std::abs(four.length() - 4 * one.length()) <= 4);
  CHECK(one.first == three.first);
  CHECK(count(canvas, series_colour(0)) == 20L * one.length());  // a full rectangle
  CHECK(edge_is_paper(canvas));
}

TEST_CASE("a negative bar goes the other way from the same zero") {
  const Canvas canvas = render(BarChart{.bars = {{"up", 2, 0}, {"down", -2, 1}}});
  const Extent up = extent(canvas, series_colour(0)), down = extent(canvas, series_colour(1));
  CHECK(std::abs(up.length() - down.length()) <= 2);
  CHECK(std::abs(up.first - down.last) <= 2);
}

TEST_CASE("what is not finite has no bar, and does not shorten the others") {
  const Colour second = series_colour(1);
  const auto length = [&](double value) {
    return extent(render(BarChart{.bars = {{"a", value, 0}, {"b", 3.125, 1}}}), second).length();
  };
  CHECK(length(not_a_number) == length(2));
  CHECK(length(HUGE_VAL) == length(2));
  CHECK(count(render(BarChart{.bars = {{"a", HUGE_VAL, 0}, {"b", 3, 1}}}), series_colour(0)) == 0);
  CHECK(count(render(BarChart{.bars = {{"a", not_a_number, 0}}}), series_colour(0)) == 0);
}

TEST_CASE("a level is where its number is, and stretches the axis") {
  const auto drawn = [](std::vector<Level> levels) {
    return render(BarChart{.bars = {{"a", 3, 0}}, .levels = levels});
  };
  const Canvas plain = drawn({}), with = drawn({{"", 1.5}, {"", not_a_number}});
  const Extent bar = extent(with, series_colour(0));
  bool seen = false;  // dashes in the middle of the bar, above it
  const int middle = bar.first + bar.length() / 2;
  for (int x = middle - 2; x <= middle + 2; ++x)
    for (int y = 20; y < 42; ++y) seen = seen || lightness(with.at(x, y)) < 70;
  CHECK(seen);
  CHECK(with.height() == plain.height() + 20);  // the level that is not finite takes no line
  CHECK(extent(drawn({{"", 6}}), series_colour(0)).length() * 2 - bar.length() < 10);
}

TEST_CASE("bars: nothing is cut off, whatever the sizes and names") {
  const std::string endless(5000, 'w');
  for (const Bar& odd : {Bar{"", 0}, Bar{endless, 1}, Bar{"苹果\n\xff", -1e300}, Bar{"-", 1e300},
                         Bar{"e", 1e-300}, Bar{"n", not_a_number}})
    for (int width : {320, 960}) {
      INFO(odd.name << " " << odd.value << " " << width);
      CHECK(edge_is_paper(render(BarChart{.bars = {odd, {"one", 1}, {"less", -0.25}, {"x", -1e300}},
                                          .levels = {{endless, 0.5}, {"苹果", -7}},
                                          .title = endless,
                                          .value_name = endless,
                                          .width = width})));
    }
  CHECK(edge_is_paper(render(BarChart{})));
  CHECK(edge_is_paper(render(BarChart{.bars = {{"nothing", 0}}})));
}
