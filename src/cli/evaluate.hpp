// How good a model is on given sequences, and the numbers to set beside that.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "attention/nn/transformer.hpp"
#include "attention/tasks/task.hpp"
#include "run_json.hpp"

namespace attention::cli {

inline constexpr Size sequences_at_once = 64;

struct Scores {
  double loss = 0;            // nats a scored token
  double token_accuracy = 0;  // share of scored tokens that are the likeliest
  double exact_match = 0;     // share of sequences with every token right
  Size sequences = 0;
};

// Adds up what comes of one batch after the other.
class Tally {
 public:
  void add(const Tensor& logits, const Tokens& targets);  // (B, T, V), (B, T)
  void add(const Tally& other);
  Scores scores() const;

 private:
  double loss_ = 0;
  Size scored_ = 0, right_ = 0, exact_ = 0, sequences_ = 0;
};

Tokens rows(const Tokens& tokens, Size begin, Size end);  // sequences [begin, end) of (B, T)
Size scored(const Tokens& targets);                       // how many are not -1

Scores evaluate(const Transformer& model, const Batch& batch);

// What the loss and the token accuracy can be set beside.
struct Levels {
  std::vector<Expectation> loss, token_accuracy;
};

// {loss, token_accuracy, exact_match, sequences, expected: {loss: {…}, token_accuracy: {…}}}
Json to_json(const Scores& scores, const Levels& levels);

// The same as lines for people.
std::string to_text(const Scores& scores, const Levels& levels);

}  // namespace attention::cli
