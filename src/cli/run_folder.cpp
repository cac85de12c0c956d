#include "run_folder.hpp"

#include <unistd.h>

#include <utility>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/core/utf8.hpp"
#include "attention/nn/module.hpp"

namespace attention::cli {

namespace {

// Calls f(name, field, least) for every setting; a whole number has to be at least that.
template <class F>
void each_setting(auto& s, F f) {
  f("task", s.task), f("text", s.text);
  f("layers", s.layers, 1), f("heads", s.heads, 1), f("channels", s.channels, 1);
  f("hidden", s.hidden, 1), f("context", s.context, 1);
  f("positions", s.positions), f("norm", s.norm), f("tie", s.tie);
  f("steps", s.steps, 1), f("batch", s.batch, 1), f("warmup", s.warmup, 0);
  f("schedule", s.schedule), f("rate", s.rate), f("dropout", s.dropout);
  f("clip", s.clip), f("decay", s.decay), f("seed", s.seed, 0);
  f("eval_every", s.eval_every, 1), f("samples", s.samples, 1);
}

Json to_json(const Settings& settings) {
  Json json;
  each_setting(settings, [&](const char* name, const auto& field, int = 0) { json[name] = field; });
  return json;
}

const Json& member(const Json& json, const char* name) {
  if (!json.is_object() || !json.contains(name)) fail("{} is missing", name);
  return json.at(name);
}

template <class T>
void read(const Json& json, const char* name, T& field, int least = 0) {
  const Json& value = member(json, name);
  if constexpr (std::is_same_v<T, std::string>) {
    if (!value.is_string()) fail("{} is {}, where a text is needed", name, value.dump());
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!value.is_boolean()) fail("{} is {}, where true or false is needed", name, value.dump());
  } else if constexpr (std::is_same_v<T, double>) {
    if (!value.is_number()) fail("{} is {}, where a number is needed", name, value.dump());
  } else {
    const bool fits = value.is_number_unsigned() && std::in_range<T>(value.get<std::uint64_t>()) &&
                      value.get<std::uint64_t>() >= static_cast<std::uint64_t>(least);
    if (!fits) fail("{} is {}, where a whole number from {} is needed", name, value.dump(), least);
  }
  field = value.get<T>();
}

Settings read_settings(const Json& json) {
  Settings settings;
  each_setting(settings, [&](const char* name, auto& field, int least = 0) {
    read(json, name, field, least);
  });
  return settings;
}

constexpr const char* format = "attention.cpp run 1";

Run read_run(const Json& json) {
  if (member(json, "format") != format)
    fail("format is {}, where \"{}\" is needed", json.at("format").dump(), format);
  Run run;
  std::string symbols;
  run.settings = read_settings(member(json, "settings"));
  read(json, "symbols", symbols);
  read(json, "causal", run.causal);
  read(json, "fingerprint", run.fingerprint);
  read(json, "sample", run.sample);
  run.symbols = decode_utf8(symbols);
  find_task(run.settings.task);
  Alphabet(run.symbols).encode(run.sample);
  return run;
}

}  // namespace

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
  std::unique_ptr<Task> task;
  try {
    task = make_task(run.settings);
  } catch (const Error& error) {
    fail("the data that the model was trained on cannot be had: {}", error.what());
  }
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
  const std::filesystem::path trial = folder.path / fmt::format(".trial-{}", getpid());
  try {  // better now than after training
    std::filesystem::create_directories(folder.path);
    write_file(trial, "");
    std::filesystem::remove(trial);
  } catch (const std::exception& error) {
    fail("{} cannot be written to: {}; choose another --out", folder.path.string(), error.what());
  }
}

void save_run(const Folder& folder, const Run& run) {
  const Json json{{"format", format},
                  {"settings", to_json(run.settings)},
                  {"symbols", encode_utf8(run.symbols)},
                  {"causal", run.causal},
                  {"fingerprint", run.fingerprint},
                  {"sample", run.sample}};
  write_file(folder.run(), json.dump(2) + "\n");
}

Run load_run(const Folder& folder) {
  if (!std::filesystem::exists(folder.run()))
    fail("{} is no run folder: there is no run.json in it; attention train --out DIR makes one",
         folder.path.string());
  const std::string text = read_file(folder.run());
  try {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) fail("it is not JSON, or cut short");
    return read_run(json);
  } catch (const std::exception& error) {
    fail("{} is not what attention train writes: {}", folder.run().string(), error.what());
  }
}

Transformer load_model(const Folder& folder, const Run& run) {
  try {
    Transformer model = make_model(run);
    load_tensors(parameters(model), load_checkpoint(folder.model(), run), folder.model().string());
    return model;
  } catch (const Error& error) {
    const std::string what = error.what();
    const std::string file = folder.model().string();  // whose errors name it themselves
    fail("{}{}", what.find(file) == what.npos ? folder.run().string() + ": " : "", what);
  }
}

std::string settings_text(const Run& run) {
  Json json = to_json(run.settings);
  for (const char* only_looking : {"eval_every", "samples"}) json.erase(only_looking);
  return json.dump();
}

Checkpoint load_checkpoint(const std::filesystem::path& path, const Run& run) {
  Checkpoint checkpoint = read_checkpoint(path);
  const auto settings = checkpoint.metadata.find("settings");
  if (settings == checkpoint.metadata.end() || settings->second != settings_text(run))
    fail("{} does not fit the run.json beside it: they are from different runs; train again",
         path.string());
  return checkpoint;
}

}  // namespace attention::cli
