// A 64-bit hash that is the same on every machine and in every version (std::hash is not): it
// decides which sequences are set apart, and tells whether a text has changed.
#pragma once

#include <cstdint>

namespace attention {

// Of a sequence of whole numbers: ids or code points. Each step can be undone, so sequences of one
// length that differ in a single place never share a hash.
template <class Sequence>
std::uint64_t hash_of(const Sequence& symbols) {
  std::uint64_t hash = ~std::uint64_t{symbols.size()};  // not near 0, which a symbol could cancel
  const auto stir = [&hash](std::uint64_t symbol) {
    hash = (hash ^ symbol) * 0x9E3779B97F4A7C15u;  // 2^64 / the golden ratio: odd, bits in disorder
    hash ^= hash >> 32;  // a product carries upwards only; this brings it down again
  };
  for (auto symbol : symbols) stir(static_cast<std::uint64_t>(symbol));
  stir(0);  // so that the last symbol, too, reaches every bit
  return hash;
}

}  // namespace attention
