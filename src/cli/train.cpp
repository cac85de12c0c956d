// attention train: from a task and some settings to a folder with a trained model and pictures.
#include <optional>

#include "attention/core/error.hpp"
#include "commands.hpp"
#include "session.hpp"

namespace attention::cli {
namespace {

// What was written on the command line; what was not is the task's own choice.
struct Options {
  Settings settings;
  std::optional<int> layers, heads, channels, steps, batch, warmup;
  std::optional<double> rate, dropout;
  std::string out, resume;
  int threads = 0;
  SessionOptions session;
};

Settings with_defaults(const Options& options, const Task& task) {
  const Defaults own = task.defaults();
  Settings s = options.settings;
  s.layers = options.layers.value_or(own.layers);
  s.heads = options.heads.value_or(own.heads);
  s.channels = options.channels.value_or(own.channels);
  if (s.hidden == 0) s.hidden = 4 * s.channels;
  s.context = task.context();
  s.steps = options.steps.value_or(own.steps);
  s.batch = options.batch.value_or(own.batch);
  s.warmup = options.warmup.value_or(std::min(own.warmup, s.steps / 10));
  s.rate = options.rate.value_or(own.rate);
  s.dropout = options.dropout.value_or(own.dropout);
  if (!s.text.empty()) s.text = std::filesystem::absolute(s.text).string();
  return s;
}

int train_new(const Options& options) {
  const auto task = make_task(options.settings);
  const Run run = describe(with_defaults(options, *task), *task);
  const Folder folder{options.out.empty() ? "runs/" + run.settings.task : options.out};
  Session session(options.session, folder, run, *task);
  make_folder(folder);
  return session.train();
}

int train_on(const Options& options) {
  const Folder folder{options.resume};
  const Run run = load_run(folder);
  const auto task = make_task(run);
  Session session(options.session, folder, run, *task);
  session.go_on();
  return session.train();
}

}  // namespace

Command add_train(CLI::App& app) {
  auto options = std::make_shared<Options>();
  Settings& s = options->settings;
  auto* task =
      app.add_option("task", s.task, "what to learn: see attention tasks")->type_name("TASK");
  auto* resume =
      app.add_option("--resume", options->resume, "go on with a stopped run")->type_name("DIR");
  app.add_option("--out", options->out, "the folder for model and pictures (runs/TASK)")
      ->type_name("DIR");
  app.add_option("--text", s.text, "the UTF-8 file to learn (task text)")->type_name("FILE");
  add_count(app, "--context", s.context, "tokens it sees at once (task text: 64)");
  add_count(app, "--layers", options->layers, "blocks");
  add_count(app, "--heads", options->heads, "attention heads in each block");
  add_count(app, "--channels", options->channels, "numbers a token is made of (d_model)");
  add_count(app, "--hidden", s.hidden, "width of the feed-forward layers (4 x channels)");
  app.add_option("--positions", s.positions, "sinusoidal, learned or none")->capture_default_str();
  app.add_option("--norm", s.norm, "before (pre) or after (post) each part of a block")
      ->capture_default_str();
  add_amount(app, "--dropout", options->dropout, "share of activations that are dropped", 1);
  app.add_flag("--tie", s.tie, "use the embedding as the output weight, too");
  add_count(app, "--steps", options->steps, "optimizer steps");
  add_count(app, "--batch", options->batch, "sequences a step");
  add_amount(app, "--rate", options->rate, "highest learning rate");
  add_count(app, "--warmup", options->warmup, "steps until that rate is reached", 0);
  app.add_option("--schedule", s.schedule, "constant, cosine or noam")->capture_default_str();
  add_amount(app, "--clip", s.clip, "largest norm of the gradients; 0 for any")
      ->capture_default_str();
  add_amount(app, "--decay", s.decay, "weight decay of the matrices")->capture_default_str();
  app.add_option("--seed", s.seed, "the same seed gives the same bits")
      ->type_name("N")
      ->capture_default_str();
  add_threads(app, options->threads);
  add_count(app, "--eval-every", options->session.eval_every,
            "steps between looks at unseen sequences (a tenth of all)");
  add_count(app, "--samples", options->session.samples, "unseen sequences to be judged by")
      ->capture_default_str();
  app.add_flag("--json", options->session.json, "print JSON, one object a line");
  app.footer("What is not given is the task's own choice.");
  task->excludes(resume);
  return [options, task, resume] {
    if (!*task && !*resume)
      throw CLI::RequiredError("a TASK (attention tasks lists them), or --resume DIR,");
    use_threads(options->threads);
    return *resume ? train_on(*options) : train_new(*options);
  };
}

}  // namespace attention::cli
