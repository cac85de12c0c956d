// A training step (forward, backward, Adam, clearing the gradients) of four models: causal,
// normalized before each part, GELU; and Adam's part alone. `attention bench` times whole steps
// from the command line; compare_pytorch.sh sets that beside PyTorch.
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "benchmark.hpp"

using namespace attention;
using namespace attention::benchmarks;

namespace {

struct Config {
  const char* name;
  int channels, heads, layers, context, batch, vocabulary;  // C H layers T B V
};
constexpr Config configs[] = {{"tiny", 64, 4, 2, 16, 32, 16},
                              {"small", 128, 4, 4, 64, 32, 64},
                              {"baby", 128, 4, 4, 64, 12, 65},
                              {"babybig", 384, 6, 6, 256, 4, 65}};

// Those of the matrix products. A token meets each weight once, and each of the T positions twice
// in every layer (scores and values); backward does twice what forward does.
double flops(const Config& c) {
  const double C = c.channels, T = c.context, layer = 12 * C * C + 2 * T * C;
  return 3 * 2 * c.batch * T * (c.layers * layer + C * c.vocabulary);
}

Tokens random_tokens(const Config& config, Random& random) {
  const Shape shape{config.batch, config.context};
  std::vector<int> ids(shape.count());
  for (int& id : ids) id = static_cast<int>(random.below(config.vocabulary));
  return Tokens(shape, std::move(ids));
}

// Adds the seconds since its last call to one of several sums.
struct Stopwatch {
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
  void add_to(double& sum) {
    const Clock::time_point now = Clock::now();
    sum += std::chrono::duration<double>(now - std::exchange(last, now)).count();
  }
};

Transformer make(const Config& config, Random& random) {
  return Transformer({.vocabulary = config.vocabulary,
                      .context = config.context,
                      .channels = config.channels,
                      .heads = config.heads,
                      .layers = config.layers,
                      .causal = true},
                     random);
}

// Adam's step reads and writes the weights and both means, and reads the gradients.
void adam_steps(benchmark::State& state, const Config& config) {
  Random random(1);
  const NamedTensors weights = parameters(make(config, random));
  Size count = 0;
  for (auto [name, weight] : weights) {
    weight.set_grad(normal(weight.shape(), 0, 1, random));
    count += weight.count();
  }
  Adam adam(weights);
  time_runs(state, {.bytes = 7.0 * sizeof(real) * static_cast<double>(count)},
            [&] { adam.step(real(1e-3)); });
}

void steps(benchmark::State& state, const Config& config) {
  Random random(1);
  const Transformer model = make(config, random);
  const NamedTensors weights = parameters(model);
  Adam adam(weights);
  const Tokens input = random_tokens(config, random), targets = random_tokens(config, random);

  double forward = 0, back = 0, update = 0;
  const auto step = [&] {
    Stopwatch watch;
    const Tensor loss = cross_entropy(model(input), targets);
    watch.add_to(forward);
    backward(loss);
    watch.add_to(back);
    adam.step(real(1e-3));
    clear_gradients(weights);
    watch.add_to(update);
  };
  for (int warm_up = 0; warm_up < 2; ++warm_up) step();
  forward = back = update = 0;
  for ([[maybe_unused]] auto _ : state) step();

  const auto milliseconds = [](double sum) {
    return benchmark::Counter(1000 * sum, benchmark::Counter::kAvgIterations);
  };
  state.counters["forward_ms"] = milliseconds(forward);
  state.counters["backward_ms"] = milliseconds(back);
  state.counters["adam_ms"] = milliseconds(update);
  show_rate(state, "GFLOP", flops(config));
}

}  // namespace

int main(int argc, char** argv) {
  wait_briefly(argv);
  for (const Config& config : configs) {
    add(fmt::format("step/{}", config.name), [&](benchmark::State& state) { steps(state, config); })
        ->Unit(benchmark::kMillisecond)
        ->MinTime(2);
    add(fmt::format("adam/{}", config.name),
        [&](benchmark::State& state) { adam_steps(state, config); });
  }
  return run_all(argc, argv);
}
