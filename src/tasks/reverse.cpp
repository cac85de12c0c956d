// Reverse: the target at position i is the digit at the mirrored position, 15 - i. What stands
// there is of no help in finding it: attention has to go by position alone, and its map comes out
// as the other diagonal.
//
// By hand: 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 begins with 3 and ends with 9 3, so the answer begins
// with 3 9 and ends with 3: 3 9 7 9 8 5 3 5 6 2 9 5 1 4 1 3.
#include <algorithm>

#include "attention/tasks/sequences.hpp"

namespace attention {
namespace {

constexpr int length = 16;  // even, so no position is its own mirror image

// Without positions, the mirrored digit may be any of the other 15 with the same chance: the best
// guess is the one that comes most often among them, and is right in 24.1 % of all cases.
const bool reverse_enlisted = enlist_sequences({
    .name = "reverse",
    .summary = "say 16 digits backwards; impossible without positions",
    .symbols = U"0123456789",
    .length = length,
    .answer =
        [](Sequence digits) {
          std::reverse(digits.begin(), digits.end());
          return digits;
        },
    .example = "3141592653589793",
    .defaults = {.steps = 500, .warmup = 50},
    .ceiling = most_frequent_share(10, length - 1),
});

}  // namespace
}  // namespace attention
