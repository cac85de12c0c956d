// What the exercises share. A check computes the right answer and what each well-known mistake
// would give, and names the one that the learner's numbers match. It says no more than that: how
// to do it is for the learner to find.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "attention/attention.hpp"

namespace exercise {

struct Words {
  std::string zh, en;
};

// What a function returns that has not been written yet: no tensor, no number, an empty list.
struct Todo {
  operator attention::Tensor() const { return {}; }
  operator attention::Mask() const { return {}; }
  operator double() const { return std::numeric_limits<double>::quiet_NaN(); }
  template <class T>
  operator std::vector<T>() const {
    return {};
  }
  operator std::string() const { return {}; }
};
inline constexpr Todo todo;

enum class State { todo, right, wrong };
struct Diagnosis {
  State state = State::todo;
  Words text = {};
};

Diagnosis still_to_do(const Words& what);
Diagnosis right(const Words& why_it_matters);
Diagnosis wrong(const Words& why);
Diagnosis stopped(const std::exception& error);  // what the learner's code has thrown

struct Mistake {
  attention::Tensor gives;
  Words name;  // what was done, how the numbers show it, and where to look
};

// Compares the learner's answer with the right one, then with what each mistake gives. An answer
// that matches none of them is told where it differs first; what it throws is told as it is.
// A scalar Tensor stands for a number.
Diagnosis diagnose(const std::function<attention::Tensor()>& answer, const attention::Tensor& right,
                   const std::vector<Mistake>& mistakes, double tolerance = 1e-5);

// The first that is not right; else the last. For exercises of several parts.
Diagnosis first_of(const std::vector<std::function<Diagnosis()>>& parts);

// Reads --lang, prints the diagnosis. The exit code is 0 when it is right, 1 when it is wrong and
// 2 when there is still something to do.
int report(int argc, char** argv, const std::function<Diagnosis()>& check);

}  // namespace exercise
