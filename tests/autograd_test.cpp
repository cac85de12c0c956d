// backward() and gradients(): values known from a pencil, each from a fault that some engine had.
// What happens to memory and in long chains is in chains_test.cpp, errors in misuse_backward_test.
#include "attention/tensor/autograd.hpp"

#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

TEST_CASE("a value used twice waits for both its gradients") {
  const Tensor a = leaf(Tensor(2)), b = leaf(Tensor(3));
  const Tensor c = a + b, d = a * b, y = (c + d) + c * d;
  CHECK(y.item() == 41);
  backward(y);
  CHECK(a.grad().item() == 25);  // 29 and 22 when c passes on what it has before all is there
  CHECK(b.grad().item() == 19);
}

TEST_CASE("a value added to itself counts twice, and again") {
  const Tensor a = leaf(Tensor(1)), b = a + a, c = b + b;
  backward(c);
  CHECK(c.item() == 4);
  CHECK(a.grad().item() == 4);
}

TEST_CASE("the loss may be a leaf itself") {
  const Tensor a = leaf({3}, {1, 1});
  backward(a);
  CHECK(values(a.grad()) == std::vector<real>{1});
  CHECK(a.grad().shape() == Shape{1, 1});
}

TEST_CASE("gradients come back in the shape of what was stretched") {
  const Tensor a = leaf({1, 2, 3}, {3, 1}), b = leaf({10, 20}, {1, 2});
  const Tensor loss = sum(a * b);
  CHECK(loss.item() == 180);
  backward(loss);
  CHECK(a.grad().shape() == Shape{3, 1});
  CHECK(b.grad().shape() == Shape{1, 2});
  CHECK(values(a.grad()) == std::vector<real>{30, 30, 30});
  CHECK(values(b.grad()) == std::vector<real>{6, 6});

  const Tensor bias = leaf(zeros({4}));
  backward(sum(ones({5, 4}) + bias));
  CHECK(values(bias.grad()) == std::vector<real>{5, 5, 5, 5});
}

TEST_CASE("every pattern of stretched and missing axes sums down to its own shape") {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{4}, Shape{3, 1}, Shape{1, 4}, Shape{3, 4},
                             Shape{2, 1, 1}, Shape{2, 1, 4}, Shape{1, 1, 1}, Shape{2, 3, 4}}) {
    INFO(to_string(shape));
    const Tensor x = leaf(ones(shape));
    backward(sum(x + zeros({2, 3, 4})));
    REQUIRE(x.grad().shape() == shape);
    for (const real g : values(x.grad())) CHECK(g == real(24) / real(shape.count()));
  }
}

TEST_CASE("backward adds to what a leaf has, exactly once") {
  const Tensor x = leaf({2, 3}, {2});
  const Tensor loss = sum(x * x);
  backward(loss, {.retain = true});
  CHECK(values(x.grad()) == std::vector<real>{4, 6});
  backward(loss, {.retain = true});
  CHECK(values(x.grad()) == std::vector<real>{8, 12});
  backward(loss);
  CHECK(values(x.grad()) == std::vector<real>{12, 18});
}

TEST_CASE("inner gradients do not leak from one pass into the next") {
  const Tensor x = leaf(Tensor(2));
  const Tensor square = x * x, cube = square * x;
  backward(cube, {.retain = true});
  CHECK(x.grad().item() == 12);
  CHECK_FALSE(square.node().grad.defined());
  Tensor(x).clear_grad();
  backward(cube, {.retain = true});
  CHECK(x.grad().item() == 12);
  Tensor(x).clear_grad();
  backward(square);
  CHECK(x.grad().item() == 4);
}

TEST_CASE("two leaves never share a gradient") {
  const Tensor a = leaf({1, 2}, {2}), b = leaf({3, 4}, {2});
  SECTION("one of which gets more") {
    backward(sum(a + b) + sum(a * a));
    CHECK(values(a.grad()) == std::vector<real>{3, 5});
    CHECK(values(b.grad()) == std::vector<real>{1, 1});
  }
  SECTION("one of which is changed afterwards") {
    const bool record = GENERATE(false, true);
    const Tensor c = leaf(Tensor(1)), d = leaf(Tensor(2));
    backward(c + d, {.record = record});
    c.grad().edit()[0] = 100;
    CHECK(d.grad().item() == 1);
  }
  SECTION("over two passes") {
    backward(sum(a + b));
    backward(sum(a + b));
    a.grad().edit()[0] = 100;
    CHECK(values(b.grad()) == std::vector<real>{2, 2});
  }
}

