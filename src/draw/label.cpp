#include "attention/draw/label.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "attention/core/error.hpp"
#include "attention/core/utf8.hpp"

namespace attention::draw {
namespace {

constexpr char32_t replacement = 0xFFFD;

struct Range {
  char32_t first, last;
};

// From the Unicode tables of East Asian width and of marks, in rising order; blocks that are almost
// wholly wide (or of no width) are taken whole.
constexpr Range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26A1, 0x26A1},   {0x2705, 0x2705},   {0x274C, 0x274C},
    {0x2753, 0x2757},   {0x2B50, 0x2B50},   {0x2E80, 0x303E},   {0x3041, 0x4DBF},
    {0x4E00, 0xA4CF},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
    {0xFE10, 0xFE19},   {0xFE30, 0xFE6B},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF},
    {0x20000, 0x3FFFD}};
constexpr Range without_width[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},
    {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064}, {0x20D0, 0x20FF},
    {0x302A, 0x302D}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0000, 0xE01EF}};

template <std::size_t N>
bool contains(const Range (&ranges)[N], char32_t point) {
  const Range* after = std::upper_bound(ranges, ranges + N, point,
                                        [](char32_t p, const Range& r) { return p < r.first; });
  return after != ranges && point <= after[-1].last;
}

// The code point at the start of a text that is not empty, and the bytes it takes.
std::pair<char32_t, std::size_t> first_point(std::string_view utf8) {
  const auto lead = static_cast<unsigned char>(utf8[0]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  try {
    return {decode_utf8(utf8.substr(0, length)).front(), length};
  } catch (const Error&) {
    return {replacement, 1};
  }
}

}  // namespace

std::u32string code_points(std::string_view utf8) {
  std::u32string points;
  while (!utf8.empty()) {
    const auto [point, length] = first_point(utf8);
    points += point;
    utf8.remove_prefix(length);
  }
  return points;
}

std::string visible(std::string_view token) {
  if (token.empty()) return "\"\"";
  const bool blank = token.find_first_not_of(' ') == std::string_view::npos;
  std::string result;
  for (char32_t point : code_points(token)) {
    if (blank) {
      result += "␣";
    } else if (point == '\n') {
      result += "\\n";
    } else if (point == '\t') {
      result += "\\t";
    } else if (point == '\r') {
      result += "\\r";
    } else if (point < 0x20 || (point >= 0x7F && point < 0xA0)) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned>(point));
    } else if (point == 0x2028 || point == 0x2029 || (point >= 0x202A && point <= 0x202E) ||
               (point >= 0x2066 && point <= 0x2069)) {
      result += fmt::format("U+{:04X}", static_cast<unsigned>(point));  // they would turn the line
    } else {
      result += encode_utf8({&point, 1});
    }
  }
  return result;
}

int display_width(char32_t point) {
  return contains(without_width, point) ? 0 : contains(wide, point) ? 2 : 1;
}

int display_width(std::string_view utf8) {
  int width = 0;
  for (char32_t point : code_points(utf8)) width += display_width(point);
  return width;
}

std::string cut(std::string_view utf8, int columns) {
  if (display_width(utf8) <= columns) return std::string(utf8);
  if (columns < 1) return "";
  std::u32string kept;
  int width = 1;  // of the dots
  for (char32_t point : code_points(utf8)) {
    width += display_width(point);
    if (width > columns) break;
    kept += point;
  }
  return encode_utf8(kept) + "…";
}

}  // namespace attention::draw
