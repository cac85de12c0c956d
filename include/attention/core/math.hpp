// exp, log, tanh and erf as straight lines of arithmetic: no table, no branch, no call. So a loop
// over them runs in vectors, and an element gets the same bits in the vectors and in what is left
// over. The coefficients are minimax fits (Remez exchange on 600 Chebyshev points, in 50-digit
// decimals) of the function named beside them. Errors are the largest that were measured, in ulp
// (steps between neighbouring numbers); what holds for double follows in brackets.
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

// A sum with this, 1.5 2^mantissa_bits, is rounded to a whole number, which is then found in the
// lowest bits.
inline constexpr real rounder = static_cast<real>(Bits(3) << (mantissa_bits - 1));

// ln 2 in two parts (Cody and Waite), the first so short that n times it is exact.
inline constexpr real ln2 = pick(0x1.62e4p-1, 0x1.62e42fefap-1);
inline constexpr real ln2_rest = pick(1.4286068203094172e-6, 1.6465949582897082e-12);

// The fit is of (e^r - 1 - r) / r², within 0.2 ulp of e^r - 1.
inline Exponential exponential(real x) {
  constexpr real log2_e = real(1.4426950408889634);
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

// All are inlined whatever their size: a loop with a call in it does not run in vectors.

// e^x: the reduction above, put together again in two steps, since 2^n alone overflows before e^x
// does and vanishes before it: the first product is exact, the second rounds. Below the normal
// numbers precision is lost gradually (in a kernel, which makes 0 of them, at once). Under -104
// (-746) it is 0, chosen and not computed: a product that underflows is slow, and -inf is common.
// Above 88.72 (709.78) it is inf; NaN stays. Error: 1.05 (0.98).
[[gnu::always_inline]] inline real exp(real x) {
  constexpr real lowest = detail::pick(-104, -746), highest = detail::pick(89, 710);
  const real bounded = x < lowest ? 0 : x > highest ? highest : x;
  const auto [exponent, excess] = detail::exponential(bounded);
  const detail::Bits sum = exponent + detail::bias, half = sum / 2;
  const real value = (1 + excess) * detail::power_of_two(half) * detail::power_of_two(sum - half);
  return x < lowest ? 0 : value;
}

// log x = n ln 2 + log(1 + f), where x = 2^n (1 + f) and 1 + f lies between sqrt(1/2) and sqrt(2).
// With s = f / (2 + f) and z = s², log(1 + f) = 2 atanh s = 2 s + s z p(z). As 2 s = f - s f, that
// is f - f²/2 + s (f²/2 + z p(z)): f, which is exact, and small corrections. What is smaller than a
// normal number is made larger first. Of 0 it is -inf, of a negative number NaN; inf and NaN stay.
// Error: 0.82 (0.82), and 0.83 (0.82) where there is no fma.
[[gnu::always_inline]] inline real log(real x) {
  using detail::Bits, detail::mantissa_bits;
  constexpr real infinity = std::numeric_limits<real>::infinity();
  constexpr real least = std::numeric_limits<real>::min();
  constexpr real larger = detail::pick(0x1p24, 0x1p53), added = detail::pick(24, 53);
  constexpr Bits sqrt_half = std::bit_cast<Bits>(detail::pick(0.70710678, 0.70710678118654746));
  const real normal = x < least ? x * larger : x;
  // The bits counted from those of sqrt(1/2): so their exponent is n + bias.
  const Bits above = std::bit_cast<Bits>(normal) - sqrt_half + (detail::bias << mantissa_bits);
  const Bits exponent =
      (above >> mantissa_bits) - detail::bias + std::bit_cast<Bits>(detail::rounder);
  const Bits fraction = (above & ((Bits(1) << mantissa_bits) - 1)) + sqrt_half;
  const real n = std::bit_cast<real>(exponent) - detail::rounder - (x < least ? added : 0);
  const real f = std::bit_cast<real>(fraction) - 1, s = f / (2 + f), z = s * s;
  real p;
  if constexpr (detail::single)
    p = detail::polynomial(z, 0.298668078, 0.399777595, 0.666667741);
  else
    p = detail::polynomial(z, 0.14788106518147379, 0.15314891144091241, 0.18183528686929991,
                           0.22222199328872468, 0.28571428734083926, 0.39999999999458331,
                           0.66666666666667262);
  const real half = f * f / 2;
  const real rest = fma(s, fma(z, p, half), n * detail::ln2_rest) - half;
  const real value = fma(n, detail::ln2, f + rest);
  const real kept = x < infinity ? value : x;
  return x > 0 || x != x ? kept : x < 0 ? std::numeric_limits<real>::quiet_NaN() : -infinity;
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

// erf x, and the bell curve e^(-x²), of which it is made: erf' x is 2 / sqrt(π) times as much.
struct Erf {
  real value, bell;
};

// Near 0, erf a = a + a p(a²). Further out, erf a = 1 - e^(-a²) q(a) with a slow q = e^(a²) erfc a,
// as a polynomial in a - 2: what is left of its error shrinks with erfc. Both are computed, and one
// chosen. From 4 (6) on it is 1. Error: 1.06 (1.09), and 1.24 (1.20) where there is no fma; nor is
// there in a kernel an a p below the normal numbers, so that erf x is x under 9e-38 (1.7e-307).
// The bell is exp without what that does at its ends: it is 1 at most, and chosen to be 0 under
// e^-87 (e^-708), so 2^n is a normal number. Error: 0.8, and up to x² more, since x² was rounded.
[[gnu::always_inline]] inline Erf erf_and_bell(real x) {
  constexpr real border = real(0.875), highest = detail::pick(4, 6);
  constexpr real lowest = detail::pick(-87, -708);
  const real whole = std::abs(x), a = whole > highest ? highest : whole;
  real p, q;
  if constexpr (detail::single) {
    p = detail::polynomial(a * a, -0.000620325576, 0.00503218138, -0.026791463, 0.112824553,
                           -0.376125505, 0.128379157);
    q = detail::polynomial(a - 2, 0.000145493865, -0.000143321276, 0.000465167842, -0.00195204521,
                           0.00545526417, -0.0154168727, 0.0418119566, -0.106798109, 0.255395332);
  } else {
    p = detail::polynomial(a * a, -8.655122681213728e-10, 1.4118061591062792e-08,
                           -1.6288381166817301e-07, 1.6456518632147237e-06, -1.4925381493306375e-05,
                           0.00012055324326255646, -0.0008548326839448439, 0.00522397762295618,
                           -0.026866170644932616, 0.11283791670954303, -0.37612638903183737,
                           0.1283791670955126);
    q = detail::polynomial(
        a - 2, 1.8896398266377433e-12, -2.1707779651451291e-11, 1.0775801394659265e-10,
        -3.6844379645992605e-10, 1.3632306513290194e-9, -5.7792336323527471e-9, 2.35133517847319e-8,
        -9.0936304124131734e-8, 3.4461627148028867e-7, -1.2793129591752467e-6, 4.628396668956316e-6,
        -1.6293833599775367e-5, 5.5728188878621715e-5, -0.00018477834056050724,
        0.00059247003419827337, -0.0018316642760632191, 0.0054407385321751518,
        -0.015460637764793013, 0.041802752603749696, -0.10679646185346501, 0.25539567631050475);
  }
  const real power = -whole * whole, bounded = power < lowest ? lowest : power;
  const auto [exponent, excess] = detail::exponential(bounded);
  const real scale = detail::power_of_two(exponent);
  const real bell = power < lowest ? 0 : fma(scale, excess, scale);
  const real near = fma(a, p, a);
  const real far = fma(-bell, q, 1);
  return {std::copysign(a < border ? near : far, x), bell};
}

[[gnu::always_inline]] inline real erf(real x) { return erf_and_bell(x).value; }

}  // namespace attention::math
