#include "words.hpp"

#include <fmt/core.h>

namespace attention::cli {

std::string counted(Size count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string for_shell(const std::string& argument) {
  constexpr auto harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./";
  if (!argument.empty() && argument.find_first_not_of(harmless) == argument.npos) return argument;
  std::string quoted = "'";
  for (char c : argument) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string printable(const std::string& text) {
  std::string clean;
  for (char c : text) {
    const bool control = (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7F;
    clean += control ? "·" : std::string(1, c);
  }
  return clean;
}

std::string one_line(const std::string& text) {
  std::string line;
  for (char c : printable(text)) {
    const bool blank = c == '\n' || c == '\t' || c == ' ';
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

}  // namespace attention::cli
