// What dies out becomes 0 and does not linger among the denormals, where many processors are slow:
// in kernels on every thread, in gradients, in the optimizers' moments. Outside, nothing changes.
#include <algorithm>
#include <cmath>

#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "attention/train/optimizer.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

const real least = std::numeric_limits<real>::min();  // the least normal number

// Computed here and now, by no compiler.
real product(real a, real b) {
  volatile real x = a, y = b;
  return x * y;
}

bool keeps_denormals() { return product(least, real(0.5)) > 0; }

std::vector<int> possible_threads() {
  return threads_available() ? std::vector{1, 2, 4} : std::vector{1};
}

Size denormals(const Tensor& x) {
  return std::count_if(x.data(), x.data() + x.count(),
                       [](real value) { return std::fpclassify(value) == FP_SUBNORMAL; });
}

bool all_zero(const Tensor& x) {
  return std::all_of(x.data(), x.data() + x.count(), [](real value) { return value == 0; });
}

// One step with gradients around so much, then steps without any until nothing is left of it.
template <class Optimizer>
void check_dies_out(Optimizer optimizer, Tensor weight, real gradient) {
  weight.set_grad(drawn(weight.shape(), 2) * gradient);
  optimizer.step(real(0.1));
  weight.set_grad(zeros(weight.shape()));
  const auto moments = [&] {
    NamedTensors state = optimizer.state();
    std::erase_if(state, [](const NamedTensor& part) { return part.name == "steps"; });
    return state;
  };
  Size met = 0;
  for (const auto& [name, tensor] : moments()) REQUIRE_FALSE(all_zero(tensor));
  for (int step = 0; step < 5000; ++step) {
    optimizer.step(real(0.1));
    for (const auto& [name, tensor] : moments()) met += denormals(tensor);
  }
  CHECK(met == 0);
  for (const auto& [name, tensor] : moments()) {
    INFO(name);
    CHECK(all_zero(tensor));
  }
}

}  // namespace

TEST_CASE("inside a range denormals are 0 on every thread, and outside they are numbers") {
  for (const int n : possible_threads()) {
    const Threads asked(n);
    for (const Size work : {Size(1), parallel_threshold}) {
      INFO(n << " threads, work " << work);
      std::vector<real> results(64, 1);
      parallel_for(64, 1, work, [&](Size begin, Size end) {
        parallel_for(1, 1, 1, [](Size, Size) {});  // ends before the outer one does
        for (Size i = begin; i < end; ++i) results[i] = product(least, real(0.5));
      });
      CHECK(results == std::vector<real>(64, 0));
      CHECK(keeps_denormals());
    }
    CHECK_THROWS(parallel_for(64, 1, parallel_threshold, [](Size, Size) { fail("stopped"); }));
    CHECK(keeps_denormals());
  }
}

#ifndef __aarch64__  // which cannot do one without the other
TEST_CASE("a denormal that is given is read as what it is") {
  const double given = product(least, real(0.25));
  CHECK(log(Tensor(real(given))).item() == Approx(std::log(given)));
  CHECK((Tensor(real(given)) * 8).item() == real(8 * given));
}
#endif

TEST_CASE("no gradient of a model is a denormal, however small the loss") {
  Random random(1);
  const Transformer model(
      {.vocabulary = 11, .context = 5, .channels = 12, .heads = 3, .layers = 1, .causal = true},
      random);
  const Tokens ids({2, 5}, {1, 2, 3, 4, 5, 10, 9, 8, 7, 6});
  const NamedTensors weights = parameters(model);
  Size met = 0, zero = 0, normal = 0;
  for (const real factor : {100, 1}) {
    backward(cross_entropy(model(ids), ids) * (factor * least));
    for (const auto& [name, tensor] : weights) {
      const Tensor gradient = tensor.grad();
      met += denormals(gradient);
      zero += std::count(gradient.data(), gradient.data() + gradient.count(), real(0));
      normal += gradient.count();
    }
    clear_gradients(weights);
  }
  normal -= met + zero;
  CHECK(met == 0);
  CHECK(zero > 0);  // the loss was small enough
  CHECK(normal > 0);
}

TEST_CASE("a weight of attention is 0 or a normal number") {
  const real far = in_double ? -720 : -95;  // e^-720 and e^-95 are denormals
  const Tensor weights = softmax(from_values({0, far, 0, far / 2}, {2, 2}), -1);
  CHECK(weights.at({0, 1}) == 0);
  CHECK(weights.at({1, 1}) > 0);
}

TEST_CASE("without gradients the moments of an optimizer become 0, and no denormals on the way") {
  const auto weight = [] { return leaf(drawn({7, 5})); };
  const real small = 8 * std::sqrt(least);  // its square, times 1 - beta2, is just a normal number
  const Tensor w = weight(), u = weight();
  check_dies_out(Adam({{"w", w}}, {.beta2 = real(0.95)}), w, small);
  check_dies_out(Sgd({{"u", u}}, real(0.9)), u, small);
}

TEST_CASE("moments that die out have the same bits for any number of threads") {
  const auto moments = [](int n) {
    const Threads asked(n);
    const Tensor w = leaf(drawn({211, 307}));
    REQUIRE(w.count() * 8 > parallel_threshold);
    Adam adam({{"w", w}});
    Tensor(w).set_grad(drawn(w.shape(), 2) * (1000 * least));
    for (int step = 0; step < 40; ++step) {
      adam.step(real(0.1));
      Tensor(w).set_grad(zeros(w.shape()));
    }
    return values(adam.state().front().tensor);
  };
  const std::vector<real> one = moments(1);
  const auto zeros = std::count(one.begin(), one.end(), real(0));
  CHECK(zeros > 0);
  CHECK(zeros < Size(one.size()));
  for (const int n : possible_threads()) CHECK((moments(n) == one));
}
