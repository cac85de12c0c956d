// The check of exercise 18. Values first, against the library's own ops; then the gradient check at
// both orders, whose report the learner gets to read.
#pragma once

#include <cmath>

#include "attention/tensor/gradcheck.hpp"
#include "attention/tensor/op.hpp"
#include "exercises/exercise.hpp"

namespace exercise {

template <attention::Operator Op>
Diagnosis check_swish_forward() {
  using namespace attention;
  const Tensor x = from_values({-2, -0.5, 0, 1, 1.5, 3}, {2, 3});
  return diagnose(
      [&] { return Op{}.forward(x); }, x * sigmoid(x),
      {{sigmoid(x),
        {"这是 sigmoid(x) 本身：少乘了 x。在 x = 0 处你得到 0.5，而 0 · sigmoid(0) 是 0。",
         "This is sigmoid(x) itself; it still has to be multiplied by x. At x = 0 you get 0.5, "
         "but 0 · sigmoid(0) is 0."}},
       {x * sigmoid(-x),
        {"指数的符号反了：x = 3 时 sigmoid 应当接近 1，你的接近 0。看 exp 里面。",
         "The sign in the exponent is turned round: at x = 3 sigmoid is near 1, yours is near 0. "
         "Look into the exp."}},
       {x * tanh(x),
        {"你乘的是 tanh：sigmoid 在 0 和 1 之间，不在 -1 和 1 之间。",
         "You multiplied by tanh: sigmoid lies between 0 and 1, not between -1 and 1."}}});
}

template <attention::Operator Op>
Diagnosis check_swish_backward() {
  using namespace attention;
  const Tensor x = from_values({-2, -0.5, 0, 1, 1.5, 3}, {2, 3}).require_grad();
  const Tensor arriving = from_values({2, -1, 3, 0.5, -4, 5}, {2, 3});
  const Tensors in{x.detach()};
  const Tensor s = sigmoid(in[0]), out = in[0] * s, slope = s * (1 - s);
  const Tensor right = gradients(sum(x * sigmoid(x) * arriving), {x})[0];
  bool divided_by_x = false;  // then there is no number at 0
  const auto answer = [&]() -> Tensor {
    const Tensors given = Op{}.backward(Link{in, out, arriving});
    if (given.size() != 1) fail("backward: {} gradients for one input", given.size());
    divided_by_x =
        given[0].defined() && given[0].shape() == x.shape() && std::isnan(given[0].at({0, 2}));
    return given[0];
  };
  const Diagnosis diagnosis = diagnose(
      answer, right,
      {{s + in[0] * slope,
        {"斜率对了，但少乘了上游：link.grad 没有用上。上游是 1 的时候看不出来，这里的上游是 2、"
         "-1、3……",
         "The slope is right, but what arrives is missing: link.grad is not used. Where it is 1 "
         "that does not show; here it is 2, -1, 3 …"}},
       {arriving * s,
        {"乘积求导有两项，你只有一项：x 变了，sigmoid(x) 也跟着变。在 x = 0 处看不出来，在 x = 3 "
         "处看得出。",
         "The slope of a product has two terms and you have one: as x moves, sigmoid(x) moves as "
         "well. At x = 0 that does not show, at x = 3 it does."}},
       {arriving * in[0] * slope,
        {"乘积求导有两项，你只有后一项：前面那个 x 自己也在变。在 x = 0 处你得到 0，应当是上游的一"
         "半。",
         "The slope of a product has two terms and you have the second one only: the x in front "
         "moves, too. At x = 0 you get 0; it should be half of what arrives."}},
       {arriving * slope,
        {"这是 sigmoid 的梯度，不是 x · sigmoid(x) 的：前面的 x 没有参与求导。",
         "This is the gradient of sigmoid, not of x · sigmoid(x): the x in front has been left "
         "out."}},
       {arriving * (out + in[0] * out * (1 - out)),
        {"你把 link.out 当成了 sigmoid(x)；link.out 是 forward 的结果，也就是 x · sigmoid(x)。",
         "You took link.out for sigmoid(x); link.out is what forward returned: x · sigmoid(x)."}},
       {arriving * out,
        {"你用 forward 的结果代替了斜率：函数在那里有多高，和它有多陡，是两回事。",
         "You used what forward returns in place of the slope: how high a function is and how "
         "steep it is are two things."}}});
  if (!divided_by_x) return diagnosis;
  return wrong(
      {"在 x = 0 处你得到的不是数：那里除以了 x，是 0/0。sigmoid(x) 要直接算，不要从结果倒推。",
       "At x = 0 you get no number: something is divided by x there, 0/0. Compute sigmoid(x) "
       "itself rather than getting it back from the result."});
}

struct SwishReports {
  attention::GradcheckReport first, second;
};

// An Error stands in the place of the report. A rule without any history stops the second order.
template <attention::Operator Op>
SwishReports swish_reports() {
  using namespace attention;
  const auto report = [](const GradcheckOptions& options) -> GradcheckReport {
    try {
      return gradcheck([](const Tensor& x) { return apply(Op{}, x); }, sample({2, 3}), options);
    } catch (const std::exception& error) {
      return {.text = error.what()};
    }
  };
  return {report({}), report({.second_order = true})};
}

inline Diagnosis judge_right_swish(const SwishReports& reports) {
  const auto& [first, second] = reports;
  if (!first)
    return wrong({"数值对了，一阶的梯度检查却没有通过：\n" + first.text,
                  "The numbers are right, and yet the gradient check fails:\n" + first.text});
  if (!second)
    return wrong(
        {"一阶对，二阶不对：backward 里有些数断了历史。data()、item()、detach()、map() 和 zip() 给"
         "出的东西不记得自己从哪来；要用张量的运算来写。报告：\n" +
             second.text,
         "Right at first order, wrong at second: some numbers in backward have no history. What "
         "data(), item(), detach(), map() and zip() give does not remember where it came from; "
         "write the rule with ops on tensors. The report:\n" +
             second.text});
  return {State::right, {}};
}

inline Diagnosis judge_broken_swish(const SwishReports& reports) {
  const auto& [first, second] = reports;
  if (!first)
    return wrong({"第二部分弄坏得太多了，一阶就不通过：每个数值都要对，断掉的只是历史。报告：\n" +
                      first.text,
                  "Part two is broken too much, at first order already: all numbers have to be "
                  "right, only their history is to be cut. The report:\n" +
                      first.text});
  if (second)
    return wrong(
        {"第二部分还没有坏：两阶都通过了。报告：\n" + second.text,
         "Part two is not broken yet: it passes at both orders. The report:\n" + second.text});
  return right({"swish 两阶都对。坏的那个，报告是这样的：\n" + first.text + "\n" + second.text +
                    "\n只看一阶，谁也发现不了它；所以库里每个运算都查两阶。",
                "Your swish is right at both orders. And this is the report on the broken one:\n" +
                    first.text + "\n" + second.text +
                    "\nAt first order nobody would find out; so every op of the library is "
                    "checked at both."});
}

// The same values are asked of the broken twin; what is told of it bears its name.
template <attention::Operator Broken>
Diagnosis check_broken_backward() {
  Diagnosis diagnosis = check_swish_backward<Broken>();
  if (diagnosis.state == State::wrong)
    diagnosis.text = {"BrokenSwish：" + diagnosis.text.zh, "BrokenSwish: " + diagnosis.text.en};
  return diagnosis;
}

template <attention::Operator Op, attention::Operator Broken>
Diagnosis check_18() {
  return first_of({check_swish_forward<Op>, check_swish_backward<Op>,
                   [] { return judge_right_swish(swish_reports<Op>()); },
                   check_broken_backward<Broken>,
                   [] { return judge_broken_swish(swish_reports<Broken>()); }});
}

}  // namespace exercise
