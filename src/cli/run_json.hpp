// A run as the text of a run.json: every setting and the alphabet, enough to rebuild the model.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "run.hpp"

namespace attention::cli {

using Json = nlohmann::ordered_json;

std::string run_text(const Run& run);
// The run of a text. What comes out is a run that training could have written: a model can be made
// of it, and its task is the one it says. Throws, naming what is missing or odd, on any other text.
Run parse_run(const std::string& text);

// The settings as they are kept with weights, so that weights and run.json of different runs are
// never taken for one.
std::string settings_text(const Run& run);

}  // namespace attention::cli
