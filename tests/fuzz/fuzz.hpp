// What the fuzz targets share. Whatever bytes come, a reader may refuse them with an Error whose
// message is one line, or take them; nothing else. What it takes, each target looks at more
// closely.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "attention/core/error.hpp"

namespace fuzz {

// A property that does not hold is a finding, like a crash.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

inline void check_message(const std::string& message) {
  require(!message.empty(), "an error says something");
  require(message.find_first_of("\n\r") == message.npos, "an error is one line");
  require(message.size() < 1000, "an error is a line that can be read");
}

// What f() gives, or nothing where it throws an Error. Any other exception ends the program.
template <class F>
auto attempt(F f) -> std::optional<decltype(f())> {
  try {
    return f();
  } catch (const attention::Error& error) {
    check_message(error.what());
    return std::nullopt;
  }
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace fuzz
