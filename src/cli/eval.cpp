// attention eval: the numbers of a trained model, on sequences it has never seen.
#include "commands.hpp"
#include "memory.hpp"
#include "model.hpp"

namespace attention::cli {
namespace {

struct EvalArguments {
  std::string folder;
  int samples = 1000, threads = 0;
  bool json = false;
};

int eval(const EvalArguments& options) {
  use_threads(options.threads);
  const Folder folder{options.folder};
  const Run run = load_run(folder);
  check_sequences("--samples", options.samples, run.settings.context);
  const auto model = load_model(folder, run);
  const auto task = make_task(run);
  const Judgement judgement = model->judge(*task, options.samples);
  if (!options.json) {
    fmt::print("{}", report(*model, *task, judgement));
    return 0;
  }
  Json json = judgement.json;
  if (const auto all = model->judge_all(*task))
    json["all"] = {{"exact_match", all->exact_match}, {"sequences", all->sequences}};
  fmt::print("{}\n", json.dump());
  return 0;
}

}  // namespace

Command add_eval(CLI::App& app) {
  auto options = std::make_shared<EvalArguments>();
  add_folder(app, options->folder);
  add_count(app, "--samples", options->samples, "unseen sequences to be judged by")
      ->capture_default_str();
  add_threads(app, options->threads);
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return eval(*options); };
}

}  // namespace attention::cli
