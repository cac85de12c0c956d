// 练习 04：重复词的梯度                                    Exercise 04: gradient of a repeated word
//
// X 是按 ids 从表 E (V, d) 里抄出来的，一行一个词；传到 X 的梯度是 grad，形状 (n, d)，第 i 行属于
// 第 i 个词元。写出表 E 的梯度，形状 (V, d)。有的词出现几次，有的一次也没有。
// 可以用循环填一个 std::vector<real>（数按行排），再交给 from_values；也可以用独热和 matmul。
// 不许用 gather_rows 和 backward：这里写的就是它们往回走的那一步。
//
// X was copied from the table E (V, d) by ids, a row for each token; grad (n, d) is what arrives at
// X, its row i for token i. Write the gradient of E, (V, d). Some words occur several times, some
// not at all. Fill a std::vector<real> in a loop (row after row) and hand it to from_values, or use
// one-hot rows and matmul. Not gather_rows and backward: this is the step back that they take.
//
// 运行 run:  lessons/run.sh 4 --exercise
#include "checks/04_embedding.hpp"

using namespace attention;

// ids: ids.ids[i] 是第 i 个词元的编号 is the id of token i, in [0, V); grad (n, d) -> (V, d)
Tensor table_gradient(const Tokens& ids, const Tensor& grad, Size V) {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_04(table_gradient); });
}
