// gradcheck(): is a gradient right? It is compared with central differences, element by element,
// under a random weighting of the output (a plain sum cannot see an error in softmax, whose rows
// always sum to 1). Meaningful in double only: link attention_double.
#pragma once

#include <functional>
#include <string>

#include "attention/tensor/tensor.hpp"

namespace attention {

struct GradcheckOptions {
  double step = 1e-5;         // h in (f(x + h) - f(x - h)) / 2h
  double tolerance = 1e-6;    // of |analytic - numeric| / max(1, |analytic|, |numeric|)
  bool second_order = false;  // check the gradient of the gradient as well
};

struct GradcheckReport {
  bool passed = false;
  double error = 0;        // of the worst element, as above
  int input = -1;          // which input that element belongs to …
  std::string index = {};  // … and where in it, "(1, 2)"
  double analytic = 0;     // what the rule says there, …
  double numeric = 0;      // … and what the differences say
  std::string text = {};   // all of this in a line; printed by the checks
  explicit operator bool() const { return passed; }
};

// f is called with the inputs as leaves; its result may have any shape. Fails, and says so, when an
// input gets no gradient at all while the differences are zero as well: zero against zero proves
// nothing. Throws when the number type is too coarse.
GradcheckReport gradcheck(const std::function<Tensor(const Tensors&)>& f, const Tensors& inputs,
                          GradcheckOptions options = {});
GradcheckReport gradcheck(const std::function<Tensor(const Tensor&)>& f, const Tensor& input,
                          GradcheckOptions options = {});

}  // namespace attention
