// How far a run is: one live line on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "attention/core/real.hpp"

namespace attention::cli {

double seconds();  // on a clock that only goes forward

bool is_terminal(std::FILE* stream);

class Progress {
 public:
  // Steps first + 1 … total are to come.
  Progress(std::FILE* stream, Size first, Size total);

  void update(Size step, double loss);
  void say(const std::string& line);  // a line of its own; the live line comes back below it
  void finish();                      // leaves nothing of the live line

 private:
  std::string status(Size step, double loss) const;

  std::FILE* stream_;
  bool live_;
  Size first_, total_, next_plain_;
  double start_, last_shown_ = 0;
};

}  // namespace attention::cli
