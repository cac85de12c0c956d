// 练习 13：写出填充掩码                                     Exercise 13: write the padding mask
//
// 一批 B 个句子，第 b 个只有 lengths[b] 个词，后面填充到 T 个。写出掩码：形状 (B, 1, 1, T)，1 表示
// 可以看，0 表示不可以。两个 1 会广播到所有的头和所有在看的词。字节按行排成一串：第 b 个句子的 T
// 个数占第 b·T 到 b·T + T - 1 个。
//
// A batch of B sentences; number b has lengths[b] words and is padded to T at the end. Write the
// mask: shape (B, 1, 1, T), 1 for what may be seen and 0 for what may not. The two ones broadcast
// to all heads and to all words that look. The bytes lie in rows, one after the other: the T of
// sentence b are numbers b T to b T + T - 1.
//
// 运行 run:  lessons/run.sh 13 --exercise
#include "checks/13_block.hpp"

using namespace attention;

Mask padding(const std::vector<Size>& lengths, Size T) {
  const Size B = static_cast<Size>(lengths.size());
  Mask::Bytes bytes(B * T, 1);
  // 到你了 your turn: 改 bytes，再 return Mask({B, 1, 1, T}, bytes);
  return exercise::todo;
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_13(padding); });
}
