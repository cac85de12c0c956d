// That a training step, once it has been taken before, asks the system for no memory: whatever a
// graph is made of comes from the pool. Calls of operator new are counted here for the whole
// program; the pool counts its own calls of the system.
#include <atomic>
#include <cstdlib>
#include <new>

#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "tensor_test.hpp"

namespace {
std::atomic<std::uint64_t> calls = 0;
}

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++calls;
  return std::malloc(bytes > 0 ? bytes : 1);
}
void* operator new(std::size_t bytes) {
  if (void* const block = operator new(bytes, std::nothrow)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

using namespace attention;

namespace {

struct Counts {
  std::uint64_t calls, allocations, nodes;
};
Counts counts() { return {calls, system_allocations(), live_nodes()}; }

}  // namespace

TEST_CASE("operator new is counted") {
  const std::uint64_t before = calls;
  int* volatile kept = new int(3);  // volatile, or the compiler leaves both out
  delete kept;
  const std::uint64_t after = calls;
  CHECK(after == before + 1);
}

TEST_CASE("a tensor, its graph and its gradients ask for no new memory") {
  const Tensor w = leaf(drawn({17, 13})), gain = leaf(ones({13})), bias = leaf(zeros({13}));
  const Tensor x = drawn({2, 5, 17}, 2);
  const Mask mask = causal_mask(5);
  Random random(1);
  const auto step = [&] {
    const Tensor hidden = layer_norm(gelu(linear(x, w, bias)), gain, bias);
    const Tensor mixed = attend(hidden, hidden, dropout(hidden, real(0.25), random), mask);
    const Tensor parts =
        permute(slice(mixed * hidden + exp(mean(mixed, {0, 2}, keep)), 1, 1, 4), {1, 0, 2});
    backward(sum(max(log_softmax(parts, -1), 0) / 3) - variance(relu(parts)));
    for (Tensor leaf : {w, gain, bias}) leaf.clear_grad();
  };
  for (int i = 0; i < 3; ++i) step();
  const Counts before = counts();
  for (int i = 0; i < 5; ++i) step();
  const Counts after = counts();
  CHECK(after.calls - before.calls == 0);
  CHECK(after.allocations == before.allocations);
  CHECK(after.nodes == before.nodes);
}

TEST_CASE("a training step of a transformer asks for no new memory") {
  Random random(1);
  const Transformer model(
      {.vocabulary = 11, .context = 7, .channels = 12, .heads = 3, .layers = 2, .causal = true},
      random);
  const NamedTensors weights = parameters(model);
  Adam adam(weights);
  const Tokens input(Shape{2, 7}, std::vector<int>(14, 3)),
      targets(Shape{2, 7}, std::vector<int>(14, 5));
  const auto step = [&] {
    backward(cross_entropy(model(input), targets));
    adam.step(real(1e-3));
    clear_gradients(weights);
  };
  for (int i = 0; i < 3; ++i) step();
  const Counts before = counts();
  step();
  const Counts after = counts();
  CHECK(after.calls - before.calls == 0);
  CHECK(after.allocations == before.allocations);
  CHECK(after.nodes == before.nodes);
}
