// Where a rule has a fused kernel beside its formula: the two give the same gradients. gradients()
// takes the formula when it records, the kernel when it does not.
#include <functional>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

void check_fused(const std::function<Tensor(const Tensor&)>& f, const Shape& shape) {
  const Tensor x = leaf(drawn(shape, 3) * 3);
  const Tensor y = f(x.detach());
  const Tensor loss = sum(f(x) * drawn(y.shape(), 4));
  const Tensor formula = gradients(loss, {x}, {.record = true})[0];
  const Tensor fused = gradients(loss, {x})[0];
  CHECK(formula.requires_grad());
  CHECK_FALSE(fused.requires_grad());
  CHECK(distance(formula, fused) <= 64 * eps);
  CHECK(distance(fused, zeros(shape)) > 0.01);
}

}  // namespace

TEST_CASE("softmax: the fused rule is its formula") {
  const Mask mask = greater(drawn({4, 19}, 5), -0.5);
  for (const Shape& shape : {Shape{3, 4, 19}, Shape{3, 19, 19}, Shape{2, 5}, Shape{7}}) {
    check_fused([](const Tensor& x) { return softmax(x, -1); }, shape);
    check_fused([](const Tensor& x) { return softmax(x, 0); }, shape);
  }
  check_fused([=](const Tensor& x) { return softmax(x, -1, mask); }, {3, 4, 19});
}

TEST_CASE("relu: the fused rule is its formula, and what does not pass leaves no trace") {
  check_fused([](const Tensor& x) { return relu(x) * relu(x); }, {5, 19});
  const Tensor x = leaf({-1, 0, 2, not_a_number}, {4});
  for (const bool record : {false, true}) {
    const Tensor loss = sum(relu(x) * from_values({infinity, not_a_number, 3, 5}));
    CHECK(values(gradients(loss, {x}, {.record = record})[0]) == std::vector<real>{0, 0, 3, 0});
  }
}

TEST_CASE("GELU: the fused rules are their formulas") {
  check_fused(gelu, {5, 19});
  check_fused(gelu_tanh, {5, 19});
  check_fused(gelu, {});
}

TEST_CASE("GELU keeps its slopes for backward, and none where nothing is recorded") {
  // Sizes that the pool of memory has nothing for yet: it tells what was asked for.
  for (const auto& [f, size] : {std::pair{&gelu, Size(5000011)}, {&gelu_tanh, Size(7000003)}}) {
    const Tensor x = leaf(zeros({size})), small = leaf(zeros({3}));
    for (int i = 0; i < 2; ++i) f(small), f(small.detach());  // the pool has the small parts now
    const auto before = system_allocations();
    static_cast<void>((NoGrad(), f(x)));
    f(x.detach());
    CHECK(system_allocations() == before + 1);  // the result, twice in the same place
    f(x);
    CHECK(system_allocations() == before + 2);  // and the slopes
  }
}

TEST_CASE("normalization: the fused rule is its formula") {
  for (const Shape& shape : {Shape{3, 4, 19}, Shape{3, 3, 3}, Shape{2, 5}, Shape{33}})
    check_fused([](const Tensor& x) { return normalize(x, real(0.1)); }, shape);
}

TEST_CASE("the loss: the fused rule is its formula") {
  const Tokens targets(Shape{2, 3}, {4, -1, 0, 2, 2, -1});
  for (const CrossEntropyOptions& options : {CrossEntropyOptions{},
                                             {.smoothing = real(0.1)},
                                             {.over = 7},
                                             {.ignore = 2},
                                             {.smoothing = real(0.3), .over = 3}}) {
    const Tokens fitting = options.ignore == 2 ? Tokens(Shape{2, 3}, {4, 1, 0, 2, 2, 3}) : targets;
    check_fused([&](const Tensor& x) { return cross_entropy(x, fitting, options) * 5; }, {2, 3, 5});
  }
}

TEST_CASE("a linear layer is a product and a sum") {
  for (const Shape& shape : {Shape{2, 3, 19}, Shape{33, 19}, Shape{19}}) {
    const Tensor x = leaf(drawn(shape, 1)), w = leaf(drawn({19, 35}, 2)), b = leaf(drawn({35}, 3));
    const Tensor rows = x.rank() == 1 ? reshape(x, {1, 19}) : x;
    const Tensor plain = reshape(matmul(rows, w) + b, shape.with(shape.rank() - 1, 35));
    const Tensor fused = linear(x, w, b), g = drawn(fused.shape(), 4);
    CHECK(distance(fused, plain) <= 64 * eps);
    const Tensors got = gradients(sum(fused * g), {x, w, b});
    const Tensors expected = gradients(sum(plain * g), {x, w, b});
    for (int i = 0; i < 3; ++i) CHECK(distance(got[i], expected[i]) <= 64 * eps);
  }
}
