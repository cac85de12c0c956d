#include "session.hpp"

#include <algorithm>
#include <csignal>
#include <optional>

#include "attention/core/threads.hpp"
#include "attention/nn/module.hpp"
#include "pictures.hpp"
#include "progress.hpp"
#include "respond.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

constexpr int samples_in_between = 256;
constexpr int interrupted_code = 130;  // what shells report after Ctrl-C

volatile std::sig_atomic_t interrupted = 0;

void print_json(const Json& json) {
  fmt::print("{}\n", json.dump());
  std::fflush(stdout);
}

}  // namespace

Session::Session(const Folder& folder, const Run& run, const Task& task, bool json)
    : folder_(folder),
      json_(json),
      trainer_(run, task),
      judged_(task.unseen(run.settings.samples)),
      positions_(run.settings.positions != "none") {}

void Session::go_on() { trainer_.load(folder_); }

int Session::train() {
  std::signal(SIGINT, [](int) { interrupted = 1; });
  introduce();
  if (!loop()) return stopped();
  finish();
  return 0;
}

void Session::introduce() const {
  if (json_) return;
  const Settings& s = trainer_.run.settings;
  fmt::print("{}: {}, {}, {}, {} parameters; {}, seed {}\n", s.task, counted(s.layers, "layer"),
             counted(s.heads, "head"), counted(s.channels, "channel"),
             parameter_count(trainer_.model), counted(threads(), "thread"), s.seed);
  if (trainer_.step > 0) fmt::print("going on after step {}\n", trainer_.step);
  std::fflush(stdout);
}

bool Session::loop() {
  const Settings& settings = trainer_.run.settings;
  std::optional<Progress> progress;
  if (!json_) progress.emplace(stdout, trainer_.step, settings.steps);
  while (trainer_.step < settings.steps && !interrupted) {
    const double start = seconds();
    loss_ = trainer_.take_step();
    seconds_ += seconds() - start;
    ++steps_;
    if (trainer_.step % settings.eval_every == 0 && trainer_.step < settings.steps) {
      const double unseen = look();
      if (progress) progress->unseen(unseen);
    }
    if (progress) progress->update(trainer_.step, loss_);
  }
  return trainer_.step == settings.steps;
}

// In between: some unseen sequences for the log, and a checkpoint. Returns the loss on them.
double Session::look() {
  const Batch few =
      trainer_.task.unseen(std::min(trainer_.run.settings.samples, samples_in_between));
  const Scores scores = evaluate(trainer_.model, few);
  const Json json = log_scores(scores, few);
  trainer_.save(folder_, false);
  if (json_) print_json({{"step", trainer_.step}, {"loss", loss_}, {"eval", json}});
  return scores.loss;
}

Json Session::log_scores(const Scores& scores, const Batch& batch) {
  const Json json = to_json(scores, trainer_.task, batch, positions_);
  trainer_.note({{"step", trainer_.step}, {"eval", json}});
  return json;
}

int Session::stopped() const {
  trainer_.save(folder_, false);
  const std::string how =
      fmt::format("attention train --resume {}", for_shell(folder_.path.string()));
  if (json_)
    print_json({{"stopped", true}, {"step", trainer_.step}, {"resume", how}});
  else
    fmt::print("stopped after step {} of {}; saved. To go on: {}\n", trainer_.step,
               trainer_.run.settings.steps, how);
  return interrupted_code;
}

void Session::finish() {
  const Scores scores = evaluate(trainer_.model, judged_);
  const Json json = log_scores(scores, judged_);
  trainer_.save(folder_, true);
  draw_pictures();
  const Settings& s = trainer_.run.settings;
  const double step_seconds = steps_ > 0 ? seconds_ / static_cast<double>(steps_) : 0;
  const double tokens = double(s.batch) * s.context;
  if (json_) {
    print_json({{"task", s.task},
                {"steps", s.steps},
                {"parameters", parameter_count(trainer_.model)},
                {"threads", threads()},
                {"seed", s.seed},
                {"seconds", seconds_},
                {"ms_per_step", 1000 * step_seconds},
                {"tokens_per_second", step_seconds > 0 ? tokens / step_seconds : 0},
                {"loss", loss_},
                {"eval", json},
                {"out", folder_.path.string()}});
    return;
  }
  fmt::print("{} in {:.1f} s, {:.2f} ms each\n\n", counted(steps_, "step"), seconds_,
             1000 * step_seconds);
  fmt::print("{}\nmodel           {}\npictures        {}\n                {}\n",
             report(trainer_.model, trainer_.run, trainer_.task, judged_, scores),
             folder_.model().string(), folder_.picture("loss").string(),
             folder_.picture("attention").string());
}

void Session::draw_pictures() const {
  const std::string& name = trainer_.run.settings.task;
  const Alphabet& alphabet = trainer_.task.alphabet();
  draw::render(loss_curve(trainer_.log, trainer_.task.expected_loss(judged_), name + ": loss"))
      .save(folder_.picture("loss"));
  draw::render(attention_sheet(trainer_.model, alphabet, alphabet.encode(trainer_.run.sample),
                               name + ": attention weights"))
      .save(folder_.picture("attention"));
}

}  // namespace attention::cli
