// Runs of steps of a model's worth of tensors: what was saved goes on as if never stopped, and the
// number of threads changes nothing.
#include <limits>

#include "attention/core/random.hpp"
#include "attention/train/checkpoint.hpp"
#include "attention/train/optimizer.hpp"
#include "reference.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

// A model's worth of shapes: a scalar, vectors around the borders of vector registers, matrices,
// one large enough for several threads. Gradients are drawn anew for each step.
struct Model {
  NamedTensors parameters;
  Model() {
    Random random(1);
    int count = 0;
    for (const Shape& shape :
         {Shape{}, Shape{1}, Shape{7}, Shape{17}, Shape{3, 5}, Shape{0, 4}, Shape{251, 277}})
      parameters.push_back({"p" + std::to_string(count++), leaf(normal(shape, 0, 1, random))});
  }
  void draw_gradients(int step) {
    Random random(2, step);
    for (auto [name, tensor] : parameters) tensor.set_grad(normal(tensor.shape(), 0, 1, random));
  }
  Tensors copy() const {
    Tensors copies;
    for (const auto& [name, tensor] : parameters) copies.push_back(tensor.clone());
    return copies;
  }
};

bool same(const Tensors& a, const Tensors& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (values(a[i]) != values(b[i])) return false;
  return a.size() == b.size();
}

template <class Optimizer>
Tensors after_steps(int threads_used) {
  const Threads asked(threads_used);
  Model model;
  Optimizer optimizer(model.parameters);
  for (int step = 1; step <= 3; ++step) {
    model.draw_gradients(step);
    clip_gradients(model.parameters, 1);
    optimizer.step(real(0.01));
  }
  return model.copy();
}

// Stops half way, saves, goes on with a new model and optimizer from what was saved.
template <class Make>
void check_resumes(Make make) {
  Model whole, first, second;
  auto uninterrupted = make(whole.parameters), before = make(first.parameters);
  for (int step = 1; step <= 6; ++step) {
    whole.draw_gradients(step);
    uninterrupted.step(real(0.01));
    if (step > 3) continue;
    first.draw_gradients(step);
    before.step(real(0.01));
  }
  auto after = make(second.parameters);
  load_tensors(second.parameters, {first.parameters, {}}, "weights");
  load_tensors(after.state(), {before.state(), {}}, "state");
  for (int step = 4; step <= 6; ++step) {
    second.draw_gradients(step);
    after.step(real(0.01));
  }
  CHECK(same(whole.copy(), second.copy()));
  CHECK_FALSE(same(whole.copy(), first.copy()));
}

}  // namespace

TEST_CASE("training from saved state goes on bit for bit") {
  check_resumes([](const NamedTensors& p) { return Sgd(p, real(0.9)); });
  check_resumes([](const NamedTensors& p) { return Adam(p, {.decay = real(0.1)}); });
}

TEST_CASE("steps and norms have the same bits for any number of threads") {
  if (!threads_available()) return;
  const Tensors sgd = after_steps<Sgd>(1), adam = after_steps<Adam>(1);
  for (int n : {2, 3, 4}) {
    CHECK(same(after_steps<Sgd>(n), sgd));
    CHECK(same(after_steps<Adam>(n), adam));
  }
}

TEST_CASE("a step leaves no nodes and asks the system for no memory") {
  Model model;
  Adam adam(model.parameters);
  const auto step = [&](int number) {
    model.draw_gradients(number);
    clip_gradients(model.parameters, 1);
    adam.step(real(0.01));
  };
  step(1);
  step(2);
  const auto nodes = live_nodes(), allocations = system_allocations();
  for (int number = 3; number < 10; ++number) step(number);
  CHECK(live_nodes() == nodes);
  CHECK(system_allocations() == allocations);
}

TEST_CASE("from PyTorch's gradients, Adam's first step is PyTorch's") {
  const auto cases = reference::load("step.txt");
  const reference::Case &start = reference::find(cases, "model"),
                        &end = reference::find(cases, "adam_1");
  const double eps = std::numeric_limits<real>::epsilon();
  NamedTensors parameters;
  for (const auto& [name, numbers] : end.tensors) {
    if (name == "losses") continue;
    parameters.push_back({name, leaf(start.tensor(name))});
    parameters.back().tensor.set_grad(start.tensor("grad." + name));
  }
  Adam adam(parameters);
  adam.step(static_cast<real>(end.number("lr")));
  for (const auto& [name, tensor] : parameters) {
    INFO(name);
    const std::vector<double>& expected = end.values(name).values;
    for (Size i = 0; i < tensor.count(); ++i)
      CHECK(tensor.data()[i] == Approx(expected[i]).epsilon(8 * eps).margin(8 * eps));
  }
}
