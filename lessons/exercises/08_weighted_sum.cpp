// 练习 08：一本字典                                        Exercise 08: a dictionary
//
// 六行 X：四条字典，两个提问。每行十一个数：前四个“问哪条”，中间四个“是哪条”，最后三个是内容。
// 用手填三个矩阵，让注意力变成查字典：在两个提问的行上，attend(X W_Q, X W_K, X W_V) 给出所问那条
// 的内容，每个数误差不超过 0.01。attend 里会除以 √d_k，再做 softmax：要让一条几乎独占，分数得差
// 多少？
//
// Six rows of X: four entries of a dictionary and two questions. Eleven numbers to a row: four say
// which entry it asks for, four which entry it is, the last three what the entry holds. Fill in
// three matrices so that attention becomes a look-up: in the rows of the two questions,
// attend(X W_Q, X W_K, X W_V) gives what the entry holds, each number within 0.01. Inside, attend
// divides by sqrt(d_k) and takes the softmax: how far ahead must a score be to have nearly all?
//
//                      问 asks      是 is       甜酸辣 sweet, sour, hot
//   苹果 apple        0 0 0 0     1 0 0 0       3 1 0
//   柠檬 lemon        0 0 0 0     0 1 0 0       1 5 0
//   辣椒 chilli       0 0 0 0     0 0 1 0       0 0 4
//   西瓜 melon        0 0 0 0     0 0 0 1       4 0 0
//   问辣椒 chilli?    0 0 1 0     0 0 0 0       0 0 0
//   问苹果 apple?     1 0 0 0     0 0 0 0       0 0 0
//
// 用得上 of use:  zeros({4, 3})   identity(4)   concat({a, b, c}, 0)
// 运行 run:       lessons/run.sh 8 --exercise
#include "checks/08_weighted_sum.hpp"

using namespace attention;

// (11, 4)
Tensor query_weights() {
  return exercise::todo;  // 到你了 your turn
}

// (11, 4)
Tensor key_weights() {
  return exercise::todo;  // 到你了 your turn
}

// (11, 3)
Tensor value_weights() {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] {
    return exercise::check_08({query_weights, key_weights, value_weights});
  });
}
