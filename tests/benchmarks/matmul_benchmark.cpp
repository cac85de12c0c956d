// Matrix products: cubes, the shapes of training and the batches of attention, each operand as it
// is or transposed, ours beside the libraries that are installed. compare_blas.sh makes a table of
// it. Every library's result is compared with ours before it is timed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "attention/core/memory.hpp"
#include "attention/core/random.hpp"
#include "benchmark.hpp"
#include "matmul_libraries.hpp"

namespace attention::benchmarks {

std::vector<Library>& libraries() {
  static std::vector<Library> list;
  return list;
}

namespace {

struct Case {
  const char* group;
  Size batch, rows, inner, columns;
};
constexpr Case cases[] = {
    {"cube", 1, 64, 64, 64},          {"cube", 1, 128, 128, 128},
    {"cube", 1, 256, 256, 256},       {"cube", 1, 512, 512, 512},
    {"cube", 1, 768, 768, 768},       {"cube", 1, 1024, 1024, 1024},
    {"training", 1, 512, 64, 64},     {"training", 1, 512, 64, 256},
    {"training", 1, 512, 256, 64},    {"training", 1, 2048, 128, 128},
    {"training", 1, 2048, 128, 512},  {"training", 1, 2048, 384, 1536},
    {"training", 1, 4096, 384, 1152}, {"attention", 128, 16, 16, 16},
    {"attention", 256, 64, 32, 64},   {"attention", 48, 256, 64, 256},
};

std::function<void()> prepare_ours(float* out, const float* a, const float* b, const Products& p) {
  const Shape a_shape{p.batch, p.size.rows, p.size.inner};
  const Shape b_shape{p.batch, p.size.inner, p.size.columns};
  const Offsets a_at(a_shape, a_shape, 2), b_at(b_shape, b_shape, 2);
  return [=] { kernels::matmul_batched(out, a, a_at, b, b_at, p.batch, p.size); };
}

Buffer random_numbers(Size count) {
  Random random(1);
  Buffer buffer(count);
  for (Size i = 0; i < count; ++i) buffer.fill()[i] = static_cast<real>(random.uniform() - 0.5);
  return buffer;
}

bool close(const Buffer& ours, const Buffer& theirs, Size inner) {
  const auto near = [&](real x, real y) {
    return std::abs(x - y) < 1e-6 * static_cast<double>(inner);
  };
  return std::equal(ours.data(), ours.data() + ours.size(), theirs.data(), near);
}

void time_products(benchmark::State& state, const Products& p, const Library& library) {
  const Size area = p.size.rows * p.size.columns;
  const Buffer a = random_numbers(p.batch * p.size.rows * p.size.inner);
  const Buffer b = random_numbers(p.batch * p.size.inner * p.size.columns);
  const Buffer ours(p.batch * area), theirs(p.batch * area);
  const auto multiply = library.prepare(theirs.fill(), a.data(), b.data(), p);
  prepare_ours(ours.fill(), a.data(), b.data(), p)();
  multiply();
  if (!close(ours, theirs, p.size.inner)) return state.SkipWithError("differs from our result");
  const double flops = 2.0 * static_cast<double>(p.batch * area * p.size.inner);
  time_runs(state, {.flops = flops}, multiply);
}

// GROUP/BATCHxROWSxINNERxCOLUMNS/TRANSPOSES/LIBRARY, where AtB has the first operand transposed.
void add_case(const Case& c, bool transpose_a, bool transpose_b, const Library& library) {
  const Products products{c.batch, {c.rows, c.inner, c.columns, transpose_a, transpose_b}};
  add(fmt::format("{}/{}x{}x{}x{}/A{}B{}/{}", c.group, c.batch, c.rows, c.inner, c.columns,
                  transpose_a ? "t" : "", transpose_b ? "t" : "", library.name),
      [=](benchmark::State& state) { time_products(state, products, library); });
}

void add_all() {
  for (const Case& c : cases)
    for (const bool transpose_a : {false, true})
      for (const bool transpose_b : {false, true}) {
        add_case(c, transpose_a, transpose_b, {"ours", prepare_ours});
        for (const Library& library : libraries()) add_case(c, transpose_a, transpose_b, library);
      }
}

}  // namespace
}  // namespace attention::benchmarks

int main(int argc, char** argv) {
  attention::benchmarks::wait_briefly(argv);
  attention::benchmarks::add_all();
  return attention::benchmarks::run_all(argc, argv);
}
