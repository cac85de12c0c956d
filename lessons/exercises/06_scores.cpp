// 练习 06：除以多少？                                   Exercise 06: divided by what?
//
// 一、写出缩放后的分数：每个查询与每个键的点积，除以该除的数。d_model 是整个模型的宽度，也给了你；
// 用不用得上，自己判断。二、查询和键的每个数都是平均 0、方差 1，互不相干，d_k = 16，d_model = 64。
// 先不写程序，用铅笔算出四种做法的方差：不除、除以 d_k、除以 √d_model、除以 √d_k。
//
// First, write the scaled scores: the dot product of each query with each key, divided by the right
// number. d_model, the width of the whole model, is given too; whether it is of use is for you to
// judge. Second, all numbers of queries and keys have mean 0 and variance 1 and know nothing of
// each other; d_k = 16, d_model = 64. With a pencil and no program: the variance of the scores when
// they are not divided, divided by d_k, by sqrt(d_model), by sqrt(d_k).
//
// 运行 run:  lessons/run.sh 6 --exercise
#include "checks/06_scores.hpp"

using namespace attention;

// q (T, d_k), k (S, d_k) -> (T, S)
Tensor scaled_scores(const Tensor& q, const Tensor& k, Size d_model) {
  return exercise::todo;  // 到你了 your turn
}

// {不除 undivided, 除以 by d_k, 除以 by sqrt(d_model), 除以 by sqrt(d_k)}
std::vector<double> variances() {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_06(scaled_scores, variances); });
}
