// 02 Autograd: how does a machine know the slope?
//
// Each op knows the slope of itself alone. From these small rules the slope of everything follows,
// for all inputs in one walk backwards. What to watch: the order of that walk. One order adds up
// first and passes on then, and is right; the obvious recursion passes on too early.
#include "attention/tensor/autograd.hpp"

#include <cmath>
#include <fstream>
#include <map>

#include "attention/core/error.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

struct Pending {
  Tensor of, grad;
};
using Gradients = std::map<std::uint64_t, Pending>;  // by the node's number: the newest is last

std::map<std::uint64_t, std::string> names;
std::vector<Row> steps;

void add(Gradients& all, const Tensor& of, const Tensor& grad) {
  Pending& entry = all[of.node().number];
  entry = {of, entry.grad.defined() ? entry.grad + grad : grad};
}

// What the op that made `t` passes on to its inputs when `grad` has arrived at t; noted down.
Tensors pass_on(const Tensor& t, const Tensor& grad) {
  const Node& node = t.node();
  if (node.inputs.empty()) return {};  // a leaf
  const Tensors back = node.rule({node.inputs, t, grad});
  steps.push_back({names[node.number], number(grad.item()), "→"});
  for (std::size_t i = 0; i < back.size(); ++i)
    steps.back().push_back(
        fmt::format("{} +{}", names[node.inputs[i].node().number], number(back[i].item())));
  return back;
}

void newest_first(const Tensor& y, Gradients& done) {
  Gradients waiting;
  add(waiting, y, 1);
  while (!waiting.empty()) {
    const auto [number, now] = *waiting.rbegin();  // nothing newer is left to add to it
    waiting.erase(number), add(done, now.of, now.grad);
    const Tensors back = pass_on(now.of, now.grad);
    for (std::size_t i = 0; i < back.size(); ++i) add(waiting, now.of.node().inputs[i], back[i]);
  }
}

void recursively(const Tensor& t, const Tensor& grad, Gradients& done) {  // the wrong way
  add(done, t, grad);
  const Tensors back = pass_on(t, done[t.node().number].grad);
  for (std::size_t i = 0; i < back.size(); ++i) recursively(t.node().inputs[i], back[i], done);
}

