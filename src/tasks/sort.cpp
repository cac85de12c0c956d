// Sort: six digits of 0, 1, 2 in rising order. There are only 3^6 = 729 inputs, so a model can be
// asked about every one, and a claim that it sorts be proved. Each position has to count: how many
// digits are smaller than which.
//
// By hand: 2 0 1 0 2 1 has two of each, so positions 1 and 2 answer 0, positions 3 and 4 answer 1,
// positions 5 and 6 answer 2: 0 0 1 1 2 2.
#include <algorithm>

#include "attention/tasks/sequences.hpp"

namespace attention {
namespace {

const bool sort_enlisted = enlist_sequences({
    .name = "sort",
    .summary = "put 6 digits of 0, 1, 2 in order; all 729 inputs can be tried",
    .symbols = U"012",
    .length = 6,
    .answer =
        [](Sequence digits) {
          std::sort(digits.begin(), digits.end());
          return digits;
        },
    .example = "201021",
    .defaults = {.steps = 500, .warmup = 50},
});

}  // namespace
}  // namespace attention
