#include <cmath>
#include <sstream>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/tensor/autograd.hpp"
#include "trainer.hpp"

namespace attention::cli {
namespace {

Schedule make_schedule(const Settings& settings) {
  return {.kind = schedule_kind(settings.schedule),
          .rate = static_cast<real>(settings.rate),
          .warmup = settings.warmup,
          .steps = settings.steps,
          .channels = settings.channels};
}

// The double that prints as short as the float it came from: 0.001 rather than 0.00100000005.
double tidy(real x) { return std::stod(fmt::format("{}", x)); }

}  // namespace

Trainer::Trainer(const Run& run, const Task& task)
    : run(run),
      task(task),
      model(make_model(run)),
      weights(model->weights()),
      optimizer(weights, {.decay = static_cast<real>(run.settings.decay)}),
      schedule(make_schedule(run.settings)) {}

double Trainer::take_step() {
  ++step;
  Random random(run.settings.seed, static_cast<std::uint64_t>(step));
  const BatchSize size{run.settings.batch, run.settings.accumulate};
  const BatchLoss loss = model->loss(task, size, random, [&](const Tensor& part) {
    check(part.item());
    backward(part);
  });
  clip_gradients(weights, static_cast<real>(run.settings.clip));
  optimizer.step(schedule(step));
  clear_gradients(weights);
  tokens += loss.tokens;
  const double mean = tidy(static_cast<real>(loss.mean));
  note({{"step", step}, {"loss", mean}, {"rate", tidy(schedule(step))}});
  return mean;
}

void Trainer::check(double loss) const {
  if (!std::isfinite(loss))
    fail("the loss is {} at step {}; a lower --rate or a --clip of 1 usually helps",
         std::isnan(loss) ? "not a number" : "infinite", step);
}

void Trainer::note(const Json& line) { log += line.dump() + "\n"; }

// What it takes to go on: the weights, and what the optimizer remembers.
NamedTensors Trainer::state() const {
  NamedTensors state = weights;
  for (const auto& [name, tensor] : optimizer.state())
    state.push_back({"optimizer." + name, tensor});
  return state;
}

// The log goes first: if the rest does not follow, load() leaves its last lines out. run.json goes
// last: before it is there, the folder is not taken for a run's.
void Trainer::save(const Folder& folder) const {
  const Metadata about{{"step", std::to_string(step)}, {"settings", settings_text(run)}};
  write_file(folder.log(), log);
  if (step < run.settings.steps) save_checkpoint(folder.training(), state(), about);
  save_checkpoint(folder.model(), weights, about);
  save_run(folder, run);
}

void Trainer::load(const Folder& folder) {
  if (!std::filesystem::exists(folder.training()))
    fail("{}: this run is finished; there is nothing to go on with", folder.path.string());
  const Checkpoint checkpoint = load_checkpoint(folder.training(), run);
  try {
    step = std::stoll(checkpoint.metadata.at("step"));
    std::istringstream lines(read_file(folder.log()));
    for (std::string line; std::getline(lines, line);)
      if (const Json json = Json::parse(line); json.at("step") <= step) note(json);
  } catch (const std::exception& error) {
    fail("{}: the step or the log of this run cannot be read: {}", folder.path.string(),
         error.what());
  }
  load_tensors(state(), checkpoint, folder.training().string());
}

}  // namespace attention::cli
