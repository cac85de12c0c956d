// Every kernel of core/kernels.hpp, and the loops of core/elementwise.hpp, at the sizes of a small
// model's training step. Matrix products are here once; matmul_benchmark has all their shapes.
#include "attention/core/kernels.hpp"

#include "attention/core/elementwise.hpp"
#include "attention/core/math.hpp"
#include "attention/core/memory.hpp"
#include "attention/core/random.hpp"
#include "attention/tensor/mask.hpp"
#include "benchmark.hpp"

using namespace attention;
using namespace attention::benchmarks;

namespace {

constexpr Size B = 32, T = 64, C = 128, H = 4, D = C / H, V = 64;  // as in nn/transformer.hpp
constexpr Size rows = B * T, hidden = 4 * C, score_rows = B * H * T, largest = rows * hidden;

Buffer numbers() {
  Random random(1);
  Buffer buffer(largest);
  for (Size i = 0; i < largest; ++i) buffer.fill()[i] = static_cast<real>(random.normal());
  return buffer;
}

std::vector<int> random_ids() {
  Random random(1);
  std::vector<int> ids(rows);
  for (int& id : ids) id = static_cast<int>(random.below(V));
  return ids;
}

const std::vector<int> ids = random_ids();

const std::vector<std::uint8_t> choice = [] {
  Random random(1);
  std::vector<std::uint8_t> bytes(largest);
  for (std::uint8_t& byte : bytes) byte = random.below(2) == 1;
  return bytes;
}();

// Operands and results of all kernels, each as large as the largest needs.
const Buffer first = numbers(), second = numbers(), result(largest), rests(largest);
const real *const x = first.data(), *const y = second.data();
real *const out = result.fill(), *const rest = rests.fill();

// `count` numbers are read or written by a run.
void kernel(const std::string& name, Size count, std::function<void()> run) {
  add(name, {.bytes = static_cast<double>(count) * sizeof(real)}, std::move(run));
}

void add_elementwise() {
  using namespace kernels;
  const auto function = [](const char* name, auto f) {
    kernel(name, 2 * largest, [f] { map(out, x, largest, 8, f); });
  };
  function("map/relu", [](real v) { return v > 0 ? v : 0; });
  function("map/exp", [](real v) { return math::exp(v); });
  function("map/log", [](real v) { return math::log(v); });
  function("map/tanh", [](real v) { return math::tanh(v); });
  function("map/erf", [](real v) { return math::erf(v); });

  const auto sum = [](real a, real b) { return a + b; };
  const auto zip_with = [sum](const char* name, const Shape& other) {
    const Shape shape{rows, hidden};
    kernel(name, 2 * largest + other.count(), [=] { zip(out, shape, x, shape, y, other, 1, sum); });
  };
  zip_with("zip/same_shape", {rows, hidden});
  zip_with("zip/row", {hidden});
  zip_with("zip/column", {rows, 1});

  const auto choose = [](const char* name, const Shape& other) {
    const Shape shape{rows, hidden};
    kernel(name, 2 * largest + other.count(),
           [=] { where(out, shape, choice.data(), shape, x, shape, y, other); });
  };
  choose("where/same_shape", {rows, hidden});
  choose("where/row", {hidden});
  choose("where/number", {});
}

void add_products() {
  const kernels::Product up{rows, C, hidden}, scores{T, D, T, false, true};
  const double up_flops = 2.0 * rows * C * hidden, scores_flops = 2.0 * B * H * T * D * T;
  const Shape in{B * H, T, D};
  const Offsets at(in, in, 2);
  add("matmul", {.flops = up_flops}, [=] { kernels::matmul(out, x, y, up); });
  add("matmul_naive", {.flops = up_flops}, [=] { kernels::matmul_naive(out, x, y, up); });
  add("matmul_batched", {.flops = scores_flops},
      [=] { kernels::matmul_batched(out, x, at, y, at, B * H, scores); });
}

void add_attention() {
  const kernels::AttentionSize size{B, H, T, T, D, D, real(0.2)};
  static const Mask causal = causal_mask(T);
  const kernels::RowMask mask{causal.data(), Offsets(causal.shape(), {B, H, T, T}, 1)};
  static const Buffer highest(B * H * T), share(B * H * T);
  const double flops = 4.0 * B * H * T * T * D;  // of the products, as if nothing were masked
  kernels::attention(out, highest.fill(), share.fill(), x, y, x, mask, size);
  add("attention", {.flops = flops},
      [=] { kernels::attention(out, rest, rest + B * H * T, x, y, x, {}, size); });
  add("attention/causal", {.flops = flops},
      [=] { kernels::attention(out, rest, rest + B * H * T, x, y, x, mask, size); });
  add("attention_backward/causal", {.flops = 2.5 * flops}, [=] {
    real *const dq = out, *const dk = dq + rows * C, *const dv = dk + rows * C;
    kernels::attention_backward(dq, dk, dv, y, x, highest.data(), share.data(), x, y, x, mask,
                                size);
  });
}

void add_reductions() {
  kernel("sum/of_rows", largest + rows, [] { kernels::sum(out, x, rows, hidden, 1); });
  kernel("sum/of_columns", largest + hidden, [] { kernels::sum(out, x, 1, rows, hidden); });
  kernel("max/of_rows", largest + rows, [] { kernels::max(out, x, rows, hidden, 1); });
  kernel("max/of_columns", largest + hidden, [] { kernels::max(out, x, 1, rows, hidden); });
}

void add_layout() {
  const Shape split{B, T, H, D}, merged{B, H, T, D};
  kernel("permute/split_heads", 2 * rows * C, [=] {
    kernels::permute(out, x, split, {0, 2, 1, 3});
  });
  kernel("transpose", 2 * rows * C, [] { kernels::transpose(out, rows, x, C, rows, C); });
  kernel("permute/last_two", 2 * rows * C, [=] { kernels::permute(out, x, merged, {0, 1, 3, 2}); });

  kernel("gather_rows", 2 * rows * C, [] { kernels::gather_rows(out, x, ids.data(), rows, C); });
  kernel("scatter_rows", (rows + V) * C,
         [] { kernels::scatter_rows(out, x, ids.data(), rows, V, C); });
}

void add_rows() {
  const Size scores = score_rows * T;
  std::vector<std::uint8_t> causal(T * T);
  for (Size i = 0; i < T; ++i) std::fill_n(&causal[i * T], i + 1, 1);
  const Offsets at({T, T}, {score_rows / T, T, T}, 1);
  const kernels::Targets targets{ids.data(), -1, real(0.1)};

  kernel("softmax", 2 * scores, [] { kernels::softmax(out, x, {}, score_rows, T); });
  kernel("softmax/causal", 2 * scores, [=] {
    kernels::softmax(out, x, {causal.data(), at}, score_rows, T);
  });
  for (const Size columns : {5, 12, 20})
    kernel("softmax/of_" + std::to_string(columns), 2 * score_rows * columns,
           [=] { kernels::softmax(out, x, {}, score_rows, columns); });
  kernel("softmax_backward", 3 * scores,
         [] { kernels::softmax_backward(out, x, y, score_rows, T); });
  kernel("log_softmax", 2 * scores, [] { kernels::log_softmax(out, x, {}, score_rows, T); });
  kernel("normalize", 2 * rows * C, [] { kernels::normalize(out, rest, x, real(1e-5), rows, C); });
  kernel("normalize_backward", 3 * rows * C,
         [] { kernels::normalize_backward(out, x, rest, y, rows, C); });
  kernel("layer_norm", 2 * rows * C,
         [] { kernels::layer_norm(out, rest, rest + rows, x, y, y + C, real(1e-5), rows, C); });
  kernel("layer_norm_backward", 3 * rows * C, [] {
    const Size at = rows * C;  // dgain, dbias, mean, rstd and gain go behind what is as large as x
    kernels::layer_norm_backward(out, out + at, out + at + C, x, rest, rest + rows, y + at, y, rows,
                                 C);
  });
  kernel("cross_entropy", rows * V, [=] { kernels::cross_entropy(out, x, targets, rows, V); });
  kernel("cross_entropy_backward", 2 * rows * V,
         [=] { kernels::cross_entropy_backward(out, x, targets, 1, rows, V); });
}

}  // namespace

int main(int argc, char** argv) {
  wait_briefly(argv);
  add_elementwise();
  add_products();
  add_attention();
  add_reductions();
  add_layout();
  add_rows();
  return run_all(argc, argv);
}
