// Heatmaps as text: aligned, as wide as the terminal and no wider, coloured where that is wanted.
#include <fcntl.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>

#include "attention/draw/terminal.hpp"
#include "draw_test.hpp"

using namespace attention;
using namespace attention::draw;

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\x1b')
      i = text.find('m', i);
    else
      plain += text[i];
  return plain;
}

}  // namespace

TEST_CASE("in a terminal, rows line up and fit the width") {
  const Heatmap map{.values = ramp(10, 10), .rows = sentence, .columns = sentence, .title = "苹果"};
  for (Ansi ansi : {Ansi::none, Ansi::colours_256, Ansi::colours_24_bit})
    for (int width : {40, 80, 200}) {
      const auto rows = lines(without_escapes(to_text(map, {ansi, width})));
      CHECK(rows[0] == "苹果");
      for (const std::string& row : rows) CHECK(display_width(row) <= width);
      const std::size_t first = rows.size() - 11;  // ten rows, then the legend
      for (int i = 1; i < 10; ++i)
        CHECK(display_width(rows[first + i]) == display_width(rows[first]));
    }
  const std::string wide = to_text(map, {.width = 80});
  CHECK(wide.find("     小明 喜欢  吃  苹果") != std::string::npos);  // the header, in one line
  CHECK(wide.find("小明 |     ") != std::string::npos);
  CHECK(wide.find("@@@@@|\n") != std::string::npos);
}

TEST_CASE("plain shades darken with the value, and a hidden peak is shown") {
  const Tensor row = from_values({0, 0.5, 1, static_cast<real>(not_a_number)}, {1, 4});
  CHECK(to_text({.values = row, .columns = {"a", "b", "c", "d"}}).find("0 |  ++@@??|") !=
        std::string::npos);

  std::vector<real> values(500, 0);
  values[321] = 1;
  const std::string text = to_text({.values = from_values(values, {1, 500})}, {.width = 60});
  CHECK(text.find('@') < text.rfind('\n', text.size() - 2));  // in the map, not only the legend
  CHECK(text.find("each character: the greatest of 9 columns") != std::string::npos);
  for (const std::string& line : lines(text)) CHECK(display_width(line) <= 60);
}

TEST_CASE("colours in the terminal are those of the picture") {
  const Heatmap map{.values = from_values({0, 0, 1}, {1, 3})};
  const std::string text = to_text(map, {Ansi::colours_24_bit, 80});
  CHECK(text.find("\x1b[48;2;24;16;58m    \x1b[48;2;250;230;92m  \x1b[0m") != std::string::npos);
  CHECK(to_text(map, {Ansi::colours_256, 80}).find("\x1b[48;5;221m  \x1b[0m") != std::string::npos);
  CHECK(to_text(map).find('\x1b') == std::string::npos);
}

TEST_CASE("colour is wanted on a terminal, unless NO_COLOR says no") {
  Environment term("TERM", "xterm"), unset("NO_COLOR", nullptr);
  std::FILE* file = std::tmpfile();
  CHECK_FALSE(colour_wanted(file));
  CHECK(terminal(file).ansi == Ansi::none);
  CHECK(terminal(file).width == 80);
  std::fclose(file);

  const int descriptor = posix_openpt(O_RDWR | O_NOCTTY);
  if (descriptor < 0) return;  // a system without pseudo-terminals
  std::FILE* stream = fdopen(descriptor, "r+");
  CHECK(colour_wanted(stream));
  {
    Environment no("NO_COLOR", "1");
    CHECK_FALSE(colour_wanted(stream));
    CHECK(terminal(stream).ansi == Ansi::none);
  }
  {
    Environment empty("NO_COLOR", ""), true_colour("COLORTERM", "truecolor");
    CHECK(colour_wanted(stream));
    CHECK(terminal(stream).ansi == Ansi::colours_24_bit);
  }
  Environment dumb("TERM", "dumb");
  CHECK_FALSE(colour_wanted(stream));
  std::fclose(stream);
}
