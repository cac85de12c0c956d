// Where a token stands: the sinusoids' values, learned positions, and what lies beyond the table.
#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/nn/module.hpp"
#include "attention/nn/positions.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Matchers::Equals;

namespace {

const double six_digits = 1e-6;

Tensor row(const Tensor& table, Size p) { return slice(table, 0, p, p + 1); }

}  // namespace

TEST_CASE("sinusoids of four channels have the values of the pencil") {
  const Tensor table = sinusoids(4, 4);
  CHECK(table.shape() == Shape{4, 4});
  CHECK_FALSE(table.requires_grad());
  CHECK(values(row(table, 0)) == std::vector<real>{0, 1, 0, 1});
  check_near(row(table, 1), {.841471, .540302, .010000, .999950}, six_digits);
  check_near(row(table, 2), {.909297, -.416147, .019999, .999800}, six_digits);
  check_near(row(table, 3), {.141120, -.989992, .029996, .999550}, six_digits);
}

TEST_CASE("the exponent counts pairs of channels: counting channels gives other values") {
  std::vector<double> wrong;
  for (int c = 0; c < 4; ++c) {
    const double angle = std::pow(10000, -2 * c / 4.);
    wrong.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
  }
  const std::vector<double> named{.841471, .999950, .000100, 1.0};
  const Tensor right = row(sinusoids(2, 4), 1);
  for (int c = 0; c < 4; ++c) CHECK(wrong[c] == Approx(named[c]).margin(six_digits));
  for (int c = 1; c < 4; ++c) CHECK(std::abs(right.data()[c] - wrong[c]) > 4e-5);
}

TEST_CASE("an odd number of channels ends with a sine") {
  const Tensor table = sinusoids(2, 5);
  CHECK(values(row(table, 0)) == std::vector<real>{0, 1, 0, 1, 0});
  check_near(row(table, 1), {.841471, .540302, .025116, .999685, .000631}, six_digits);
  check_near(sinusoids(3, 1), {0, std::sin(1), std::sin(2)}, 2 * eps);
}

TEST_CASE("sinusoids are their formula, far out as well, and can begin anywhere") {
  const Tensor table = sinusoids(1001, 6);
  for (Size p : {7, 100, 1000})
    for (int i = 0; i < 3; ++i) {
      const double angle = double(p) / std::pow(10000, 2 * i / 6.);
      CHECK(table.at({p, 2 * i}) == Approx(std::sin(angle)).margin(2 * eps));
      CHECK(table.at({p, 2 * i + 1}) == Approx(std::cos(angle)).margin(2 * eps));
    }
  CHECK(values(sinusoids(2, 6, 999)) == values(slice(table, 0, 999, 1001)));
  CHECK(sinusoids(0, 3).shape() == Shape{0, 3});
}

TEST_CASE("positions are added to each sequence of a batch") {
  Random random(1);
  const Tensor x = normal({2, 3, 5}, 0, 1, random);
  for (PositionKind kind : {PositionKind::sinusoidal, PositionKind::learned}) {
    const Positions positions(kind, 4, 5, random);
    const Tensor out = positions(x);
    CHECK(out.shape() == x.shape());
    for (Size b = 0; b < 2; ++b)
      for (Size t = 0; t < 3; ++t)
        for (Size c = 0; c < 5; ++c)
          CHECK(out.at({b, t, c}) == x.at({b, t, c}) + positions.table.at({t, c}));
  }
  CHECK(Positions(PositionKind::none, 4, 5, random)(x).same_as(x));
}

TEST_CASE("beyond their table, sinusoids are computed") {
  Random random(1);
  const Positions positions(PositionKind::sinusoidal, 2, 5, random);
  CHECK(positions.table.shape() == Shape{2, 5});
  const Tensor out = positions(zeros({1, 7, 5}));
  CHECK(values(out) == values(sinusoids(7, 5)));
}

TEST_CASE("beyond what was learned there is an error with both numbers") {
  Random random(1);
  const Positions positions(PositionKind::learned, 4, 5, random);
  CHECK(positions(zeros({2, 4, 5})).shape() == Shape{2, 4, 5});
  CHECK_THROWS_WITH(positions(zeros({2, 9, 5})),
                    Equals("positions: 9 positions, but only 4 have been learned; shorten the "
                           "input"));
}

TEST_CASE("learned positions are the only ones that learn") {
  Random random(1);
  const Positions learned(PositionKind::learned, 4, 5, random);
  REQUIRE(parameters(learned).size() == 1);
  CHECK(parameters(learned)[0].name == "table");
  CHECK(parameter_count(learned) == 4 * 5);
  backward(sum(learned(zeros({3, 2, 5}))));  // three sequences of two: the rest is out of reach
  std::vector<real> expected(20, 0);
  std::fill_n(expected.begin(), 10, real(3));
  CHECK(values(learned.table.grad()) == expected);

  const Positions sinusoidal(PositionKind::sinusoidal, 4, 5, random);
  CHECK(parameters(sinusoidal).empty());
  CHECK_FALSE(sinusoidal(zeros({1, 4, 5})).requires_grad());
  CHECK(parameters(Positions(PositionKind::none, 4, 5, random)).empty());
}

TEST_CASE("kinds of positions are found by name") {
  for (const char* name : {"none", "sinusoidal", "learned"})
    CHECK(to_string(position_kind(name)) == name);
  CHECK_THROWS_WITH(
      position_kind("rotary"),
      Equals("positions: 'rotary' is unknown; none, sinusoidal and learned are known"));
}
