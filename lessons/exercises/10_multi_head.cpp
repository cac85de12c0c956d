// 练习 10：把转置放回去                              Exercise 10: put the transpose back
//
// 写完整的多头注意力（投影已经做好，W_O 也不用管）：把 q、k、v 的通道切成 heads 份，头换到词的
// 前面，每个头各自做第 8 课的注意力，再把头换回去、拼接起来。形状合适的写法不止一种，对的只有
// 一种。可用：reshape、permute、matmul、softmax(…, -1, mask)。
//
// Write multi-head attention in full (the projections are done, and leave W_O aside): cut the
// channels of q, k and v into heads, move the heads in front of the words, let each attend as in
// lesson 08, move the heads back and put them side by side. More than one way has the shapes that
// fit; one is right. Useful: reshape, permute, matmul, softmax(…, -1, mask).
//
// 运行 run:  lessons/run.sh 10 --exercise
#include "checks/10_multi_head.hpp"

using namespace attention;

// q, k, v (B, T, C), mask 可广播成 broadcasts to (B, H, T, T) -> (B, T, C)
Tensor multi_head(const Tensor& q, const Tensor& k, const Tensor& v, int heads, const Mask& mask) {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_10(multi_head); });
}
