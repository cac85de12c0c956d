// The check of exercise 02. The right gradient comes from the library's own backward; next to it,
// what the well-known slips give for the same x, y and grad.
#pragma once

#include "exercises/exercise.hpp"

namespace exercise {

using TanhRule = std::function<attention::Tensor(
    const attention::Tensor& x, const attention::Tensor& y, const attention::Tensor& grad)>;

// A rule without its grad is told apart from a wrong slope: each slip comes with and without it.
inline std::vector<Mistake> mistakes_02(const attention::Tensor& x, const attention::Tensor& y,
                                        const attention::Tensor& grad) {
  using namespace attention;
  const Tensor slope = 1 - y * y;
  struct Slip {
    Tensor slope;
    Words name;
  };
  const std::vector<Slip> slips = {
      {1 - x * x,
       {"你用了输入 x，该用的是输出 y。在 x = 2 处你给的斜率是 -3，可 tanh 一路上升，斜率不会是负"
        "的。",
        "You used the input x where the output y belongs. At x = 2 your slope is -3, but tanh "
        "rises everywhere: its slope is never negative."}},
      {1 + y * y,
       {"符号反了：你的斜率到处都大于 1，越往两头越陡。tanh 在两头是平的。1 + y² 是 tan 的斜率。",
        "A sign is wrong: your slope is above 1 everywhere and steepest at the ends, where tanh "
        "is flat. 1 + y² is the slope of tan."}},
      {y * y - 1,
       {"整个差了一个负号：x 变大，tanh 也变大，斜率是正的。",
        "All of it has the wrong sign: tanh grows with x, so its slope is positive."}},
      {1 - y,
       {"你少了一个平方：x 很负时 y 接近 -1，你的斜率接近 2，可 tanh 在那里是平的。",
        "A square is missing: where x is very negative y is near -1 and your slope near 2, but "
        "tanh is flat there."}},
      {y * (1 - y),
       {"这是 sigmoid 的规则。在 x = 0 处它给 0，而 tanh 在那里最陡。",
        "This is the rule of sigmoid. At x = 0 it gives 0, just where tanh is steepest."}},
      {1 - tanh(y) * tanh(y),
       {"你对 y 又做了一次 tanh。y 已经是 tanh(x) 了。",
        "You took tanh of y once more; y is tanh(x) already."}},
      {y,
       {"这是 exp 的规则：只有 exp 的斜率等于它自己。",
        "This is the rule of exp: of these functions only exp is its own slope."}},
      {-2 * y * slope,
       {"你多求了一次导：这是斜率的斜率。",
        "You differentiated once too often: this is the slope of the slope."}}};

  std::vector<Mistake> list = {
      {slope,
       {"斜率对了，可后面传来的 grad 没有用上：不管损失怎么变，你给的都一样。链式法则还差一步。",
        "The slope is right, but grad has not been used: whatever the loss, your answer is the "
        "same. One step of the chain rule is missing."}},
      {slope + grad,
       {"斜率对了，可它和 grad 是加在一起的。x 推动 y，y 推动损失：两个倍数怎么合成一个？",
        "The slope is right, but it was added to grad. x moves y and y moves the loss: how do two "
        "factors become one?"}},
      {sum(slope * grad),
       {"你把六个数加成了一个。每个元素各有各的梯度，形状和 x 一样。",
        "You added six numbers up to one. Each element has a gradient of its own: the shape is "
        "that of x."}}};
  for (const Slip& slip : slips) {
    list.push_back({slip.slope * grad, slip.name});
    list.push_back({slip.slope,
                    {slip.name.zh + "另外，传来的 grad 也没有用上。",
                     slip.name.en + " Besides, the grad that arrived has not been used."}});
  }
  return list;
}

inline Diagnosis check_02(const TanhRule& learner) {
  using namespace attention;
  Tensor x = from_values({2, 0, -0.5, 1, -3, 0.25}, {2, 3}).require_grad();
  const Tensor grad = from_values({3, -1, 0.5, 2, -4, 7}, {2, 3});
  const Tensor y = tanh(x);
  const Tensor expected = gradients(sum(y * grad), {x}, {.retain = true})[0];
  const Diagnosis diagnosis = diagnose([&] { return learner(x.detach(), y.detach(), grad); },
                                       expected, mistakes_02(x.detach(), y.detach(), grad));
  if (diagnosis.state != State::right) return diagnosis;
  return right(
      {"只用输出就能写出来，x 连留着都不用。斜率最大是 1，在 0 处；x 到了 ±3，只剩 0.01：梯度走到"
       "这里几乎就停了，这叫饱和。",
       "The output alone says it; x need not even be kept. The slope is 1 at most, at 0; at ±3 "
       "only 0.01 of it is left, and hardly any gradient gets through: this is called "
       "saturation."});
}

}  // namespace exercise
