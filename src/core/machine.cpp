#include "attention/core/machine.hpp"

#include <unistd.h>

namespace attention {

std::uint64_t machine_memory() {
#ifdef _SC_PHYS_PAGES
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && bytes > 0)
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes);
#endif
  return ~std::uint64_t{0};
}

}  // namespace attention
