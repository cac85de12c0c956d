#include <cmath>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/nn/module.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/checkpoint.hpp"
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
      weights(parameters(model)),
      optimizer(weights, {.decay = static_cast<real>(run.settings.decay)}),
      schedule(make_schedule(run.settings)) {}

double Trainer::take_step() {
  ++step;
  Random random(run.settings.seed, static_cast<std::uint64_t>(step));
  const Batch batch = task.batch(run.settings.batch, random);
  Tensor loss;
  {
    Training training(random);
    loss = cross_entropy(model(batch.input), batch.targets);
  }
  const double value = tidy(loss.item());
  if (!std::isfinite(value))
    fail("the loss is {} at step {}; a lower --rate or a --clip of 1 usually helps", value, step);
  backward(loss);
  clip_gradients(weights, static_cast<real>(run.settings.clip));
  optimizer.step(schedule(step));
  clear_gradients(weights);
  log.push_back({{"step", step}, {"loss", value}, {"rate", tidy(schedule(step))}});
  return value;
}

void Trainer::save(const Folder& folder, bool finished) const {
  std::string lines;
  for (const Json& line : log) lines += line.dump() + "\n";
  if (!finished) {
    NamedTensors state = weights;
    for (const NamedTensor& item : optimizer.state())
      state.push_back({"optimizer." + item.name, item.tensor});
    save_checkpoint(folder.training(), state, {{"step", std::to_string(step)}, {"log", lines}});
  }
  save_checkpoint(folder.model(), weights, {{"step", std::to_string(step)}});
  save_run(folder, run);
  write_file(folder.log(), lines);
  if (finished) std::filesystem::remove(folder.training());
}

void Trainer::load(const Folder& folder) {
  if (!std::filesystem::exists(folder.training()))
    fail("{}: this run is finished; there is nothing to go on with", folder.path.string());
  const Checkpoint checkpoint = read_checkpoint(folder.training());
  NamedTensors state = weights;
  for (const NamedTensor& item : optimizer.state())
    state.push_back({"optimizer." + item.name, item.tensor});
  load_tensors(state, checkpoint, folder.training().string());
  try {
    step = std::stoll(checkpoint.metadata.at("step"));
    std::string lines = checkpoint.metadata.at("log");
    for (std::size_t end; (end = lines.find('\n')) != std::string::npos; lines.erase(0, end + 1))
      log.push_back(Json::parse(lines.substr(0, end)));
  } catch (const std::exception& error) {
    fail("{}: its step or log cannot be read: {}", folder.training().string(), error.what());
  }
}

}  // namespace attention::cli
