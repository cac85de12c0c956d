// The ground of pictures: labels, colours, the canvas and its files, letters and their fonts.
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <fstream>

#include "attention/core/error.hpp"
#include "attention/draw/label.hpp"
#include "draw_test.hpp"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb_image.h>

using namespace attention;
using namespace attention::draw;

TEST_CASE("a label shows what a token is, and how wide") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("苹果，") == 6);
  CHECK(display_width("e\u0301") == 1);  // a combining accent takes no column of its own
  CHECK(visible("\n") == "\\n");
  CHECK(visible("  ") == "␣␣");
  CHECK(visible("a b") == "a b");
  CHECK(visible("") == "\"\"");
  CHECK(visible("\x1b[31m") == "\\x1b[31m");  // a token cannot paint the terminal
  CHECK(visible("a\xff苹\xe8\x8b") == "a\ufffd苹\ufffd\ufffd");
  CHECK(cut("苹果很甜", 8) == "苹果很甜");
  CHECK(cut("苹果很甜", 6) == "苹果…");
  CHECK(display_width(cut("苹果很甜", 4)) <= 4);
}

TEST_CASE("lightness rises along the scale, and falls to both sides of zero") {
  const ColourScale scale;
  for (int i = 0; i < 100; ++i)
    CHECK(lightness(scale((i + 1) / 100.0)) > lightness(scale(i / 100.0)) - 0.3);
  CHECK(lightness(scale(1)) - lightness(scale(0)) > 75);
  const ColourScale both{-2, 2, true};
  CHECK(lightness(both(0)) > 95);
  for (double v : {0.5, 1.0, 2.0}) {
    CHECK(both(v).red > both(v).blue);
    CHECK(both(-v).blue > both(-v).red);
    CHECK(std::abs(lightness(both(v)) - lightness(both(-v))) < 15);
  }
  CHECK(scale(7) == scale(1));
  CHECK(scale(-7) == scale(0));
  CHECK(scale(not_a_number) == missing_colour);

  const std::vector<real> values = {-3, 1, static_cast<real>(not_a_number)};
  CHECK(colour_scale(Scale::data, values).low == -3);
  CHECK(colour_scale(Scale::data, values).high == 1);
  CHECK(colour_scale(Scale::diverging, values).high == 3);
  CHECK(colour_scale(Scale::unit, values).high == 1);
  CHECK(colour_scale(Scale::data, std::vector<real>{2, 2}).high > 2);
  CHECK(colour_scale(Scale::diverging, std::vector<real>{0}).high > 0);
}

TEST_CASE("a canvas fills, draws lines with soft edges and leaves out what lies outside") {
  Canvas canvas(20, 10);
  const Colour red{255, 0, 0};
  canvas.fill(-5, -5, 7, 7, red);
  CHECK(count(canvas, red) == 4);
  canvas.fill(18, 8, 100, 100, red);
  CHECK(count(canvas, red) == 8);

  Canvas lined(20, 20);
  lined.line({2, 10}, {18, 10}, 2, {0, 0, 0});
  CHECK(lined.at(10, 9) == Colour{0, 0, 0});
  CHECK(lined.at(10, 10) == Colour{0, 0, 0});
  CHECK(lined.at(10, 7) == paper_colour);
  CHECK(lined.at(1, 10).red > 0);  // the rounded end: half covered
  CHECK(lined.at(1, 10).red < 255);
  CHECK_THROWS_WITH(lined.at(20, 0), "canvas: no pixel (20, 0) in 20 x 20");
  CHECK_THROWS_WITH(Canvas(0, 5), Catch::Contains("0 x 5 pixels; each side can be 1 to 16384"));
}

