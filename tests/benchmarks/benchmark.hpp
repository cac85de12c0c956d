// What the benchmarks share: a program calls wait_briefly(), fills a table of things to run, then
// calls run_all(). Times are of the clock on the wall, and OMP_NUM_THREADS says how many threads
// there are.
#pragma once

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "attention/core/threads.hpp"

namespace attention::benchmarks {

// Threads of GNU's OpenMP spin while they wait, by default for some milliseconds: where something
// else runs as well, they keep the processor from each other, and the scheduler is what is
// measured. A thirtieth of that is as quick on a quiet machine. OpenMP reads the setting when it is
// loaded, so a program that finds none starts itself again with it.
inline void wait_briefly(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  setenv("GOMP_SPINCOUNT", "10000", 0);
  execv("/proc/self/exe", argv);  // comes back only where that cannot be done: then without
}

// What there is to do in one run, shown per second where it is not 0: GB=27.1/s.
struct Amount {
  double bytes = 0;  // read and written at the very least: each operand and result once
  double flops = 0;
};

inline void show_rate(benchmark::State& state, const char* name, double amount) {
  if (amount > 0)
    state.counters[name] =
        benchmark::Counter(amount / 1e9, benchmark::Counter::kIsIterationInvariantRate);
}

// One run is not timed: it fills caches and the pool of memory.
inline void time_runs(benchmark::State& state, const Amount& amount,
                      const std::function<void()>& run) {
  run();
  for ([[maybe_unused]] auto _ : state) {
    run();
    benchmark::ClobberMemory();
  }
  show_rate(state, "GB", amount.bytes);
  show_rate(state, "GFLOP", amount.flops);
}

inline benchmark::internal::Benchmark* add(const std::string& name,
                                           std::function<void(benchmark::State&)> body) {
  return benchmark::RegisterBenchmark(name.c_str(), std::move(body))
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
}

inline void add(const std::string& name, const Amount& amount, std::function<void()> run) {
  add(name, [=](benchmark::State& state) { time_runs(state, amount, run); });
}

inline int run_all(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("threads", std::to_string(threads()));
  const char* const spins = std::getenv("GOMP_SPINCOUNT");
  benchmark::AddCustomContext("GOMP_SPINCOUNT", spins ? spins : "not set");
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace attention::benchmarks
