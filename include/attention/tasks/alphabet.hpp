// Alphabet: which symbol has which id. A symbol is one code point, so Chinese needs nothing that
// English does not: 小明喜欢吃苹果，因为苹果很甜。 is 15 tokens of 13 kinds.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attention {

class Alphabet {
 public:
  Alphabet() = default;
  explicit Alphabet(std::u32string symbols);  // id i is symbols[i]; throws on one that comes twice
  static Alphabet of(std::u32string_view text);  // the text's different symbols, in rising order

  int size() const { return static_cast<int>(symbols_.size()); }
  const std::u32string& symbols() const { return symbols_; }

  // UTF-8 goes through clean_text first, like any text. Throws on what is not UTF-8 (with the byte
  // offset), and on a symbol that has no id (with the symbol, its place, and some that have one).
  std::vector<int> encode(std::string_view utf8) const;
  std::vector<int> encode(std::u32string_view text) const;
  std::string decode(const std::vector<int>& ids) const;  // throws on an id outside [0, size)
  std::string symbol(int id) const { return decode({id}); }

 private:
  std::u32string symbols_;
  std::unordered_map<char32_t, int> ids_;
};

}  // namespace attention
