#include "run_folder.hpp"

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/core/utf8.hpp"
#include "attention/nn/module.hpp"
#include "attention/train/checkpoint.hpp"

namespace attention::cli {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Settings, task, text, layers, heads, channels, hidden, context,
                                   positions, norm, tie, steps, batch, warmup, schedule, rate,
                                   dropout, clip, decay, seed)

Run describe(const Settings& settings, const Task& task) {
  const Batch unseen = task.unseen(1);
  return {.settings = settings,
          .symbols = task.alphabet().symbols(),
          .causal = task.causal(),
          .fingerprint = task.fingerprint(),
          .sample = task.alphabet().decode(unseen.input.ids)};
}

std::unique_ptr<Task> make_task(const Settings& settings) {
  return find_task(settings.task).make({settings.text, settings.context});
}

std::unique_ptr<Task> make_task(const Run& run) {
  auto task = make_task(run.settings);
  if (task->fingerprint() != run.fingerprint)
    fail(
        "{} has changed since the model was trained on it; train again, or bring the old text back",
        run.settings.text);
  return task;
}

Transformer make_model(const Run& run) {
  const Settings& s = run.settings;
  Random random(s.seed);
  return Transformer({.vocabulary = static_cast<Size>(run.symbols.size()),
                      .context = s.context,
                      .channels = s.channels,
                      .heads = s.heads,
                      .layers = s.layers,
                      .hidden = s.hidden,
                      .causal = run.causal,
                      .tied = s.tie,
                      .dropout = static_cast<real>(s.dropout),
                      .positions = position_kind(s.positions),
                      .norm = norm_placement(s.norm)},
                     random);
}

void make_folder(const Folder& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.path, error);
  if (error)
    fail("{}: the folder cannot be made: {}; choose another --out", folder.path.string(),
         error.message());
  const std::filesystem::path trial = folder.path / ".trial";  // better now than after training
  write_file(trial, "");
  std::filesystem::remove(trial);
}

void save_run(const Folder& folder, const Run& run) {
  const Json json{{"format", "attention.cpp run 1"},     {"settings", nlohmann::json(run.settings)},
                  {"symbols", encode_utf8(run.symbols)}, {"causal", run.causal},
                  {"fingerprint", run.fingerprint},      {"sample", run.sample}};
  write_file(folder.run(), json.dump(2) + "\n");
}

Run load_run(const Folder& folder) {
  if (!std::filesystem::exists(folder.run()))
    fail("{} is no run folder: there is no run.json in it; attention train --out DIR makes one",
         folder.path.string());
  try {
    const Json json = Json::parse(read_file(folder.run()));
    if (json.at("format") != "attention.cpp run 1") fail("of another format");
    return {.settings = nlohmann::json(json.at("settings")).get<Settings>(),
            .symbols = decode_utf8(json.at("symbols").get<std::string>()),
            .causal = json.at("causal").get<bool>(),
            .fingerprint = json.at("fingerprint").get<std::string>(),
            .sample = json.at("sample").get<std::string>()};
  } catch (const std::exception& error) {
    fail("{} is not what attention train writes: {}", folder.run().string(), error.what());
  }
}

Transformer load_model(const Folder& folder, const Run& run) {
  Transformer model = make_model(run);
  load_tensors(parameters(model), read_checkpoint(folder.model()), folder.model().string());
  return model;
}

}  // namespace attention::cli
