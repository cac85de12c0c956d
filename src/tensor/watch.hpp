// What backward() does inside an AnomalyMode: it keeps a Watch, and shows it whatever it computes.
// What a watch says about causes is in likely_cause.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "attention/tensor/anomaly.hpp"

namespace attention {

using Ancestors = std::map<std::uint64_t, Tensor>;  // by number, so oldest first

class Watch {
 public:
  static bool wanted();  // whether there is an AnomalyMode on this thread

  // Looks through the forward pass: the values of everything behind the loss.
  Watch(const Tensor& loss, const Ancestors& ancestors);

  // The gradient that the rule of `result` gave for one of its inputs when `arrived` had come in.
  void check_given(const Tensor& result, const Tensor& arrived, std::size_t input,
                   const Tensor& gradient) const;
  // The sum of all that has been sent to `tensor`.
  void check_sum(const Tensor& tensor, const Tensor& gradient) const;

 private:
  // A node on a shortest way to the loss, and where that goes next. It keeps no node alive.
  struct Step {
    std::string label;      // "log (3, 4)"
    std::uint64_t next;     // the number of what was made from it; of the loss, 0
    std::size_t input = 0;  // and which of its inputs it is there
  };
  void check_values(const Tensor& loss, const Ancestors& ancestors) const;
  [[noreturn]] void report_value(const Tensor& tensor, const std::string& why) const;
  std::string path_from(const Tensor& tensor) const;

  std::map<std::uint64_t, Step> steps_;
};

bool has_nan(const Tensor& x);

// "its input has 3 values of 0, and log of 0 is -inf; …": why a result, or the gradient for an
// input, holds what is no number: from the name of the op and the numbers that went into it.
std::string cause_in_forward(const Tensor& result);
std::string cause_in_backward(const Tensor& result, const Tensor& arrived, std::size_t input,
                              const Tensor& gradient);

}  // namespace attention
