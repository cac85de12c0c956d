// The handle: making tensors, reading and changing values, sharing and copying. And Tokens.
#include "tensor_test.hpp"

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"

using namespace attention;

TEST_CASE("tensors are made of values, row by row") {
  const Tensor x = from_values({1, 2, 3, 4, 5, 6}, {2, 3});
  CHECK(x.shape() == Shape{2, 3});
  CHECK(x.rank() == 2);
  CHECK(x.count() == 6);
  CHECK(x.size(0) == 2);
  CHECK(x.size(-1) == 3);
  CHECK(x.at({0, 2}) == 3);
  CHECK(x.at({1, 0}) == 4);
  CHECK(from_values({7, 8}).shape() == Shape{2});
  CHECK(from_values({}).shape() == Shape{0});
}

TEST_CASE("a number is a scalar") {
  const Tensor x = 2.5;
  CHECK(x.rank() == 0);
  CHECK(x.item() == 2.5);
  CHECK(x.at({}) == 2.5);
  CHECK_FALSE(x.requires_grad());
  CHECK((1 - x * 2).item() == -4);
}

TEST_CASE("zeros, ones, full and identity") {
  CHECK(values(zeros({2, 3})) == std::vector<real>(6, 0));
  CHECK(values(ones({2, 3})) == std::vector<real>(6, 1));
  CHECK(values(full({3}, -2)) == std::vector<real>{-2, -2, -2});
  CHECK(full({}, 4).item() == 4);
  CHECK(values(identity(3)) == std::vector<real>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(identity(3).shape() == Shape{3, 3});
  CHECK(identity(0).shape() == Shape{0, 0});
  CHECK(zeros({0, 3}).count() == 0);
}

TEST_CASE("arange counts, and steps either way") {
  CHECK(values(arange(4)) == std::vector<real>{0, 1, 2, 3});
  CHECK(arange(Size(0)).shape() == Shape{0});
  CHECK(values(arange(2, 5)) == std::vector<real>{2, 3, 4});
  CHECK(values(arange(0, 1, real(0.25))) == std::vector<real>{0, 0.25, 0.5, 0.75});
  CHECK(values(arange(3, 0, -2)) == std::vector<real>{3, 1});
  CHECK(arange(3, 0, 1).shape() == Shape{0});
}

TEST_CASE("a single value can be read, whatever its axes") { CHECK(full({1, 1}, 3).item() == 3); }

TEST_CASE("an undefined tensor can be asked whether it is one, and printed") {
  CHECK_FALSE(Tensor().defined());
  CHECK(to_string(Tensor()) == "undefined tensor");
}

TEST_CASE("copies of a tensor are one tensor, a clone is another") {
  Tensor x = from_values({1, 2}), copy = x, clone = x.clone(), detached = x.detach();
  CHECK(copy.same_as(x));
  CHECK_FALSE(clone.same_as(x));
  CHECK_FALSE(detached.same_as(x));
  x.edit()[0] = 5;
  CHECK(copy.at({0}) == 5);
  CHECK(detached.at({0}) == 5);  // the same values
  CHECK(clone.at({0}) == 1);
}

TEST_CASE("neither a clone nor what is detached is in the graph") {
  const Tensor x = leaf({2, 3}, {2}), y = x * x;
  for (const Tensor& outside : {x.clone(), x.detach(), y.clone(), y.detach()}) {
    CHECK_FALSE(outside.requires_grad());
    CHECK_FALSE((outside * 2).requires_grad());
  }
  backward(sum(x * y.detach()));  // y counts as the constant 4 9
  check_near(x.grad(), {4, 9});
}

TEST_CASE("a clone of what an op made can be changed and asked for a gradient") {
  CHECK_NOTHROW(exp(leaf({2, 3}, {2})).clone().require_grad().edit());
}

TEST_CASE("a gradient has the shape of its tensor") {
  Tensor x = leaf(ones({2, 3}));
  CHECK_FALSE(x.grad().defined());
  x.set_grad(zeros({2, 3}));
  CHECK(x.grad().defined());
  x.clear_grad();
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("nodes are counted while they live") {
  const auto before = live_nodes();
  {
    const Tensor x = ones({2}), same = x;
    CHECK(live_nodes() == before + 1);
    const Tensor y = leaf(ones({2})) * x;
    CHECK(live_nodes() == before + 3);
  }
  CHECK(live_nodes() == before);
}

TEST_CASE("tokens are ids with a shape") {
  const Tokens tokens(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(tokens == Tokens(Shape{2, 3}, {1, 2, 3, 4, 5, 6}));
  CHECK_FALSE(tokens == Tokens(Shape{3, 2}, {1, 2, 3, 4, 5, 6}));
  CHECK_FALSE(tokens == Tokens(Shape{2, 3}, {1, 2, 3, 4, 5, 7}));
}
