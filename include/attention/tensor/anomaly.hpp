// AnomalyMode: where does the first NaN or infinity come from? Inside one, backward() and
// gradients() look at every number of the graph and at every gradient, and stop at the first that
// is none. It changes no bit of any result. Outside, nothing is looked at, and nothing is paid.
#pragma once

#include <string>

#include "attention/core/error.hpp"
#include "attention/tensor/tensor.hpp"

namespace attention {

struct Anomaly : Error {
  using Error::Error;
};

// While one is alive on a thread, backward(loss) first looks through the graph behind the loss,
// oldest value first; then, on the way back, at each gradient that a rule gives and at each sum of
// gradients. It throws an Anomaly, one line with the op, the shapes of its inputs, how many values
// are wrong and the first of them, whether it came in the forward or the backward pass, the likely
// cause, and the path from there to the loss. After that, graph and gradients are of no use.
//
// An infinity is no anomaly where an op gives it by definition (what a mask excludes has a
// log_softmax of -inf), nor in a constant of nothing but 0 and -inf, which is a mask, nor in what
// is made of these; unless it reaches the loss. NaN always is one.
//
// The graph begins where a gradient is asked for. What went wrong before that, in the data or in
// ops on constants, comes in as a constant, and is named as such with the op that it went into.
class AnomalyMode {
 public:
  // Leaves are called by their names here, by that of an outer scope, or "leaf".
  explicit AnomalyMode(NamedTensors names = {});
  ~AnomalyMode();
  AnomalyMode(const AnomalyMode&) = delete;
  AnomalyMode& operator=(const AnomalyMode&) = delete;

 private:
  friend class Watch;
  NamedTensors names_;
  const AnomalyMode* outer_;
};

bool all_finite(const Tensor& x);  // no NaN and no infinity

// "3 of 12 values are not finite, the first is -inf at (0, 1)"; "" when all are finite.
std::string not_finite(const Tensor& x);

}  // namespace attention
