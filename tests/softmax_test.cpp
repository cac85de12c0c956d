// Softmax and its logarithm: known rows, masks, and scores so large that only a careful form holds.
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

const real ln2 = std::log(real(2)), ln3 = std::log(real(3));

bool finite(const Tensor& x) {
  for (const real value : values(x))
    if (!std::isfinite(value)) return false;
  return true;
}

}  // namespace

TEST_CASE("softmax of a known row, and its gradient") {
  const Tensor x = leaf({0, ln2, ln3}, {3});
  const Tensor y = softmax(x, -1);
  check_near(y, {1 / 6., 1 / 3., 1 / 2.});
  backward(sum(y * from_values({1, 0, 0})));
  check_near(x.grad(), {5 / 36., -2 / 36., -3 / 36.});
}

TEST_CASE("the logarithm of softmax of a known row, and its gradient") {
  const Tensor x = leaf({0, ln2, ln3}, {3});
  const Tensor y = log_softmax(x, -1);
  check_near(y, {-std::log(6.), -std::log(3.), -std::log(2.)});
  backward(sum(y * from_values({1, 0, 0})));
  check_near(x.grad(), {5 / 6., -1 / 3., -1 / 2.});
}

TEST_CASE("attention over scores ln 1, ln 2, ln 3") {
  const Tensor scores = leaf({0, ln2, ln3}, {1, 3});
  const Tensor value = from_values({6, 12, 18}, {3, 1});
  const Tensor output = matmul(softmax(scores, -1), value);
  check_near(output, {14});
  backward(sum(output));
  check_near(scores.grad(), {-4 / 3., -2 / 3., 2}, 32 * eps);

  const Tensor square = broadcast_to(scores.detach(), {3, 3});
  check_near(matmul(softmax(square, -1, causal_mask(3)), value), {6, 10, 14});
}

TEST_CASE("softmax works along any axis") {
  const Tensor x = drawn({2, 3, 4});
  for (int axis = 0; axis < 3; ++axis)
    for (auto f : {softmax, log_softmax}) {
      INFO("axis " << axis);
      const Tensor expected = transpose(f(transpose(x, axis, 2), -1, {}), axis, 2);
      CHECK(values(f(x, axis, {})) == values(expected));
      CHECK(values(f(x, axis - 3, {})) == values(expected));
    }
  const Tensor columns = softmax(from_values({0, 7, ln3, 7}, {2, 2}), 0);
  check_near(columns, {0.25, 0.5, 0.75, 0.5});
}

TEST_CASE("adding the same to all scores changes nothing") {
  for (const real shift : {-1000, 0, 64, 100000000})
    check_near(softmax(from_values({shift, shift, shift}), -1), {1 / 3., 1 / 3., 1 / 3.});
  const Tensor huge = full({2}, real(1e8));
  check_near(softmax(huge, -1), {0.5, 0.5});
  check_near(log_softmax(huge, -1), {-0.693147180559945, -0.693147180559945});
}

TEST_CASE("scores far apart give 0 and 1 and finite gradients") {
  const Tensor x = leaf({-1047, -981, 1891}, {3});
  const Tensor y = softmax(x, -1);
  CHECK(values(y) == std::vector<real>{0, 0, 1});
  CHECK(values(log_softmax(x, -1)) == std::vector<real>{-2938, -2872, 0});
  backward(sum(y * from_values({1, 2, 3})) + sum(log_softmax(x, -1)));
  check_near(x.grad(), {1, 1, -2});
}

TEST_CASE("what is masked weighs exactly nothing, whatever its size") {
  for (const real masked : {real(1e30), -infinity, infinity, not_a_number, real(0)}) {
    INFO(masked);
    const Tensor x = leaf({0, masked, ln3}, {3});
    const Mask mask(Shape{3}, {1, 0, 1});
    const Tensor y = softmax(x, -1, mask);
    check_near(y, {0.25, 0, 0.75});
    CHECK(y.at({1}) == 0);
    CHECK(log_softmax(x, -1, mask).at({1}) == -infinity);
    backward(sum(y * from_values({1, 5, 0})));
    check_near(x.grad(), {0.1875, 0, -0.1875});
    CHECK(x.grad().at({1}) == 0);
  }
}

