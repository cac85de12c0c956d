#include "attention/tasks/alphabet.hpp"

#include <algorithm>
#include <cstdint>

#include "attention/core/error.hpp"
#include "attention/core/utf8.hpp"

namespace attention {
namespace {

// A symbol as an error shows it: 'a', or by number where a terminal would not print it.
std::string shown(std::u32string_view symbol) {
  std::string text;
  for (char32_t point : symbol) {
    const bool invisible = (point <= ' ' && symbol.size() == 1) || point < ' ' ||
                           (point >= 0x7F && point <= 0xA0) ||
                           (point >= 0x2000 && point <= 0x206F);  // spaces and directions
    text += invisible ? fmt::format("U+{:04X}", static_cast<std::uint32_t>(point))
                      : encode_utf8({&point, 1});
  }
  return symbol.size() == 1 && text.starts_with("U+") ? text : "'" + text + "'";
}

// All symbols if they are few, else some, taken evenly from the whole.
std::string some_of(const std::vector<std::string>& symbols) {
  constexpr std::size_t most = 12;
  const std::size_t count = std::min(symbols.size(), most);
  std::string list;
  for (std::size_t i = 0; i < count; ++i)
    list += " " + shown(decode_utf8(symbols[i * symbols.size() / count]));
  return list + (count < symbols.size() ? " …" : "");
}

std::vector<std::string> one_by_one(std::u32string_view symbols) {
  std::vector<std::string> list;
  for (char32_t symbol : symbols) list.push_back(encode_utf8({&symbol, 1}));
  return list;
}

}  // namespace

Alphabet::Alphabet(const std::u32string& symbols) : Alphabet(one_by_one(symbols)) {}

Alphabet::Alphabet(std::vector<std::string> words) : symbols_(std::move(words)) {
  for (int id = 0; id < size(); ++id) {
    const std::u32string symbol = decode_utf8(symbols_[id]);
    if (symbol.empty()) fail("alphabet: symbol {} is empty", id);
    if (const auto [known, added] = ids_.emplace(symbol, id); !added)
      fail("alphabet: {} comes twice, as {} and as {}", shown(symbol), known->second, id);
    longest_ = std::max(longest_, symbol.size());
  }
}

Alphabet Alphabet::of(std::u32string_view text) {
  std::u32string symbols(text);
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return Alphabet(symbols);
}

std::vector<int> Alphabet::encode(std::string_view utf8) const { return encode(clean_text(utf8)); }

int Alphabet::id_at(std::u32string_view text, std::size_t& length) const {
  for (length = std::min(longest_, text.size()); length > 0; --length)
    if (const auto known = ids_.find(std::u32string(text.substr(0, length))); known != ids_.end())
      return known->second;
  return -1;
}

std::vector<int> Alphabet::encode(std::u32string_view text) const {
  std::vector<int> ids;
  ids.reserve(text.size());
  for (std::size_t at = 0, length = 0; at < text.size(); at += length) {
    const int id = id_at(text.substr(at), length);
    if (id >= 0) {
      ids.push_back(id);
    } else if (has_words() && text[at] == U' ') {
      length = 1;
    } else {
      fail("alphabet: {}, character {} of the text, is not among the {} known symbols:{}",
           shown(text.substr(at, 1)), at + 1, size(), some_of(symbols_));
    }
  }
  return ids;
}

std::string Alphabet::decode(const std::vector<int>& ids) const {
  std::string text;
  for (int id : ids) {
    if (id < 0 || id >= size()) fail("alphabet: id {} is outside [0, {})", id, size());
    text += symbols_[id];
  }
  return text;
}

}  // namespace attention
