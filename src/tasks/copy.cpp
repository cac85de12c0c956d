// Copy: the target at each position is the digit that stands there, so one layer can do it without
// looking anywhere else. What cannot learn this is broken.
//
// By hand: in 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 the 1st digit is 3, so the 1st target is 3; the 2nd
// is 1, so the 2nd target is 1; …
#include "attention/tasks/sequences.hpp"

namespace attention {
namespace {

const bool copy_enlisted = enlist_sequences({
    .name = "copy",
    .summary = "say 16 digits again; needs no look at the other positions",
    .symbols = U"0123456789",
    .length = 16,
    .answer = [](Sequence digits) { return digits; },
    .example = "3141592653589793",
    .defaults = {.layers = 1, .steps = 300},
    .ceiling = 1,  // a digit is its own answer, wherever it stands
});

}  // namespace
}  // namespace attention
