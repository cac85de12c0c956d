// From text to ink. Fonts of the system are found and opened when the first letter asks for them,
// and each letter is taken from the first font that has it. Where there is no font at all, a small
// built-in alphabet of capitals serves. To be used by one thread at a time. Next: canvas.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attention::draw {

// How much of each pixel the text covers (0 to 255), row by row. The letters stand on the line
// `baseline` rows below the top.
struct Ink {
  int width = 0, height = 0, baseline = 0;
  std::vector<std::uint8_t> cover;
};

// `size` is that of an em, in pixels, 1 to 4096. A character that no font has is spelled out, as
// U+82F9.
Ink ink(std::string_view utf8, int size);
int text_width(std::string_view utf8, int size);
std::string fit(std::string_view utf8, int size, int width);  // cut with "…" to so many pixels

// The file that ATTENTION_FONT names, if any, then those of the fonts we know by name that are
// installed: a Latin one first, then those with Chinese.
std::vector<std::filesystem::path> find_fonts();
// The files to use, in this order, instead of find_fonts(); none of them for the built-in letters.
void set_fonts(std::vector<std::filesystem::path> files);

// One line about text that could not be drawn as it should since set_fonts or the start, and what
// to install; empty when all was well.
std::string font_note();

namespace detail {
// The built-in alphabet: 7 rows of 5 pixels. Null for a character that it lacks.
inline constexpr int glyph_width = 5, glyph_height = 7;
struct Glyph {
  bool dots[glyph_height][glyph_width];
};
const Glyph* built_in_glyph(char32_t point);
}  // namespace detail

}  // namespace attention::draw
