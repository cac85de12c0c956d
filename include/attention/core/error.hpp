// The one exception of the library, and the function that throws it. A message names the op, says
// what is wrong with the numbers, and where there is a usual cause, the usual mend.
#pragma once

#include <fmt/core.h>

#include <stdexcept>

namespace attention {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void fail_with(fmt::string_view format, fmt::format_args arguments);

// fail("matmul: inner sizes differ: {} x {}", a, b) throws an Error with that text.
template <class... Arguments>
[[noreturn]] void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fail_with(format, fmt::make_format_args(arguments...));
}

}  // namespace attention
