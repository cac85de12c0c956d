// 练习 09：要三个头的任务                                Exercise 09: a task for three heads
//
// 小明 昨天 吃 苹果。“吃”要知道三件事：谁、什么时候、什么。三个词站在它周围的 0、1、2 号位置。
// 一、给出每个头的一行权重，让线性的读出三件事都能答对。头越少越好；读出由检查来配。
// 二、不运行，先想：下面五个任务，线性地读出来，最少各要几个头？
//
// Ming ate apples yesterday. Ate has three things to find out: who, when, what. The three words
// stand at places 0, 1, 2 around it. First, give each head its row of weights, so that a linear
// readout gets all three right, with as few heads as will do; the check finds the readout. Second,
// without running anything: how many heads does each of these five tasks need, read linearly?
//
//   1  谁                                  who
//   2  谁，什么                            who, and what
//   3  谁，什么时候，什么                  who, when, and what
//   4  谁，再问一遍谁                      who, and who once more
//   5  有哪三个词，不问先后                which three words there are, in any order
//
// 运行 run:  lessons/run.sh 9 --exercise
#include "checks/09_why_heads.hpp"

using namespace attention;

// (头数 heads, 3)
Tensor weights() {
  return exercise::todo;  // 到你了 your turn
}

// 五个头数，按上面的次序 five numbers of heads, in the order above
std::vector<int> heads_needed() {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_09(weights, heads_needed); });
}
