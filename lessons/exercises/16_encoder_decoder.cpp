// 练习 16：top-k 和束搜索的一步                 Exercise 16: top-k, and a step of beam search
//
// top_k：k 个最大的 logits 原样留下，其余变成负无穷，softmax 之后份额就是 0。
// 恰好留 k 个：一样大的，编号小的先留；k 比词表还大，就全留下。
//
// beam_step：手里有几个开头，so_far[i] 是开头 i 的对数概率，next[i][id] 是接着说 id 的对数概率。
// 所有接法放在一起，挑出概率最大的 width 个，从大到小排好。
// 一样大的，开头靠前的先，再是编号小的先；接法不够 width 个，就全留下。
//
// top_k: the k largest logits stay as they are, the others become minus infinity, so that softmax
// gives them nothing. Exactly k stay: among equals the lowest ids; if there are fewer, all.
//
// beam_step: so_far[i] is the log-probability of beginning i, next[i][id] that of saying id next.
// Of all continuations together, return the `width` likeliest, best first. Among equals the earlier
// beginning goes first, then the lower id; all stay, if there are no more than `width`.
//
// 运行 run:  lessons/run.sh 16 --exercise
#include <algorithm>
#include <cmath>

#include "checks/16_encoder_decoder.hpp"

using namespace attention;
using exercise::Continuation;  // {beginning, id, log_probability}

// 1 3 0 2, k = 2 -> -inf 3 -inf 2
std::vector<double> top_k(std::vector<double> logits, int k) {
  return exercise::todo;  // 到你了 your turn
}

std::vector<Continuation> beam_step(const std::vector<double>& so_far,
                                    const std::vector<std::vector<double>>& next, int width) {
  return exercise::todo;  // 到你了 your turn
}

int main(int argc, char** argv) {
  return exercise::report(argc, argv, [] { return exercise::check_16(top_k, beam_step); });
}
