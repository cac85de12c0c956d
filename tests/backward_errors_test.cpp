// What backward() refuses, and in which words.
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

// An op that is not enlisted, so that nobody else checks its rule.
Tensor twice(const Tensor& x, Rule rule) {
  Tensor out = (NoGrad(), x * 2);
  return remember(out, "twice", {x}, std::move(rule));
}

}  // namespace

TEST_CASE("only a single number can be followed back") {
  const Tensor x = leaf({1, 2}, {2});
  CHECK_THROWS_WITH(
      backward(x * x),
      "backward: the loss has shape (2,); it must be one number: take sum() or mean()");
  CHECK_THROWS_WITH(
      backward(leaf(zeros({0, 3})) * 2),
      "backward: the loss has shape (0, 3); it must be one number: take sum() or mean()");
}

TEST_CASE("a loss that depends on no leaf is refused") {
  const std::string text =
      "backward: the loss depends on nothing that asked for a gradient; call require_grad() on a "
      "leaf, and build the graph outside NoGrad";
  CHECK_THROWS_WITH(backward(sum(ones({2}) * 3)), text);
  CHECK_THROWS_WITH(backward(Tensor(1)), text);
  const Tensor x = leaf(ones({2}));
  CHECK_THROWS_WITH(backward(sum(x.detach() * 3)), text);
  CHECK_THROWS_WITH(backward((NoGrad(), sum(x * 3))), text);
}

TEST_CASE("gradients() of what never asked for one are refused, not zero") {
  const Tensor x = leaf(ones({2})), constant = full({3}, 2);
  CHECK_THROWS_WITH(gradients(sum(x) * sum(constant), {x, constant}),
                    "gradients: input 1, shape (3,), did not ask for a gradient; call "
                    "require_grad() on it before it is used");
}

TEST_CASE("a graph can be followed back once, unless it is retained") {
  const Tensor x = leaf({1, 2}, {2}), square = x * x, loss = sum(square);
  backward(loss);
  CHECK_THROWS_WITH(backward(loss),
                    "backward: the graph behind reshape () was freed by an earlier backward; pass "
                    "retain = true to that one to keep it");
  CHECK_THROWS_WITH(backward(mean(square)),
                    "backward: the graph behind multiply (2,) was freed by an earlier backward; "
                    "pass retain = true to that one to keep it");
  const Tensor other = sum(x * x);
  gradients(other, {x});  // frees, too
  CHECK_THROWS_AS(backward(other), Error);
}

TEST_CASE("a result that was changed after it was computed is named") {
  const Tensor x = leaf({1, 2}, {2});
  const Tensor y = exp(x), loss = sum(y);
  y.detach().edit()[0] = 7;
  CHECK_THROWS_WITH(backward(loss),
                    "backward: input 0 of sum, shape (2,), was changed after sum had used it; "
                    "change leaves only between backward and the next forward");
  const Tensor other = exp(x);
  const Tensor seen = other * ones({1, 2});  // made before the change, from other
  other.detach().edit()[0] = 7;
  CHECK_THROWS_AS(backward(sum(seen)), Error);
  const Tensor single = exp(leaf(Tensor(1)));
  single.detach().edit()[0] = 7;
  CHECK_THROWS_WITH(backward(single),
                    "backward: the result of exp () was changed after it was computed");
}

TEST_CASE("an operand that was changed after its use is named, leaf or constant") {
  Tensor x = leaf({1, 2}, {2}), constant = full({2}, 3);
  SECTION("a leaf") {
    const Tensor loss = sum(exp(x));
    x.edit()[0] = 5;
    CHECK_THROWS_WITH(backward(loss),
                      "backward: input 0 of exp, shape (2,), was changed after exp had used it; "
                      "change leaves only between backward and the next forward");
  }
  SECTION("a constant") {
    const Tensor loss = sum(x * constant);
    constant.edit()[0] = 5;
    CHECK_THROWS_WITH(backward(loss),
                      "backward: input 1 of multiply, shape (2,), was changed after multiply had "
                      "used it; change leaves only between backward and the next forward");
  }
  SECTION("through a tensor that shares its values") {
    const Tensor loss = sum(exp(reshape(x, {2, 1})));
    x.edit()[0] = 5;
    CHECK_THROWS_WITH(backward(loss),
                      "backward: input 0 of exp, shape (2, 1), was changed after exp had used it; "
                      "change leaves only between backward and the next forward");
  }
  SECTION("but a change before the use, or of a copy, is none") {
    x.edit()[0] = 0;
    const Tensor loss = sum(exp(x));
    x.clone().edit()[0] = 5;
    backward(loss);
    CHECK(x.grad().at({0}) == 1);
  }
}

TEST_CASE("a rule that gives too many or too few gradients is named") {
  const Tensor x = leaf({1, 2}, {2});
  const Tensor one_too_many = twice(x, [](const Link& l) { return Tensors{l.grad * 2, l.grad}; });
  CHECK_THROWS_WITH(backward(sum(one_too_many)),
                    "backward: twice has 1 inputs, but its rule gave 2 gradients");
  const Tensor none = twice(x, [](const Link&) { return Tensors{}; });
  CHECK_THROWS_WITH(backward(sum(none)),
                    "backward: twice has 1 inputs, but its rule gave 0 gradients");
}

TEST_CASE("a rule that gives a gradient of another shape is named") {
  const Tensor x = leaf({1, 2}, {2});
  for (const Shape& wrong : {Shape{}, Shape{3}, Shape{1}, Shape{2, 1}}) {
    const Tensor y = twice(x, [wrong](const Link&) { return Tensors{ones(wrong)}; });
    CHECK_THROWS_WITH(
        backward(sum(y)),
        fmt::format("backward: twice sent a gradient of shape {} to an input of shape (2,)",
                    wrong));
  }
}

TEST_CASE("a rule may leave gradients out") {
  const Tensor x = leaf({1, 2}, {2});
  backward(sum(twice(x, [](const Link&) { return Tensors{Tensor()}; }) + x));
  CHECK(values(x.grad()) == std::vector<real>{1, 1});
}

TEST_CASE("a forward cannot return what another op made") {
  const Tensor x = leaf(ones({2})), y = exp(x);
  CHECK_THROWS_WITH(remember(y, "thief", {x}, {}),
                    "thief: the forward returned a tensor that exp already made");
  const Tensor same = remember(x, "nothing", {x}, [](const Link& l) { return Tensors{l.grad}; });
  CHECK_FALSE(same.same_as(x));  // a node of its own
  backward(sum(same));
  CHECK(values(x.grad()) == std::vector<real>{1, 1});
}
