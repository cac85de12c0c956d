// attention train: from a task and some settings to a folder with a trained model and pictures.
#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "attention/core/error.hpp"
#include "attention/core/utf8.hpp"
#include "attention/tasks/translation.hpp"
#include "check_run.hpp"
#include "claim.hpp"
#include "commands.hpp"
#include "memory.hpp"
#include "session.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

// What was written on the command line; what was not is the task's own choice.
struct TrainArguments {
  Settings settings;
  std::optional<int> layers, heads, channels, steps, batch, warmup, eval_every, samples;
  std::optional<double> rate, dropout;
  std::string out, resume;
  int threads = 0;
  bool replace = false, json = false, anomaly = false;
};

constexpr int looks = 10;  // at unseen sequences, unless --eval-every says otherwise

Settings with_defaults(const TrainArguments& options, const Task& task) {
  Settings s = options.settings;
  const auto translation = s.encoder_decoder ? task.translation() : nullptr;
  const Defaults own = translation ? translation->defaults() : task.defaults();
  s.layers = options.layers.value_or(own.layers);
  s.heads = options.heads.value_or(own.heads);
  s.channels = options.channels.value_or(own.channels);
  constexpr Size most = std::numeric_limits<int>::max();
  if (s.hidden == 0) s.hidden = static_cast<int>(std::min(4 * Size(s.channels), most));
  s.context = translation ? translation->context() : task.context();
  s.steps = options.steps.value_or(own.steps);
  s.batch = options.batch.value_or(own.batch);
  s.warmup = options.warmup.value_or(std::min(own.warmup, s.steps / 10));
  s.rate = options.rate.value_or(own.rate);
  s.dropout = options.dropout.value_or(own.dropout);
  s.eval_every = options.eval_every.value_or(std::max(1, s.steps / looks));
  s.samples = options.samples.value_or(s.samples);
  if (!s.text.empty()) s.text = std::filesystem::absolute(s.text).string();
  return s;
}

// Names end up in run.json, which is UTF-8.
void check_name(const char* option, const std::string& name) {
  try {
    decode_utf8(name);
  } catch (const Error& error) {
    fail("{}: the name is {}", option, error.what());
  }
}

void check_memory(const Run& run) {
  const Settings& s = run.settings;
  check_sequences("--batch", s.batch, s.context);
  check_step(model_config(run, static_cast<Size>(run.symbols.size())),
             s.batch / s.accumulate + (s.batch % s.accumulate != 0));
  check_sequences("--samples", s.samples, s.context);
}

int train_new(const TrainArguments& options) {
  check_name("--text", options.settings.text);
  check_name("--out", options.out);
  const auto task = make_task(options.settings);
  const Run run = describe(with_defaults(options, *task), *task);
  check_run(run);
  check_memory(run);
  const std::string kind = run.settings.encoder_decoder ? "-encoder-decoder" : "";
  const Folder folder{options.out.empty() ? "runs/" + run.settings.task + kind : options.out};
  Session session(folder, run, *task, options.json);
  make_folder(folder);
  const Claim claim(folder);
  if (!options.replace) check_free(folder, run);
  if (options.anomaly) session.watch();
  return session.train();
}

int train_on(const TrainArguments& options) {
  const Folder folder{options.resume};
  Run run = load_run(folder);
  const Claim claim(folder);
  run.settings.eval_every = options.eval_every.value_or(run.settings.eval_every);
  run.settings.samples = options.samples.value_or(run.settings.samples);
  check_memory(run);
  const auto task = make_task(run);
  Session session(folder, run, *task, options.json);
  session.go_on();
  if (options.anomaly) session.watch();
  return session.train();
}

void check_encoder_decoder(const Settings& settings) {
  if (!find_task(settings.task).translates) {
    std::string list;
    for (const TaskEntry& entry : tasks())
      if (entry.translates) list += (list.empty() ? "" : ", ") + entry.name;
    throw CLI::ValidationError(
        "--encoder-decoder",
        fmt::format("{} is no task for it; it can learn {}", settings.task, list));
  }
  if (settings.context != 0)
    throw CLI::ValidationError(
        "--context", "an encoder-decoder's goes by the longest sequence of the task; leave it out");
}

