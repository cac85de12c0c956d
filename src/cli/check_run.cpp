// Somebody asks for a run; or has edited a run.json, or an accident has. Whatever it says is tried
// here on numbers alone, before anything is made of it; what the task decides is asked of the task.
#include "check_run.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "attention/core/error.hpp"
#include "attention/tasks/translation.hpp"
#include "attention/train/schedule.hpp"

namespace attention::cli {
namespace {

// In `real`, in which a model computes, what is larger would be infinite, and what is smaller 0.
void check_range(const char* name, double value) {
  constexpr double least = std::numeric_limits<real>::min(),
                   most = std::numeric_limits<real>::max();
  if (value != 0 && !(value >= least && value <= most))
    fail("{} is {}, where {:.2g} to {:.2g} are possible", name, value, least, most);
}

void check_amounts(const Run& run) {
  const Settings& s = run.settings;
  const auto from_0 = [](const char* name, double value) {
    if (!(value >= 0)) fail("{} is {}, where a number from 0 is needed", name, value);
    check_range(name, value);
  };
  from_0("clip", s.clip), from_0("decay", s.decay), from_0("temperature", run.writing.temperature);
  if (!(s.rate > 0)) fail("rate is {}, where a number above 0 is needed", s.rate);
  check_range("rate", s.rate);
  if (s.accumulate > s.batch)
    fail("accumulate is {}, where at most the batch of {} is possible", s.accumulate, s.batch);
  const auto dropout = static_cast<real>(s.dropout);  // as the model sees it
  if (!(dropout >= 0 && dropout < 1))
    fail("dropout is {}, where a number from 0 to below 1 is needed", s.dropout);
}

void check_schedule(const Settings& s) {
  const Schedule schedule{.kind = schedule_kind(s.schedule),
                          .warmup = s.warmup,
                          .steps = s.steps,
                          .channels = s.channels};
  schedule(1);
}

// A text may be gone, and its model still writes: so only what holds for the model of any text.
void check_text(const Run& run) {
  const std::string& file = run.settings.text;
  if (file.empty()) fail("text is empty, where a file's name is needed");
  if (file.find('\0') != file.npos) fail("text holds a zero byte, which no file's name does");
  if (!run.causal) fail("causal is false, but the model of a text is causal");
  if (Alphabet(run.symbols).has_words()) fail("symbols are words, but those of a text are letters");
  if (!std::is_sorted(run.symbols.begin(), run.symbols.end()))
    fail("symbols are not in the rising order of a text's");
}

// Tasks that make their own data are always the same, and some take their time to make it.
const Task& made_task(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Task>> made;
  const TaskEntry& entry = find_task(name);
  std::unique_ptr<Task>& task = made[entry.name];
  if (!task) task = entry.make({});
  return *task;
}

void check_task(const Run& run) {
  const Settings& s = run.settings;
  if (s.encoder_decoder && !find_task(s.task).translates)
    fail("encoder_decoder is true, but {} is no task for it", s.task);
  if (s.task == "text") return check_text(run);
  if (!s.text.empty()) fail("text is '{}', but {} makes its own data", s.text, s.task);
  const Task& task = made_task(s.task);
  const int context = s.encoder_decoder ? task.translation()->context() : task.context();
  if (s.context != context) fail("context is {}, but that of {} is {}", s.context, s.task, context);
  if (run.causal != task.causal())
    fail("causal is {}, but {} is {}", run.causal, s.task, task.causal());
  if (run.symbols != task.alphabet().symbols()) fail("symbols are not those of {}", s.task);
}

void check_sample(const Run& run) {
  const std::size_t count = Alphabet(run.symbols).encode(run.sample).size();
  if (count < 1 || count > static_cast<std::size_t>(run.settings.context))
    fail("sample has {} symbols, where 1 to {} are needed", count, run.settings.context);
}

}  // namespace

void check_run(const Run& run) {
  check_amounts(run);
  check_schedule(run.settings);
  check_task(run);
  checked(model_config(run, static_cast<Size>(run.symbols.size())));
  check_sample(run);
}

}  // namespace attention::cli
