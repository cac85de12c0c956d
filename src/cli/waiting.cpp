// How OpenMP's threads wait for one another. By default they spin for about a millisecond, which on
// a machine with other things to do keeps each from the processor that the other needs: a training
// step then takes 100 times as long. Spinning for some microseconds costs next to nothing on an
// idle machine. GNU's OpenMP reads the environment when it is loaded, before main() and before
// anything of the libraries runs: only what the program itself puts into .preinit_array comes
// earlier.
#include <cstdlib>

#if defined(__GLIBC__) && defined(__ELF__)

namespace {

void spin_briefly() {
  if (!std::getenv("OMP_WAIT_POLICY")) setenv("GOMP_SPINCOUNT", "1000", 0);  // 0: unless it is set
}

[[gnu::used, gnu::section(".preinit_array")]] void (*const before_libraries)() = spin_briefly;

}  // namespace
#endif