// What makes no sense together.
void check_usage(const CLI::App& app, const TrainArguments& options) {
  const std::string& task = options.settings.task;
  if (options.resume.empty() && task.empty())
    throw CLI::RequiredError("a TASK (attention tasks lists them), or --resume DIR,");
  if (options.resume.empty() && options.settings.encoder_decoder)
    check_encoder_decoder(options.settings);
  if (options.resume.empty() && task == "text" && options.settings.text.empty())
    throw CLI::RequiredError("for the task text, --text FILE (any UTF-8 text)");
  if (options.resume.empty()) return;
  const std::set<std::string> free{"--resume",     "--threads", "--json",
                                   "--eval-every", "--samples", "--anomaly"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && !free.contains(name))
      throw CLI::ExcludesError(name + " cannot be changed with --resume: the run has its settings",
                               CLI::ExitCodes::ExcludesError);
  }
}

}  // namespace

Command add_train(CLI::App& app) {
  auto options = std::make_shared<TrainArguments>();
  Settings& s = options->settings;
  auto text = [&](const char* name, std::string& value, const char* type, const char* what) {
    app.add_option(name, value, what)->type_name(type);
  };
  text("TASK", s.task, "", "what to learn: see attention tasks");
  text("--resume", options->resume, "DIR", "go on with a stopped run");
  text("--out", options->out, "DIR", "the folder for model and pictures (runs/TASK)");
  app.add_flag("--replace", options->replace, "train although another run is in that folder");
  text("--text", s.text, "FILE", "the UTF-8 file to learn (task text)");
  app.add_flag("--encoder-decoder", s.encoder_decoder,
               "both halves, and sequences of different lengths");
  add_count(app, "--context", s.context, "tokens it sees at once (task text: 64)");
  add_count(app, "--layers", options->layers,
            "blocks, in each half if there are two (2; copy 1, text 4)");
  add_count(app, "--heads", options->heads, "attention heads in each block (4; induction 2)");
  add_count(app, "--channels", options->channels, "numbers a token is made of (64; text 128)");
  add_count(app, "--hidden", s.hidden, "width of the feed-forward layers (4 x channels)");
  text("--positions", s.positions, "KIND", "sinusoidal, learned or none (sinusoidal)");
  text("--norm", s.norm, "PLACE", "before (pre) or after (post) each part of a block (pre)");
  add_amount(app, "--dropout", options->dropout, "share of activations dropped (0; text 0.2)",
             {.below = 1});
  app.add_flag("--tie", s.tie, "use the embedding as the output weight, too");
  add_count(app, "--steps", options->steps, "optimizer steps (300 to 3000, as the task needs)");
  add_count(app, "--batch", options->batch, "sequences a step (16 to 128, as the task needs)");
  add_count(app, "--accumulate", s.accumulate,
            "parts a step's sequences are taken in, to need less memory (1)");
  add_amount(app, "--rate", options->rate,
             "highest learning rate (0.001 or 0.002, as the task needs)", {.low_too = false});
  add_count(app, "--warmup", options->warmup, "steps until it is reached (at most a tenth)", 0);
  text("--schedule", s.schedule, "KIND", "constant, cosine or noam (cosine)");
  add_amount(app, "--clip", s.clip, "largest norm of the gradients; 0 for any (1)");
  add_amount(app, "--decay", s.decay, "weight decay of the matrices (0.01)");
  add_seed(app, s.seed, "the same seed gives the same bits");
  add_threads(app, options->threads);
  add_count(app, "--eval-every", options->eval_every,
            "steps between looks at unseen sequences (a tenth of all)");
  add_count(app, "--samples", options->samples, "unseen sequences to be judged by (1000)");
  app.add_flag("--json", options->json, "print JSON, one object a line");
  app.add_flag("--anomaly", options->anomaly, "find the op that makes the first NaN or infinity");
  app.footer("For example: attention train text --text poems.txt --steps 500");
  return [options, &app] {
    check_usage(app, *options);
    use_threads(options->threads);
    return options->resume.empty() ? train_new(*options) : train_on(*options);
  };
}

}  // namespace attention::cli
