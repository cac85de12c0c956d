// The learning rate of each step. Steps count from 1.
#pragma once

#include <string>

#include "attention/core/real.hpp"

namespace attention {

enum class ScheduleKind { constant, cosine, noam };

struct Schedule {
  ScheduleKind kind = ScheduleKind::constant;
  real rate = real(1e-3);  // the highest rate; of noam, a factor
  Size warmup = 0;         // steps of a linear rise from rate / warmup to rate
  Size steps = 0;          // cosine: all steps, warm-up included
  real final = real(0.1);  // cosine: the share of the rate at the last step
  Size channels = 0;       // noam: d_model

  // constant: rate. cosine: from rate (when warm-up ends, or at step 1) along half a cosine to
  // final * rate (at step `steps`, and ever after). noam: Vaswani et al. (2017), eq. 3:
  // rate * channels^-0.5 * min(step^-0.5, step * warmup^-1.5); without warm-up
  // rate * channels^-0.5 * step^-0.5. Throws when step < 1, or when numbers the kind needs are
  // missing or make no sense.
  real operator()(Size step) const;
};

// "constant", "cosine", "noam"; throws on another name, listing them.
ScheduleKind schedule_kind(const std::string& name);
std::string to_string(ScheduleKind kind);

}  // namespace attention
