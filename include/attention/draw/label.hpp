// Text as people see it in a picture or a terminal, where a Chinese character takes two columns. A
// label must not stop a picture: where core/utf8.hpp would throw, a byte becomes U+FFFD here.
#pragma once

#include <string>
#include <string_view>

namespace attention::draw {

std::u32string code_points(std::string_view utf8);

// What a label shows of a token: a newline as \n, other control characters as \x1b, a token of
// blanks as ␣, an empty one as "". The result is valid UTF-8 and safe to send to a terminal.
std::string visible(std::string_view token);

int display_width(char32_t point);  // 0 (combining, control), 1 or 2
int display_width(std::string_view utf8);

// The text cut to at most so many columns, the last of them "…" where something is missing.
std::string cut(std::string_view utf8, int columns);

}  // namespace attention::draw
