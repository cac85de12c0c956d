// The check of exercise 03, and the four ops with their rules that it is about.
#pragma once

#include <cmath>

#include "exercises/exercise.hpp"

namespace exercise {

using Function = std::function<attention::Tensor(const attention::Tensor&)>;
using RuleOf = std::function<attention::Tensor(
    const attention::Tensor& x, const attention::Tensor& y, const attention::Tensor& grad)>;

// f, but with this rule for going back.
inline Function with_rule(Function f, RuleOf rule) {
  using namespace attention;
  return [f, rule](const Tensor& x) {
    Tensor y = f(x.detach());
    if (!recording() || !x.requires_grad()) return y;
    return remember(y, "rule of the exercise", {x}, [rule](const Link& link) {
      return Tensors{rule(link.in[0], link.out, link.grad)};
    });
  };
}

inline attention::Tensor share(const attention::Tensor& x) { return x / sum(x); }

// Op "A", "B", "C" or "D" with its rule.
inline Function candidate(const std::string& letter) {
  using namespace attention;
  const Tensor row = from_values({1, 2, 3, 4});
  if (letter == "A")
    return with_rule([](const Tensor& x) { return 6 / x; },
                     [](auto& x, auto& y, auto& grad) { return -grad * y / x; });
  if (letter == "B")
    return with_rule([row](const Tensor& x) { return x * row; },
                     [row](auto&, auto&, auto& grad) { return sum(grad * row, -1, keep); });
  if (letter == "C")
    return with_rule(share, [](auto& x, auto&, auto& grad) {
      const Tensor s = sum(x);
      return grad / s - grad * x / (s * s);
    });
  if (letter == "D")
    return with_rule([](const Tensor& x) { return sigmoid(x); },
                     [](auto&, auto& y, auto& grad) { return grad * y * (1 - y); });
  fail("exercise: there is no op {}; there are A, B, C and D", letter);
}

inline attention::Tensor input(const std::string& letter) {
  const attention::Tensor x = attention::from_values({1, 2, 5});
  return letter == "B" ? reshape(x, {3, 1}) : x;
}

// Why a rule that is right looks as it does.
inline Words why_right(const std::string& letter) {
  if (letter == "A")
    return {
        "看上去少了一个平方，其实藏在 y 里：y 已经除过一次 x 了。",
        "It seems to lack a square, but that is in y, which has been divided by x once already."};
  if (letter == "B")
    return {"求和不是多余的：每个 x 用在了四列上，用几次就加几次，而且要加回 (3, 1) 的形状。",
            "The sum is not too much: each x is used in four columns, and what is used so many "
            "times is added so many times, back to the shape (3, 1)."};
  return {"规则里没有 x，也不需要：sigmoid 的斜率只用 y 就能写出来，跟 tanh 一样。",
          "There is no x in it, and none is needed: the slope of sigmoid can be said with y "
          "alone, like that of tanh."};
}

inline Diagnosis check_letter(const std::string& letter) {
  if (letter.empty()) return still_to_do({});
  if (letter == "C") return right({});
  if (letter != "A" && letter != "B" && letter != "D")
    return wrong(
        {fmt::format("“{}”不是四个字母中的一个，要写 \"A\"、\"B\"、\"C\" 或者 \"D\"。", letter),
         fmt::format("\"{}\" is none of the four: it is \"A\", \"B\", \"C\" or \"D\".", letter)});
  const double error = attention::gradcheck(candidate(letter), input(letter)).error;
  const Words why = why_right(letter);
  return wrong(
      {fmt::format("{} 的规则是对的：gradcheck 量到的误差只有 {:.0e}。{}", letter, error, why.zh),
       fmt::format("The rule of {} is right: gradcheck finds an error of {:.0e}. {}", letter, error,
                   why.en)});
}

inline Diagnosis check_number(double number) {
  using namespace attention;
  if (std::isnan(number))
    return still_to_do({"C，没错。现在算第二问的那个数。", "C it is. Now for the number."});
  Tensor x = input("C").require_grad();
  const double expected = gradients(sum(share(x) * from_values({0, 1, 0})), {x})[0].at({2});
  const auto is = [number](double value) { return std::abs(number - value) < 1e-6; };
  if (is(expected)) return right({});
  const std::vector<std::pair<double, Words>> mistakes = {
      {0,
       {"0 正是那条错的规则给的数。可是 x₃ 变大，总和就变大，y₂ 会不会动？",
        "0 is just what the wrong rule says. But when x₃ grows, so does the sum: does y₂ stay?"}},
      {2.0 / 64,
       {"大小对了，符号反了：x₃ 变大，分母变大，y₂ 往哪边走？",
        "The size is right, the sign is not: when x₃ grows the divisor grows. Which way does y₂ "
        "go?"}},
      {6.0 / 64,
       {"这是第二个输入（2）的梯度。问的是第三个（5）：它推动的只有分母。",
        "That is the gradient of the second input (the 2). Asked is the third (the 5), which "
        "moves the divisor alone."}},
      {3.0 / 64,
       {"这是 y₃ 对 x₃ 的斜率。grad = 0 1 0 说的是：只有 y₂ 算数。",
        "That is the slope of y₃ by x₃. But grad = 0 1 0 says that y₂ alone matters."}},
      {-5.0 / 64,
       {"分子放错了：y₂ 的分子是 x₂ = 2，不是 5。",
        "The wrong number is above the line: y₂ has x₂ = 2 there, not 5."}},
      {-2.0 / 8,
       {"分母少了一个平方：1/s 的斜率是什么？",
        "A square is missing below the line: what is the slope of 1/s?"}},
      {-1.0 / 64,
       {"这是 1/s 的斜率。y₂ 是 2/s，那个 2 还在。",
        "That is the slope of 1/s. But y₂ is 2/s: the 2 is still there."}}};
  for (const auto& [gives, name] : mistakes)
    if (is(gives)) return wrong(name);
  return wrong({fmt::format("{:.6g} 不对。推一推：x₃ 从 5 变到 5.01，y₂ = 2/8 变成多少？", number),
                fmt::format("{:.6g} is not it. Push: when x₃ goes from 5 to 5.01, what becomes of "
                            "y₂ = 2/8?",
                            number)});
}

inline Diagnosis check_03(const std::function<std::string()>& letter,
                          const std::function<double()>& number) {
  try {
    const Diagnosis diagnosis =
        first_of({[&] { return check_letter(letter()); }, [&] { return check_number(number()); }});
    if (diagnosis.state != State::right) return diagnosis;
  } catch (const std::exception& error) {
    return stopped(error);
  }
  return right(
      {"一个输入推动了所有的输出，规则却只看了自己那一个。这种错，值上看不出来，逐个元素的差分一眼"
       "就看见。softmax 正是这样的运算：第 7 课。",
       "One input moves every output, and the rule looked at its own alone. The values never show "
       "it; differences, element by element, do at once. Softmax is such an op: lesson 7."});
}

}  // namespace exercise
