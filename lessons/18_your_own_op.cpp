// 18 Your own op: how does one add an op that the library lacks?
//
// An op is a struct with four parts: a name, a forward, a backward and examples. apply() runs it,
// connects it to the graph and, by being compiled at all, puts it in the registry. Whoever walks
// the registry checks its gradient, at first and at second order, without having heard of it.
// What to watch: the three broken twins at the end, and which check catches which.
#include <map>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/gradcheck.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

// length(x) = sqrt(sum of x²) of each row: (…, n) -> (…, 1). The slope is x / length: moving x
// along its own direction lengthens it the most. In backward, link.in are the inputs, link.out the
// result, link.grad what arrives from above; it is written with tensors, so it has a slope itself.
struct Length {
  static constexpr auto name = "length";
  Tensor forward(const Tensor& x) const { return sqrt(sum(x * x, -1, keep)); }
  Tensors backward(const Link& link) const { return {link.grad * link.in[0] / link.out}; }
  static Examples examples() { return examples_of<Length>(); }

  template <class Op>
  static Examples examples_of() {
    return {{[](const Tensor& x) { return apply(Op{}, x); }, sample({2, 3})}};
  }
};
Tensor length(const Tensor& x) { return apply(Length{}, x); }

// The same forward with three faulty rules: what arrives is left out; the division is left out;
// and the slope is right as a number but has lost its history.
struct NoUpstream : Length {
  static constexpr auto name = "length without upstream";
  Tensors backward(const Link& link) const { return {link.in[0] / link.out}; }
  static Examples examples() { return examples_of<NoUpstream>(); }
};
struct NoDivision : Length {
  static constexpr auto name = "length without division";
  Tensors backward(const Link& link) const { return {link.grad * link.in[0]}; }
  static Examples examples() { return examples_of<NoDivision>(); }
};
struct NoHistory : Length {
  static constexpr auto name = "length without history";
  Tensors backward(const Link& link) const {
    return {link.grad * (link.in[0] / link.out).detach()};
  }
  static Examples examples() { return examples_of<NoHistory>(); }
};

