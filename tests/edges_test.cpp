// Right answers where a fault would be easy: a single value, one tensor in both places, NaN, a
// gradient that is asked for late.
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

TEST_CASE("one value is its own mean, maximum and whole") {
  const Tensor x = leaf({3}, {1, 1});
  CHECK(mean(x).item() == 3);
  CHECK(max(x).item() == 3);
  CHECK(variance(x, -1).item() == 0);
  CHECK(argmax(x, 1) == Tokens(Shape{1}, {0}));
  CHECK(softmax(x, -1).item() == 1);
  CHECK(log_softmax(x, -1).item() == 0);
  CHECK(cross_entropy(x, {{1}, {0}}).item() == 0);
  CHECK(normalize(x).item() == 0);
  CHECK(layer_norm(x, ones({1}), full({1}, 7)).item() == 7);
  CHECK(attend(x, x, full({1, 1}, 5)).item() == 5);
  backward(sum(softmax(x, -1) + normalize(x) + variance(x, -1)));
  CHECK(x.grad().item() == 0);
}

TEST_CASE("attention that has nothing to compare listens to all alike") {
  const Tensor v = from_values({1, 2, 3, 6}, {4, 1});
  CHECK(values(attend(ones({2, 0}), ones({4, 0}), v)) == std::vector<real>{3, 3});
}

// The gradient of sum(X X) is 1 Xᵀ + Xᵀ 1, with 1 a matrix of ones.
TEST_CASE("one tensor in both places gets both gradients") {
  const auto slope = [](const auto& f) {
    const Tensor x = leaf({1, 2, 3, 4}, {2, 2});
    backward(sum(f(x)));
    return values(x.grad());
  };
  using Reals = std::vector<real>;
  CHECK(slope([](const Tensor& x) { return x - x; }) == Reals{0, 0, 0, 0});
  CHECK(slope([](const Tensor& x) { return x / x; }) == Reals{0, 0, 0, 0});
  CHECK(slope([](const Tensor& x) { return x * x; }) == Reals{2, 4, 6, 8});
  CHECK(slope([](const Tensor& x) { return concat({x, x}, 1); }) == Reals{2, 2, 2, 2});
  CHECK(slope([](const Tensor& x) { return stack({x, x, x}, 0); }) == Reals{3, 3, 3, 3});
  CHECK(slope([](const Tensor& x) { return where(causal_mask(2), x, x); }) == Reals{1, 1, 1, 1});
  CHECK(slope([](const Tensor& x) { return matmul(x, x); }) == Reals{7, 11, 9, 13});
}

TEST_CASE("what was computed before a tensor asked for its gradient is a constant") {
  Tensor x = from_values({1, 2});
  const Tensor before = x * 3;
  x.require_grad();
  backward(sum(before * x));
  CHECK(values(x.grad()) == std::vector<real>{3, 6});
}

TEST_CASE("NaN is the greatest, wherever it stands") {
  const Tensor x = from_values({1, not_a_number, 7, not_a_number, 2, 3}, {2, 3});
  CHECK(argmax(x, 1) == Tokens(Shape{2}, {1, 0}));
  CHECK(argmax(x, 0) == Tokens(Shape{3}, {1, 0, 0}));
}

TEST_CASE("a change before the use, or of a copy, is none") {
  Tensor x = leaf({1, 2}, {2});
  x.edit()[0] = 0;
  const Tensor loss = sum(exp(x));
  x.clone().edit()[0] = 5;
  backward(loss);
  CHECK(x.grad().at({0}) == 1);
}

TEST_CASE("a rule may leave gradients out") {
  const Tensor x = leaf({1, 2}, {2});
  const auto none = [](const Link&) { return Tensors{Tensor()}; };
  const Tensor out = (NoGrad(), x * 2), y = remember(out, "twice", {x}, none);
  backward(sum(y + x));
  CHECK(values(x.grad()) == std::vector<real>{1, 1});
}

TEST_CASE("a forward that returns its input gets a node of its own") {
  const Tensor x = leaf(ones({2}));
  const Tensor same = remember(x, "nothing", {x}, [](const Link& l) { return Tensors{l.grad}; });
  CHECK_FALSE(same.same_as(x));  // a node of its own
  backward(sum(same));
  CHECK(values(x.grad()) == std::vector<real>{1, 1});
}
