// Random numbers that are the same on every machine: the engine is one that the C++ standard
// specifies bit for bit, and what is made from its bits is written here (the distributions and
// std::shuffle differ between standard libraries).
#pragma once

#include <cstdint>
#include <random>
#include <utility>

#include "attention/core/real.hpp"

namespace attention {

class Random {
 public:
  // Streams of one seed are independent of each other: the training loop uses one per step, so the
  // state of a run is its step number alone.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits() { return engine_(); }
  // In [0, 1), a multiple of 2^-24: the same number in float and double.
  double uniform() { return static_cast<double>(bits() >> 40) * 0x1p-24; }
  double normal();     // mean 0, variance 1 (Box and Muller's transform)
  Size below(Size n);  // 0 … n-1, each equally likely; throws unless n > 0

  template <class Sequence>
  void shuffle(Sequence& items) {  // Fisher and Yates: from the end, swap with one not yet placed
    for (Size i = static_cast<Size>(items.size()) - 1; i > 0; --i)
      std::swap(items[i], items[below(i + 1)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace attention