TEST_CASE("a saved PNG reads back as it was drawn, and a failing write leaves the old one") {
  Folder folder;
  Canvas canvas(33, 17);
  canvas.fill(3, 4, 5, 6, {10, 20, 30});
  const fs::path file = folder.path / "picture.png";
  canvas.save(file);
  CHECK(folder.files() == 1);  // nothing is left of the other name

  const std::vector<std::uint8_t> png = canvas.png();
  CHECK(std::string(png.begin(), png.begin() + 8) == "\x89PNG\r\n\x1a\n");
  int width = 0, height = 0, channels = 0;
  unsigned char* pixels = stbi_load(file.c_str(), &width, &height, &channels, 0);
  REQUIRE(pixels);
  CHECK((width == 33 && height == 17 && channels == 3));
  bool same = true;
  for (int i = 0; i < width * height; ++i)
    same = same && canvas.at(i % width, i / width) ==
                       Colour{pixels[3 * i], pixels[3 * i + 1], pixels[3 * i + 2]};
  CHECK(same);
  stbi_image_free(pixels);

  const fs::path nowhere = folder.path / "none" / "p.png";
  CHECK_THROWS_WITH(canvas.save(nowhere),
                    Catch::Contains(nowhere.string() + ": there is no folder"));
  fs::create_directory(folder.path / "taken");
  CHECK_THROWS_WITH(canvas.save(folder.path / "taken"), Catch::Contains("Is a directory"));

  // A disk that is full, as far as this process can tell.
  const auto size = fs::file_size(file);
  rlimit before{}, tight{};
  getrlimit(RLIMIT_FSIZE, &before);
  tight = before, tight.rlim_cur = 20;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &tight);
  std::string message;
  try {
    canvas.save(file);
  } catch (const Error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(message == "write_file: " + file.string() + ": File too large");
  CHECK(fs::file_size(file) == size);
  CHECK(folder.files() == 2);  // the picture and "taken"
}

TEST_CASE("without fonts, letters are built in and the rest is spelled out, and a note says so") {
  NoFonts none;
  CHECK(font_note().empty());  // nothing drawn, nothing to say
  CHECK(text_width("苹", 14) == text_width("U+82F9", 14));
  const Ink letter = ink("I", 70);
  long dark = 0;
  for (int cover : letter.cover) dark += cover > 128;
  CHECK(dark > 500);
  CHECK(ink("i", 30).cover == ink("I", 30).cover);
  CHECK(ink("O", 30).cover != ink("0", 30).cover);
  CHECK(edge_is_paper(
      render(Heatmap{.values = ramp(10, 10), .rows = sentence, .columns = sentence})));
  CHECK(font_note() ==
        "no font was found, letters are built-in capitals; install one (for Chinese, Debian's "
        "fonts-wqy-microhei) or name its file in ATTENTION_FONT");
}

TEST_CASE("a character that no font has is named in the note") {
  const auto installed = find_fonts();
  if (installed.empty()) return;
  set_fonts({installed[0]});
  CHECK(text_width("abc", 14) > 0);
  CHECK(font_note().empty());
  CHECK(text_width("\U000F0000", 14) == text_width("U+F0000", 14));  // nobody's: private use
  CHECK_THAT(font_note(), Catch::Contains("(U+F0000); install one"));
  CHECK(text_width("\U000F0001\U000F0002", 14) > 0);
  CHECK_THAT(font_note(), Catch::Contains("(U+F0000) and 2 more; install one"));
  set_fonts(installed);
}

TEST_CASE("ATTENTION_FONT comes first, and is named when it cannot be read") {
  Folder folder;
  const fs::path file = folder.path / "broken.ttf";
  std::ofstream(file) << std::string("\0\1\0\0\0\xff", 6) << std::string(200, '\x7f');
  const fs::path half = folder.path / "half.ttf";  // a real font that was cut short
  if (const auto installed = find_fonts(); !installed.empty()) {
    fs::copy_file(installed[0], half);
    fs::resize_file(half, fs::file_size(half) / 2);
  }
  for (const fs::path& wish : {file, half, folder.path, folder.path / "none.ttf"}) {
    Environment variable("ATTENTION_FONT", wish.c_str());
    REQUIRE(find_fonts().front() == wish);
    set_fonts(find_fonts());
    CHECK(text_width("abc", 14) > 0);
    CHECK(font_note() == "ATTENTION_FONT: " + wish.string() + " cannot be read as a TrueType font");
  }
  set_fonts(find_fonts());
}

TEST_CASE("a font's letters are as wide as measured, and cut ones fit") {
  const int width = text_width("attention is all you need", 16);
  CHECK(ink("attention is all you need", 16).width == width);
  const std::string cut_text = fit("attention is all you need", 16, width / 2);
  CHECK(cut_text.find("…") != std::string::npos);
  CHECK(text_width(cut_text, 16) <= width / 2);
  CHECK(text_width(cut_text, 16) > width / 3);
  CHECK(text_width("ab", 32) > text_width("ab", 16) * 18 / 10);
  CHECK(ink("a\xff"
            "b",
            16)
            .width > ink("ab", 16).width);  // the replacement character is there
}
