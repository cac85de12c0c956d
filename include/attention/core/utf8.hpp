// UTF-8 and code points. Reading is strict: bytes that are not UTF-8 are an error that says where,
// since a model would learn from them all the same.
#pragma once

#include <string>
#include <string_view>

namespace attention {

// Throws on truncated and overlong sequences, surrogates and numbers above U+10FFFF, with the
// offset, counted from 0, of the first byte of the character that is wrong.
std::u32string decode_utf8(std::string_view bytes);
std::string encode_utf8(std::u32string_view text);  // throws on a number that is no code point

// What a text file or a person's input is turned into before anything counts its characters: a byte
// order mark at the beginning is dropped; CR LF and a lone CR become LF.
std::u32string clean_text(std::string_view utf8);

// A message that repeats what a file says, made fit to be shown: control characters are spelled out
// (\n, \x1B), so that it is one line, and what is too long loses its middle.
std::string short_line(std::string_view message);

}  // namespace attention
