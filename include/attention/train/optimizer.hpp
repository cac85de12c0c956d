// Optimizers: one step over named parameters, from the gradients that backward() left in them. They
// know tensors and names, no layers. A tensor that appears under two names is stepped once, under
// the first. Constructors throw when there are no tensors, when two have one name, when one
// was made by an op, or when a setting cannot work.
// Next: schedule.hpp, checkpoint.hpp.
#pragma once

#include <vector>

#include "attention/tensor/tensor.hpp"

namespace attention {

// v = momentum v + g, then w = w - rate v.
class Sgd {
 public:
  explicit Sgd(NamedTensors parameters, real momentum = 0);
  // Throws, naming it, when a parameter has no gradient; nothing has changed then.
  void step(real rate);
  NamedTensors state() const;  // "velocity.NAME" for each parameter: to save, and to load into

 private:
  NamedTensors parameters_;
  Tensors velocities_;
  real momentum_;
};

struct AdamOptions {
  real beta1 = real(0.9), beta2 = real(0.999), eps = real(1e-8);
  real decay = 0;  // AdamW's decoupled weight decay, on matrices only (rank 2 and up)
};

// Kingma and Ba (2015), algorithm 1, with bias correction; with decay, Loshchilov and Hutter's
// AdamW (2019), algorithm 2: w = w - rate decay w first, then Adam's step.
class Adam {
 public:
  explicit Adam(NamedTensors parameters, AdamOptions options = {});
  // Throws, naming it, when a parameter has no gradient; nothing has changed then.
  void step(real rate);
  // "mean.NAME" and "square.NAME" for each parameter, and "steps" (a scalar): to save, to load into
  NamedTensors state() const;

 private:
  NamedTensors parameters_;
  Tensors means_, squares_;
  Tensor steps_;  // how many steps have been taken: bias correction needs it
  AdamOptions options_;
};

void clear_gradients(const NamedTensors& parameters);

// Scales all gradients so that their joint Euclidean norm is at most `limit`; returns the norm
// before (at most the largest finite number, so an infinite one tells of an infinite gradient).
// Gradients that are smaller, all zero, or not finite stay as they are: the norm tells. A limit of
// 0 only measures. Parameters without a gradient are passed over. A gradient is replaced, never
// written into: it may be shared.
real clip_gradients(const NamedTensors& parameters, real limit);

}  // namespace attention
