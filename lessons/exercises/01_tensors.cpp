// 练习 01：猜形状                                          Exercise 01: predict the shapes
//
// 下面六行，结果是什么形状？不要运行，先用铅笔推，再把六个形状按顺序写成一个列表：
// {{2, 3}, {4}, …}。一个轴写成 {4}；写 {0} 表示这一行还没想好。检查会告诉你，猜错的那一行错在哪里。
//
// What is the shape of each of these six? Work it out with a pencil, without running anything, and
// return the six in order, as {{2, 3}, {4}, …}. {4} is a shape of one axis; {0} stands for one that
// you have not worked out yet. The check tells what went wrong with the first that is not right.
//
//   1   ones({5, 1}) - ones({5})                                (+ - * / 都会广播 all broadcast)
//   2   reshape(ones({4, 6}), {3, ?, 2})                        (整个形状 the whole shape)
//   3   sum(ones({2, 3, 4}), -2, keep)
//   4   permute(ones({2, 3, 5}), {2, 0, 1})                     (结果的轴 i 是原来的轴 axes[i]
//                                                                axis i of it was axis axes[i])
//   5   matmul(ones({6, 4}), ones({7, 4}), transpose_b)
//   6   matmul(ones({2, 1, 3, 4}), ones({5, 4, 6}))
//
// 运行 run:  lessons/run.sh 1 --exercise
#include "checks/01_tensors.hpp"

using namespace attention;

std::vector<Shape> six_shapes() {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_01(six_shapes); });
}
