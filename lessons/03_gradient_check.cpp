// 03 Gradient check: how do I know that a gradient is right?
//
// A rule can be wrong and everything still runs. But there is a second way to the slope, slow and
// free of rules: move each input a little, both ways, and look. What to watch: what this test can
// see, what it is blind to, and how small a step may be. Next: 04_embedding.cpp.
#include <cmath>

#include "attention/tensor/gradcheck.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

// The value of y, but with this slope towards x instead of its own: a rule to try out. Detached
// numbers are constants, and x - x.detach() is zero that counts as x.
Tensor with_slope(const Tensor& y, const Tensor& x, const Tensor& slope) {
  return y.detach() + (x - x.detach()) * slope.detach();
}

int main(int argc, char** argv) {
  begin(argc, argv, 3, "梯度检查：怎么知道梯度是对的", "Gradient check: is the gradient right?");

  section("中心差分", "Central differences");
  say("规则写错了，程序照样跑。怎么知道它对不对？求斜率还有一条路，慢，可是不靠规则：推一推。x³ 在"
      " 2 处的斜率是 3·2² = 12。往右推 h，((2 + h)³ - 8) / h = 12 + 6h + h²，多出 6h + h²；左右各"
      "推 h，再除以 2h，6h 抵消了，只剩 h²。",
      "A program runs on when a rule is wrong. How do I know that it is right? There is another "
      "way to the slope, slow and without rules: push. The slope of x³ at 2 is 3·2² = 12. A push "
      "to the right by h finds ((2 + h)³ - 8) / h = 12 + 6h + h², which is 6h + h² too much. Push "
      "both ways and divide by 2h: 6h cancels, and h² is left.");
  const auto cube = [](double x) { return x * x * x; };
  const auto one_sided = [&](double h) { return (cube(2 + h) - 8) / h; };
  const auto central = [&](double h) { return (cube(2 + h) - cube(2 - h)) / (2 * h); };
  std::vector<Row> rows = {{"h", in("只往右推", "to the right"), in("左右各推", "both ways")}};
  for (const double h : {0.1, 0.01, 0.001})
    rows.push_back({number(h), number(one_sided(h), 6), number(central(h), 6)});
  table(rows);
  claim("h = 0.01，中心差分的误差 h²", "h = 0.01, the error of central differences, h²",
        std::abs(central(0.01) - 12), at_most(2e-4));

  section("每个运算，最差的元素", "Every op, its worst element");
  say("库里每个运算都登记在册，各带例子（有些要到后面才讲）。例子里每个输入的每个元素都推一推，和"
      "规则给的梯度比；输出的数先各乘一个随机的权，再加起来。对一次、二次函数，中心差分是精确的，"
      "只剩舍入，就不列元素。",
      "Every op of the library is on a list, with examples (of some, more later). Each element of "
      "each input is moved, and what comes of it is compared with the gradient by the rule; the "
      "outputs are added up with random weights. For linear and quadratic functions differences "
      "are exact but for rounding, and no element is named.");
  rows = {{in("运算", "op"), in("输入", "input"), in("元素", "element"), in("规则", "rule"),
           in("差分", "differences"), in("误差", "error")}};
  double largest = 0, second = 0;
  int refused = 0;
  for (const Listed& op : registry()) {
    GradcheckReport worst;
    for (const Example& example : op.examples()) {
      const GradcheckReport report = gradcheck(example.f, example.inputs, {.step = 3e-4});
      if (report.error >= worst.error) worst = report;
      const auto twice = gradcheck(example.f, example.inputs, {.second_order = true});
      second = std::max(second, twice.error), refused += !report.passed + !twice.passed;
    }
    largest = std::max(largest, worst.error);
    if (worst.error < 1e-9)
      rows.push_back({op.name, "", "", "", "", "< 1e-9"});
    else
      rows.push_back({op.name, number(worst.input), worst.index, number(worst.analytic),
                      number(worst.numeric), fmt::format("{:.1e}", worst.error)});
  }
  table(rows);
  claim("所有运算中最大的误差", "the largest error of any op", largest, at_most(1e-6));
  claim("斜率的斜率，最大的误差", "the largest, of slopes of slopes", second, at_most(1e-6));
  claim("没有通过的检查", "checks that did not pass", refused, exactly(0));

  section("埋一个错", "A fault, planted");
  say("tanh 的斜率是 1 - y²。故意把 y 写成 x，值照样对，跑起来什么也看不出来；推一推就露馅了。",
      "The slope of tanh is 1 - y². Write x for y: the values stay right, and nothing shows when "
      "it runs. A push gives it away.");
  const Tensor x = from_values({0.5, -1, 2});
  const auto right = [](const Tensor& x) { return with_slope(tanh(x), x, 1 - pow(tanh(x), 2)); };
  const auto planted = [](const Tensor& x) { return with_slope(tanh(x), x, 1 - x * x); };
  paragraph(gradcheck(planted, x).text);
  claim("写对的规则，误差", "the right rule, its error", gradcheck(right, x).error, at_most(1e-6));
  claim("埋了错的规则，误差", "the planted one, its error", gradcheck(planted, x).error,
        at_least(0.1));

  section("零对零，不算数", "Zero against zero proves nothing");
  say("份额 x / sum(x) 加起来总是 1：只看总和，怎么推都不动。规则若干脆返回 0，0 对 0，看似完全吻"
      "合。所以 gradcheck 先给每个输出一个随机的权，而两边全是 0 时，它不认。",
      "The shares x / sum(x) always add up to 1: whoever looks at their sum sees nothing move. A "
      "rule that returned 0 would agree perfectly, zero against zero. So gradcheck gives each "
      "output a random weight; and where all is zero on both sides, it refuses.");
  const Tensor parts = from_values({1, 2, 5});
  const auto shares = [](const Tensor& x) { return x / sum(x); };
  const auto no_rule = [&](const Tensor& x) { return with_slope(shares(x), x, 0); };
  const auto total = [&](const Tensor& x) { return sum(no_rule(x)); };
  paragraph(gradcheck(total, parts).text);
  claim("规则为 0，只看总和：通过了吗（1 是，0 否）", "rule 0, plain sum: passed (1 yes, 0 no)",
        gradcheck(total, parts).passed, exactly(0));
  claim("规则为 0，随机加权：误差", "rule 0, random weights: error",
        gradcheck(no_rule, parts).error, at_least(0.01));

  section("为什么不用 float", "Why not float");
  say("h 要小，误差才小。可 h 太小，f(x + h) 和 f(x - h) 几乎相等，一减，有效数字就没了。float 只"
      "有 7 位，两头夹击，剩不下几位；double 有 16 位，所以梯度检查都用 double。下面是 1/x 在 1 处"
      "的误差。",
      "The error falls with h. But when h is too small, f(x + h) and f(x - h) are nearly equal, "
      "and what they share is lost when one is taken from the other. Of the 7 digits of a float "
      "hardly any is left; a double has 16, and so gradients are checked in double. Below, the "
      "error for 1/x at 1.");
  const auto off = [](auto h) {  // in float or double, as h is
    const decltype(h) one = 1;
    return std::abs(double((one / (one + h) - one / (one - h)) / (2 * h)) + 1);
  };
  rows = {{"h", "float", "double"}};
  double best_float = 1, best_double = 1;
  for (const double h : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    const double single = off(float(h)), twofold = off(h);
    best_float = std::min(best_float, single), best_double = std::min(best_double, twofold);
    rows.push_back({number(h, 7), fmt::format("{:.1e}", single), fmt::format("{:.1e}", twofold)});
  }
  table(rows);
  claim("float 最好时的误差，超过检查的限度 1e-6",
        "float at its best: above the check's limit, 1e-6", best_float, at_least(1e-6));
  claim("double 最好时的误差", "double at its best", best_double, at_most(1e-9));
  say("规则可信了。可神经网络吃的是数，句子是词：第 4 课，词怎么变成向量。",
      "The rules can be trusted. But a network takes numbers, and a sentence is words: lesson 4 "
      "makes vectors of them.");
  return end();
}
