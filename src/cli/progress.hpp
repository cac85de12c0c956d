// How far a run is: one live line on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "attention/core/real.hpp"

namespace attention::cli {

double seconds();  // on a clock that only goes forward

bool is_terminal(std::FILE* stream);

class Progress {
 public:
  // Steps first + 1 … total are to come.
  Progress(std::FILE* stream, Size first, Size total);

  ~Progress();  // leaves nothing of the live line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(Size step, double loss);
  void unseen(double loss) {
    unseen_ = loss;
  }  // of sequences that are not trained on: the last known

 private:
  std::string status(Size step, double loss) const;

  std::FILE* stream_;
  bool live_;
  int width_;  // of the terminal
  Size first_, total_, next_plain_;
  double start_, last_shown_ = 0;
  std::optional<double> unseen_;
};

}  // namespace attention::cli
