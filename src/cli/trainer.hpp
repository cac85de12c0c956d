// The training loop of the program, and what it keeps: everything needed to go on after a stop.
#pragma once

#include <vector>

#include "attention/core/error.hpp"
#include "attention/train/optimizer.hpp"
#include "attention/train/schedule.hpp"
#include "model.hpp"

namespace attention::cli {

// The loss, the gradients or the weights have ceased to be numbers: there is nothing to go on with,
// and nothing to save.
struct Diverged : Error {
  using Error::Error;
};

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
  bool anomaly = false;  // steps are taken inside an AnomalyMode; no number depends on it

  Trainer(const Run& run, const Task& task);

  // One step; returns its loss. Throws Diverged, before anything else comes of it, when the loss, a
  // gradient or a weight is not finite. With `anomaly`, throws an Error that says where it began.
  double take_step();
  [[noreturn]] void diverged(const std::string& what) const;  // throws it, with the step
  void note(const Json& line);                                // adds to the log
  // The weights and the log; before the last step also what it takes to go on. What is there from
  // before the last step stays: it is what a resumed run starts from until all else is in place.
  // Throws Diverged, and leaves the folder as it is, when what it would save is not finite.
  void save(const Folder& folder) const;
  void load(const Folder& folder);  // throws when there is nothing to go on with

 private:
  NamedTensors state() const;
  double step_once();
  void check_loss(double loss) const;
  void check_gradients(double norm, double loss) const;
  void check_weights() const;
};

}  // namespace attention::cli
