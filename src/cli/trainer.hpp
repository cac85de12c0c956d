// The training loop of the program, and what it keeps: everything needed to go on after a stop.
#pragma once

#include <vector>

#include "attention/train/optimizer.hpp"
#include "attention/train/schedule.hpp"
#include "model.hpp"

namespace attention::cli {

// A model with its optimizer and how far they are. What happens at a step depends on the seed and
// the step's number alone, so these three are the whole state of a run.
struct Trainer {
  const Run& run;
  const Task& task;
  std::unique_ptr<Model> model;
  NamedTensors weights;
  Adam optimizer;
  Schedule schedule;
  Size step = 0;         // the last one that was taken
  Size tokens = 0;       // that the steps taken here have had
  std::string log = {};  // JSON, a line for each step and one for each evaluation

  Trainer(const Run& run, const Task& task);

  double take_step();           // one step; returns its loss. Throws when that is not finite.
  void note(const Json& line);  // adds to the log
  // The weights and the log; before the last step also what it takes to go on. What is there from
  // before the last step stays: it is what a resumed run starts from until all else is in place.
  void save(const Folder& folder) const;
  void load(const Folder& folder);  // throws when there is nothing to go on with

 private:
  void check(double loss) const;  // throws when it is not finite
  NamedTensors state() const;
};

}  // namespace attention::cli
