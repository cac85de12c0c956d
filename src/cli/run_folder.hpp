// A run: what was asked for, and the folder that holds what came of it. run.json has every setting
// and the alphabet, enough to rebuild the model; model.safetensors has its weights;
// training.safetensors, while a run is not finished, has what it takes to go on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "attention/nn/transformer.hpp"
#include "attention/tasks/task.hpp"
#include "attention/train/checkpoint.hpp"

namespace attention::cli {

using Json = nlohmann::ordered_json;

// What can be chosen on the command line, under the names it has there.
struct Settings {
  std::string task, text;
  int layers = 0, heads = 0, channels = 0, hidden = 0, context = 0;
  std::string positions = "sinusoidal", norm = "pre";
  bool tie = false, encoder_decoder = false;
  int steps = 0, batch = 0, accumulate = 1, warmup = 0;
  std::string schedule = "cosine";
  double rate = 0, dropout = 0, clip = 1, decay = 0.01;
  std::uint64_t seed = 1;
  int eval_every = 0, samples = 1000;
};

struct Run {
  Settings settings;
  std::vector<std::string> symbols;  // the alphabet
  bool causal = false;
  Writing writing = {};
  std::string fingerprint;  // of the text it learned
  std::string sample;       // an unseen input, to show the model at work without the data
};

Run describe(const Settings& settings, const Task& task);
std::unique_ptr<Task> make_task(const Settings& settings);
// The run's task; throws when its text is gone, or no longer what the model was trained on.
std::unique_ptr<Task> make_task(const Run& run);
TransformerConfig model_config(const Run& run, Size vocabulary);

struct Folder {
  std::filesystem::path path;

  std::filesystem::path model() const { return path / "model.safetensors"; }
  std::filesystem::path training() const { return path / "training.safetensors"; }
  std::filesystem::path run() const { return path / "run.json"; }
  std::filesystem::path log() const { return path / "log.jsonl"; }
  std::filesystem::path picture(const std::string& name) const { return path / (name + ".png"); }
};

void make_folder(const Folder& folder);  // throws when it cannot be made or written to
void save_run(const Folder& folder, const Run& run);
// Throws, naming what is missing or odd, when the folder does not hold a run.
Run load_run(const Folder& folder);

// The same for the text of a run.json. What comes out of parse_run is a run that training could
// have written: a model can be made of it, and its task is the one it says.
std::string run_text(const Run& run);
Run parse_run(const std::string& text);

// The settings as they are kept with weights, so that weights and run.json of different runs are
// never taken for one.
std::string settings_text(const Run& run);
// A checkpoint of this run. Throws on one of another.
Checkpoint load_checkpoint(const std::filesystem::path& path, const Run& run);

}  // namespace attention::cli
