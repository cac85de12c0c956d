// attention bench: how long a training step takes (forward, backward, Adam), on random tokens.
#include <sys/resource.h>

#include <algorithm>

#include "attention/nn/module.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "run_folder.hpp"

namespace attention::cli {
namespace {

struct Options {
  int channels = 64, heads = 4, layers = 2, context = 16, batch = 32, vocabulary = 16;
  int threads = 0, steps = 100;
  bool json = false;
};

constexpr int warm_up_steps = 5;

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<double>(usage.ru_maxrss) / (1 << 20);  // bytes there, KiB elsewhere
#else
  return static_cast<double>(usage.ru_maxrss) / (1 << 10);
#endif
}

int bench(const Options& options) {
  use_threads(options.threads);
  Random random(1);
  const Transformer model({.vocabulary = options.vocabulary,
                           .context = options.context,
                           .channels = options.channels,
                           .heads = options.heads,
                           .layers = options.layers,
                           .causal = true},
                          random);
  const NamedTensors weights = parameters(model);
  Adam adam(weights);
  const Shape shape{options.batch, options.context};
  auto random_tokens = [&] {
    std::vector<int> ids(shape.count());
    for (int& id : ids) id = static_cast<int>(random.below(options.vocabulary));
    return Tokens(shape, std::move(ids));
  };

  std::vector<double> times;
  for (int step = 0; step < warm_up_steps + options.steps; ++step) {
    const Tokens input = random_tokens(), targets = random_tokens();
    const double start = seconds();
    backward(cross_entropy(model(input), targets));
    adam.step(real(1e-3));
    clear_gradients(weights);
    if (step >= warm_up_steps) times.push_back(seconds() - start);
  }
  std::nth_element(times.begin(), times.begin() + options.steps / 2, times.end());
  const double median = times[options.steps / 2];
  const double tokens = static_cast<double>(shape.count()) / median;
  if (options.json) {
    fmt::print("{}\n", Json{{"threads", threads()},
                            {"parameters", parameter_count(model)},
                            {"steps", options.steps},
                            {"ms_per_step", 1000 * median},
                            {"tokens_per_second", tokens},
                            {"peak_mib", peak_mib()}}
                           .dump());
  } else {
    fmt::print(
        "{:.2f} ms a step (median of {}), {:.0f} tokens/s, {} thread{}, {} parameters, "
        "peak {:.0f} MiB\n",
        1000 * median, options.steps, tokens, threads(), threads() == 1 ? "" : "s",
        parameter_count(model), peak_mib());
  }
  return 0;
}

}  // namespace

Command add_bench(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto number = [&](const char* name, int& value, const char* what) {
    add_count(app, name, value, what)->capture_default_str();
  };
  number("--channels", options->channels, "d_model");
  number("--heads", options->heads, "attention heads in each layer");
  number("--layers", options->layers, "blocks");
  number("--context", options->context, "tokens in a sequence");
  number("--batch", options->batch, "sequences a step");
  number("--vocabulary", options->vocabulary, "different tokens");
  number("--steps", options->steps, "steps to time");
  add_threads(app, options->threads);
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return bench(*options); };
}

}  // namespace attention::cli
