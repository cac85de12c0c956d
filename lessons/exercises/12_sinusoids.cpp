// 练习 12：底数换成 100，会怎样？                        Exercise 12: base 100: what breaks?
//
// 公式里的 10000 从哪里来？换一个底数试试。
// 一、按公式写出位置编码，底数由你的函数接收（d 是偶数，位置从 0 数起）。
// 二、最慢的那一对，走几步才转一整圈？
// 三、从一张编码表里找：哪个位置离位置 0 最近？d = 4、底数 100、512 个位置，答案会让你吃一惊。
//
// Where does the 10000 come from? Try another base. First, write the encoding by its formula, with
// the base as an argument (d is even, positions count from 0). Second, how many steps does the
// slowest pair need for a full turn? Third, find in a table of encodings which position is nearest
// to position 0. For d = 4, base 100 and 512 positions the answer may surprise you.
//
// 运行 run:  lessons/run.sh 12 --exercise
#include <cmath>

#include "checks/12_sinusoids.hpp"

using namespace attention;

// -> (count, d)
Tensor encoding(Size count, Size d, double base) {
  return exercise::todo;  // 到你了 your turn
}

// 走几步 in steps
double longest_wavelength(Size d, double base) {
  return exercise::todo;  // 到你了 your turn
}

// table (n, d) -> 1 … n-1
double nearest_to_0(const Tensor& table) {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(
      argc, argv, [] { return exercise::check_12(encoding, longest_wavelength, nearest_to_0); });
}
