#include "attention/core/error.hpp"

namespace attention {

void fail_with(fmt::string_view format, fmt::format_args arguments) {
  throw Error(fmt::vformat(format, arguments));
}

}  // namespace attention
