// 06 Scores: why a dot product, and why divided by sqrt(d_k)?
//
// Lesson 05 made a score of each query and key. Here: what a dot product measures, how large scores
// become when queries and keys are long, and what that does to learning. What to watch: the
// variance, then the slope. Shares are exp(score) / sum; why, lesson 07 says.
#include <algorithm>
#include <cmath>

#include "attention/core/random.hpp"
#include "attention/draw/canvas.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

// (…, n) scores -> shares that sum to 1. The largest is taken off first: exp stays small.
Tensor shares(const Tensor& scores) {
  const Tensor e = exp(scores - max(scores, -1, keep));
  return e / sum(e, -1, keep);
}

// The bars of a histogram of scores from -30 to 30, in a box whose lower left corner is (x, y).
void bars(draw::Canvas& canvas, int x, int y, const Tensor& scores, int colour) {
  std::vector<int> counts(60, 0);
  for (Size i = 0; i < scores.count(); ++i)
    if (const double s = scores.data()[i]; std::abs(s) < 30) ++counts[int(std::floor(s)) + 30];
  for (int bin = 0; bin < 60; ++bin) {
    const int height = int(220.0 * counts[bin] / double(scores.count()));
    canvas.fill(x + 6 * bin, y - height, 5, height, draw::series_colour(colour));
  }
  canvas.fill(x, y, 360, 1, draw::dim_colour);
  for (int tick = -30; tick <= 30; tick += 15)
    canvas.text({x + 6.0 * (tick + 30), y + 10.0}, number(tick),
                {.size = 11, .align = draw::Align::centre});
}

