// Training leaves nothing behind: after each step of a model on each task, the live nodes are the
// parameters, what the optimizer keeps, and the tables of positions; and memory after 20,000 steps
// is that after 200.
#include <catch2/catch.hpp>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "attention/core/memory.hpp"
#include "attention/nn/encoder_decoder.hpp"
#include "attention/nn/module.hpp"
#include "attention/tasks/task.hpp"
#include "attention/tasks/translation.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"

using namespace attention;

namespace {

std::unique_ptr<Task> make_task(const TaskEntry& entry) {
  if (entry.name != "text") return entry.make({});
  return entry.make({.text_file = ATTENTION_DATA_DIR "/README.md", .context = 9});
}

// Models with all that a model can have.
std::vector<TransformerConfig> configs(Size vocabulary, Size context, bool causal) {
  TransformerConfig config{.vocabulary = vocabulary,
                           .context = context,
                           .channels = 12,
                           .heads = 3,
                           .layers = 1,
                           .causal = causal,
                           .dropout = real(0.1)};
  std::vector<TransformerConfig> all{config};
  config.tied = true;
  config.norm = NormPlacement::post;
  config.positions = PositionKind::learned;
  all.push_back(config);
  return all;
}

Tensor loss_of(const Transformer& model, const Task& task, Random& random) {
  const Batch batch = task.batch(3, random);
  return cross_entropy(model(batch.input), batch.targets);
}

Tensor loss_of(const EncoderDecoder& model, const Translation& task, Random& random) {
  const PairBatch batch = task.batch(3, random);
  return cross_entropy(model(batch.source, batch.source_lengths, batch.input), batch.targets);
}

// Steps of two batches each, as long as `after` says to go on: it is asked after each step.
template <class Model, class Data, class After>
void train(const Model& model, const Data& task, After after) {
  const NamedTensors weights = parameters(model);
  Adam adam(weights, {.decay = real(0.01)});
  for (int step = 1;; ++step) {
    Random random(1, step);
    for (int micro_batch = 0; micro_batch < 2; ++micro_batch) {
      const Training training(random);
      backward(loss_of(model, task, random));
    }
    clip_gradients(weights, 1);
    adam.step(real(0.01));
    clear_gradients(weights);
    if (!after(step)) return;
  }
}

template <class Model, class Data>
void check_nodes(const TransformerConfig& config, const Data& task) {
  const auto before = live_nodes();
  {
    Random random(1);
    const Model model(config, random);
    const std::size_t count = parameters(model).size();
    const bool translates = std::is_same_v<Model, EncoderDecoder>;
    const std::size_t tables = config.positions == PositionKind::sinusoidal ? 1 + translates : 0;
    const std::size_t kept = 2 * count + 1;  // by Adam: two moments of each, and the steps
    train(model, task, [&](int step) {
      CHECK(live_nodes() == before + count + tables + kept);
      return step < 4;
    });
  }
  CHECK(live_nodes() == before);
}

// What a program holds: blocks of the pool, which gives none back, and bytes of everything else,
// where the C library can say.
struct Held {
  std::uint64_t blocks = system_allocations();
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  std::size_t bytes = mallinfo2().uordblks;
#else
  std::size_t bytes = 0;
#endif
};

}  // namespace

TEST_CASE("after each step the live nodes are those of the parameters, for every task") {
  for (const TaskEntry& entry : tasks()) {
    INFO(entry.name);
    const auto task = make_task(entry);
    for (const auto& config : configs(task->alphabet().size(), task->context(), task->causal()))
      check_nodes<Transformer>(config, *task);
    if (const auto translation = task->translation())
      for (const auto& config : configs(translation->vocabulary(), translation->context(), false))
        check_nodes<EncoderDecoder>(config, *translation);
  }
}

TEST_CASE("memory after 20,000 steps is that after 200") {
  const auto task = find_task("sort").make({});
  Random random(1);
  const Transformer model({.vocabulary = 3,
                           .context = 6,
                           .channels = 4,
                           .heads = 2,
                           .layers = 1,
                           .hidden = 5,
                           .dropout = real(0.1)},
                          random);
  Held early, late;
  train(model, *task, [&](int step) {
    if (step == 200) early = Held();
    if (step == 20000) late = Held();
    return step < 20000;
  });
  CHECK(late.blocks == early.blocks);
  CHECK(late.bytes == early.bytes);
}
