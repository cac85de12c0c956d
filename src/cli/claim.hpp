// Whose a run's folder is: one training at a time works in it, and no run is written over another
// unless somebody says so.
#pragma once

#include "run_folder.hpp"

namespace attention::cli {

// Holds the folder as long as it lives, and lets go of it even when the program is killed. Throws
// when another training holds it. Sweeps what a killed one has left half written.
class Claim {
 public:
  explicit Claim(const Folder& folder);
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  int descriptor_;
};

// Throws, saying what to do instead, when training `run` from its start would lose something that
// is in the folder: another run, the steps that this one has taken, somebody's own model. Nothing
// is lost when the same run is there and finished: the same settings give the same bits.
void check_free(const Folder& folder, const Run& run);

}  // namespace attention::cli