int main(int argc, char** argv) {
  begin(argc, argv, 6, "分数：为什么用点积，为什么除以 √d_k？",
        "Scores: why a dot product, and why by sqrt(d_k)?");

  section("点积量的是什么", "What a dot product measures");
  say("第 5 课里“甜”的查询是 2 0。拿几个键来乘：同方向的得正分，垂直的得 0，反方向的得负分；键长一"
      "倍，分数也大一倍。所以分数看方向，也看长短。整张表是一次矩阵乘法：Q Kᵀ。",
      "In lesson 05 sweet's query was 2 0. Try it on some keys: along it scores above 0, across "
      "it 0, against it below 0; and a key of twice the length scores twice as much. A score is "
      "about direction and about length. The whole table is one matrix product, Q Kᵀ.");
  const Tensor query = from_values({2, 0}, {1, 2});
  const Tensor keys = from_values({2, 0, 0, 2, -2, 0, 4, 0}, {4, 2});
  const Tensor dots = matmul(query, keys, transpose_b);
  show("scores", dots, {}, {"(2, 0)", "(0, 2)", "(-2, 0)", "(4, 0)"});
  claim("分数是 4 0 -4 8", "the scores are 4 0 -4 8",
        difference(dots, from_values({4, 0, -4, 8}, {1, 4})), exactly(0));
  claim("方向不变、长一倍的键，分数是几倍", "same direction, twice as long: times",
        dots.at({0, 3}) / dots.at({0, 0}), exactly(2));
  article("点积算的是相似度", "the dot product computes a likeness",
          loosely_put("它还随长短变：长一倍的键，分数大一倍，方向却没有变",
                      "it grows with length too: a key twice as long scores double, though it "
                      "points the same way"));

  section("维数越多，分数越散", "The longer the vectors, the wider the scores");
  say("点积是 d_k 个乘积之和。先让每个乘积像抛硬币：+1 或 -1。一枚：-1、1，方差 1。两枚：-2、0、"
      "0、2，方差 2。每多一枚，方差多 1。下面把所有可能都列出来算，一直到十枚。",
      "A dot product adds up d_k products. Let each be the toss of a coin, +1 or -1. One coin: "
      "-1, 1, with variance 1. Two: -2, 0, 0, 2, with variance 2. Each coin adds 1. Here are all "
      "the ways they can fall, up to ten coins.");
  Tensor coins = zeros({1}), variances = zeros({0});
  for (int count = 1; count <= 10; ++count) {
    coins = concat({coins - 1, coins + 1}, 0);
    variances = concat({variances, reshape(variance(coins), {1})}, 0);
  }
  show(in("方差，1 到 10 枚", "variance, 1 to 10 coins"), variances);
  claim("d_k 枚的方差恰好是 d_k", "d_k coins have variance d_k exactly",
        difference(variances, arange(1, 11)), exactly(0));
  say("再让查询和键的每个数都从标准正态分布里抽（平均 0，方差 1），每种 d_k 抽 800 个查询，各配 "
      "16 个键。方差还是 d_k 左右；分数除以 √d_k，方差就除以 d_k，回到 1。",
      "Now let all numbers of queries and keys be normal (mean 0, variance 1): for each d_k, 800 "
      "queries with 16 keys each. The variance is about d_k again; dividing scores by sqrt(d_k) "
      "divides it by d_k, which leaves 1.");

  Random random(6);
  draw::Canvas canvas(850, 830);
  const std::string before = in("缩放前", "unscaled"), after = in("缩放后", "scaled");
  canvas.text({50, 24}, "Q Kᵀ: " + before, {.size = 16});
  canvas.text({460, 24}, "Q Kᵀ / √d_k: " + after, {.size = 16});
  std::vector<Row> spread = {{"d_k", in("方差", "variance"), after}};
  std::vector<Row> slopes = {{"d_k", in("熵", "entropy"), in("熵，缩放后", "entropy, scaled"),
                              in("斜率之和", "trace"), in("斜率之和，缩放后", "trace, scaled")}};
  double before_off = 0, after_off = 0, entropy[2], trace[2];
  for (int d_k = 1, line = 0; d_k <= 1024; d_k *= 4, ++line) {
    const Tensor q = normal({800, 1, d_k}, 0, 1, random);
    const Tensor scores = matmul(q, normal({800, 16, d_k}, 0, 1, random), transpose_b);
    const Tensor both[] = {scores, scores / std::sqrt(real(d_k))};
    for (int i = 0; i < 2; ++i) {
      const Tensor p = shares(both[i]);
      entropy[i] = double(mean(sum(-p * log(p + real(1e-300)), -1)).item());  // 0 log 0 is 0
      trace[i] = double(mean(sum(p * (1 - p), -1)).item());
      bars(canvas, 50 + 410 * i, 150 + 130 * line, both[i], i);
    }
    canvas.text({20, 150.0 + 130 * line}, fmt::format("d_k = {}", d_k),
                {.size = 13, .upward = true});
    // What is to be seen: the variance of the one grows with d_k, that of the other stays at 1.
    const double wide = double(variance(both[0]).item()), narrow = double(variance(both[1]).item());
    before_off = std::max(before_off, std::abs(wide / d_k - 1));
    after_off = std::max(after_off, std::abs(narrow - 1));
    spread.push_back({number(d_k), number(wide, 2), number(narrow, 2)});
    slopes.push_back({number(d_k), number(entropy[0], 2), number(entropy[1], 2),
                      number(trace[0], 2), number(trace[1], 2)});
  }
  table(spread);
  save("histogram", canvas);
  claim("缩放前：方差与 d_k 之比，与 1 最多差", "unscaled: variance over d_k, off 1 by", before_off,
        at_most(0.1));
  claim("缩放后：方差与 1 最多差", "scaled: variance, off 1 by", after_off, at_most(0.1));

  section("分数散了，就学不动", "Wide scores stop learning");
  say("份额是 exp(分数) 除以总和。分数 j 动一点，份额 p_j 跟着动多少？斜率是 p_j (1 - p_j)：份额接"
      "近 1 或 0，斜率就接近 0，梯度过不去。一行的斜率加起来，是雅可比矩阵的迹。分数 0、ln 2、ln "
      "3 的份额是 1/6、1/3、1/2，斜率之和 5/36 + 8/36 + 9/36 = 11/18。",
      "A share is exp(score) over the sum. Move score j a little: how far does its share p_j "
      "move? The slope is p_j (1 - p_j): near a share of 1 or 0 it is near 0, and no gradient "
      "gets through. The slopes of a row add up to the trace of the Jacobian. Scores 0, ln 2, ln "
      "3 have shares 1/6, 1/3, 1/2 and slopes 5/36 + 8/36 + 9/36 = 11/18.");
  Tensor row = from_values({0, std::log(real(2)), std::log(real(3))});
  row.require_grad();
  double by_backward = 0;
  for (int j = 0; j < 3; ++j)
    by_backward += gradients(sum(slice(shares(row), 0, j, j + 1)), {row})[0].at({j});
  claim("反向传播得到的斜率之和减 11/18", "the trace by backward, less 11/18",
        std::abs(by_backward - 11.0 / 18), at_most(1e-12));
  say("熵量的是份额有多平均：16 个词平分是 ln 16 = 2.77，全给一个词是 0。看 d_k 变大时，两列怎么"
      "走：",
      "Entropy says how even the shares are: ln 16 = 2.77 when 16 words have the same, 0 when one "
      "has all. As d_k grows:");
  table(slopes);
  claim("d_k = 1024，不缩放：熵", "d_k = 1024, unscaled: entropy", entropy[0], at_most(0.15));
  claim("d_k = 1024，缩放：熵", "d_k = 1024, scaled: entropy", entropy[1], at_least(2.2));
  claim("d_k = 1024，不缩放：斜率之和", "d_k = 1024, unscaled: trace", trace[0], at_most(0.1));
  claim("d_k = 1024，缩放：斜率之和", "d_k = 1024, scaled: trace", trace[1], at_least(0.8));
  article("缩放让分数更稳定，防止数值过大", "scaling keeps scores stable, not too large",
          loosely_put("大数本身不碍事，要紧的是梯度：d_k = 1024 时，不缩放就只剩十几分之一",
                      "large numbers alone do no harm; gradients matter, and at d_k = 1024 less "
                      "than a tenth of them is left without it"));
  say("分数怎样变成份额，为什么要用指数？第 7 课。",
      "How scores become shares, and why by exp: lesson 07.");
  return end();
}
