// Optimizers: values by pencil, the textbook's formula as an oracle, tied weights, what is refused.
// Whole runs of steps are in steps_test.cpp.
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/core/random.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "attention/train/optimizer.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Matchers::Equals;

namespace {

void set_gradient(Tensor w, std::vector<real> g) { w.set_grad(from_values(g, w.shape())); }

}  // namespace

TEST_CASE("SGD takes the rate times the gradient") {
  const Tensor w = leaf(from_values({1, -2}));
  Sgd sgd({{"w", w}});
  set_gradient(w, {0.5, 4});
  sgd.step(real(0.1));
  check_near(w, {0.95, -2.4});
}

TEST_CASE("SGD's momentum adds up gradients as by pencil") {
  const Tensor w = leaf(from_values({1}));
  Sgd sgd({{"w", w}}, real(0.5));
  for (double expected : {0.9, 0.75, 0.575}) {  // v = 1, 1.5, 1.75
    set_gradient(w, {1});
    sgd.step(real(0.1));
    check_near(w, {expected});
  }
  REQUIRE(sgd.state().size() == 1);
  CHECK(sgd.state()[0].name == "velocity.w");
  check_near(sgd.state()[0].tensor, {1.75});
}

TEST_CASE("Adam's first steps are as by pencil") {
  const Tensor w = leaf(from_values({1}));
  SECTION("a constant gradient takes the whole rate each time") {
    Adam adam({{"w", w}});
    for (double expected : {0.9, 0.8}) {
      set_gradient(w, {0.5});
      adam.step(real(0.1));
      check_near(w, {expected}, 1e-6);
    }
  }
  SECTION("a gradient that changes its sign takes less") {
    Adam adam({{"w", w}});
    const double expected[] = {0.9, 0.905263, 0.871684};
    for (int i = 0; i < 3; ++i) {
      set_gradient(w, {real(i == 1 ? -1 : 1)});
      adam.step(real(0.1));
      check_near(w, {expected[i]}, 1e-6);
    }
  }
}

TEST_CASE("Adam is the textbook's formula, element by element") {
  const double decay = GENERATE(0.0, 0.1);
  Random random(3);
  const Tensor w = leaf(normal({5, 7}, 0, 1, random));
  std::vector<double> expected(w.data(), w.data() + w.count()), m(w.count()), v(w.count());
  const AdamOptions options{
      .beta1 = real(0.8), .beta2 = real(0.95), .eps = real(1e-3), .decay = real(decay)};
  const double beta1 = options.beta1, beta2 = options.beta2, rate = real(0.05);
  Adam adam({{"w", w}}, options);
  for (int t = 1; t <= 20; ++t) {
    const Tensor g = normal({5, 7}, 0, 1, random);
    for (Size i = 0; i < w.count(); ++i) {
      m[i] = beta1 * m[i] + (1 - beta1) * g.data()[i];
      v[i] = beta2 * v[i] + (1 - beta2) * g.data()[i] * g.data()[i];
      const double m_hat = m[i] / (1 - std::pow(beta1, t)), v_hat = v[i] / (1 - std::pow(beta2, t));
      expected[i] -= rate * options.decay * expected[i];
      expected[i] -= rate * m_hat / (std::sqrt(v_hat) + options.eps);
    }
    Tensor(w).set_grad(g);
    adam.step(real(rate));
  }
  check_near(w, expected, 100 * eps);
}

TEST_CASE("weight decay shrinks matrices, and leaves vectors and scalars alone") {
  const Tensor matrix = leaf(ones({1, 1})), vector = leaf(ones({1})), scalar = leaf(ones({}));
  Adam adam({{"matrix", matrix}, {"vector", vector}, {"scalar", scalar}}, {.decay = real(0.1)});
  for (const Tensor& w : {matrix, vector, scalar}) set_gradient(w, {0});
  adam.step(real(0.1));
  check_near(matrix, {0.99});
  CHECK(vector.item() == 1);
  CHECK(scalar.item() == 1);
}

