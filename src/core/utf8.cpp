#include "attention/core/utf8.hpp"

#include <cstdint>

#include "attention/core/error.hpp"

namespace attention {
namespace {

constexpr char32_t last_code_point = 0x10FFFF;
constexpr char32_t byte_order_mark = 0xFEFF;

bool is_surrogate(char32_t point) { return point >= 0xD800 && point <= 0xDFFF; }

[[noreturn]] void not_utf8(std::size_t at, const std::string& what) {
  fail("not UTF-8: at byte {}, {}; if the text is in another encoding, iconv converts it", at,
       what);
}

// How many bytes the character has that begins with this one; 0 if none does.
std::size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC0) return 0;  // begins with bits 10: a later byte of a character
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF8 ? 4 : 0;
}

// The code point that begins at byte `at`, which moves on to the next one.
char32_t next_point(std::string_view bytes, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const std::size_t begin = at, length = length_of(byte(begin));
  if (length == 0) not_utf8(begin, fmt::format("no character begins with 0x{:02X}", byte(begin)));
  if (length == 1) return byte(at++);

  char32_t point = byte(at++) & (0x7F >> length);  // after bits 110, 1110 or 11110
  for (; at < begin + length; ++at) {
    if (at == bytes.size())
      not_utf8(begin,
               fmt::format("the text ends after {} of a character's {} bytes", at - begin, length));
    if ((byte(at) & 0xC0) != 0x80)
      not_utf8(begin, fmt::format("a character of {} bytes breaks off: its byte {} is 0x{:02X}",
                                  length, at - begin + 1, byte(at)));
    point = point << 6 | (byte(at) & 0x3F);
  }

  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // that needs so many bytes
  const auto number = static_cast<std::uint32_t>(point);
  if (point < least[length])
    not_utf8(begin, fmt::format("U+{:04X} is overlong: spelled in {} bytes, which are too many",
                                number, length));
  if (is_surrogate(point))
    not_utf8(begin, fmt::format("U+{:04X} is a surrogate, one half of a character", number));
  if (point > last_code_point)
    not_utf8(begin, fmt::format("0x{:X} is above the last code point, U+10FFFF", number));
  return point;
}

}  // namespace

std::u32string decode_utf8(std::string_view bytes) {
  std::u32string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) text += next_point(bytes, at);
  return text;
}

std::string encode_utf8(std::u32string_view text) {
  std::string bytes;
  const auto put = [&](char32_t byte) { bytes += static_cast<char>(byte); };
  const auto put_tail = [&](char32_t bits) { put(0x80 | (bits & 0x3F)); };
  for (char32_t p : text) {
    if (is_surrogate(p) || p > last_code_point)
      fail("utf8: 0x{:X} is no code point", static_cast<std::uint32_t>(p));
    if (p < 0x80) {
      put(p);
    } else if (p < 0x800) {
      put(0xC0 | p >> 6), put_tail(p);
    } else if (p < 0x10000) {
      put(0xE0 | p >> 12), put_tail(p >> 6), put_tail(p);
    } else {
      put(0xF0 | p >> 18), put_tail(p >> 12), put_tail(p >> 6), put_tail(p);
    }
  }
  return bytes;
}

std::u32string clean_text(std::string_view utf8) {
  const std::u32string text = decode_utf8(utf8);
  std::u32string clean;
  clean.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 0 && text[i] == byte_order_mark) continue;
    if (text[i] == '\n' && i > 0 && text[i - 1] == '\r') continue;  // the CR has ended this line
    clean += text[i] == '\r' ? U'\n' : text[i];
  }
  return clean;
}

std::string short_line(std::string_view message) {
  constexpr std::size_t longest = 300, kept_end = 100;  // bytes
  const auto boundary = [](std::string_view text, std::size_t at) {
    while (at < text.size() && (text[at] & 0xC0) == 0x80) ++at;  // not amid a character
    return at;
  };
  std::string line;
  for (char c : message) {
    const bool control = (c >= 0 && c < ' ') || c == 0x7F;
    if (c == '\n')
      line += "\\n";
    else
      line += control ? fmt::format("\\x{:02X}", static_cast<int>(c)) : std::string(1, c);
  }
  if (line.size() <= longest) return line;
  const std::size_t begin = boundary(line, longest - kept_end);
  return line.substr(0, begin) + " … " + line.substr(boundary(line, line.size() - kept_end));
}

}  // namespace attention
