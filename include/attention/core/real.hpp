// The number type, chosen once for the whole library: float for work, double for gradient checks.
// Nothing outside core/ asks which one it is. Next: error.hpp, shape.hpp.
#pragma once

#include <cstddef>

#ifndef ATTENTION_REAL
#define ATTENTION_REAL float
#endif

// Tensor lives in an inline namespace named after the number type (real_float, real_double), so a
// program compiled for one type cannot be linked with the library built for the other.
#define ATTENTION_JOIN_(a, b) a##b
#define ATTENTION_JOIN(a, b) ATTENTION_JOIN_(a, b)
#define ATTENTION_REAL_NAMESPACE ATTENTION_JOIN(real_, ATTENTION_REAL)

namespace attention {

using real = ATTENTION_REAL;
using Size = std::ptrdiff_t;  // sizes and offsets: signed, and 64 bits on every machine we serve

static_assert(sizeof(Size) == 8, "attention needs a 64-bit machine");

}  // namespace attention
