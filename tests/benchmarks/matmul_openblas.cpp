// OpenBLAS. It has no batched product, so threads share out the batch, and inside a thread of
// OpenMP it uses no more of its own.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include "attention/core/threads.hpp"
#include "matmul_libraries.hpp"

namespace attention::benchmarks {
namespace {

std::function<void()> prepare(float* out, const float* a, const float* b, const Products& p) {
  const Size M = p.size.rows, K = p.size.inner, N = p.size.columns;
  const auto some = [=](Size begin, Size end) {
    const int m = static_cast<int>(M), k = static_cast<int>(K), n = static_cast<int>(N);
    for (Size i = begin; i < end; ++i)
      cblas_sgemm(CblasRowMajor, p.size.transpose_a ? CblasTrans : CblasNoTrans,
                  p.size.transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1, a + i * M * K,
                  p.size.transpose_a ? m : k, b + i * K * N, p.size.transpose_b ? k : n, 0,
                  out + i * M * N, n);
  };
  return [=] { parallel_for(p.batch, 1, p.batch * M * K * N, some); };
}

// Which processor's code it has chosen: OPENBLAS_CORETYPE, where it is set, may ask for a slower.
const bool listed =
    (benchmark::AddCustomContext("OpenBLAS", openblas_get_config()), enlist({"OpenBLAS", prepare}));

}  // namespace
}  // namespace attention::benchmarks
