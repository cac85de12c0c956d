// 17 A fast matmul: how does one get from three loops to the machine's limit?
//
// Nearly all the time of training goes into matrix products. The sum stays the same from the first
// step to the last; what changes is its order, and with it how often a number has to be brought to
// the place where it is multiplied. What to watch: the products, which have to be equal. How long
// the bars are is your machine's business; no claim is made about that.
#include <algorithm>
#include <chrono>

#include "attention/core/kernels.hpp"
#include "attention/core/threads.hpp"
#include "attention/draw/bars.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

constexpr Size M = 480, K = 640, N = 800;  // out (M, N) = a (M, K) times b (K, N), row after row
constexpr Size tall = 8, wide = 32;        // of a tile; M and N are multiples of it

void three_loops(real* out, const real* a, const real* b) {
  for (Size i = 0; i < M; ++i)
    for (Size j = 0; j < N; ++j) {
      real sum = 0;
      for (Size k = 0; k < K; ++k) sum += a[i * K + k] * b[k * N + j];  // along k, b is N apart
      out[i * N + j] = sum;
    }
}

void rows_in_order(real* out, const real* a, const real* b) {
  std::fill(out, out + M * N, real(0));
  for (Size i = 0; i < M; ++i)
    for (Size k = 0; k < K; ++k)
      for (Size j = 0; j < N; ++j)  // neighbours everywhere: a register takes many at once
        out[i * N + j] += a[i * K + k] * b[k * N + j];
}

// The same in blocks of at most 64 x 64: what a block needs is used up before it leaves the cache.
void in_blocks(real* out, const real* a, const real* b) {
  std::fill(out, out + M * N, real(0));
  for (Size top = 0; top < M; top += 64)
    for (Size start = 0; start < K; start += 64)
      for (Size left = 0; left < N; left += 64) {
        const Size bottom = std::min(top + 64, M), right = std::min(left + 64, N);  // at the edge
        for (Size i = top; i < bottom; ++i)
          for (Size k = start; k < std::min(start + 64, K); ++k)
            for (Size j = left; j < right; ++j) out[i * N + j] += a[i * K + k] * b[k * N + j];
      }
}

// Rows [first, last) in tiles: all 256 sums of a tile stay in registers from the first k to the
// last. Each k brings 8 numbers of a and 32 of b, which serve 256 multiply-adds.
void in_tiles(real* out, const real* a, const real* b, Size first, Size last) {
  for (Size left = 0; left < N; left += wide)
    for (Size top = first; top < last; top += tall) {
      real sums[tall][wide] = {};
      for (Size k = 0; k < K; ++k)
#pragma GCC unroll 8
        for (Size r = 0; r < tall; ++r)
          for (Size c = 0; c < wide; ++c) sums[r][c] += a[(top + r) * K + k] * b[k * N + left + c];
      for (Size r = 0; r < tall; ++r) std::copy_n(sums[r], wide, out + (top + r) * N + left);
    }
}