int main(int argc, char** argv) {
  begin(argc, argv, 2, "自动求导：机器怎么知道斜率", "Autograd: how a machine knows the slope");

  section("推一下，看看动多少", "Push, and see how far it moves");
  say("斜率就是：输入动一点，输出跟着动几倍。最老实的办法是真去推一下。可是每个输入都得推一次，都要"
      "从头算一遍；一百万个权重，就是一百万遍。",
      "A slope says: move the input a little, and the output moves so many times as much. To find "
      "it, push and look. But each input needs a push of its own, and a whole computation; with a "
      "million weights, a million of them.");
  const auto formula = [](double a, double b) { return (a + b + a * b) + (a + b) * (a * b); };
  const auto pushed = [&](double h) { return (formula(2 + h, 3) - formula(2, 3)) / h; };
  for (const double h : {0.1, 0.01, 0.001})
    fmt::print("\n  (y({0}, 3) - y(2, 3)) / {1} = {2}", 2 + h, h, number(pushed(h)));
  fmt::print("\n");
  claim("推 a 得到的斜率，离 25 的差", "pushing a: how far the slope is from 25",
        std::abs(pushed(0.001) - 25), at_most(0.01));

  section("计算图", "The graph");
  say("换个办法：一边算，一边记下每个数是由谁、用哪个运算得来的。令 c = a + b，d = ab，e = c + d，"
      "f = cd，y = e + f。下面的 1 到 7 就是 a b c d e f y；c 和 d 都用了两次。后一段可以交给 "
      "Graphviz 画成图：dot -Tpng 02_graph.dot。",
      "The other way: compute, and note what each number was made from, and by which op. Let c = a "
      "+ b, d = ab, e = c + d, f = cd, y = e + f. Below, 1 to 7 are a b c d e f y; c and d are "
      "used twice. The second part is for Graphviz to draw: dot -Tpng 02_graph.dot.");
  const Tensor a = full({}, 2).require_grad(), b = full({}, 3).require_grad();
  const Tensor c = a + b, d = a * b, e = c + d, f = c * d, y = e + f;
  fmt::print("\n{}\n{}", graph_text(y), graph_dot(y));
  std::ofstream(out_file("graph.dot")) << graph_dot(y);

  section("从新到旧往回走", "Backwards, the newest first");
  say("每个运算只管自己：加法把收到的梯度原样传给两边，乘法传给一边时乘上另一边的值。最后算出来的，"
      "最先传。轮到 c 时，用到它的 f 和 e 都传过了，它手里才齐了：6 + 1 = 7。",
      "Each op minds its own business: a sum passes on to both sides what it got, a product passes "
      "to either side that times the value of the other. What was made last goes first. When c has "
      "its turn, f and e, which use it, have both been: it holds all it will get, 6 + 1 = 7.");
  const std::vector<Tensor> all = {a, b, c, d, e, f, y};
  for (int i = 0; i < 7; ++i) names[all[i].node().number] = std::string(1, "abcdefy"[i]);
  Gradients right, wrong;
  newest_first(y, right);
  table(steps);
  claim("五个运算，各传一次", "five ops, each passes on once", double(steps.size()), exactly(5));
  steps.clear();
  claim("dy/da = 18 + 7", "dy/da = 18 + 7", right[a.node().number].grad.item(), exactly(25));
  claim("dy/db = 12 + 7", "dy/db = 12 + 7", right[b.node().number].grad.item(), exactly(19));

  section("顺着递归走，就错了", "By recursion, and wrong");
  say("也可以收到一点就往下传一点：先走 e 这一支，走到底，再走 f。第一次轮到 c 时手里是 1，传下去；"
      "第二次是 1 + 6 = 7，又传下去。那个 1 传了两遍。",
      "One may also pass on whatever has come so far: down the branch of e to the end, then down "
      "that of f. The first time c holds 1 and passes it on; the second time 1 + 6 = 7, and passes "
      "that on. The 1 has gone down twice.");
  recursively(y, 1, wrong);
  table(steps);
  claim("递归给出的 dy/da", "dy/da by recursion", wrong[a.node().number].grad.item(), exactly(29));
  claim("递归给出的 dy/db", "dy/db by recursion", wrong[b.node().number].grad.item(), exactly(22));

  section("库里的 backward", "The library's backward");
  say("库里的 backward 走的就是第一种次序，结果放在叶子（不由别的数算出来的，像 a 和 b）的 grad "
      "里。再走一遍会再加一份，所以走完就把计算图拆掉，除非写明 retain。",
      "The library's backward walks in the first order and leaves the results in the leaves, which "
      "were made from nothing else: a and b. Another walk adds the same again; so it takes the "
      "graph apart as it goes, unless told to retain it.");
  backward(y, {.retain = true});
  claim("a.grad 和上面一样", "a.grad is what we found", a.grad().item(), exactly(25));
  backward(y);
  claim("再走一遍，正好两倍", "after a second walk, twice that", a.grad().item(), exactly(50));
  try {
    backward(y);
  } catch (const Error& error) {
    fmt::print("\n  {}\n", error.what());
  }

  section("用几次，加几次", "Used so many times, added so many times");
  say("广播也是重复使用：偏置 (4,) 加到 (5, 4) 的每一行上，用了五次，所以每个数的梯度是 5。二十万次"
      "加 1 连成一条长链，递归会把栈撑破，从新到旧地走却不要紧。",
      "Broadcasting uses a thing again, too: a bias (4,) added to each row of (5, 4) is used five "
      "times, and has the gradient 5. And a chain of 200,000 additions, too deep for recursion, is "
      "no trouble for a walk that only ever takes the newest.");
  Tensor bias = zeros({4}).require_grad(), start = full({}, 1).require_grad(), chain = start;
  backward(sum(ones({5, 4}) + bias));
  claim("偏置的梯度，离 5 的差", "the gradient of the bias, off 5 by",
        difference(bias.grad(), full({4}, 5)), exactly(0));
  for (int i = 0; i < 200000; ++i) chain = chain + 1;
  backward(chain);
  claim("长链尽头的梯度", "the gradient at the end of the chain", start.grad().item(), exactly(1));
  say("每个运算的规则都得有人写。写错了，程序照样跑。怎么查？第 3 课。",
      "Somebody has to write the rule of each op, and a program with a wrong one runs on. How to "
      "find out is lesson 3.");
  return end();
}
