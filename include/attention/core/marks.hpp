// Three ids that are no symbols. An answer is preceded by `start`, so that its first token has
// something to come after, and followed by `end`, so that it can be of any length; `pad` fills up
// the shorter sequences of a batch.
#pragma once

#include <limits>

#include "attention/core/error.hpp"

namespace attention {

struct Marks {
  static constexpr int count = 3;
  int start = 0, end = 0, pad = 0;

  // The ids after those of so many symbols. Throws where there are none.
  static Marks after(int symbols) {
    constexpr int most = std::numeric_limits<int>::max() - count;
    if (symbols < 0 || symbols > most)
      fail("marks: after {} symbols; 0 to {} are possible", symbols, most);
    return {symbols, symbols + 1, symbols + 2};
  }
};

}  // namespace attention
