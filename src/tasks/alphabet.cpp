#include "attention/tasks/alphabet.hpp"

#include <algorithm>
#include <cstdint>

#include "attention/core/error.hpp"
#include "attention/core/utf8.hpp"

namespace attention {
namespace {

// A symbol as an error shows it: 'a', or by number where a terminal would not print it.
std::string shown(char32_t symbol) {
  const bool invisible = symbol <= ' ' || (symbol >= 0x7F && symbol <= 0xA0) ||
                         (symbol >= 0x2000 && symbol <= 0x206F);  // spaces and directions
  if (invisible) return fmt::format("U+{:04X}", static_cast<std::uint32_t>(symbol));
  return "'" + encode_utf8({&symbol, 1}) + "'";
}

// All symbols if they are few, else some, taken evenly from the whole.
std::string some_of(const std::u32string& symbols) {
  constexpr std::size_t most = 12;
  const std::size_t count = std::min(symbols.size(), most);
  std::string list;
  for (std::size_t i = 0; i < count; ++i) list += " " + shown(symbols[i * symbols.size() / count]);
  return list + (count < symbols.size() ? " …" : "");
}

}  // namespace

Alphabet::Alphabet(std::u32string symbols) : symbols_(std::move(symbols)) {
  for (int id = 0; id < size(); ++id)
    if (const auto [known, added] = ids_.emplace(symbols_[id], id); !added)
      fail("alphabet: {} comes twice, as {} and as {}", shown(symbols_[id]), known->second, id);
}

Alphabet Alphabet::of(std::u32string_view text) {
  std::u32string symbols(text);
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return Alphabet(std::move(symbols));
}

std::vector<int> Alphabet::encode(std::string_view utf8) const { return encode(clean_text(utf8)); }

std::vector<int> Alphabet::encode(std::u32string_view text) const {
  std::vector<int> ids;
  ids.reserve(text.size());
  for (char32_t symbol : text) {
    const auto known = ids_.find(symbol);
    if (known == ids_.end())
      fail("alphabet: {}, character {} of the text, is not among the {} known symbols:{}",
           shown(symbol), ids.size() + 1, size(), some_of(symbols_));
    ids.push_back(known->second);
  }
  return ids;
}

std::string Alphabet::decode(const std::vector<int>& ids) const {
  std::u32string text;
  for (int id : ids) {
    if (id < 0 || id >= size()) fail("alphabet: id {} is outside [0, {})", id, size());
    text += symbols_[id];
  }
  return encode_utf8(text);
}

}  // namespace attention
