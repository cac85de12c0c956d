// Arithmetic, functions of one number, products, normalization and dropout: values and slopes by
// hand. The oracle for random values is PyTorch, in reference_ops_test.cpp.
#include <cmath>
#include <numbers>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

struct Point {
  double x, value, slope;
};

void check_function(Tensor (*f)(const Tensor&), const std::vector<Point>& points,
                    double tolerance = 8 * eps) {
  for (const Point& point : points) {
    INFO("at " << point.x);
    const Tensor x = leaf(Tensor(real(point.x)));
    const Tensor y = f(x);
    check_near(y, {point.value}, tolerance);
    backward(y);
    check_near(x.grad(), {point.slope}, tolerance);
  }
}

const double ln2 = std::log(2.), ln3 = std::log(3.);

}  // namespace

TEST_CASE("arithmetic, element by element and stretched") {
  const Tensor a = from_values({6, 8, 10, 12, 14, 16}, {2, 3}), row = from_values({1, 2, 4});
  CHECK(values(a + row) == std::vector<real>{7, 10, 14, 13, 16, 20});
  CHECK(values(row - a) == std::vector<real>{-5, -6, -6, -11, -12, -12});
  CHECK(values(a * from_values({2, 3}, {2, 1})) == std::vector<real>{12, 16, 20, 36, 42, 48});
  CHECK(values(a / row) == std::vector<real>{6, 4, 2.5, 12, 7, 4});
  CHECK(values(-row) == std::vector<real>{-1, -2, -4});
  CHECK(values(1 - row * 2) == std::vector<real>{-1, -3, -7});
  CHECK(values(pow(row, 3)) == std::vector<real>{1, 8, 64});
  CHECK(values(pow(row, -1)) == std::vector<real>{1, 0.5, 0.25});
  CHECK(values(where(greater(row, 1), row, -row)) == std::vector<real>{-1, 2, 4});
}

TEST_CASE("slopes of arithmetic") {
  const Tensor a = leaf({6, 8}, {2}), b = leaf({2, 4}, {2});
  backward(sum(a / b - b));
  check_near(a.grad(), {0.5, 0.25});
  check_near(b.grad(), {-2.5, -1.5});  // -a / b² - 1
  const Tensor x = leaf({2, 3}, {2});
  backward(sum(pow(x, 4)));
  check_near(x.grad(), {32, 108});
  const Tensor c = leaf({1, 2}, {2}), d = leaf({3, 4}, {2});
  backward(sum(where(Mask(Shape{2}, {1, 0}), c, d) * from_values({5, 7})));
  CHECK(values(c.grad()) == std::vector<real>{5, 0});
  CHECK(values(d.grad()) == std::vector<real>{0, 7});
}

TEST_CASE("powers that need no pow are right to one step between numbers") {
  const real tiny = std::numeric_limits<real>::min();
  std::vector<real> x{0, real(-0.0), 1, -1, infinity, -infinity, not_a_number, tiny, real(1e30)};
  for (const real value : values(drawn({1000}))) x.push_back(value);
  for (const real exponent : {real(2), real(1), real(0.5), real(-1)}) {
    const Tensor y = pow(from_values(x), exponent);
    for (std::size_t i = 0; i < x.size(); ++i) {
      INFO(x[i] << " to the power of " << exponent);
      const real expected = std::pow(x[i], exponent), got = y.data()[i];
      CHECK(std::isnan(got) == std::isnan(expected));
      if (std::isnan(expected)) continue;
      CHECK(std::signbit(got) == std::signbit(expected));
      CHECK(got >= std::nextafter(expected, -infinity));
      CHECK(got <= std::nextafter(expected, infinity));
    }
  }
  const Tensor two = leaf(Tensor(2));
  backward(pow(two, 2) * 100 + pow(two, 1) * 10 + pow(two, -1) * 8);  // 4, 1 and -1/4
  check_near(two.grad(), {408});
}

TEST_CASE("functions of one number and their slopes") {
  const double pi = std::numbers::pi;
  check_function(exp, {{0, 1, 1}, {ln3, 3, 3}});
  check_function(log, {{1, 0, 1}, {4, 2 * ln2, 0.25}});
  check_function(sqrt, {{4, 2, 0.25}, {0.25, 0.5, 1}});
  check_function(tanh, {{0, 0, 1}, {ln2, 0.6, 0.64}, {-ln2, -0.6, 0.64}});
  check_function(sigmoid, {{0, 0.5, 0.25}, {ln3, 0.75, 0.1875}, {-ln3, 0.25, 0.1875}});
  check_function(relu, {{2, 2, 1}, {-2, 0, 0}, {0, 0, 0}});
  check_function(erf, {{0, 0, 2 / std::sqrt(pi)}, {1, 0.8427007929497149, 0.4151074974205947}});
}

TEST_CASE("GELU, exact and by tanh") {
  check_function(gelu, {{0, 0, 0.5},
                        {1, 0.8413447460685429, 1.0833154705876863},  // Φ(1), Φ(1) + φ(1)
                        {-1, -0.15865525393145707, -0.08331547058768632},
                        {100, 100, 1},
                        {-100, 0, 0}});
  check_near(gelu(Tensor(1)), {0.841345}, 1e-6);
  check_near(gelu_tanh(Tensor(1)), {0.841192}, 1e-6);
  check_near(gelu_tanh(Tensor(-1)), {-0.158808}, 1e-6);
  check_function(gelu_tanh, {{0, 0, 0.5}, {100, 100, 1}, {-100, 0, 0}});
}

