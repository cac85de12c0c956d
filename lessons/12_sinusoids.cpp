// 12 Sinusoids: does the formula of the positions do what is claimed of it?
//
// Lesson 11 added random vectors to tell places apart. These are computed:
//   PE(p, 2i) = sin(p / 10000^(2i/d)),  PE(p, 2i+1) = cos(p / 10000^(2i/d)),  i = 0 … d/2 - 1
// What to watch: how fast each pair turns, and which of the usual reasons survive a measurement.
#include <algorithm>
#include <cmath>

#include "attention/draw/curve.hpp"
#include "attention/nn/positions.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

// R_k (d, d): turns each pair by k steps. Its numbers are those of PE(k), a row (1, d).
Tensor turn(const Tensor& pe_k) {
  const Size d = pe_k.size(1);
  Tensor r = zeros({d, d});
  for (Size s = 0, c = 1; c < d; s += 2, c += 2) {  // where a pair has its sine and its cosine
    r.edit()[s * d + s] = r.edit()[c * d + c] = pe_k.at({0, c});
    r.edit()[s * d + c] = pe_k.at({0, s}), r.edit()[c * d + s] = -pe_k.at({0, s});
  }
  return r;
}

int main(int argc, char** argv) {
  begin(argc, argv, 12, "正弦位置编码：公式做到了吗？", "Sinusoids: does the formula deliver?");

  section("用铅笔算四维", "Four dimensions, with a pencil");
  say("d = 4，两对，像两根表针。第 0 对每步转 1 弧度；第 1 对除以 10000^(2/4) = 100，每步 0.01。",
      "d = 4 makes two pairs, two hands of a clock. Pair 0 turns by 1 radian a step; pair 1 is "
      "divided by 10000^(2/4) = 100 and turns by 0.01.");
  const Tensor small = sinusoids(4, 4), one = reshape(slice(small, 0, 1, 2), {4});
  show("PE = sin p, cos p, sin p/100, cos p/100", small, {"0", "1", "2", "3"}, {}, 6);
  const Tensor pencil = from_values({0.841471, 0.540302, 0.010000, 0.999950});
  claim("PE(1) 和铅笔算的一样", "PE(1) is what the pencil says", difference(one, pencil),
        at_most(1e-6));
  const Tensor misread = from_values({0.841471, 0.999950, 0.000100, 1});  // 1, 1e-2, 1e-4, 1e-6
  claim("要是把 i 当成第几维，PE(1) 差了", "with i the dimension, PE(1) is off by",
        difference(one, misread), at_least(0.4));
  article("i 是维度的索引", "i is the index of the dimension",
          loosely_put("i 数的是对：0 到 d/2 - 1", "i counts pairs: 0 to d/2 - 1"));

  section("快的和慢的", "Fast hands and slow ones");
  say("取 d = 8：10000 开四次方是 10，四根表针，一根比一根慢十倍。转一圈走几步，叫波长。",
      "With d = 8 each of four hands is ten times as slow as the one before (10 is the fourth "
      "root of 10000). The steps of a full turn are its wavelength.");
  draw::Curve waves{.title = in("四根表针的正弦，d = 8", "the sines of four hands, d = 8")};
  waves.x_name = in("位置", "position"), waves.y_name = "sin";
  std::vector<real> hands;
  for (Size i = 0; i < 4; ++i) {
    const Tensor eight = sinusoids(64, 8);
    const real angle = std::atan2(eight.at({1, 2 * i}), eight.at({1, 2 * i + 1}));
    hands.insert(hands.end(), {angle, 2 * std::acos(real(-1)) / angle});
    waves.series.push_back({fmt::format("i = {}", i)});
    for (Size p = 0; p < 64; ++p)
      waves.series.back().points.push_back({double(p), double(eight.at({p, 2 * i}))});
  }
  show(in("四对", "four pairs"), from_values(hands, {4, 2}), {"0", "1", "2", "3"},
       {in("每步转", "turn a step"), in("波长", "wavelength")});
  save("waves", draw::render(waves));
  draw::Heatmap table = draw::positions(sinusoids(40, 64), "PE, d = 64");
  table.row_name = in("位置", "position"), table.column_name = in("维", "dimension");
  picture("positions", table);
  claim("d = 8：最快的比最慢的快几倍", "d = 8: the fastest rate over the slowest",
        hands[0] / hands[6], at_least(999));
  article("10000^(2i/d) 让各维快慢不同", "10000^(2i/d) makes rates differ", holds());

  section("走 k 步，就是转一个角", "k steps are a turn");
  say("sin(p + k) = sin p cos k + cos p sin k：从 p 走到 p + k，每对都转一个只跟 k 有关的角，从哪"
      "里出发都一样：PE(p+k) = R_k PE(p)。位置 1 转两步，到位置 3：",
      "sin(p + k) = sin p cos k + cos p sin k: from p to p + k each pair turns by an angle that "
      "depends on k alone: PE(p+k) = R_k PE(p). Two steps on from position 1, position 3:");
  show("R_2", turn(slice(small, 0, 2, 3)));
  show("R_2 PE(1)", matmul(slice(small, 0, 1, 2), turn(slice(small, 0, 2, 3)), transpose_b));
  const Tensor pe = sinusoids(1100, 64);
  const auto rows = [&](Size from, Size to) { return slice(pe, 0, from, to); };
  const Tensor turned = matmul(rows(0, 100), turn(rows(50, 51)), transpose_b);
  claim("d = 64：PE(p+50) 与 R_50 PE(p) 之差", "d = 64: PE(p+50) less R_50 PE(p)",
        difference(turned, rows(50, 150)), at_most(1e-12));
  article("周期性让它抓得住相对位置", "being periodic, it captures relative positions",
          loosely_put("靠的是转角只看 k，不是靠重复", "by turns that k alone decides"));
  say("两边转同样的角，点积不变，所以它只看 k。离得远，大体上就不像，但不是每一步都如此：",
      "Turn both by the same angle, and their dot product stays: it depends on k alone. What is "
      "further away is less alike on the whole, but not at every step:");
  std::vector<real> values;
  for (Size k : {0, 1, 4, 5, 6, 7, 50})
    for (Size p : {0, 10, 100, 1000})
      values.push_back(sum(rows(p, p + 1) * rows(p + k, p + k + 1)).item());
  const Tensor dots = from_values(values, {7, 4});
  show("PE(p) · PE(p+k)", dots, {"k = 0", "1", "4", "5", "6", "7", "50"},
       {"p = 0", "10", "100", "1000"}, 5);
  claim("同一个 k，换个 p，点积之差", "same k, other p: dot products differ by",
        difference(dots, broadcast_to(slice(dots, 1, 0, 1), {7, 4})), at_most(1e-10));
  article("pos 从第 1 个词数起", "pos counts from the first word, 1",
          holds_when("大家数法一样（这里从 0）；都加 1，点积不变",
                     "all count alike (here from 0): add 1 to all, and no dot product changes"));
  claim("k = 6 的点积反而比 k = 5 大", "dot product: k = 6 is above k = 5 by",
        dots.at({4, 0}) - dots.at({3, 0}), at_least(0.05));

  section("平滑吗？唯一吗？", "Is it smooth? Is it unique?");
  say("转动不改变长短，所以走一步有多远，处处一样；哪两个位置最近，也只要从位置 0 量起。",
      "Turning keeps lengths: a step leads equally far everywhere, and which two positions are "
      "nearest can be told from position 0.");
  draw::Curve curve{.title = in("隔 k 步的距离", "distance of k steps"), .x_name = "k"};
  curve.y_name = in("距离", "distance");
  std::vector<real> found;  // for each d: one step, the nearest two, their offset
  double uneven = 0;
  for (Size d : {2, 4, 8, 16, 64, 512}) {
    const Tensor all = sinusoids(512, d), later = slice(all, 0, 1, 512);
    const Tensor moves = sqrt(sum(pow(later - slice(all, 0, 0, 511), 2), 1));
    const Tensor away = sqrt(sum(pow(later - slice(all, 0, 0, 1), 2), 1));  // from position 0
    uneven = std::max(uneven, double((max(moves) + max(-moves)).item()));
    const real offset = real(argmax(-away, 0).ids[0] + 1);
    found.insert(found.end(), {away.at({0}), -max(-away).item(), offset});
    if (d != 2 && d != 8 && d != 64) continue;
    curve.series.push_back({fmt::format("d = {}", d)});
    for (Size k = 1; k <= 60; ++k)
      curve.series.back().points.push_back({double(k), double(away.at({k - 1}))});
  }
  const Tensor facts = from_values(found, {6, 3});
  show(in("512 个位置", "512 positions"), facts, {"d = 2", "4", "8", "16", "64", "512"},
       {in("一步", "a step"), in("最近的两个", "the nearest two"), in("相隔", "offset")});
  save("distances", draw::render(curve));
  claim("步长，最长减最短", "steps, the longest less the shortest", uneven, at_most(1e-12));
  const Tensor known = from_values({0.9589, 0.9589, 0.9641, 1.0147, 1.4718, 3.7143}, {6, 1});
  claim("步长 0.9589（d = 2）… 3.7143（512），差", "steps: 0.9589 (d=2) … 3.7143 (512); off by",
        difference(slice(facts, 1, 0, 1), known), at_most(1e-4));
  article("位置往后走，编码平滑地变", "the encoding changes smoothly with the position",
          loosely_put("每步一样长，但不短：最快的一对一步就转 57°",
                      "all steps are equally long, but not short: the fastest pair turns by 57°"));
  say("d = 2 只有一根表针：走 333 步差不多正好 53 圈（53 × 2π = 333.009），又回到原处。多几根，难"
      "得同时回来。",
      "d = 2 is a single hand: after 333 steps, about 53 turns (53 × 2π = 333.009), it is back. "
      "Several hands hardly ever come back together.");
  claim("d = 2：最近的距离", "d = 2: the nearest distance", facts.at({0, 1}), at_most(0.01));
  claim("d = 4：最近的距离", "d = 4: the nearest distance", facts.at({1, 1}), at_least(0.24));
  claim("d = 8：最近的距离", "d = 8: the nearest distance", facts.at({2, 1}), at_least(0.64));
  claim("d = 16 起，最近的隔几步", "from d = 16: the offset of the nearest two",
        max(slice(slice(facts, 0, 3, 6), 1, 2, 3)).item(), exactly(1));
  article("快慢不同，所以每个位置的编码唯一", "by their rates, each position's encoding is unique",
          holds_when("维数够多：这里从 16 起", "there are enough dimensions: here 16"));
  say("注意力有了，位置有了。要一层层叠起来，还缺什么？第 13 课。",
      "Attention and positions are there. What else does a deep stack need? Lesson 13.");
  return end();
}
