// 练习 07：温度                                            Exercise 07: temperature
//
// 把分数除以温度 t 再做 softmax：t 小，份额集中；t 大，份额趋于平均。写一个函数，对给定的分数
// 找出温度 t，使最大的那个词得到 90 % 的份额，误差不超过百万分之一。t 越小，这个份额越大，所以可以
// 二分查找。
//
// Scores are divided by a temperature t before softmax: a small t sharpens the shares, a large one
// evens them out. Write the function that finds the t at which the largest word gets 90 %, within
// 1e-6. That share falls as t grows, so you can close in on it from two sides (bisection).
//
// 运行 run:  lessons/run.sh 7 --exercise
#include "checks/07_softmax.hpp"

using namespace attention;

// scores (n,), 最大值唯一 with a single largest -> t > 0
double temperature_for_90_percent(const Tensor& scores) {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv,
                          [] { return exercise::check_07(temperature_for_90_percent); });
}
