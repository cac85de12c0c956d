// 练习 03：哪条规则错了                                    Exercise 03: which rule is wrong
//
// 四个运算，四条求导规则，其中一条是错的。x 是输入，y 是输出，grad 是传到 y 的梯度：
// Four ops and four rules, one of which is wrong. x is the input, y the output, grad what arrives:
//
//   A   y = 6 / x          x (3,)      -grad * y / x
//   B   y = x * row        x (3, 1)    sum(grad * row, -1, keep)             row = 1 2 3 4
//   C   y = x / sum(x)     x (3,)      grad / s - grad * x / (s * s)         s = sum(x)
//   D   y = sigmoid(x)     x (3,)      grad * y * (1 - y)
//
// 先想，再查：exercise::candidate("A") 是带着这条规则的运算 A，exercise::input("A") 是给它的输入，
// 两个都可以交给 gradcheck；它的报告里有 passed、error 和 text。
// 第二问：取 x = 1 2 5。后面只对 y 的第二个数感兴趣：grad = 0 1 0。对你说的那个运算，第三个输入
// （5）的梯度应当是多少？用铅笔算，或者推一推。
//
// Think first, then test: exercise::candidate("A") is op A with this rule and exercise::input("A")
// an input for it. Hand both to gradcheck, whose report has passed, error and text.
// Then take x = 1 2 5, and let only the second number of y matter: grad = 0 1 0. For the op that
// you named, what should the gradient of the third input (the 5) be? Use a pencil, or push.
//
// 运行 run:  lessons/run.sh 3 --exercise
#include "checks/03_gradient_check.hpp"

using namespace attention;

// "A", "B", "C" 或者 or "D"
std::string wrong_rule() {
  return exercise::todo;  // 到你了 your turn
}

// 第二问的答案 the answer to the second question
double right_number() {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_03(wrong_rule, right_number); });
}
