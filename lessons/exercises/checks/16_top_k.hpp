// The first part of the check of exercise 16: top-k is counted out, number by number. Next:
// 16_encoder_decoder.hpp, a step of beam search.
#pragma once

#include <cmath>

#include "exercises/exercise.hpp"

namespace exercise {

using Numbers = std::vector<double>;
using TopK = std::function<Numbers(Numbers, int)>;

// No tensor for what has not been written yet.
inline attention::Tensor as_tensor(const Numbers& numbers) {
  if (numbers.empty()) return {};
  return attention::from_values(std::vector<attention::real>(numbers.begin(), numbers.end()));
}

// A logit stays where fewer than k come before it, in the order that `before` tells; what does not
// becomes `gone`.
inline Numbers keep_first(
    Numbers logits, int k,
    const std::function<bool(const Numbers&, std::size_t, std::size_t)>& before,
    double gone = -INFINITY) {
  const Numbers all = logits;
  for (std::size_t i = 0; i < all.size(); ++i) {
    int ahead = 0;
    for (std::size_t j = 0; j < all.size(); ++j) ahead += j != i && before(all, j, i);
    if (ahead >= k) logits[i] = gone;
  }
  return logits;
}

inline bool larger(const Numbers& x, std::size_t j, std::size_t i) {
  return x[j] > x[i] || (x[j] == x[i] && j < i);
}

inline Numbers right_top_k(const Numbers& logits, int k, double gone = -INFINITY) {
  return keep_first(logits, k, larger, gone);
}

// The shares of what is there, out of the total of `whole`.
inline Numbers shares_of(Numbers kept, const Numbers& whole) {
  double total = 0;
  for (double x : whole) total += std::exp(x);
  for (double& x : kept) x = std::exp(x) / total;
  return kept;
}

inline Diagnosis check_top_k(const TopK& learner) {
  const Numbers logits{0.5, 3, -1, 2, 2.5, -0.25, 1};  // all different
  const auto try_it = [&](const Numbers& x, int k, const std::vector<Mistake>& mistakes) {
    return diagnose([&] { return as_tensor(learner(x, k)); }, as_tensor(right_top_k(x, k)),
                    mistakes);
  };
  const Numbers kept = right_top_k(logits, 3);
  const auto by_id = [](const Numbers&, std::size_t j, std::size_t i) { return j < i; };
  const auto from_the_end = [](const Numbers&, std::size_t j, std::size_t i) { return j > i; };
  const auto smaller = [](const Numbers& x, std::size_t j, std::size_t i) { return x[j] < x[i]; };
  const std::vector<Mistake> mistakes = {
      {as_tensor(keep_first(logits, 3, smaller)),
       {"留下的是 k 个最小的：排序的方向反了。",
        "The k smallest have stayed: the order is turned round."}},
      {as_tensor(right_top_k(logits, 3, 0)),
       {"其余的变成了 0，可是 logit 0 不等于份额 0：exp(0) = 1，它比留下的负数还大。",
        "The others have become 0, but a logit of 0 is not a share of 0: exp(0) = 1, more than a "
        "negative logit gets."}},
      {as_tensor(keep_first(logits, 3, by_id)),
       {"留下的是编号最小的 k 个：你排的是编号，不是 logits。",
        "The k lowest ids have stayed: you sorted ids, not logits."}},
      {as_tensor(keep_first(logits, 3, from_the_end)),
       {"留下的是编号最大的 k 个：你排的是编号，不是 logits。",
        "The k highest ids have stayed: you sorted ids, not logits."}},
      {as_tensor({3, 2.5, 2}),
       {"只返回了那 k 个数：编号丢了，谁也不知道是哪几个词。长度要和输入一样。",
        "You returned the k numbers alone: their ids are lost, and nobody knows which tokens they "
        "are. The answer is as long as the input."}},
      {as_tensor({3, 2.5, 2, 1, 0.5, -0.25, -1}),
       {"全部排了序：数字离开了自己的编号，第 i 个不再是第 i 个词的。",
        "All are sorted: the numbers have left their ids, and number i is no longer that of token "
        "i."}},
      {as_tensor({3, 2.5, 2, -INFINITY, -INFINITY, -INFINITY, -INFINITY}),
       {"留下的 k 个挤到了最前面：每个数要待在自己的编号上。",
        "The k that stay have moved to the front: each belongs where its id is."}},
      {as_tensor(right_top_k(logits, 2)),
       {"只留下 k - 1 个：第 k 大的那个自己也要留，它不小于界限。",
        "Only k - 1 have stayed: the k-th largest stays, too; it is not below the threshold."}},
      {as_tensor(right_top_k(logits, 4)),
       {"留下了 k + 1 个：从 0 数起，第 k 大的下标是 k - 1。",
        "k + 1 have stayed: counted from 0, the k-th largest has the index k - 1."}},
      {as_tensor(shares_of(kept, kept)),
       {"你给的已经是份额：这里要的还是 logits，softmax 以后再做。",
        "You give shares already: logits are wanted here, softmax comes later."}},
      {as_tensor(shares_of(kept, logits)),
       {"你给的是份额，而且按所有词算总和：留下的几个凑不成 1。这里要的还是 logits。",
        "You give shares, and of the total of all tokens: what stays does not sum to 1. Logits "
        "are wanted here."}},
      {as_tensor(logits),
       {"什么也没有变：全都留下了。", "Nothing has changed: all of them have stayed."}}};
  const Numbers ties{2, 4, 1, 2, 4, 2, 0};
  const auto late = [](const Numbers& x, std::size_t j, std::size_t i) {
    return x[j] > x[i] || (x[j] == x[i] && j > i);
  };
  const auto with_equals = [](const Numbers& x, std::size_t j, std::size_t i) {
    return x[j] > x[i];
  };
  return first_of(
      {[&] { return try_it(logits, 3, mistakes); },
       [&] {
         return try_it(
             ties, 3,
             {{as_tensor(keep_first(ties, 3, with_equals)),
               {"与第 k 大一样大的全留下了，多于 k 个：只比界限不够，还要数个数。",
                "All that equal the k-th largest have stayed, more than k: comparing with a "
                "threshold is not enough, count them."}},
              {as_tensor(keep_first(ties, 3, late)),
               {"一样大的，你先留了编号大的：应当先留编号小的。",
                "Among equals you kept the higher id: the lower one goes first."}},
              {as_tensor(right_top_k(ties, 2)),
               {"与第 k 大一样大的一个也没留，不足 k 个：还有空位，编号小的先补上。",
                "None of those that equal the k-th largest has stayed, fewer than k: there is "
                "room left, for the lowest ids."}}});
       },
       [&] {
         const Numbers few{0.5, -1, 2};
         return try_it(few, 5,
                       {{as_tensor(Numbers(3, -INFINITY)),
                         {"k 比词表还大时，你一个也没留：应当全留下。",
                          "With k larger than the vocabulary nothing has stayed: all should."}},
                        {as_tensor({0.5, -1, 2, -INFINITY, -INFINITY}),
                         {"k 比词表还大时，你的答案有 k 个数：它要和输入一样长。",
                          "With k larger than the vocabulary you answer with k numbers: as many "
                          "as came in are wanted."}}});
       }});
}

}  // namespace exercise
