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
  CHECK_THROWS_WITH(from_values({1, 2, 3}, {2, 2}),
                    "from_values: 3 values for shape (2, 2), which has 4");
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
  CHECK_THROWS_WITH(arange(0, 3, 0), "arange: from 0 to 3 in steps of 0 never arrives");
  CHECK_THROWS_AS(arange(0, infinity, 1), Error);
}

TEST_CASE("reading outside a tensor is refused") {
  const Tensor x = zeros({2, 3});
  CHECK_THROWS_WITH(x.at({1}), "at: 1 indices for shape (2, 3)");
  CHECK_THROWS_WITH(x.at({1, 3}), "at: index 3 on axis 1 of (2, 3): 0 to 2 are possible");
  CHECK_THROWS_WITH(x.at({-1, 0}), "at: index -1 on axis 0 of (2, 3): 0 to 1 are possible");
  CHECK_THROWS_WITH(x.item(), "item: (2, 3) has 6 values; sum or index it first");
  CHECK_THROWS_WITH(zeros({0}).item(), "item: (0,) has 0 values; sum or index it first");
  CHECK_THROWS_WITH(x.size(2), "size: axis 2 of (2, 3): there are 2 axes, so -2 to 1 are possible");
  CHECK(full({1, 1}, 3).item() == 3);
}

TEST_CASE("an undefined tensor says so") {
  const std::string text = "tensor: used before it was given a value (it is undefined)";
  Tensor nothing;
  CHECK_FALSE(nothing.defined());
  CHECK_THROWS_WITH(nothing.shape(), text);
  CHECK_THROWS_WITH(nothing.data(), text);
  CHECK_THROWS_WITH(nothing.requires_grad(), text);
  CHECK_THROWS_WITH(nothing + ones({2}), text);
  CHECK_THROWS_WITH(exp(nothing), text);
  CHECK_THROWS_WITH(backward(nothing), text);
  CHECK(to_string(nothing) == "undefined tensor");
}

TEST_CASE("values that do not fit the shape are refused") {
  CHECK_THROWS_WITH(Tensor(Shape{2, 3}, Buffer(5)),
                    "tensor: 5 values for shape (2, 3), which has 6");
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

TEST_CASE("only leaves can be changed or asked for a gradient") {
  const Tensor x = leaf({2, 3}, {2});
  Tensor y = exp(x);
  CHECK_THROWS_WITH(
      y.edit(),
      "edit: this tensor was made by exp; only leaves can be changed. detach() or clone() it");
  CHECK_THROWS_WITH(y.require_grad(),
                    "require_grad: this tensor was made by exp; only leaves keep a gradient. "
                    "detach() it first");
  CHECK_NOTHROW(y.clone().require_grad().edit());
}

TEST_CASE("a gradient has the shape of its tensor") {
  Tensor x = leaf(ones({2, 3}));
  CHECK_FALSE(x.grad().defined());
  CHECK_THROWS_WITH(x.set_grad(ones({3, 2})),
                    "set_grad: a gradient of shape (3, 2) for a tensor of shape (2, 3)");
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
  CHECK_THROWS_WITH(Tokens(Shape{2, 3}, {1, 2}), "tokens: 2 ids for shape (2, 3), which has 6");
}
