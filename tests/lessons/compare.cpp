// compare_texts EXPECTED FOUND [RELATIVE [ABSOLUTE]]: whether two texts say the same. Words have to
// be equal, numbers equal but for a tolerance; how much blank there is between them does not
// matter, since a column is as wide as its longest number. Names the first line that differs.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <regex>
#include <string>
#include <vector>

namespace {

std::vector<std::string> lines_of(const char* file) {
  std::ifstream stream(file);
  if (!stream) {
    fmt::print("{} cannot be read\n", file);
    std::exit(2);
  }
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

struct Line {
  std::string words;  // with # for each number, and blanks as one
  std::vector<double> numbers;
};

Line parse(const std::string& text) {
  static const std::regex number(R"([-+]?(\d+(\.\d+)?(e[-+]?\d+)?|nan|inf)(?![a-z]))");
  static const std::regex blanks(R"(\s+)"), outer(R"(^ | $)");
  Line line;
  std::string words = std::regex_replace(text, number, " # ");
  line.words = std::regex_replace(std::regex_replace(words, blanks, " "), outer, "");
  for (std::sregex_iterator i(text.begin(), text.end(), number), end; i != end; ++i)
    line.numbers.push_back(std::stod(i->str()));
  return line;
}

bool near(double a, double b, double relative, double absolute) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= absolute + relative * std::max(std::abs(a), std::abs(b));
}

bool same(const Line& a, const Line& b, double relative, double absolute) {
  if (a.words != b.words || a.numbers.size() != b.numbers.size()) return false;
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    if (!near(a.numbers[i], b.numbers[i], relative, absolute)) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print("usage: compare_texts EXPECTED FOUND [RELATIVE [ABSOLUTE]]\n");
    return 2;
  }
  const double relative = argc > 3 ? std::stod(argv[3]) : 1e-3;
  const double absolute = argc > 4 ? std::stod(argv[4]) : 2e-4;
  const auto expected = lines_of(argv[1]), found = lines_of(argv[2]);
  for (std::size_t i = 0; i < std::max(expected.size(), found.size()); ++i) {
    const std::string a = i < expected.size() ? expected[i] : "(nothing)";
    const std::string b = i < found.size() ? found[i] : "(nothing)";
    if (same(parse(a), parse(b), relative, absolute)) continue;
    fmt::print("{}:{}\n  expected  {}\n  found     {}\n", argv[1], i + 1, a, b);
    return 1;
  }
}
