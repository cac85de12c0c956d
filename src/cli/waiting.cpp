#include "waiting.hpp"

#include <cstdlib>
#include <cstring>

#ifdef __linux__
#include <unistd.h>
#endif

namespace attention::cli {

void wait_briefly([[maybe_unused]] char** arguments) {
#ifdef __linux__
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
  const char* preloaded = std::getenv("LD_PRELOAD");
  if (preloaded && std::strstr(preloaded, "vgpreload")) return;  // Valgrind does not follow
  setenv("GOMP_SPINCOUNT", "10000", 1);
  execv("/proc/self/exe", arguments);  // returns only when it fails; then it is as it was
#endif
}

}  // namespace attention::cli
