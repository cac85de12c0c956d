// 练习 15：找出那个头                                              Exercise 15: find the head
//
// 给你每一层的注意力权重，和几条已经知道的链接：第 row 个句子里，位置 query 应当看位置 key。写一个
// 函数，找出在这些链接上平均放了最多权重的头，答 {层, 头}，都从 0 数起。权重 map 是 (B, H, T, T)：
// map.at({句子, 头, 查询, 键})；map.size(1) 是头数。
//
// Given are the attention weights of each layer, and a few links that are known: in sentence `row`,
// position `query` should look at position `key`. Write the function that finds the head with the
// most weight on these links, on average, and answers {layer, head}, both counted from 0. The
// weights of a layer are (B, H, T, T): map.at({sentence, head, query, key}); map.size(1) heads.
//
// 运行 run:  lessons/run.sh 15 --exercise
#include "checks/15_what_heads_learn.hpp"

using namespace attention;

// maps: 每层一个 one for each layer; links: 至少一条 at least one; link.row, link.query, link.key
std::vector<int> find_head(const Tensors& maps, const std::vector<AttentionLink>& links) {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_15(find_head); });
}
