// Denormals: numbers too small for a full mantissa, under 1.2e-38 (2.2e-308 in double), which many
// processors take a hundred times as long to compute with. What dies out gets stuck there: 0.9
// times the smallest of them rounds to itself, so Adam's means would never reach 0. Nothing here
// needs them, so kernels make 0 of them. Next: threads.cpp, where every kernel is called.
#pragma once

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace attention {

// While one is alive, what its thread computes is 0 in place of a denormal. Those that come from
// elsewhere, a file say, are read as what they are: log(1e-40) is no -inf (except on ARM, which
// cannot tell the two apart). Afterwards the thread is as its owner left it: how a program rounds
// is not for a library to decide. On processors other than x86-64 and 64-bit ARM it does nothing.
class FlushDenormals {
 public:
  FlushDenormals() {
    if ((before_ & flush) != flush) set_mode(before_ | flush);
  }
  ~FlushDenormals() {
    if ((before_ & flush) != flush) set_mode(before_);
  }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__SSE2__) || defined(_M_X64)
  using Mode = unsigned;
  static constexpr Mode flush = 0x8000;  // FTZ: for results
  static Mode mode() { return _mm_getcsr(); }
  static void set_mode(Mode mode) { _mm_setcsr(mode); }
#elif defined(__aarch64__)
  using Mode = unsigned long;
  static constexpr Mode flush = 1 << 24;  // FZ: for operands, too
  static Mode mode() {
    Mode mode;
    asm volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
  }
  static void set_mode(Mode mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }
#else
  using Mode = unsigned;
  static constexpr Mode flush = 0;
  static Mode mode() { return 0; }
  static void set_mode(Mode) {}
#endif

  const Mode before_ = mode();
};

}  // namespace attention
