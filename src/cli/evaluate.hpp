// How good a model is on given sequences, and the numbers to set beside that.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "attention/nn/transformer.hpp"
#include "attention/tasks/task.hpp"
#include "run_folder.hpp"

namespace attention::cli {

struct Scores {
  double loss = 0;            // nats a scored token
  double token_accuracy = 0;  // share of scored tokens that are the likeliest
  double exact_match = 0;     // share of sequences with every token right
  Size sequences = 0;
};

Scores evaluate(const Transformer& model, const Batch& batch);

// {loss, token_accuracy, exact_match, sequences, expected: {loss: {…}, token_accuracy: {…}}}
Json to_json(const Scores& scores, const Task& task, const Batch& batch, bool positions);

// The same as lines for people.
std::string to_text(const Scores& scores, const Task& task, const Batch& batch, bool positions);

}  // namespace attention::cli