TEST_CASE("a tied weight gets both gradients and is stepped once") {
  const Tensor w = leaf(from_values({1, 2}));
  const NamedTensors parameters{{"embedding", w}, {"output", w}};
  backward(sum(w * w) + sum(w * 3));  // gradient 2 w + 3: 5 and 7
  SECTION("by SGD") {
    Sgd sgd(parameters);
    sgd.step(real(0.1));
    check_near(w, {0.5, 1.3});
    REQUIRE(sgd.state().size() == 1);
    CHECK(sgd.state()[0].name == "velocity.embedding");
  }
  SECTION("by Adam") {
    Adam adam(parameters);
    adam.step(real(0.1));
    check_near(w, {0.9, 1.9}, 1e-6);
    CHECK(adam.state().size() == 3);
  }
  SECTION("and counts once in the norm") {
    CHECK(clip_gradients(parameters, 0) == Approx(std::sqrt(74.0)).epsilon(8 * eps));
    CHECK(clip_gradients(parameters, 1) == Approx(std::sqrt(74.0)).epsilon(8 * eps));
    CHECK(clip_gradients(parameters, 0) == Approx(1).epsilon(8 * eps));
  }
}

TEST_CASE("a parameter without a gradient is named, and nothing is stepped") {
  const Tensor a = leaf(ones({2})), b = leaf(ones({2}));
  const NamedTensors parameters{{"first.weight", a}, {"second.weight", b}};
  set_gradient(a, {1, 1});
  const std::string rest =
      ": second.weight has no gradient; call backward() on a loss that depends on it, or leave it "
      "out";
  Sgd sgd(parameters);
  CHECK_THROWS_WITH(sgd.step(1), Equals("sgd" + rest));
  Adam adam(parameters);
  CHECK_THROWS_WITH(adam.step(1), Equals("adam" + rest));
  check_near(a, {1, 1}, 0);
  CHECK(adam.state().back().tensor.item() == 0);
}

TEST_CASE("a step counts as a change of the values") {
  const Tensor w = leaf(from_values({3}));
  const Tensor loss = sum(w * w);
  set_gradient(w, {1});
  Adam({{"w", w}}).step(real(0.1));
  CHECK_THROWS_AS(backward(loss), Error);
}

TEST_CASE("a gradient that two parameters share is neither stepped nor clipped in place") {
  const Tensor a = leaf(ones({2})), b = leaf(ones({2})), shared = from_values({3, 4});
  for (Tensor w : {a, b}) w.set_grad(shared);
  const NamedTensors parameters{{"a", a}, {"b", b}};
  CHECK(clip_gradients(parameters, 1) == Approx(std::sqrt(50.0)).epsilon(8 * eps));
  const double root = std::sqrt(50.0);
  check_near(a.grad(), {3 / root, 4 / root});
  check_near(b.grad(), {3 / root, 4 / root});
  Sgd(parameters, real(0.9)).step(1);
  Adam(parameters).step(1);
  check_near(shared, {3, 4}, 0);
}

TEST_CASE("many parameters are stepped as each alone, bit for bit, by any number of threads") {
  // Sizes around the borders of the ranges that threads share out; together well worth sharing.
  const std::vector<Shape> shapes{{0, 3}, {1, 7},  {1023},  {1024}, {0}, {1025},    {},
                                  {2048}, {5, 41}, {60000}, {13},   {1}, {211, 97}, {0}};
  const auto draw = [&] {
    Random random(11);
    NamedTensors parameters;
    for (const Shape& shape : shapes) {
      parameters.push_back({std::to_string(parameters.size()), leaf(normal(shape, 0, 1, random))});
      parameters.back().tensor.set_grad(normal(shape, 0, 1, random));
    }
    return parameters;
  };
  const auto step_by = [](const NamedTensors& parameters) {
    Adam adam(parameters, {.decay = real(0.1)});
    Sgd sgd(parameters, real(0.5));
    for (int i = 0; i < 2; ++i) adam.step(real(0.01)), sgd.step(real(0.01));
  };
  const NamedTensors alone = draw();
  for (const NamedTensor& one : alone) step_by({one});

  for (const int n : threads_available() ? std::vector{1, 2, 3} : std::vector{1}) {
    const Threads asked(n);
    const NamedTensors together = draw();
    step_by(together);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      INFO(n << " threads, a tensor of " << to_string(shapes[i]));
      CHECK((values(together[i].tensor) == values(alone[i].tensor)));
    }
  }
}
