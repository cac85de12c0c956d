// attention bench: how long a training step takes (forward, backward, Adam), on random tokens.
#include <sys/resource.h>

#include <algorithm>
#include <map>

#include "attention/nn/module.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "commands.hpp"
#include "memory.hpp"
#include "progress.hpp"
#include "run_json.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

struct Sizes {
  int channels, heads, layers, context, batch, vocabulary;
};

// baby and babybig are nanoGPT's models of Shakespeare's characters, for a CPU and for a GPU.
const std::map<std::string, Sizes> configs = {{"tiny", {64, 4, 2, 16, 32, 16}},
                                              {"small", {128, 4, 4, 64, 32, 64}},
                                              {"baby", {128, 4, 4, 64, 12, 65}},
                                              {"babybig", {384, 6, 6, 256, 4, 65}}};

struct BenchArguments {
  Sizes sizes = configs.at("tiny");
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

int bench(const BenchArguments& options) {
  use_threads(options.threads);
  const Sizes& sizes = options.sizes;
  const TransformerConfig config = checked({.vocabulary = sizes.vocabulary,
                                            .context = sizes.context,
                                            .channels = sizes.channels,
                                            .heads = sizes.heads,
                                            .layers = sizes.layers,
                                            .causal = true});
  check_sequences("--batch", sizes.batch, sizes.context);
  check_step(config, sizes.batch);
  Random random(1);
  const Transformer model(config, random);
  const NamedTensors weights = parameters(model);
  Adam adam(weights);
  const Shape shape{sizes.batch, sizes.context};
  auto random_tokens = [&] {
    std::vector<int> ids(shape.count());
    for (int& id : ids) id = static_cast<int>(random.below(sizes.vocabulary));
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
        "{:.2f} ms a step (median of {}), {:.0f} tokens/s, {}, {} parameters, peak {:.0f} MiB\n",
        1000 * median, options.steps, tokens, counted(threads(), "thread"), parameter_count(model),
        peak_mib());
  }
  return 0;
}

}  // namespace

Command add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchArguments>();
  auto number = [&](const char* name, int& value, const char* what) {
    add_count(app, name, value, what)->capture_default_str();
  };
  app.add_option_function<std::string>(
         "--config", [options](const std::string& name) { options->sizes = configs.at(name); },
         "tiny, small, baby or babybig; the options below change its sizes")
      ->type_name("NAME")
      ->check(CLI::IsMember({"tiny", "small", "baby", "babybig"}).description(""))
      ->trigger_on_parse();
  Sizes& sizes = options->sizes;
  number("--channels", sizes.channels, "numbers a token is made of (d_model)");
  number("--heads", sizes.heads, "attention heads in each block");
  number("--layers", sizes.layers, "blocks");
  number("--context", sizes.context, "tokens in a sequence");
  number("--batch", sizes.batch, "sequences a step");
  number("--vocabulary", sizes.vocabulary, "different tokens");
  number("--steps", options->steps, "steps to time");
  add_threads(app, options->threads);
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return bench(*options); };
}

}  // namespace attention::cli
