#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/tensor/anomaly.hpp"
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
  if (!anomaly) return step_once();
  try {
    const AnomalyMode mode(weights);
    return step_once();
  } catch (const Anomaly& error) {
    fail("step {}: {}", step, error.what());
  }
}

double Trainer::step_once() {
  Random random(run.settings.seed, static_cast<std::uint64_t>(step));
  const BatchSize size{run.settings.batch, run.settings.accumulate};
  const BatchLoss loss = model->loss(task, size, random, [&](const Tensor& part) {
    if (!anomaly) check_loss(part.item());  // else backward() says more
    backward(part);
  });
  check_gradients(clip_gradients(weights, static_cast<real>(run.settings.clip)), loss.mean);
  optimizer.step(schedule(step));
  check_weights();
  clear_gradients(weights);
  tokens += loss.tokens;
  const double mean = tidy(static_cast<real>(loss.mean));
  note({{"step", step}, {"loss", mean}, {"rate", tidy(schedule(step))}});
  return mean;
}

void Trainer::check_loss(double loss) const {
  if (!std::isfinite(loss))
    diverged(fmt::format("the loss is {}", std::isnan(loss) ? "not a number" : "infinite"));
}

// Before Adam makes NaN of every weight; or stops them all, dividing by an infinite mean of
// squares.
void Trainer::check_gradients(double norm, double loss) const {
  const double clip = run.settings.clip, left = clip > 0 ? std::min(norm, clip) : norm;
  if (!std::isfinite(norm))
    diverged(fmt::format("the gradients are not finite (the loss is {:.4g})", loss));
  if (left > std::sqrt(std::numeric_limits<real>::max()))
    fail(
        "the gradients have a norm of {:.3g} at step {}, and Adam cannot square them in float; a "
        "--clip of 1 helps",
        norm, step);
}

void Trainer::check_weights() const {
  for (const auto& [name, tensor] : weights) {
    if (all_finite(tensor)) continue;
    if (!anomaly) diverged("the optimizer has made weights that are not finite");
    fail(
        "step {}: anomaly in the optimizer's step: {} {}: {}; the rate, {:.3g}, or the weight "
        "decay, {:.3g}, is too high",
        step, name, tensor.shape(), not_finite(tensor), schedule(step), run.settings.decay);
  }
}

void Trainer::diverged(const std::string& what) const {
  throw Diverged(
      fmt::format("{} at step {}; a lower --rate or a --clip of 1 usually helps", what, step));
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
  for (const auto& [name, tensor] : state())
    if (!all_finite(tensor)) diverged(name + " is not finite");
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
