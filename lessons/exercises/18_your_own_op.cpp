// 练习 18：swish                                               Exercise 18: swish
//
// swish(x) = x · sigmoid(x)，sigmoid(x) = 1 / (1 + exp(-x))，它的导数是 sigmoid · (1 - sigmoid)。
// 第一部分：写 forward 和 backward。link.in[0] 是 x，link.grad 是上游传来的梯度。求导规则要用张量
// 的运算写，这样它自己也能再求导。第二部分：故意弄坏它：再写一个 backward，数值完全对，一阶检查
// 通过，二阶检查不通过。然后读报告。
//
// swish(x) = x · sigmoid(x), where sigmoid(x) = 1 / (1 + exp(-x)) has the slope sigmoid · (1 -
// sigmoid). Part one: forward and backward. link.in[0] is x, link.grad the gradient that arrives.
// Write the rule with ops on tensors, so that it can be differentiated again. Part two: break it on
// purpose, with a backward whose numbers are all right, so that the check passes at first order and
// fails at second. Then read the report.
//
// 运行 run:  lessons/run.sh 18 --exercise
#include "checks/18_your_own_op.hpp"

using namespace attention;

struct Swish {
  static constexpr auto name = "swish";

  // x -> x · sigmoid(x)，形状不变 of the same shape
  Tensor forward(const Tensor& x) const {
    return exercise::todo;  // 到你了 your turn
  }

  // -> x 的梯度 the gradient of x
  Tensors backward(const Link& link) const {
    return {exercise::todo};  // 到你了 your turn
  }

  static Examples examples() {
    return {{[](const Tensor& x) { return apply(Swish{}, x); }, sample({2, 3})}};
  }
};

struct BrokenSwish : Swish {
  static constexpr auto name = "broken swish";

  // 一阶对，二阶错 right at first order, wrong at second
  Tensors backward(const Link& link) const {
    return {exercise::todo};  // 到你了 your turn
  }

  static Examples examples() {
    return {{[](const Tensor& x) { return apply(BrokenSwish{}, x); }, sample({2, 3})}};
  }
};

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_18<Swish, BrokenSwish>(); });
}
