#include "text.hpp"

#include <algorithm>
#include <cmath>

#include "attention/core/utf8.hpp"
#include "attention/draw/label.hpp"
#include "lesson.hpp"

namespace lesson {
namespace {

using attention::draw::display_width;

// Pieces that are not broken: words, and Chinese characters with the marks that follow them.
std::vector<std::u32string> pieces(const std::u32string& text) {
  const std::u32string closing = U"，。、：；！？）」』”’…—";
  const auto starts_anew = [&](char32_t before, char32_t here) {
    if (before == U' ' || here == U' ') return here != U' ';
    if (closing.find(here) != closing.npos || before == U'（' || before == U'“') return false;
    return display_width(before) == 2 || display_width(here) == 2;
  };
  std::vector<std::u32string> list;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 0 || starts_anew(text[i - 1], text[i])) list.emplace_back();
    list.back() += text[i];
  }
  return list;
}

}  // namespace

std::string number(double value, int decimals) {
  if (std::isnan(value)) return "nan";  // never -nan
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const double unit = std::pow(10, -decimals);
  if (value == std::floor(value) && std::abs(value) < 1e15)
    return fmt::format("{:.0f}", value + 0.0);
  if (std::abs(value) < unit / 2 || std::abs(value) >= 1e6) return fmt::format("{:.2g}", value);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string fixed(double value, int decimals) {
  const double whole = std::round(value);
  const bool nearly = whole != 0 && std::abs(value - whole) < 1e-12;  // 14, but for rounding
  if (!std::isfinite(value) || value == whole || nearly) return number(nearly ? whole : value);
  const bool crumb = std::abs(value) < std::pow(10, -decimals) / 2;  // never -0.0000
  return fmt::format("{:.{}f}", crumb ? 0.0 : value, decimals);
}

std::string padded(const std::string& text, int width) {
  return text + std::string(std::max(0, width - display_width(text)), ' ');
}

std::vector<std::string> wrapped(const std::string& text, int columns) {
  std::vector<std::string> lines{""};
  int width = 0;
  for (const std::u32string& piece : pieces(attention::decode_utf8(text))) {
    const std::string word = attention::encode_utf8(piece);
    const int bare = display_width(word.substr(0, word.find_last_not_of(' ') + 1));
    if (width > 0 && width + bare > columns) lines.emplace_back(), width = 0;
    lines.back() += word, width += display_width(word);
  }
  for (std::string& line : lines) line.resize(line.find_last_not_of(' ') + 1);
  return lines;
}

void print_rows(const std::vector<std::vector<std::string>>& rows, Align align) {
  std::vector<int> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  fmt::print("\n");
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - display_width(row[i]), ' ');
      line += "  " + (align == Align::left ? row[i] + blanks : blanks + row[i]);
    }
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

}  // namespace lesson
