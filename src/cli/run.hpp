// A run: what was asked for, and what it takes to use the model that came of it. Next:
// run_json.hpp, as a text; run_folder.hpp, where a run is kept.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "attention/nn/transformer.hpp"
#include "attention/tasks/task.hpp"

namespace attention::cli {

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

}  // namespace attention::cli
