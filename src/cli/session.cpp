#include "session.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <optional>
#include <utility>

#include "attention/core/error.hpp"
#include "attention/core/threads.hpp"
#include "pictures.hpp"
#include "progress.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

constexpr int samples_in_between = 256;

volatile std::sig_atomic_t interrupted = 0;  // the signal that asked to stop

// Ctrl-C, a polite kill, a terminal that is closed: training stops after the step. What is ignored
// already (by nohup, say) stays so.
void stop_at_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(number, [](int signal) { interrupted = signal; }) == SIG_IGN)
      std::signal(number, SIG_IGN);
}

void print_json(const Json& json) {
  fmt::print("{}\n", json.dump());
  std::fflush(stdout);
}

}  // namespace

Session::Session(const Folder& folder, const Run& run, const Task& task, bool json)
    : folder_(folder), json_(json), trainer_(run, task) {}

void Session::watch() { trainer_.anomaly = true; }

void Session::go_on() { trainer_.load(folder_); }

int Session::train() {
  try {
    return run();
  } catch (const Diverged& error) {
    if (trainer_.anomaly) throw;
    fail("{}; the last checkpoint is kept: {} --anomaly finds where it begins", error.what(),
         resume_command());
  }
}

int Session::run() {
  stop_at_signals();
  introduce();
  if (trainer_.step == 0) save();  // so that there is something to go on with, whatever happens
  if (!loop()) return stopped();
  finish();
  return 0;
}

void Session::introduce() const {
  if (json_) return;
  const Settings& s = trainer_.run.settings;
  fmt::print("{}: {}{}, {}, {}, {} parameters; {}, seed {}\n", s.task,
             s.encoder_decoder ? "encoder and decoder of " : "", counted(s.layers, "layer"),
             counted(s.heads, "head"), counted(s.channels, "channel"),
             trainer_.model->parameter_count(), counted(threads(), "thread"), s.seed);
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
  const Judgement judgement = judge(std::min(trainer_.run.settings.samples, samples_in_between));
  if (check_unseen(judgement.loss, trainer_.anomaly)) save();
  if (json_) print_json({{"step", trainer_.step}, {"loss", loss_}, {"eval", judgement.json}});
  return judgement.loss;
}

Judgement Session::judge(int samples) {
  Judgement judgement = trainer_.model->judge(trainer_.task, samples);
  trainer_.note({{"step", trainer_.step}, {"eval", judgement.json}});
  return judgement;
}

void Session::save() const {
  try {
    trainer_.save(folder_);
  } catch (const Diverged&) {
    throw;
  } catch (const std::exception& error) {
    fail("{}; what was saved before stays: when this is mended, {}", error.what(),
         resume_command());
  }
}

std::string Session::resume_command() const {
  return fmt::format("attention train --resume {}", for_shell(folder_.path.string()));
}

bool Session::check_unseen(double loss, bool tolerant) const {
  if (!std::isfinite(loss) && !tolerant)
    trainer_.diverged("the loss on unseen sequences is not finite");
  return std::isfinite(loss);
}

int Session::stopped() const {
  save();
  const std::string how = resume_command();
  if (json_)
    print_json({{"stopped", true}, {"step", trainer_.step}, {"resume", how}});
  else
    fmt::print("stopped after step {} of {}; saved. To go on: {}\n", trainer_.step,
               trainer_.run.settings.steps, how);
  return 128 + interrupted;
}

void Session::finish() {
  const Judgement judgement = judge(trainer_.run.settings.samples);
  check_unseen(judgement.loss);
  save();
  const std::vector<std::string> pictures = draw_pictures(judgement);
  std::filesystem::remove(folder_.training());  // only now is it finished
  const Settings& s = trainer_.run.settings;
  const double step_seconds = steps_ > 0 ? seconds_ / static_cast<double>(steps_) : 0;
  const auto tokens = static_cast<double>(trainer_.tokens);
  if (json_) {
    print_json({{"task", s.task},
                {"steps", s.steps},
                {"parameters", trainer_.model->parameter_count()},
                {"threads", threads()},
                {"seed", s.seed},
                {"seconds", seconds_},
                {"ms_per_step", 1000 * step_seconds},
                {"tokens_per_second", seconds_ > 0 ? tokens / seconds_ : 0},
                {"loss", loss_},
                {"eval", judgement.json},
                {"out", folder_.path.string()}});
    return;
  }
  fmt::print("{} in {:.1f} s, {:.2f} ms each\n\n", counted(steps_, "step"), seconds_,
             1000 * step_seconds);
  fmt::print("{}\nmodel           {}\n", report(*trainer_.model, trainer_.task, judgement),
             folder_.model().string());
  const char* before = "pictures";
  for (const std::string& file : pictures) fmt::print("{:16}{}\n", std::exchange(before, ""), file);
}

std::vector<std::string> Session::draw_pictures(const Judgement& judgement) const {
  const std::string& name = trainer_.run.settings.task;
  std::vector<std::string> files{folder_.picture("loss").string()};
  draw::render(loss_curve(trainer_.log, judgement.levels, name + ": loss")).save(files[0]);
  for (const Maps& maps : trainer_.model->maps(trainer_.run.sample)) {
    files.push_back(folder_.picture(maps.name).string());
    draw::render(maps.sheet).save(files.back());
  }
  return files;
}

}  // namespace attention::cli