int main(int argc, char** argv) {
  begin(argc, argv, 17, "快的矩阵乘法", "A fast matmul");

  section("用铅笔数一数", "Count with a pencil");
  say("一次乘加要两个数，每次都现取，两个数只换来一次。先取 2 行 2 列各一个数，2 x 2 个和就各添一"
      "项：4 个数，4 次乘加。块越大越划算，可是要放得进离得近的地方：寄存器或者缓存。",
      "A multiply-add takes two numbers; fetched each time, two serve one. Fetch a number of each "
      "of 2 rows and 2 columns, and 2 x 2 sums grow by a term: 4 numbers, 4 multiply-adds. Larger "
      "blocks give more, as long as they fit into a place that is near: registers, or a cache.");
  std::vector<Row> counts = {{in("一块", "block"), in("每个数换来几次", "multiply-adds a number")}};
  for (const auto& [rows, columns] : {std::pair{1, 1}, {2, 2}, {8, 32}, {64, 64}})
    counts.push_back({fmt::format("{} x {}", rows, columns),
                      number(double(rows * columns) / (rows + columns), 2)});
  table(counts);

  section("同一个积，六种算法", "The same product, six ways");
  say("矩阵里是 -4 到 4 的整数，和不会舍入，次序怎么换，积都要一个数也不差。三层循环；换成 i k j，"
      "一路都是相邻的数；分块；一小片的和留在寄存器里；{} 个线程分几行；最后是本库的内核。",
      "The matrices hold whole numbers from -4 to 4, no sum is rounded, and no change of order "
      "may change a number. Three loops; then i k j, where neighbours follow neighbours; blocks; "
      "a tile of sums kept in registers; rows dealt out to threads ({} here); the library's "
      "kernel.",
      threads());
  Random random(1);
  std::vector<real> a(M * K), b(K * N), out(M * N), expected(M * N);
  for (real& x : a) x = real(random.below(9) - 4);
  for (real& x : b) x = real(random.below(9) - 4);
  kernels::matmul_naive(expected.data(), a.data(), b.data(), {M, K, N});  // the definition
  std::vector<Row> rows = {{in("算法", "way"), "GFLOP/s"}};
  draw::BarChart chart{.title = fmt::format("{} x {} x {}", M, K, N), .value_name = "GFLOP/s"};
  const auto step = [&](const std::string& zh, const std::string& en, const auto& run) {
    double best = 0;  // of three, in thousand millions of additions and multiplications a second
    for (int i = 0; i < 3; ++i) {
      const auto start = std::chrono::steady_clock::now();
      run(out.data(), a.data(), b.data());
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      best = std::max(best, 2e-9 * double(M * K * N) / seconds.count());
    }
    chart.bars.push_back({in(zh, en), best});
    rows.push_back({in(zh, en), fmt::format("{:.1f}", best)});
    claim(zh + "，与定义相差", en + ", off the definition by",
          difference(from_values(out), from_values(expected)), exactly(0));
  };
  const auto library = [](real* to, const real* x, const real* y) {
    kernels::matmul(to, x, y, {M, K, N});
  };
  step("三层循环", "three loops", three_loops);
  step("i k j", "i k j", rows_in_order);
  step("分块", "blocks", in_blocks);
  step("寄存器", "registers", [](auto... x) { in_tiles(x..., 0, M); });
  step("线程", "threads", [](auto... x) {
    parallel_for(M, tall, M * K * N, [=](Size i, Size end) { in_tiles(x..., i, end); });
  });
  step("本库的内核", "the library's kernel", library);
  table(rows);
  save("speed", draw::render(chart));
  say("分块单独用，常常不见快：行本来就挨着，处理器会提前去取。内核把它和寄存器合起来，还先把要读"
      "的数排成读的次序，矩阵再大也不慢。",
      "Blocks alone often gain nothing: rows lie in order, and the processor fetches ahead. The "
      "kernel joins them with registers and first lays out its numbers in the order of reading; "
      "so it stays fast as matrices grow.");

  section("小数：次序有关系，线程没有", "Fractions: the order matters, threads do not");
  say("换成小数，每加一次都舍入，次序一变，末位就变，那不是错。线程不改次序：一个和从头到尾归一个"
      "线程，几个线程都是同样的比特。",
      "With fractions each addition rounds, and another order changes the last digits: that is "
      "not wrong. Threads change no order: a sum belongs to one thread from beginning to end.");
  const Tensor x = normal({M, K}, 0, 1, random), y = normal({K, N}, 0, 1, random);
  const Tensor product = matmul(x, y);
  three_loops(out.data(), x.data(), y.data());
  claim("三层循环与本库的内核相差", "three loops, off the library's kernel by",
        difference(from_values(out, {M, N}), product), at_most(1e-3));
  library(out.data(), x.data(), y.data());
  claim("内核与张量的 matmul 相差", "the kernel, off matmul of tensors by",
        difference(from_values(out, {M, N}), product), exactly(0));
  set_threads(1);
  claim("一个线程与几个线程相差", "one thread, off several by", difference(matmul(x, y), product),
        exactly(0));
  article("自注意力可以并行计算", "self-attention can be computed in parallel",
          holds_when("和与和互不相干，像这样", "no sum waits for another, as here"));
  say("练习：三块都要放进缓存，块该多大？下一课给库添一个它没有的运算。",
      "The exercise: how large may a block be, if three are to fit into the cache? Next, lesson "
      "18 adds an op that the library lacks.");
  return end();
}
