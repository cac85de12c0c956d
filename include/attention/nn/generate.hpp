// A language model writes: the next token is chosen from the logits of the last one, appended, and
// the model is asked again.
#pragma once

#include <vector>

#include "attention/nn/transformer.hpp"

namespace attention {

struct GenerateOptions {
  real temperature = 1;  // the logits are divided by it; 0 always takes the likeliest token
  int top_k = 0;         // choose among the k likeliest only; 0 means all
  int end = -1;          // generate() stops once it has added this id; -1 for never
};

// One id, chosen from `count` logits. Ties of the likeliest go to the lowest id. Throws on a
// negative or infinite temperature, a negative top_k, and on logits that are NaN or whose highest
// is infinite.
int choose(const real* logits, Size count, const GenerateOptions& options, Random& random);

// The prompt's ids and `count` new ones, or fewer where the end came before. Beyond the context the
// model sees the last tokens only; until then each step costs one position (see cache.hpp), from
// then on all of the context. Throws on an empty prompt, on an end outside [-1, V) and on a model
// that is not causal.
std::vector<int> generate(const Transformer& model, std::vector<int> prompt, int count,
                          const GenerateOptions& options, Random& random);

}  // namespace attention
