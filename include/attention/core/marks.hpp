// Three ids that are no symbols. An answer is preceded by `start`, so that its first token has
// something to come after, and followed by `end`, so that it can be of any length; `pad` fills up
// the shorter sequences of a batch.
#pragma once

namespace attention {

struct Marks {
  static constexpr int count = 3;
  int start = 0, end = 0, pad = 0;

  // The ids after those of so many symbols.
  static Marks after(int symbols) { return {symbols, symbols + 1, symbols + 2}; }
};

}  // namespace attention
