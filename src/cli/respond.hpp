// What a single stack says to a prompt: an encoder its answer, a language model a continuation.
#pragma once

#include <string>

#include "model.hpp"

namespace attention::cli {

// What was typed as ids, with the mark that sequences begin with, if they do; what is wrong with it
// is said under the option's name.
std::vector<int> encode(const Run& run, const std::string& text, const char* option);

// `length` is how much a language model adds at most; an encoder answers position by position.
// Throws when the prompt is empty or longer than the sequences that were learned, has symbols the
// model does not know, or is not as long as an encoder needs.
Response respond(const Transformer& model, const Run& run, const std::string& prompt, int length,
                 const GenerateOptions& options, Random& random);

std::string example(const Transformer& model, const Run& run);  // of what it says

}  // namespace attention::cli
