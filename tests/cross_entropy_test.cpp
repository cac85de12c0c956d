// The loss: known values, huge logits, what is ignored, smoothing, micro-batches, and its errors.
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

const double ln2 = std::log(2.), ln3 = std::log(3.), e = std::exp(1.);

Tokens tokens(std::vector<int> ids) {
  const Size count = static_cast<Size>(ids.size());
  return Tokens(Shape{count}, std::move(ids));
}

Tensor rows(const std::vector<double>& values, Size columns) {
  return leaf(std::vector<real>(values.begin(), values.end()),
              {static_cast<Size>(values.size()) / columns, columns});
}

}  // namespace

TEST_CASE("the loss of a known row, and its gradient") {
  const Tensor x = rows({0, ln2, ln3}, 3);
  const Tensor loss = cross_entropy(x, tokens({1}));
  CHECK(loss.shape() == Shape{});
  check_near(loss, {ln3});  // -ln 1/3
  backward(loss);
  check_near(x.grad(), {1 / 6., -2 / 3., 1 / 2.});
}

TEST_CASE("uniform logits cost ln V") {
  for (const Size V : {2, 3, 7})
    check_near(cross_entropy(zeros({2, 3, V}), Tokens(Shape{2, 3}, {0, 1, 0, 1, 1, 0})),
               {std::log(double(V))});
}

TEST_CASE("huge logits lose nothing") {
  check_near(cross_entropy(rows({1e8, 1e8}, 2), tokens({1})), {0.693147}, 1e-6);
  const Tensor x = rows({-431, 279, 427}, 3);
  const Tensor loss = cross_entropy(x, tokens({0}));
  check_near(loss, {858});
  backward(loss);
  check_near(x.grad(), {-1, 0, 1});
  check_near(cross_entropy(rows({1e8, 1e8}, 2), tokens({1}), {.smoothing = real(0.5)}), {ln2});
  check_near(cross_entropy(rows({-1e8, -1e8, -1e8, -1e8}, 4), tokens({1})), {2 * ln2});
}

TEST_CASE("the mean is over the scored targets only") {
  const Tensor x = leaf(zeros({4, 3}));
  const Tensor loss = cross_entropy(x, tokens({0, -1, 2, -1}));
  check_near(loss, {1.098612}, 1e-6);
  backward(loss);
  check_near(x.grad(), {-1 / 3., 1 / 6., 1 / 6., 0, 0, 0, 1 / 6., 1 / 6., -1 / 3., 0, 0, 0});
}

TEST_CASE("nothing scored costs nothing") {
  const Tensor x = leaf(drawn({3, 4}));
  const Tensor loss = cross_entropy(x, tokens({-1, -1, -1}));
  CHECK(loss.item() == 0);
  const bool record = GENERATE(false, true);
  CHECK(values(gradients(loss, {x}, {.record = record})[0]) == std::vector<real>(12, 0));
  CHECK(cross_entropy(zeros({0, 4}), tokens({})).item() == 0);
}

TEST_CASE("any value can be the one to ignore") {
  const Tensor x = rows({0, ln2, ln3, 5, 6, 7}, 3);
  check_near(cross_entropy(x, tokens({1, 0}), {.ignore = 0}), {ln3});
  check_near(cross_entropy(x, tokens({1, -100}), {.ignore = -100}), {ln3});
}

TEST_CASE("label smoothing spreads a share over all of the vocabulary") {
  // p = 1/6 1/3 1/2; with 0.3 spread over three, q = 0.1 0.1 0.8.
  const Tensor x = rows({0, ln2, ln3}, 3);
  const Tensor loss = cross_entropy(x, tokens({2}), {.smoothing = real(0.3)});
  check_near(loss, {0.1 * std::log(6.) + 0.1 * ln3 + 0.8 * ln2});
  backward(loss);
  check_near(x.grad(), {1 / 6. - 0.1, 1 / 3. - 0.1, 1 / 2. - 0.8});
}

TEST_CASE("micro-batches of different size add up to the mean over all tokens") {
  // A row of logits ln(e^c - 1), 0 with target 1 costs c: one token that costs 3, three that
  // cost 1.
  const double three = std::log(e * e * e - 1), one = std::log(e - 1);
  const Tensor first = rows({three, 0}, 2), second = rows({one, 0, one, 0, one, 0}, 2);
  check_near(cross_entropy(first, tokens({1})), {3});
  check_near(cross_entropy(second, tokens({1, 1, 1})), {1});
  const Tensor loss = cross_entropy(first, tokens({1}), {.over = 4}) +
                      cross_entropy(second, tokens({1, 1, 1}), {.over = 4});
  check_near(loss, {1.5});  // and not 2, the mean of the means

  const Tensor whole = leaf(concat({first, second}, 0).detach());
  backward(loss);
  backward(cross_entropy(whole, tokens({1, 1, 1, 1})));
  CHECK(distance(concat({first.grad(), second.grad()}, 0), whole.grad()) <= 4 * eps);
}

TEST_CASE("ignored targets do not change what the sum is divided by") {
  const Tensor x = leaf(zeros({4, 3}));
  check_near(cross_entropy(x, tokens({0, -1, 2, -1}), {.over = 4}), {ln3 / 2});
  CHECK(cross_entropy(x, tokens({-1, -1, -1, -1}), {.over = 4}).item() == 0);
}

TEST_CASE("the loss is that of log_softmax at the targets") {
  const Tensor x = drawn({2, 3, 5});
  const std::vector<int> ids{4, 0, 1, 2, 2, 3};
  const Tensor log_p = log_softmax(x, -1);
  double expected = 0;
  for (Size i = 0; i < 6; ++i) expected -= log_p.data()[i * 5 + ids[i]] / 6;
  check_near(cross_entropy(x, Tokens(Shape{2, 3}, ids)), {expected}, 16 * eps);
}

TEST_CASE("a logit that is not a number is not hidden") {
  for (const auto& row :
       {std::vector<real>{not_a_number, 0}, {0, not_a_number}, {not_a_number, -infinity}})
    CHECK(std::isnan(cross_entropy(from_values(row, {1, 2}), tokens({0})).item()));
}

TEST_CASE("a target outside the vocabulary is refused") {
  const Tensor x = zeros({3, 7});
  CHECK_THROWS_WITH(
      cross_entropy(x, tokens({0, 1, -1}), {.ignore = -100}),
      "cross_entropy: target -1 at position 2: 0 to 6 are possible, or -100 to ignore it");
}
