// Misuse as a table: a public function, what is done wrong, the doing, and the whole text of the
// error that has to come. scripts/misuse.sh reads the first column and names the functions that
// have no row. A row that goes through, throws anything but an Error or leaves nodes behind fails.
#pragma once

#include <string>
#include <vector>

#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

namespace attention {

struct Misuse {
  const char* function;
  const char* wrong;
  void (*act)();
  std::string text;
};

inline void refuse(const std::vector<Misuse>& rows) {
  for (const auto& [function, wrong, act, text] : rows) {
    INFO(function << ": " << wrong);
    const auto before = live_nodes();
    std::string said = "nothing: it went through";
    try {
      act();
    } catch (const Error& error) {
      said = error.what();
    } catch (const std::exception& error) {
      said = std::string("no Error of ours: ") + error.what();
    }
    CHECK(said == text);
    CHECK(live_nodes() == before);
  }
}

// What every op says of an input without a value.
inline std::string undefined(const std::string& op, int input = 0) {
  return fmt::format(
      "{}: input {} is undefined: a Tensor without a value, or a gradient that no backward reached",
      op, input);
}

// What every op says of an axis that a matrix (2, 3) does not have.
inline std::string no_axis(const std::string& op, int axis) {
  return fmt::format("{}: axis {} of (2, 3): there are 2 axes, so -2 to 1 are possible", op, axis);
}

}  // namespace attention
