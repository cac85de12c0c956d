// 练习 14：sort 和 shift                                     Exercise 14: sort and shift
//
// 一个任务就是一条规则：给一串数字，答一串一样长的数字。copy 和 reverse 库里有了，你来写两条：
// sort 把数字从小到大排好；shift 让每个数字往右挪一位，最后一个绕到最前面。写对之后，检查会拿你的
// 规则当场训练一个小模型：有位置的一个，没有位置的一个。
//
// A task is a rule: it answers a sequence of digits with another one of the same length. The
// library has copy and reverse. Write two more: sort puts the digits in rising order; shift moves
// each digit one place to the right, and the last one round to the front. When both are right, the
// check trains a small model by your rules, once with positions and once without.
//
// 运行 run:  lessons/run.sh 14 --exercise
#include "checks/14_train.hpp"

using namespace attention;

// 2 0 1 0 -> 0 0 1 2
Sequence sort(Sequence digits) {
  return exercise::todo;  // 到你了 your turn
}

// 2 0 1 0 -> 0 2 0 1
Sequence shift(Sequence digits) {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_14(sort, shift); });
}
