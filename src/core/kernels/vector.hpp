// Vector: as many numbers as a register of the processor holds, with + and * like a number. It is
// the compilers' own extension (g++ and clang); elsewhere a vector is one number, and the same code
// runs, slower. Next: matmul.cpp, which is made of it.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "attention/core/real.hpp"

namespace attention::kernels {

#if defined(__AVX512F__)
inline constexpr Size vector_bytes = 64, registers = 32;
#elif defined(__AVX__)
inline constexpr Size vector_bytes = 32, registers = 16;
#else
inline constexpr Size vector_bytes = 16, registers = 16;
#endif

#ifdef __GNUC__  // and clang
typedef real Vector __attribute__((vector_size(vector_bytes)));
inline constexpr Size vector_lanes = vector_bytes / sizeof(real);

// Deals the halves of a and b out alternately: a0 b0 a1 b1 ..., from their first or last halves.
template <Size half, std::size_t... i>
Vector interleave(Vector a, Vector b, std::index_sequence<i...>) {
  return __builtin_shufflevector(a, b, (half * vector_lanes / 2 + i / 2 + i % 2 * vector_lanes)...);
}
// Turns a square of numbers over its diagonal: a perfect shuffle of all of it, log2(lanes) times.
inline void transpose(Vector (&square)[vector_lanes]) {
  constexpr auto all = std::make_index_sequence<vector_lanes>();
  for (Size step = 1; step < vector_lanes; step *= 2) {
    Vector next[vector_lanes];
    for (Size i = 0; i < vector_lanes / 2; ++i) {
      next[2 * i] = interleave<0>(square[i], square[i + vector_lanes / 2], all);
      next[2 * i + 1] = interleave<1>(square[i], square[i + vector_lanes / 2], all);
    }
    std::copy_n(next, vector_lanes, square);
  }
}
inline void prefetch(const real* address) { __builtin_prefetch(address); }  // soon needed
#else
using Vector = real;
inline constexpr Size vector_lanes = 1;
inline void transpose(Vector (&)[vector_lanes]) {}
inline void prefetch(const real*) {}
#endif

inline Vector load(const real* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(real* to, Vector v) { std::memcpy(to, &v, sizeof v); }

}  // namespace attention::kernels
