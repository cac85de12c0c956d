// Text for lesson.cpp: numbers as people write them, lines that fit the page, columns that line up.
// A Chinese character takes two columns.
#pragma once

#include <string>
#include <vector>

namespace lesson {

// 2 stays 2 and an exact 0 stays 0; what is not whole has all its decimals, so that points line up.
std::string fixed(double value, int decimals);

std::string padded(const std::string& text, int width);

// The text in lines of at most so many columns.
std::vector<std::string> wrapped(const std::string& text, int columns);

// In columns, the first row being the heading. Rightmost blanks are left out.
enum class Align { left, right };
void print_rows(const std::vector<std::vector<std::string>>& rows, Align align);

}  // namespace lesson
