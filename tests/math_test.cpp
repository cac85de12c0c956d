// exp, log, tanh and erf of core/math.hpp, held against the standard library in a wider type: how
// far off they are, what they do at the edges, and that the place of an element in a loop changes
// nothing about its result.
#include "attention/core/math.hpp"

#include <algorithm>
#include <vector>

#include "attention/core/threads.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

using Limits = std::numeric_limits<real>;
using Bits = math::detail::Bits;
using Wide = std::conditional_t<math::detail::single, double, long double>;

constexpr real tiny = Limits::min();
constexpr real largest_log = math::detail::pick(88.72, 709.78);

// Where there is nothing wider than double, the reference itself is up to an ulp off.
constexpr Wide slack = std::numeric_limits<Wide>::digits > Limits::digits ? 0 : 1;

Bits bits(real x) { return std::bit_cast<Bits>(x); }

// One step between numbers of type `real`, at the size of y.
Wide ulp(Wide y) {
  int exponent;
  std::frexp(y, &exponent);
  return std::ldexp(Wide(1), std::max(exponent, Limits::min_exponent) - Limits::digits);
}

// Calls f with about 600000 numbers: evenly spaced up to `most`, and evenly spaced in their bits,
// that is, as many of each size there is; each with both signs.
template <class F>
void sweep(real most, F f) {
  constexpr int points = 150000;
  const Bits step = bits(Limits::max()) / points;
  for (int i = 0; i < points; ++i) {
    for (real x : {most * real(i) / points, std::bit_cast<real>(step * i)}) {
      f(x);
      f(-x);
    }
  }
}

struct Worst {
  Wide error = 0;
  real at = 0;
};

template <class Ours, class Theirs>
Worst worst(real most, Ours ours, Theirs theirs) {
  Worst result;
  sweep(most, [&](real x) {
    const Wide expected = theirs(Wide(x));
    const real got = ours(x);
    if (got == static_cast<real>(expected)) return;  // infinities, too
    const Wide error = std::abs(Wide(got) - expected) / ulp(expected);
    if (!(error <= result.error)) result = {error, x};
  });
  return result;
}

real our_exp(real x) { return math::exp(x); }
real our_log(real x) { return math::log(x); }
real our_tanh(real x) { return math::tanh(x); }
real our_erf(real x) { return math::erf(x); }

}  // namespace

TEST_CASE("exp, tanh and erf are within two ulp, and mostly closer") {
  const Worst of_exp = worst(largest_log, our_exp, [](Wide x) { return std::exp(x); });
  INFO("exp: " << of_exp.error << " ulp at " << of_exp.at);
  CHECK(of_exp.error <= Wide(1.1) + slack);
  const Worst of_tanh = worst(10, our_tanh, [](Wide x) { return std::tanh(x); });
  INFO("tanh: " << of_tanh.error << " ulp at " << of_tanh.at);
  CHECK(of_tanh.error <= Wide(1.5) + slack);
  const Worst of_erf = worst(6, our_erf, [](Wide x) { return std::erf(x); });
  INFO("erf: " << of_erf.error << " ulp at " << of_erf.at);
  CHECK(of_erf.error <= Wide(1.5) + slack);
}

TEST_CASE("the bell curve beside erf is e^(-x²), as near as a rounded square allows") {
  sweep(math::detail::pick(9.3, 26.6), [](real x) {
    const auto [erf, bell] = math::erf_and_bell(x);
    if (bits(erf) != bits(math::erf(x))) FAIL("another erf at " << x);
    const Wide square = Wide(x) * x, expected = std::exp(-square);
    const real lowest = math::detail::pick(87, 708);
    if (square < lowest - real(0.001) &&
        !(std::abs(bell - expected) <= (1 + slack + square) * ulp(expected)))
      FAIL("the bell is " << bell << " at " << x);
    if (square > lowest + real(0.001) && bell != 0) FAIL("the bell is not 0 at " << x);
  });
  CHECK(math::erf_and_bell(0).bell == 1);
  CHECK(math::erf_and_bell(infinity).bell == 0);
  CHECK(math::erf_and_bell(-infinity).bell == 0);
  CHECK(math::erf_and_bell(Limits::max()).bell == 0);
  CHECK(std::isnan(math::erf_and_bell(Limits::quiet_NaN()).bell));
}

TEST_CASE("log is within one ulp, from the smallest number to the largest, and around 1") {
  Worst of_log;
  const auto check = [&](real x) {
    const Wide expected = std::log(Wide(x));
    const real got = math::log(x);
    const Wide error = got == expected ? 0 : std::abs(Wide(got) - expected) / ulp(expected);
    if (!(error <= of_log.error)) of_log = {error, x};
  };
  sweep(4, [&](real x) {
    if (x > 0) check(x);
    if (std::abs(x) < 1) check(1 + x / 64);
  });
  INFO("log: " << of_log.error << " ulp at " << of_log.at);
  CHECK(of_log.error <= Wide(0.9) + slack);
}

