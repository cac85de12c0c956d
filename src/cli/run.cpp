#include "run.hpp"

#include "attention/core/error.hpp"
#include "attention/tasks/translation.hpp"

namespace attention::cli {

namespace {

// The ids of an unseen input; for an encoder-decoder one of middling length, without its end mark.
std::vector<int> sample_of(const Settings& settings, const Task& task) {
  if (!settings.encoder_decoder) {
    const Batch unseen = task.unseen(1);
    std::vector<int> ids = unseen.input.ids;
    for (auto last = unseen.targets.ids.rbegin(); last != unseen.targets.ids.rend() && *last == -1;)
      ++last, ids.pop_back();  // what fills up a shorter sequence
    return ids;
  }
  const auto translation = task.translation();
  const int length = (translation->shortest() + translation->longest()) / 2;
  std::vector<int> ids = translation->unseen(1, length).source.ids;
  ids.pop_back();
  return ids;
}

}  // namespace

Run describe(const Settings& settings, const Task& task) {
  return {.settings = settings,
          .symbols = task.alphabet().symbols(),
          .causal = task.causal(),
          .writing = task.writing(),
          .fingerprint = task.fingerprint(),
          .sample = task.alphabet().decode(sample_of(settings, task))};
}

std::unique_ptr<Task> make_task(const Settings& settings) {
  // An encoder-decoder's context goes by its longest sequence, not by the task's.
  const int context = settings.encoder_decoder ? 0 : settings.context;
  return find_task(settings.task).make({settings.text, context});
}

std::unique_ptr<Task> make_task(const Run& run) {
  std::unique_ptr<Task> task;
  try {
    task = make_task(run.settings);
  } catch (const Error& error) {
    fail("the data that the model was trained on cannot be had: {}", error.what());
  }
  if (task->fingerprint() != run.fingerprint)
    fail(
        "{} has changed since the model was trained on it; train again, or bring the old text back",
        run.settings.text);
  if (task->alphabet().symbols() != run.symbols)
    fail("the symbols in run.json are not those of {}, which the model was trained on",
         run.settings.text);
  return task;
}

TransformerConfig model_config(const Run& run, Size vocabulary) {
  const Settings& s = run.settings;
  return {.vocabulary = vocabulary,
          .context = s.context,
          .channels = s.channels,
          .heads = s.heads,
          .layers = s.layers,
          .hidden = s.hidden,
          .causal = run.causal,
          .tied = s.tie,
          .dropout = static_cast<real>(s.dropout),
          .positions = position_kind(s.positions),
          .norm = norm_placement(s.norm)};
}

}  // namespace attention::cli
