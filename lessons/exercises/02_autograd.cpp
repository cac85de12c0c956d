// 练习 02：tanh 的求导规则                                 Exercise 02: the rule of tanh
//
// y = tanh(x) = (exp(x) - exp(-x)) / (exp(x) + exp(-x))，对每个元素各算各的。反向传播走到这里，
// 手里有三样东西：输入 x、已经算好的输出 y，还有从后面传来的梯度 grad（损失对 y 的梯度）。
// 写出 tanh 的规则：返回损失对 x 的梯度，形状和 x 一样。用商的求导法则推一遍，看看它能不能
// 只用 y 写出来。不许调用 backward，这里写的正是 backward 要用的那一行。
//
// y = tanh(x) = (exp(x) - exp(-x)) / (exp(x) + exp(-x)), for each element by itself. When backward
// gets here there are three things at hand: the input x, the output y, already computed, and grad,
// the gradient of the loss by y. Write the rule: return the gradient of the loss by x, in the shape
// of x. Differentiate the quotient with a pencil, and see whether y alone can say it. Calling
// backward is not meant: this is the line that backward needs.
//
// 运行 run:  lessons/run.sh 2 --exercise
#include "checks/02_autograd.hpp"

using namespace attention;

// x (2, 3), y = tanh(x), grad (2, 3) -> (2, 3)
Tensor tanh_rule(const Tensor& x, const Tensor& y, const Tensor& grad) {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_02(tanh_rule); });
}
