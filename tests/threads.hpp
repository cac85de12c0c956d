// As many threads as a test asks for, while one of these lives.
#pragma once

#include "attention/core/threads.hpp"

namespace attention {

// With more than one, work is shared out even where going alone has been quicker: a test of what
// threads compute would see nothing on a busy machine otherwise.
struct Threads {
  int before = threads();
  explicit Threads(int n) {
    set_threads(n);
    detail::always_share(n > 1);
  }
  ~Threads() {
    set_threads(before);
    detail::always_share(false);
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
};

}  // namespace attention
