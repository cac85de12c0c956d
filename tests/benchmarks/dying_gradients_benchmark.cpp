// Do gradients that die out slow training down? Numbers below the smallest normal one cost many
// processors a multiple of the usual time (see core/denormals.hpp). Three runs of a small
// transformer on one batch, 100,000 steps each (or as many as the command line says): the times of
// the first thousand steps and of the last. About two minutes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "benchmark.hpp"

using namespace attention;

namespace {

constexpr int thousand = 1000;

// What the loss is multiplied by at a step, and so every gradient.
struct Run {
  const char* name;
  double (*factor)(double step, double steps);
};
constexpr Run runs[] = {
    {"fitted", [](double, double) { return 1.0; }},  // as far as it goes
    // Only the optimizer's moments go on, and decay.
    {"cut off", [](double step, double) { return step <= thousand ? 1.0 : 0.0; }},
    // By and by to 1e-38, which leaves no gradient a normal number.
    {"fading", [](double step, double steps) { return std::exp(-88 * step / steps); }},
};

Tokens random_tokens(const Shape& shape, Size vocabulary, Random& random) {
  std::vector<int> ids(shape.count());
  for (int& id : ids) id = static_cast<int>(random.below(vocabulary));
  return Tokens(shape, std::move(ids));
}

// The seconds that each step took.
std::vector<double> times(const Run& run, int steps) {
  using Clock = std::chrono::steady_clock;
  Random random(1);
  const Transformer model(
      {.vocabulary = 11, .context = 8, .channels = 32, .layers = 1, .causal = true}, random);
  const NamedTensors weights = parameters(model);
  const Tokens input({4, 8}, std::vector<int>(32, 3));  // cannot be fitted: some error remains
  const Tokens targets = random_tokens({4, 8}, 11, random);
  Adam adam(weights);
  std::vector<double> seconds;
  for (int step = 1; step <= steps; ++step) {
    const auto start = Clock::now();
    backward(cross_entropy(model(input), targets) * real(run.factor(step, steps)));
    adam.step(real(1e-3));
    clear_gradients(weights);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return seconds;
}

struct Thousand {
  double sum, quick;  // of the steps' times; quick: one that nothing else disturbed

  explicit Thousand(std::vector<double>::const_iterator first) {
    std::vector<double> sorted(first, first + thousand);
    sum = std::accumulate(sorted.begin(), sorted.end(), 0.0);
    std::sort(sorted.begin(), sorted.end());
    quick = sorted[thousand / 20];
  }
};

}  // namespace

int main(int argc, char** argv) {
  benchmarks::wait_briefly(argv);
  const int steps = std::max(thousand, argc > 1 ? std::atoi(argv[1]) : 100 * thousand);
  fmt::print("{} steps; ms for a thousand of them, us for a quick one (1 of 20)\n", steps);
  fmt::print("{:8} {:>14} {:>14} {:>7} {:>7}\n", "", "first", "last", "ratio", "quick");
  for (const Run& run : runs) {
    const std::vector<double> seconds = times(run, steps);
    const Thousand first(seconds.begin()), last(seconds.end() - thousand);
    fmt::print("{:8} {:7.1f} {:6.1f} {:7.1f} {:6.1f} {:7.2f} {:7.2f}\n", run.name, 1e3 * first.sum,
               1e6 * first.quick, 1e3 * last.sum, 1e6 * last.quick, last.sum / first.sum,
               last.quick / first.quick);
    std::fflush(stdout);
  }
}
