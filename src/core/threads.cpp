#include "attention/core/threads.hpp"

#include <chrono>
#include <exception>

#include "attention/core/error.hpp"
#include "denormals.hpp"

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

thread_local bool alone =
    false;  // inside a range that was not shared out, though it could have been

bool inside_range() {
#ifdef _OPENMP
  return alone || omp_in_parallel();
#else
  return alone;
#endif
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Where other programs keep the processors busy, a thread that is called may not come for
// milliseconds, in which the caller would have done all the work itself. Whoever has waited that
// long goes alone for a while: each time twice as long, and less again when waiting pays. What is
// computed does not depend on it.
class Patience {
 public:
  bool worn_out() { return alone_ > 0 && alone_-- > 0; }

  void learn(double own_share, double waited, Size ways) {
    const bool lost = waited > own_share * static_cast<double>(ways - 1) + slack;
    if (lost) alone_ = penalty_;
    penalty_ = lost ? std::min(2 * penalty_, longest) : std::max(penalty_ / 2, shortest);
  }

 private:
  static constexpr double slack = 200e-6;  // seconds: waking a thread takes a part of it
  static constexpr Size shortest = 8, longest = 4096;
  Size alone_ = 0, penalty_ = shortest;
};

thread_local Patience patience;

bool always_sharing = false;

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
  return inside_range() ? 1 : chosen;
}

void set_threads(int n) {
  if (n < 1) fail("threads: {} asked for; at least 1 is needed", n);
  if (n > most_threads) fail("threads: {} asked for; {} are the most", n, most_threads);
  if (n > 1 && !threads_available())
    fail("threads: {} asked for, but this build has no OpenMP: 1 is the only choice", n);
  chosen = n;
}

namespace detail {

// A function of its own, so that nothing of the body is computed before the mode is set.
void call(void (*body)(void*, Size, Size), void* context, Size begin, Size end) {
  const FlushDenormals scope;
  body(context, begin, end);
}

void refuse_grain(Size grain) {
  fail("parallel_for: ranges that begin at multiples of {}; at least 1 is needed", grain);
}

void go_alone(Size count, void (*body)(void*, Size, Size), void* context) {
  struct Scope {
    Scope() { alone = true; }
    ~Scope() { alone = false; }
  } scope;
  call(body, context, 0, count);
}

void always_share(bool on) { always_sharing = on; }

// The k-th of n threads takes the k-th n-th of the grains. An exception cannot leave an OpenMP
// region, so the first one is carried out by hand.
void split(Size count, Size grain, void (*body)(void*, Size, Size), void* context) {
  const Size grains = (count + grain - 1) / grain;
  const Size ways = std::min<Size>(threads(), grains);
  if (!always_sharing && patience.worn_out()) return go_alone(count, body, context);
  std::exception_ptr thrown;
  const double start = now();
  double own_share_done = start;
#ifdef _OPENMP
#pragma omp parallel for num_threads(ways) schedule(static, 1)
#endif
  for (Size k = 0; k < ways; ++k) {
    try {
      const Size begin = grains * k / ways * grain;
      const Size end = std::min(count, grains * (k + 1) / ways * grain);
      if (begin < end) call(body, context, begin, end);
    } catch (...) {
#ifdef _OPENMP
#pragma omp critical(attention_split)
#endif
      if (!thrown) thrown = std::current_exception();
    }
    if (k == 0) own_share_done = now();  // the calling thread's
  }
  patience.learn(own_share_done - start, now() - own_share_done, ways);
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace detail
}  // namespace attention
