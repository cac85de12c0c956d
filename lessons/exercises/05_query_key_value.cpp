// 练习 05：让“甜”看“苹果”                         Exercise 05: let sweet look at apple
//
// 四个词，每个词五个数（就是下面的 X）。选两个矩阵 W_Q 和 W_K，使 X W_Q (X W_K)ᵀ 这张分数表里，
// “甜”给“苹果”的分比其余十五个分都高，至少高 2。别的词不许也盯着“苹果”，“苹果”也不必看回来。
// 每个矩阵五行（每行管一个特征），列数自己定，两个矩阵要一样。整数就够用。
//
// Four words, five numbers each (X below). Choose two matrices, W_Q and W_K, so that in the table
// of scores X W_Q (X W_K)ᵀ the one that sweet gives apple is above the fifteen others, by 2 at
// least. No other word may stare at apple as much, and apple need not look back. Each matrix has
// five rows, one for each feature; how many columns is yours to choose, the same for both. Whole
// numbers will do.
//
//                东西 thing  食物 food  人 person  程度 degree  味道 taste
//   小明 Ming         1          0          1          0            0
//   苹果 apple        1          1          0          0            0
//   很 very           0          0          0          1            0
//   甜 sweet          0          0          0          0            1
//
// 运行 run:  lessons/run.sh 5 --exercise
#include "checks/05_query_key_value.hpp"

using namespace attention;

// (5, d_k): 它乘出查询 it makes the queries. from_values({…}, {5, 2})
Tensor query_weights() {
  return exercise::todo;  // 到你了 your turn
}

// (5, d_k): 它乘出键 it makes the keys
Tensor key_weights() {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv,
                          [] { return exercise::check_05(query_weights, key_weights); });
}
