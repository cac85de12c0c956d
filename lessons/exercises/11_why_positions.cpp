// 练习 11：谁看不见词序                                     Exercise 11: who is blind to order
//
// 一、写一个函数，量一个模型看不看得见词序：把词打乱，f(PX) 和 P f(X) 最多差多少。看不见的，差 0。
// 打乱由 reordered(x, order) 来做：结果的第 i 行是 x 的第 order[i] 行。
// 二、下面八个模型，把句子读成一个向量。不运行，先想：打乱词序，哪些模型读出的向量不变（true），
// 哪些会变（false）？
//
// First, write the function that measures whether a model sees order: shuffle the words, and by how
// much at most does f(PX) differ from P f(X)? A blind model scores 0. Shuffling is done by
// reordered(x, order): row i of the result is row order[i] of x. Second, eight models that read a
// sentence into one vector. Without running anything: for which does that vector stay the same when
// the words are shuffled (true), for which does it change (false)?
//
//   1  词嵌入取平均                          the mean of the embeddings
//   2  注意力（无位置），取平均              attention without positions, averaged
//   3  加上位置，不要注意力，取平均          positions added, no attention, averaged
//   4  加上位置，注意力，取平均              positions added, attention, averaged
//   5  因果掩码，注意力（无位置），取平均    a causal mask, attention without positions, averaged
//   6  注意力（无位置），只读第一行          attention without positions, the first row alone
//   7  注意力（无位置），取每列的最大        attention without positions, each column's largest
//   8  逐词更新：h = tanh(h W + x)，取最后   word by word, h = tanh(h W + x), the last h
//
// 运行 run:  lessons/run.sh 11 --exercise
#include "checks/11_why_positions.hpp"

using namespace attention;
using exercise::reordered;

// f: (T, C) -> (T, C); x (T, C); order: 0 … T-1 的一个排列 a permutation
double sees_order(const exercise::Model& f, const Tensor& x, const std::vector<int>& order) {
  return exercise::todo;  // 到你了 your turn
}

// 八个 true 或 false，按上面的次序 eight of true or false, in the order above
std::vector<bool> stays_the_same() {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv,
                          [] { return exercise::check_11(sees_order, stays_the_same); });
}