int main(int argc, char** argv) {
  begin(argc, argv, 18, "自己的运算", "Your own op");

  section("用铅笔算一个", "One, with a pencil");
  say("库里没有“长度”这个运算。向量 (3, 4) 长 5。把 3 加大一点点，长度就加大这一点的 3/5；4 那一边"
      "是 4/5。上游传来的梯度如果是 10，叶子上就是 6 和 8。",
      "The library has no op for the length of a vector. (3, 4) is 5 long. Make the 3 a little "
      "larger, and the length grows by 3/5 of that; by 4/5 for the 4. If a gradient of 10 arrives "
      "from above, the leaf gets 6 and 8.");
  const Tensor x = from_values({3, 4, 5, 12}, {2, 2}).require_grad();
  const Tensor arriving = from_values({10, 26}, {2, 1});
  const Tensor gradient = gradients(sum(length(x) * arriving), {x})[0];
  show("x", x);
  show("length(x)", length(x));
  show(in("上游梯度 10、26 之下", "under 10 and 26 from above"), gradient);
  claim("梯度是 6 8 和 10 24", "the gradient is 6 8 and 10 24",
        difference(gradient, from_values({6, 8, 10, 24}, {2, 2})), at_most(1e-12));

  section("为什么不用现成的运算拼？", "Why not put it together from ops there are?");
  say("梯度一样，sqrt(sum(x * x)) 也行。区别在计算图：拼出来的记住三份结果，自己的运算只记一份，回"
      "来也只走一步。零向量处两者都没有斜率，0/0：真要用，就在根号里加一点点，像层归一化那样。",
      "sqrt(sum(x * x)) has the same gradient. What differs is the graph: put together it keeps "
      "three results; your own op keeps one and goes back in one step. Neither has a slope at the "
      "zero vector, 0/0: there, a little something belongs under the root, as in layer norm.");
  const std::uint64_t before = live_nodes();
  const Tensor composed = sqrt(sum(x * x, -1, keep));
  const std::uint64_t between = live_nodes();
  const Tensor own = length(x);
  const double own_nodes = live_nodes() - between, composed_nodes = between - before;
  table({{"sqrt(sum(x * x))", number(composed_nodes), in("个结点", "nodes")},
         {"length(x)", number(own_nodes), in("个结点", "node")}});
  claim("两种写法，梯度相差", "the two gradients differ by",
        difference(gradients(sum(composed * arriving), {x})[0], gradient), at_most(1e-12));
  claim("少记几个结点", "so many nodes fewer", composed_nodes - own_nodes, exactly(2));

  section("没有人登记，它已经在册", "Nobody enlisted it, and it is there");
  say("名册里有 {} 个运算，main 里却没有一行登记的代码：哪儿写了 apply(Length{{}}, …)，模板 "
      "listed<Length> 就在哪儿编译，程序一启动，名字和例子就进了名册。用了的漏不掉。",
      "The registry lists {} ops, and no line of main enlists any: wherever apply(Length{{}}, …) "
      "is written, the template listed<Length> is compiled too, and it enters name and examples "
      "as the program starts. An op that is used cannot be missed.",
      registry().size());
  int found = 0;
  for (const Listed& op : registry()) found += op.name == Length::name;
  claim("名册里叫 length 的有几个", "ops named length in the registry", found, exactly(1));

  section("检查册上的每一个", "Check everything that is listed");
  say("一阶：求导规则对不对；二阶：求导规则自己的导数对不对。上面三个坏的也用了 apply，也在册。",
      "First order: is the rule right? Second order: is the slope of the rule itself right? The "
      "three broken ones above went through apply as well, and so they are listed, too.");
  std::map<std::string, GradcheckReport> first, second;
  double worst_of_library = 0;
  for (const Listed& op : registry())
    for (const Example& example : op.examples()) {
      const auto check = gradcheck(example.f, example.inputs);
      const auto check_twice = gradcheck(example.f, example.inputs, {.second_order = true});
      if (op.name.starts_with("length"))
        first[op.name] = check, second[op.name] = check_twice;
      else
        worst_of_library = std::max({worst_of_library, check.error, check_twice.error});
    }
  for (const auto& [name, report] : first) {
    paragraph(fmt::format("{}: {}", name, report.text));
    if (report) paragraph(second[name].text);
  }
  claim("length，一阶误差", "length, error at first order", first["length"].error, at_most(1e-6));
  claim("length，二阶误差", "length, error at second order", second["length"].error, at_most(1e-6));
  claim("库里其余的运算，最大误差", "all ops of the library, worst error", worst_of_library,
        at_most(1e-6));

  section("读报告", "Read the report");
  say("忘了上游、忘了除法，一阶就露馅。第三个只在二阶露馅：detach() 之后数值没变，历史断了，再求一"
      "次导得到的东西就少了一块。报告里两个数，一个是规则说的，一个是差分说的：信差分。",
      "What forgets the upstream or the division is caught at first order. The third is caught at "
      "second order only: detach() keeps the numbers and cuts their history, and so a part of the "
      "next derivative is missing. Of the two numbers in a report, the rule's and the "
      "differences', believe the differences.");
  claim("忘了上游，一阶误差", "no upstream, error at first order", first[NoUpstream::name].error,
        at_least(0.01));
  claim("忘了除法，一阶误差", "no division, error at first order", first[NoDivision::name].error,
        at_least(0.01));
  claim("没有历史，一阶误差", "no history, error at first order", first[NoHistory::name].error,
        at_most(1e-6));
  claim("没有历史，二阶误差", "no history, error at second order", second[NoHistory::name].error,
        at_least(0.01));
  const Tensor plain = gradients(sum(apply(NoUpstream{}, x)), {x})[0];
  claim("忘了上游，直接求和时：看不出来", "no upstream, under a plain sum: not seen",
        difference(plain, gradients(sum(length(x)), {x})[0]), exactly(0));
  say("直接求和，上游全是 1，忘了它也无妨；所以梯度检查给输出乘上随机的权重。这是最后一课：练习里"
      "写 swish，再故意弄坏它。要让运算进库，结构体放进 src/tensor/ops/，ops.hpp 里加一行，就够"
      "了。",
      "Under a plain sum all of the upstream is 1 and is not missed; so the gradient check "
      "weights the output at random. This was the last lesson: its exercise is swish, which you "
      "then break on purpose. An op joins the library as a struct in src/tensor/ops/ and a line "
      "of ops.hpp.");
  return end();
}
