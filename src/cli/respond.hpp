// What a trained model says to a prompt: an encoder its answer, a language model a continuation.
#pragma once

#include <string>

#include "attention/nn/generate.hpp"
#include "evaluate.hpp"
#include "run_folder.hpp"

namespace attention::cli {

// What was typed as ids, with the mark that sequences begin with, if they do; what is wrong with it
// is said under the option's name.
std::vector<int> encode(const Run& run, const std::string& text, const char* option);

struct Response {
  std::string prompt, text;  // text: the answer, or the prompt and what follows
  Size tokens = 0;           // how many the model has made
};

// `length` is how much a language model adds at most; an encoder answers position by position.
// Throws when the prompt is empty or longer than the sequences that were learned, has symbols the
// model does not know, or is not as long as an encoder needs.
Response respond(const Transformer& model, const Run& run, const std::string& prompt, int length,
                 const GenerateOptions& options, Random& random);

// What people are told of a trained model: its scores, those on every sequence there is where they
// are few enough, and an example of what it says.
std::string report(const Transformer& model, const Run& run, const Task& task, const Batch& judged,
                   const Scores& scores);

}  // namespace attention::cli
