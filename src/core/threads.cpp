#include "attention/core/threads.hpp"

#include <exception>
#include <thread>

#include "attention/core/error.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace attention {
namespace {

int default_threads() {
#ifdef _OPENMP
  return std::max(1, omp_get_max_threads());
#else
  return 1;
#endif
}

constexpr int most_threads = 1024;

int chosen = 0;  // 0: nobody has asked yet

bool inside_parallel() {
#ifdef _OPENMP
  return omp_in_parallel();
#else
  return false;
#endif
}

}  // namespace

bool threads_available() {
#ifdef _OPENMP
  return true;
#else
  return false;
#endif
}

int threads() {
  if (chosen == 0) chosen = default_threads();
  return inside_parallel() ? 1 : chosen;
}

void set_threads(int n) {
  if (n < 1) fail("threads: {} asked for; at least 1 is needed", n);
  if (n > most_threads) fail("threads: {} asked for; {} are the most", n, most_threads);
  if (n > 1 && !threads_available())
    fail("threads: {} asked for, but this build has no OpenMP: 1 is the only choice", n);
  chosen = n;
}

namespace detail {

// The k-th of n threads takes the k-th n-th of the grains. An exception cannot leave an OpenMP
// region, so the first one is carried out by hand.
void split(Size count, Size grain, void (*body)(void*, Size, Size), void* context) {
  const Size grains = (count + grain - 1) / grain;
  const Size ways = std::min<Size>(threads(), grains);
  std::exception_ptr thrown;
#ifdef _OPENMP
#pragma omp parallel for num_threads(ways) schedule(static, 1)
#endif
  for (Size k = 0; k < ways; ++k) {
    try {
      const Size begin = grains * k / ways * grain;
      const Size end = std::min(count, grains * (k + 1) / ways * grain);
      if (begin < end) body(context, begin, end);
    } catch (...) {
#ifdef _OPENMP
#pragma omp critical(attention_split)
#endif
      if (!thrown) thrown = std::current_exception();
    }
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace detail
}  // namespace attention
