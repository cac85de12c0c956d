// What the tests of core and tensor share: comparing within rounding, leaves, all values of a
// tensor.
#pragma once

#include <catch2/catch.hpp>

#include <concepts>
#include <limits>
#include <vector>

#include "attention/core/error.hpp"
#include "attention/tensor/tensor.hpp"
#include "threads.hpp"

namespace attention {

inline const double eps = std::numeric_limits<real>::epsilon();
inline const real infinity = std::numeric_limits<real>::infinity();
inline const real not_a_number = std::numeric_limits<real>::quiet_NaN();
inline const bool in_double = std::numeric_limits<real>::digits >= 50;

inline std::vector<real> values(const Tensor& t) { return {t.data(), t.data() + t.count()}; }

inline Tensor leaf(Tensor tensor) { return tensor.require_grad(); }
inline Tensor leaf(const std::vector<real>& values, const Shape& shape) {
  return leaf(from_values(values, shape));
}

inline Tensor drawn(const Shape& shape, std::uint64_t seed = 1) {
  Random random(seed);
  return normal(shape, 0, 1, random);
}

// Each number within so many times its own size, or so much where that is less than 1.
inline void check_near(const Tensor& got, const std::vector<double>& expected,
                       double tolerance = 8 * eps) {
  REQUIRE(got.defined());
  REQUIRE(got.count() == Size(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("element " << i);
    CHECK(double(got.data()[i]) == Approx(expected[i]).epsilon(tolerance).margin(tolerance));
  }
}

// A template, so that {1, 2} is never taken for a tensor.
template <std::same_as<Tensor> T>
void check_near(const Tensor& got, const T& expected, double tolerance = 64 * eps) {
  REQUIRE(got.shape() == expected.shape());
  check_near(got, std::vector<double>(expected.data(), expected.data() + expected.count()),
             tolerance);
}

// The largest difference; infinity where one is NaN, or the shapes differ.
inline double distance(const Tensor& a, const Tensor& b) {
  if (!(a.shape() == b.shape())) return infinity;
  double largest = 0;
  for (Size i = 0; i < a.count(); ++i) {
    const double off = std::abs(double(a.data()[i]) - double(b.data()[i]));
    if (!(off <= largest)) largest = off == off ? off : infinity;
  }
  return largest;
}

}  // namespace attention
