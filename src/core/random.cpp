#include "attention/core/random.hpp"

#include <cmath>
#include <numbers>

#include "attention/core/error.hpp"

namespace attention {
namespace {

// Spreads neighbouring seeds over all 64 bits: two rounds of multiply and fold, each of which can
// be undone, so different inputs stay different.
std::uint64_t scramble(std::uint64_t x) {
  for (int round = 0; round < 2; ++round) x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  return x ^ (x >> 32);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream)
    : engine_(scramble(scramble(seed) + stream)) {}

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));  // 1 - u is never 0
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

Size Random::below(Size n) {
  if (n <= 0) fail("random: below({}) has no numbers to choose from", n);
  const auto range = static_cast<std::uint64_t>(n);
  const std::uint64_t fair = UINT64_MAX - UINT64_MAX % range;  // the last multiple of n
  std::uint64_t draw = bits();
  while (draw >= fair) draw = bits();
  return static_cast<Size>(draw % range);
}

}  // namespace attention