TEST_CASE("a repeated id adds up in its row of the table") {
  const Tensor table = leaf(zeros({3, 1}));
  const Tensor rows = gather_rows(table, Tokens(Shape{2}, {0, 0}));
  backward(sum(rows * from_values({real(0.2), real(0.3)}, {2, 1})));
  check_near(table.grad(), {0.5, 0, 0});
}

TEST_CASE("constants get no gradient, and what was made under NoGrad is one") {
  const Tensor x = leaf(Tensor(3)), constant = Tensor(5);
  Tensor frozen;
  {
    const NoGrad off;
    CHECK_FALSE(recording());
    { const NoGrad nested; }
    CHECK_FALSE(recording());
    frozen = x * x;
  }
  CHECK(recording());
  CHECK_FALSE(frozen.requires_grad());
  CHECK(frozen.node().op.empty());
  CHECK(frozen.node().inputs.empty());
  backward(x * constant + x * frozen);
  CHECK(x.grad().item() == 14);
  CHECK_FALSE(constant.grad().defined());
  CHECK_FALSE(frozen.grad().defined());
}

TEST_CASE("NoGrad ends with its scope, also when an error leaves it") {
  try {
    const NoGrad off;
    exp(Tensor());
  } catch (const Error&) {
  }
  CHECK(recording());
}

TEST_CASE("gradients() returns what backward() would store, and stores nothing") {
  const Tensor a = leaf({1, 2}, {2}), b = leaf({3, 4}, {2}), unused = leaf(ones({5}));
  const Tensor product = a * b;
  const Tensors found = gradients(sum(product * product), {b, product, unused, b});
  check_near(found[0], {6, 32});  // 2 a² b
  check_near(found[1], {6, 16});  // 2 a b, of an inner node
  CHECK(values(found[2]) == std::vector<real>(5, 0));
  check_near(found[3], {6, 32});
  for (const Tensor& x : {a, b, product, unused}) CHECK_FALSE(x.node().grad.defined());
  CHECK_FALSE(found[0].requires_grad());
}

TEST_CASE("derivatives of derivatives") {
  const Tensor x = leaf(Tensor(2)), cube = x * x * x;
  const Tensor first = gradients(cube, {x}, {.record = true})[0];
  const Tensor second = gradients(first, {x}, {.record = true})[0];
  const Tensor third = gradients(second, {x}, {.record = true})[0];
  CHECK(first.item() == 12);
  CHECK(second.item() == 12);
  CHECK(third.item() == 6);
  CHECK(gradients(pow(x, 3), {x})[0].item() == Approx(12));
}

TEST_CASE("a recorded gradient can be part of a loss") {
  const Tensor x = leaf({1, 2}, {2});  // |f'|² for f = sum x³: sum 9 x⁴, derivative 36 x³
  const Tensor slope = gradients(sum(pow(x, 3)), {x}, {.record = true})[0];
  backward(sum(slope * slope));
  check_near(x.grad(), {36, 288}, 64 * eps);
}

TEST_CASE("recording, backward() stores gradients that can be differentiated") {
  const auto before = live_nodes();
  {
    Tensor x = leaf(Tensor(2));
    backward(x * x * x, {.record = true});
    const Tensor slope = x.grad();
    CHECK(slope.item() == 12);
    x.clear_grad();  // which holds x, as x holds it
    backward(slope);
    CHECK(x.grad().item() == 12);
  }
  CHECK(live_nodes() == before);
}

TEST_CASE("the derivative of x to the power 0 is 0, also at 0") {
  const Tensor x = leaf({0, 2}, {2});
  backward(sum(pow(x, 0) + pow(x, 1)));
  CHECK(values(x.grad()) == std::vector<real>{1, 1});
}