TEST_CASE("functions hold at the ends of the number range") {
  const Tensor ends = from_values({-1000, 1000});
  check_near(sigmoid(ends), {0, 1});
  check_near(tanh(ends), {-1, 1});
  const Tensor x = leaf({-1000, 1000}, {2});
  backward(sum(sigmoid(x) + tanh(x) + gelu(x) + gelu_tanh(x)));
  check_near(x.grad(), {0, 2});
  for (auto f : {relu, gelu, gelu_tanh, sigmoid, tanh, exp, log, sqrt, erf})
    CHECK(std::isnan(f(Tensor(not_a_number)).item()));
}

TEST_CASE("a matrix product, plain and transposed") {
  const Tensor a = from_values({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor b = from_values({1, 0, 2, 0, 1, 3}, {3, 2});
  CHECK(values(matmul(a, b)) == std::vector<real>{8, 9, 20, 18});
  const Tensor at = transpose(a, 0, 1), bt = transpose(b, 0, 1);
  CHECK(values(matmul(at, b, transpose_a)) == std::vector<real>{8, 9, 20, 18});
  CHECK(values(matmul(a, bt, transpose_b)) == std::vector<real>{8, 9, 20, 18});
  CHECK(values(matmul(at, bt, transpose_both)) == std::vector<real>{8, 9, 20, 18});
}

TEST_CASE("the gradients of a matrix product") {
  const Tensor a = leaf({1, 2, 3, 4, 5, 6}, {2, 3}), b = leaf({1, 0, 2, 0, 1, 3}, {3, 2});
  backward(sum(matmul(a, b) * from_values({1, 10, 100, 1000}, {2, 2})));
  CHECK(values(a.grad()) == std::vector<real>{1, 2, 31, 100, 200, 3100});
  CHECK(values(b.grad()) == std::vector<real>{401, 4010, 502, 5020, 603, 6030});
}

TEST_CASE("layer normalization of known rows") {
  check_near(
      normalize(from_values({1, 0, 0, 0, 1, 2, 3, 4, 3, 3, 3, 3}, {3, 4})),
      {1.73201, -0.57733, -0.57733, -0.57733, -1.341635, -0.447212, 0.447212, 1.341635, 0, 0, 0, 0},
      6e-6);
  const Tensor x = leaf(full({1, 4}, 3));
  backward(sum(normalize(x) * from_values({1, 2, 3, 4})));
  const double r = 1 / std::sqrt(1e-5);  // g without its mean, times 1 / sqrt(eps)
  check_near(x.grad(), {-1.5 * r, -0.5 * r, 0.5 * r, 1.5 * r}, 64 * eps);
  check_near(layer_norm(from_values({1, 3}), from_values({2, 5}), from_values({10, 20}), 3),
             {9, 22.5});  // (x - 2) / sqrt(1 + 3) is -1/2, 1/2
}

TEST_CASE("normalizing keeps its digits far from zero") {
  const Tensor far = normalize(from_values({1000000, 1000001, 1000003, 1000007}));
  const Tensor near = normalize(from_values({0, 1, 3, 7}));
  CHECK(distance(far, near) <= 8 * eps);  // E[x²] - E[x]² would leave nothing of it in float
}

TEST_CASE("dropout zeroes or stretches, with the same mask on the way back") {
  const Tensor x = leaf(ones({100, 100}));
  Random random(3);
  const Tensor y = dropout(x, real(0.25), random);
  Size dropped = 0;
  for (const real value : values(y)) {
    if (value == 0)
      ++dropped;
    else
      CHECK(value == Approx(4 / 3.).epsilon(eps));
  }
  CHECK(std::abs(dropped - 2500) < 217);  // five deviations
  backward(sum(y));
  CHECK(values(x.grad()) == values(y));
  Random again(3);
  CHECK(values(dropout(x, real(0.25), again)) == values(y));
  CHECK_FALSE(values(dropout(x, real(0.25), again)) == values(y));
}

TEST_CASE("dropout draws a number for each element, in order") {
  const real first = real(Random(5).uniform());  // a draw that equals the rate is kept
  for (const real rate : {real(0.1), real(0.5), first, real(0.99)}) {
    const Tensor x = drawn({7, 43});
    Random random(5), same(5);
    const Tensor y = dropout(x, rate, random);
    for (Size i = 0; i < x.count(); ++i)
      CHECK(y.data()[i] == (same.uniform() < rate ? 0 : x.data()[i] * (1 / (1 - rate))));
    CHECK(random.bits() == same.bits());
  }
}

TEST_CASE("dropout of nothing changes nothing, and draws nothing") {
  Random random(3);
  const Tensor x = leaf(drawn({5, 4}));
  CHECK(values(dropout(x, 0, random)) == values(x));
  CHECK(random.bits() == Random(3).bits());
}
