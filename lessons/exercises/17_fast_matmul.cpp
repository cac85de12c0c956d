// 练习 17：选块的大小                                Exercise 17: choose the block size
//
// 分块相乘的时候，a、b、out 各有一块要同时放在缓存里。第一部分：缓存有 cache_bytes 个字节，求最大的
// 边长 s，使三个 s x s 的块都放得下。第二部分：写一块的计算，把 a 的一块乘 b 的一块，加到 out 的那
// 一块上。块从 (i0, k0, j0) 开始，边长是 s；矩阵的大小不一定是 s 的整数倍，边上的块要小一些。
//
// When a product goes block by block, a block of a, of b and of out are to be in the cache at the
// same time. Part one: for a cache of so many bytes, find the largest side s such that three blocks
// of s x s numbers fit. Part two: the work of one block. Multiply a block of a by a block of b and
// add the result to the block of out. The block begins at (i0, k0, j0) and its side is s; the sizes
// need not be multiples of s, and so blocks at the edge are smaller.
//
// 运行 run:  lessons/run.sh 17 --exercise
#include "checks/17_fast_matmul.hpp"

using namespace attention;

// 缓存的字节数 -> 块的边长；一个数占 sizeof(real) 个字节
// bytes of the cache -> the side of a block; a number takes sizeof(real) bytes
Size block_size(Size cache_bytes) {
  return 0;  // 到你了 your turn
}

// a (n.rows, n.inner)，b (n.inner, n.columns)，out (n.rows, n.columns)：一行接一行 row after row
// i 从 i0 起 from i0, k 从 k0 起 from k0, j 从 j0 起 from j0
void multiply_block(real* out, const real* a, const real* b, const kernels::Product& n, Size i0,
                    Size k0, Size j0, Size s) {
  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv,
                          [] { return exercise::check_17(block_size, multiply_block); });
}
