// Sums, means, maxima, variances and argmax: along each set of axes, kept or dropped.
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

// x(i, j, k) = 100 i + 10 j + k: a sum over the wrong axis cannot come out right.
Tensor numbered(const Shape& shape) {
  Tensor x = zeros(shape);
  for (Size n = 0; n < x.count(); ++n)
    x.edit()[n] =
        real(n / (shape[1] * shape[2]) * 100 + n / shape[2] % shape[1] * 10 + n % shape[2]);
  return x;
}

}  // namespace

TEST_CASE("sums along each axis") {
  const Tensor x = numbered({2, 3, 4});
  CHECK(values(sum(x, 0)) ==
        std::vector<real>{100, 102, 104, 106, 120, 122, 124, 126, 140, 142, 144, 146});
  CHECK(values(sum(x, 1)) == std::vector<real>{30, 33, 36, 39, 330, 333, 336, 339});
  CHECK(values(sum(x, 2)) == std::vector<real>{6, 46, 86, 406, 446, 486});
  CHECK(values(sum(x, {0, 1})) == std::vector<real>{360, 366, 372, 378});
  CHECK(values(sum(x, {2, 0})) == std::vector<real>{412, 492, 572});
  CHECK(values(sum(x, {1, -1})) == std::vector<real>{138, 1338});
  CHECK(sum(x).item() == 1476);
  CHECK(values(sum(x, Axes{})) == values(x));
  CHECK(values(sum(numbered({3, 3, 3}), 1)) ==
        std::vector<real>{30, 33, 36, 330, 333, 336, 630, 633, 636});
}

TEST_CASE("a reduced axis is dropped, or kept with size 1") {
  const Tensor x = numbered({2, 3, 4});
  CHECK(sum(x, 1).shape() == Shape{2, 4});
  CHECK(sum(x, 1, keep).shape() == Shape{2, 1, 4});
  CHECK(sum(x, {0, 2}).shape() == Shape{3});
  CHECK(sum(x, {0, 2}, keep).shape() == Shape{1, 3, 1});
  CHECK(sum(x, {0, 1, 2}, keep).shape() == Shape{1, 1, 1});
  CHECK(sum(x).shape() == Shape{});
  CHECK(mean(x, -1, keep).shape() == Shape{2, 3, 1});
  CHECK(max(x, {0, 1}).shape() == Shape{4});
  CHECK(variance(x, {-1, 0}).shape() == Shape{3});
  CHECK(values(sum(x, 1)) == values(sum(x, 1, keep)));
}

TEST_CASE("means, maxima and biased variances") {
  const Tensor x = from_values({1, 5, 3, -2, -6, -1}, {2, 3});
  check_near(mean(x, 1), {3, -3});
  check_near(mean(x, 0), {-0.5, -0.5, 1});
  check_near(mean(x), {0});
  CHECK(values(max(x, 1)) == std::vector<real>{5, -1});
  CHECK(values(max(x, 0)) == std::vector<real>{1, 5, 3});
  CHECK(max(x).item() == 5);
  check_near(variance(x, 1), {8 / 3., 14 / 3.});
  check_near(variance(x), {38 / 3.});
  CHECK(variance(full({4}, 3)).item() == 0);
  CHECK(max(full({4}, -infinity)).item() == -infinity);
}

TEST_CASE("a scalar is its own sum, mean and maximum") {
  const Tensor x = leaf(Tensor(3));
  CHECK(sum(x).item() == 3);
  CHECK(mean(x).item() == 3);
  CHECK(max(x).item() == 3);
  CHECK(variance(x).item() == 0);
  backward(sum(x) + mean(x) * 2 + max(x) * 3);
  CHECK(x.grad().item() == 6);
}

TEST_CASE("gradients of reductions") {
  const Tensor x = leaf({1, 5, 3, -2, -6, -1}, {2, 3}), w = from_values({10, 100});
  SECTION("a sum hands on what arrives") {
    backward(sum(sum(x, 1) * w));
    CHECK(values(x.grad()) == std::vector<real>{10, 10, 10, 100, 100, 100});
  }
  SECTION("a mean shares it") {
    backward(sum(mean(x, 1) * w));
    check_near(x.grad(), {10 / 3., 10 / 3., 10 / 3., 100 / 3., 100 / 3., 100 / 3.});
  }
  SECTION("a maximum gives it to the largest") {
    backward(sum(max(x, 1) * w));
    CHECK(values(x.grad()) == std::vector<real>{0, 10, 0, 0, 0, 100});
  }
  SECTION("a variance pulls towards the mean") {
    backward(sum(variance(x, 1)));  // 2 (x - mean) / 3
    check_near(x.grad(), {-4 / 3., 4 / 3., 0, 2 / 3., -2, 4 / 3.});
  }
}

TEST_CASE("equal maxima share their gradient") {
  const Tensor x = leaf({4, 1, 4, 4}, {4});
  backward(max(x));
  check_near(x.grad(), {1 / 3., 0, 1 / 3., 1 / 3.});
}

TEST_CASE("a maximum does not hide what is not a number") {
  for (Size at = 0; at < 40; at += 13) {
    Tensor x = zeros({40});
    x.edit()[at] = not_a_number;
    CHECK(std::isnan(max(x).item()));
    CHECK(std::isnan(max(reshape(x, {40, 1, 1}), 0).item()));
  }
  CHECK(std::isnan(max(from_values({not_a_number, 1, 2, 3}, {2, 2}), 0).at({0})));
}

TEST_CASE("argmax finds the largest, and ties go to the lowest index") {
  const Tensor x = from_values({3, 7, 7, 1, 9, 2, 9, 9}, {2, 4});
  CHECK(argmax(x, 1) == Tokens(Shape{2}, {1, 0}));
  CHECK(argmax(x, -1) == argmax(x, 1));
  CHECK(argmax(x, 0) == Tokens(Shape{4}, {1, 0, 1, 1}));
  CHECK(argmax(full({5}, 2), 0) == Tokens(Shape{}, {0}));
  CHECK(argmax(full({5}, -infinity), 0) == Tokens(Shape{}, {0}));
  CHECK(argmax(numbered({2, 3, 4}), 1) == Tokens(Shape{2, 4}, std::vector<int>(8, 2)));
  CHECK(argmax(zeros({0, 3}), 1) == Tokens(Shape{0}, {}));
}

TEST_CASE("long sums keep their digits") {
  // Ones one after another in float stop at 2^24; here no lane holds more than 2^21.
  CHECK(sum(ones({(1 << 24) + 16})).item() == (1 << 24) + 16);
  CHECK(variance(from_values({4096, 4097, 4098, 4099})).item() == 1.25);
}