TEST_CASE("log at its edges") {
  CHECK(bits(math::log(1)) == bits(0));
  CHECK(math::log(0) == -infinity);
  CHECK(math::log(-real(0)) == -infinity);
  CHECK(math::log(infinity) == infinity);
  for (const real x : {real(-1), -tiny, -infinity, Limits::quiet_NaN(), -Limits::quiet_NaN()})
    CHECK(std::isnan(math::log(x)));
  for (const real x : {Limits::denorm_min(), 3 * Limits::denorm_min(), tiny, Limits::max()}) {
    const Wide expected = std::log(Wide(x));
    CHECK(std::abs(math::log(x) - expected) <= (Wide(0.9) + slack) * ulp(expected));
  }
}

TEST_CASE("exp at its edges") {
  CHECK(math::exp(0) == 1);
  CHECK(math::exp(-real(0)) == 1);
  CHECK(math::exp(tiny) == 1);
  CHECK(bits(math::exp(-infinity)) == bits(0));
  CHECK(math::exp(Limits::lowest()) == 0);
  CHECK(math::exp(infinity) == infinity);
  CHECK(math::exp(Limits::max()) == infinity);
  CHECK(math::exp(largest_log) < infinity);
  CHECK(math::exp(largest_log + real(0.01)) == infinity);
  CHECK(std::isnan(math::exp(Limits::quiet_NaN())));
  CHECK(std::isnan(math::exp(-Limits::quiet_NaN())));
}

TEST_CASE("exp goes down to the smallest number there is, and no further") {
  const real last = math::detail::pick(-103.9, -745.1);
  CHECK(math::exp(last) == Limits::denorm_min());
  CHECK(math::exp(last - real(0.1)) == 0);
  for (real x = last; x < last + 20; x += real(0.01)) {
    const Wide expected = std::exp(Wide(x));
    CHECK(std::abs(math::exp(x) - expected) <= (Wide(1.1) + slack) * ulp(expected));
  }
}

TEST_CASE("tanh and erf at their edges") {
  for (auto f : {our_tanh, our_erf}) {
    CHECK(bits(f(0)) == bits(0));
    CHECK(bits(f(-real(0))) == bits(-real(0)));
    CHECK(f(infinity) == 1);
    CHECK(f(-infinity) == -1);
    CHECK(f(Limits::max()) == 1);
    CHECK(std::isnan(f(Limits::quiet_NaN())));
    sweep(10, [f](real x) {
      if (bits(f(-x)) != bits(-f(x)) || std::abs(f(x)) > 1) FAIL("odd, in [-1, 1]: not at " << x);
    });
  }
}

TEST_CASE("near 0, tanh x is x and erf x is 2 x / sqrt(pi)") {
  const Wide slope = 2 / std::sqrt(std::acos(Wide(-1)));
  for (real x = Limits::epsilon() / 4; x > 0; x /= 3) {
    CHECK(math::tanh(x) == x);
    CHECK(std::abs(math::erf(x) - slope * x) <= (1 + slack) * ulp(slope * x));
  }
}

// The library's loops run in vectors; what is left over, and the calls in this file, do not.
TEST_CASE("an element's result does not depend on its place in a loop") {
  std::vector<real> x(100);
  for (int i = 0; i < 100; ++i) x[i] = real(i * 37 % 100 - 50) * real(0.0931);
  x[13] = infinity, x[50] = -infinity, x[77] = real(-0.0), x[99] = Limits::min();
  x[21] = math::detail::pick(-95, -740);

  struct Function {
    const char* name;
    Tensor (*on_tensors)(const Tensor&);
    real (*on_numbers)(real);
  };
  for (const auto& [name, on_tensors, on_numbers] :
       {Function{"exp", exp, our_exp}, Function{"log", log, our_log},
        Function{"tanh", tanh, our_tanh}, Function{"erf", erf, our_erf},
        Function{"sigmoid", sigmoid, nullptr}, Function{"gelu", gelu, nullptr},
        Function{"gelu_tanh", gelu_tanh, nullptr}}) {
    INFO(name);
    const auto slopes = [on = on_tensors](Tensor t) {
      backward(sum(on(t.require_grad())));
      return values(t.grad());
    };
    const auto same = [](real a, real b) { return bits(a) == bits(b) || (a != a && b != b); };
    const auto in_kernel = [f = on_numbers](real x) {  // where denormals are 0, on the way, too
      real y = 0;
      parallel_for(1, 1, 1, [&](Size, Size) { y = f(x); });
      return y;
    };
    std::vector<real> expected(100), expected_slope(100);
    for (int i = 0; i < 100; ++i) {
      expected[i] = on_tensors(from_values({x[i]}, {1})).item();
      expected_slope[i] = slopes(from_values({x[i]}, {1}))[0];
      if (on_numbers) CHECK(same(in_kernel(x[i]), expected[i]));
    }
    for (int n = 1; n <= 100; ++n) {
      const std::vector<real> first(x.begin(), x.begin() + n);
      const std::vector<real> y = values(on_tensors(from_values(first, {n})));
      const std::vector<real> slope = slopes(from_values(first, {n}));
      const std::vector<real> recorded = values(on_tensors(from_values(first, {n}).require_grad()));
      CHECK(std::equal(y.begin(), y.end(), expected.begin(), same));
      CHECK(std::equal(recorded.begin(), recorded.end(), expected.begin(), same));
      CHECK(std::equal(slope.begin(), slope.end(), expected_slope.begin(), same));
    }
  }
}
