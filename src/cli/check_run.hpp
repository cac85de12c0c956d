// What must hold of a run, whether it is asked for on the command line or in a run.json, besides
// the kind of each setting.
#pragma once

#include "run.hpp"

namespace attention::cli {

// Throws unless a model, a schedule and an answer can be made of the run, and it is one of its
// task.
void check_run(const Run& run);

}  // namespace attention::cli
