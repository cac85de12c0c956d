// How many threads work, and how work is shared out: independent outputs only, in ranges whose
// borders do not depend on the number of threads. So one thread or sixteen give the same bits.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "attention/core/real.hpp"

namespace attention {

int threads();             // the number in use: what was asked for, else one per processor
void set_threads(int n);   // throws unless 1 <= n <= 1024; without OpenMP, unless n is 1
bool threads_available();  // whether the library was built with OpenMP

// Work of fewer multiply-adds than this (a few microseconds) stays on the calling thread: waking a
// second one costs more than it saves.
inline constexpr Size parallel_threshold = 1 << 18;
inline constexpr Size moving = 3;  // what reading and writing an element costs, in multiply-adds

namespace detail {

void call(void (*body)(void*, Size, Size), void* context, Size begin, Size end);
void split(Size count, Size grain, void (*body)(void*, Size, Size), void* context);
void always_share(bool on);  // for tests: also where going alone has been quicker (threads.cpp)
[[noreturn]] void refuse_grain(Size grain);

// The one place where a body is compiled: inlined twice, its multiply-adds might be fused in one
// place and not in the other, and the bits would depend on the number of threads after all.
template <class Body>
[[gnu::noinline]] void run(void* body, Size begin, Size end) {
  (*static_cast<Body*>(body))(begin, end);
}

}  // namespace detail

// Calls body(begin, end) for ranges that together cover [0, count). Ranges begin at multiples of
// `grain`, at least 1; `work` is the cost of all of it. Not nested: inside a body, everything is
// one thread's. Inside, results too small to be normal numbers are 0, on whichever thread (see
// src/core/denormals.hpp).
template <class Body>
void parallel_for(Size count, Size grain, Size work, Body&& body) {
  constexpr auto run = detail::run<std::remove_reference_t<Body>>;
  if (grain < 1) detail::refuse_grain(grain);
  void* const context = const_cast<void*>(static_cast<const void*>(std::addressof(body)));
  if (work >= parallel_threshold && count > grain && threads() > 1)
    detail::split(count, grain, run, context);
  else if (count > 0)
    detail::call(run, context, 0, count);
}

}  // namespace attention