TEST_CASE("a row that is masked completely gives zeros and no gradient") {
  // Left padding and a causal mask together make one: the first position sees only padding.
  const Mask mask = causal_mask(3) & Mask(Shape{2, 1, 1, 3}, {0, 1, 1, 1, 1, 1});
  const Tensor scores = leaf(zeros({2, 1, 3, 3})), value = leaf(ones({2, 1, 3, 4}));
  const Tensor weights = softmax(scores, -1, mask);
  check_near(weights, {0, 0, 0, 0, 1, 0, 0, 0.5, 0.5,  //
                       1, 0, 0, 0.5, 0.5, 0, 1 / 3., 1 / 3., 1 / 3.});
  const Tensor output = matmul(weights, value);
  CHECK(output.at({0, 0, 0, 0}) == 0);
  CHECK(output.at({0, 0, 1, 0}) == 1);
  const bool record = GENERATE(false, true);
  const Tensors found =
      gradients(sum(output * drawn(output.shape())), {scores, value}, {.record = record});
  CHECK(finite(found[0]));
  CHECK(finite(found[1]));
  for (Size j = 0; j < 3; ++j) CHECK(found[0].at({0, 0, 0, j}) == 0);
}

TEST_CASE("the logarithm of a row that is masked completely is minus infinity") {
  const Tensor x = leaf({1, 2, 3, 4}, {2, 2});
  const Mask mask(Shape{2, 1}, {0, 1});
  const Tensor y = log_softmax(x, -1, mask);
  CHECK(values(y)[0] == -infinity);
  CHECK(values(y)[1] == -infinity);
  backward(sum(where(mask, y, 0)));
  CHECK(finite(x.grad()));
  CHECK(x.grad().at({0, 0}) == 0);
}

TEST_CASE("scores of minus infinity weigh nothing either") {
  check_near(softmax(from_values({0, -infinity, ln3}), -1), {0.25, 0, 0.75});
  CHECK(values(softmax(full({2}, -infinity), -1)) == std::vector<real>{0, 0});
}

TEST_CASE("a score that is not a number is not hidden") {
  for (const auto& row : {std::vector<real>{not_a_number, 0},
                          {0, not_a_number},
                          {not_a_number, -infinity},
                          {-infinity, not_a_number}})
    for (auto f : {softmax, log_softmax}) {
      INFO(row[0] << " " << row[1]);
      const std::vector<real> y = values(f(from_values(row), -1, {}));
      for (std::size_t i = 0; i < y.size();
           ++i)  // the logarithm of a weight of 0 is -inf at any rate
        CHECK((std::isnan(y[i]) || (row[i] == -infinity && y[i] == -infinity)));
    }
}

TEST_CASE("a mask is stretched to the scores") {
  const Tensor x = drawn({2, 3, 4});
  const Mask whole = greater(drawn({2, 3, 4}, 5), -0.5);
  const Mask row(Shape{4}, {1, 0, 1, 1}), column(Shape{3, 1}, {1, 0, 1});
  const Mask batch(Shape{2, 1, 1}, {1, 0}), all(Shape{}, {1});
  for (int axis = 0; axis < 3; ++axis)
    for (const Mask& mask : {whole, row, column, batch, all})
      for (auto f : {softmax, log_softmax}) {
        INFO("axis " << axis << ", mask " << to_string(mask.shape()));
        CHECK(values(f(x, axis, mask)) == values(f(x, axis, mask.expand(x.shape()))));
      }
  CHECK(values(softmax(x, 1, all)) == values(softmax(x, 1)));
}
