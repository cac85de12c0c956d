// Alphabet: which symbol has which id. A symbol is one code point, so Chinese needs nothing that
// English does not: 小明喜欢吃苹果，因为苹果很甜。 is 15 tokens of 13 kinds. Or symbols are whole
// words, of one code point or more: 小明 喜欢 吃 苹果 ， 因为 苹果 很 甜 。 is 10 tokens of 9
// kinds.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attention {

class Alphabet {
 public:
  Alphabet() = default;
  // Id i is symbols[i]. Both throw on a symbol that comes twice; words must not be empty.
  explicit Alphabet(const std::u32string& symbols);
  explicit Alphabet(std::vector<std::string> words);
  static Alphabet of(std::u32string_view text);  // the text's different symbols, in rising order

  int size() const { return static_cast<int>(symbols_.size()); }
  const std::vector<std::string>& symbols() const { return symbols_; }  // UTF-8
  bool has_words() const { return longest_ > 1; }  // whether one is longer than a code point

  // The longest symbol that fits comes next; where there are words, spaces between them are passed
  // over. UTF-8 goes through clean_text first, like any text. Throws on what is not UTF-8 (with the
  // byte offset), and where no symbol fits (with the character, its place, and some symbols).
  std::vector<int> encode(std::string_view utf8) const;
  std::vector<int> encode(std::u32string_view text) const;
  // The symbols in a row, without spaces. Throws on an id outside [0, size).
  std::string decode(const std::vector<int>& ids) const;
  std::string symbol(int id) const { return decode({id}); }

 private:
  int id_at(std::u32string_view text, std::size_t& length) const;  // -1 where no symbol fits

  std::vector<std::string> symbols_;
  std::unordered_map<std::u32string, int> ids_;
  std::size_t longest_ = 0;  // symbol, in code points
};

}  // namespace attention
