// exp, tanh and erf as straight lines of arithmetic: no table, no branch, no call. So a loop over
// them runs in vectors, and an element gets the same bits in the vectors and in what is left over.
// The coefficients are minimax fits (Remez exchange on 600 Chebyshev points, in 50-digit decimals)
// of the function named beside them. Errors are the largest that were measured, in ulp (steps
// between neighbouring numbers); what holds for double follows in brackets.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "attention/core/real.hpp"

namespace attention::math {

// a b + c in one rounding, where the processor has it. The compiler may do that to any product and
// sum, and may choose otherwise in the vectors of a loop than in its rest; written out, it does
// not.
inline real fma(real a, real b, real c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(FP_FAST_FMA)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

namespace detail {

inline constexpr bool single = sizeof(real) == sizeof(float);
using Bits = std::conditional_t<single, std::uint32_t, std::uint64_t>;
inline constexpr int mantissa_bits = std::numeric_limits<real>::digits - 1;
inline constexpr Bits bias = std::numeric_limits<real>::max_exponent - 1;

constexpr real pick(double in_float, double in_double) {
  return static_cast<real>(single ? in_float : in_double);
}

// Horner's rule, so the coefficients come from the highest power down to the constant.
template <class... Lower>
inline real polynomial(real x, double highest, Lower... lower) {
  real sum = static_cast<real>(highest);
  ((sum = fma(sum, x, static_cast<real>(lower))), ...);
  return sum;
}

// 2^(k - bias), for k in [1, 2 bias]: the number whose exponent field is k.
inline real power_of_two(Bits k) { return std::bit_cast<real>(k << mantissa_bits); }

// e^x = 2^n (1 + excess), where x = n ln 2 + r and |r| <= ln(2) / 2. The exponent is n + bias, and
// wraps around where n is below -bias.
struct Exponential {
  Bits exponent;
  real excess;
};

// Adding 1.5 2^mantissa_bits rounds to a whole number, which is then found in the lowest bits. ln 2
// is taken off in two parts (Cody and Waite), the first so short that n times it is exact. The fit
// is of (e^r - 1 - r) / r², within 0.2 ulp of e^r - 1.
inline Exponential exponential(real x) {
  constexpr real log2_e = real(1.4426950408889634);
  constexpr real rounder = static_cast<real>(Bits(3) << (mantissa_bits - 1));
  constexpr real ln2 = pick(0x1.62e4p-1, 0x1.62e42fefap-1);
  constexpr real ln2_rest = pick(1.4286068203094172e-6, 1.6465949582897082e-12);
  const real shifted = fma(x, log2_e, rounder);
  const real n = shifted - rounder;
  const real r = fma(n, -ln2_rest, fma(n, -ln2, x));
  const Bits exponent = std::bit_cast<Bits>(shifted) - std::bit_cast<Bits>(rounder) + bias;
  if constexpr (single)
    return {exponent,
            fma(r * r,
                polynomial(r, 0.00138825307, 0.00836654738, 0.0416672004, 0.166665434, 0.499999982),
                r)};
  else
    return {exponent,
            fma(r * r,
                polynomial(r, 2.087533383929502e-09, 2.5109024178605884e-08, 2.755740274571053e-07,
                           2.755724425499726e-06, 2.4801587172284327e-05, 0.00019841269886072582,
                           0.0013888888888962567, 0.008333333333321655, 0.04166666666666651,
                           0.16666666666666677, 0.5),
                r)};
}

// e^x - 1 where both parts of it fit, |x| < 80: near 0 nothing cancels.
inline real expm1(real x) {
  const auto [exponent, excess] = exponential(x);
  const real scale = power_of_two(exponent);
  return fma(scale, excess, scale - 1);
}

}  // namespace detail

// All three are inlined whatever their size: a loop with a call in it does not run in vectors.

// e^x: the reduction above, put together again in two steps, since 2^n alone overflows before e^x
// does and vanishes before it: the first product is exact, the second rounds. Below the normal
// numbers precision is lost gradually. Under -104 (-746) it is 0, chosen and not computed: a
// product that underflows is slow, and -inf is common. Above 88.72 (709.78) it is inf; NaN stays.
// Error: 1.05 (0.98).
[[gnu::always_inline]] inline real exp(real x) {
  constexpr real lowest = detail::pick(-104, -746), highest = detail::pick(89, 710);
  const real bounded = x < lowest ? 0 : x > highest ? highest : x;
  const auto [exponent, excess] = detail::exponential(bounded);
  const detail::Bits sum = exponent + detail::bias, half = sum / 2;
  const real value = (1 + excess) * detail::power_of_two(half) * detail::power_of_two(sum - half);
  return x < lowest ? 0 : value;
}

// Near 0, tanh a = a + a³ p(a²), which keeps its relative precision; further out it is
// 1 - 2 / (e^2a + 1). Both are computed, and one chosen; the sign is put back at the end, so the
// function is exactly odd. From 10 (20) on it is 1. Error: 1.44 (1.41).
[[gnu::always_inline]] inline real tanh(real x) {
  constexpr real border = real(0.5625), highest = detail::pick(10, 20);
  const real a = std::abs(x) > highest ? highest : std::abs(x);
  const real square = a * a;
  real p;
  if constexpr (detail::single)
    p = detail::polynomial(square, -0.0061798251, 0.0210074704, -0.0538374332, 0.133324523,
                           -0.333333139);
  else
    p = detail::polynomial(square, -1.890403048740405e-05, 8.236104497341466e-05,
                           -0.0002327163050927354, 0.0005881836852828575, -0.0014554796514634006,
                           0.003592082251613821, -0.008863231637347655, 0.02186948832728648,
                           -0.05396825396172478, 0.13333333333323133, -0.33333333333333276);
  const real near = fma(a * square, p, a);
  const real far = 1 - 2 / (detail::expm1(2 * a) + 2);
  return std::copysign(a < border ? near : far, x);
}

// Near 0, erf a = a + a p(a²). Further out, erf a = 1 - erfc a, and erfc a = exp(q(a) - a²) with a
// slow q = log(erfc a) + a², as a polynomial in a - 2: what is left of its error shrinks with
// erfc. Both are computed, and one chosen. From 4 (6) on it is 1. Error: 1.10 (1.25), and 1.22
// (1.38) where there is no fma.
[[gnu::always_inline]] inline real erf(real x) {
  constexpr real border = real(0.875), highest = detail::pick(4, 6);
  const real a = std::abs(x) > highest ? highest : std::abs(x);
  real p, q;
  if constexpr (detail::single) {
    p = detail::polynomial(a * a, -0.000620325576, 0.00503218138, -0.026791463, 0.112824553,
                           -0.376125505, 0.128379157);
    q = detail::polynomial(a - 2, 0.000200992891, -0.000680346545, 0.00355706246, -0.016498053,
                           0.0762386908, -0.418160234, -1.36494089);
  } else {
    p = detail::polynomial(a * a, -8.655122681213728e-10, 1.4118061591062792e-08,
                           -1.6288381166817301e-07, 1.6456518632147237e-06, -1.4925381493306375e-05,
                           0.00012055324326255646, -0.0008548326839448439, 0.00522397762295618,
                           -0.026866170644932616, 0.11283791670954303, -0.37612638903183737,
                           0.1283791670955126);
    q = detail::polynomial(a - 2, 1.4513308665566643e-12, -1.2284494734341979e-11,
                           3.7932698384435736e-11, -3.114445159285978e-11, -2.832359076142702e-10,
                           2.5090551418961845e-09, -1.3929464269378221e-08, 5.784164760362124e-08,
                           -1.7322539579864833e-07, 2.036032979130569e-07, 1.9522011425443214e-06,
                           -2.0706413573993955e-05, 0.00013530933517335604, -0.0007323993900671911,
                           0.0035707563455183527, -0.016465118136513163, 0.07624915817626253,
                           -0.4181608059944225, -1.3649412646166381);
  }
  const real near = fma(a, p, a);
  const real far = -detail::expm1(fma(-a, a, q));
  return std::copysign(a < border ? near : far, x);
}

}  // namespace attention::math
