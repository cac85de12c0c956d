// The check of exercise 05. Many matrices are right, so it looks at the table of scores: what
// stands in the way of the one that should lead tells what was done.
#pragma once

#include <cmath>

#include "exercises/exercise.hpp"

namespace exercise {

namespace exercise_05 {

inline const std::vector<Words> words = {
    {"小明", "Ming"}, {"苹果", "apple"}, {"很", "very"}, {"甜", "sweet"}};
enum { ming, apple, very, sweet };

// The four words' features, as the learner's file lists them.
inline attention::Tensor sentence() {
  return attention::from_values({1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1},
                                {4, 5});
}

// "sweet → apple = 3", in both languages.
inline Words look(int from, int to, double score) {
  const auto text = [&](const std::string& a, const std::string& b) {
    return fmt::format("{} → {} = {:.4g}", a, b, score);
  };
  return {text(words[from].zh, words[to].zh), text(words[from].en, words[to].en)};
}

// Whether the two matrices can be multiplied and hold numbers; right() where they can.
inline Diagnosis usable(const attention::Tensor& w_q, const attention::Tensor& w_k) {
  for (const auto& [name, w] : {std::pair{"W_Q", w_q}, std::pair{"W_K", w_k}}) {
    if (w.rank() == 2 && w.size(0) != 5 && w.size(1) == 5)
      return wrong(
          {fmt::format("{} 横过来了：它的形状是 {}。一个特征占一行，所以是五行。", name, w.shape()),
           fmt::format("{} lies on its side: its shape is {}. Each feature has a row, so there "
                       "are five rows.",
                       name, w.shape())});
    if (w.rank() != 2 || w.size(0) != 5 || w.size(1) == 0)
      return wrong({fmt::format("{} 的形状是 {}，应当是 (5, d_k)。", name, w.shape()),
                    fmt::format("{} has the shape {}; it should be (5, d_k).", name, w.shape())});
    for (attention::Size i = 0; i < w.count(); ++i)
      if (!(std::abs(w.data()[i]) <= 1e6))
        return wrong({fmt::format("{} 里有一个 {}：用普通的、不大的数就够。", name, w.data()[i]),
                      fmt::format("{} holds a {}: ordinary numbers, not large ones, will do.", name,
                                  w.data()[i])});
  }
  if (w_q.size(1) != w_k.size(1))
    return wrong({fmt::format("W_Q 有 {} 列，W_K 有 {} 列：查询和键要一样长，才能相乘。",
                              w_q.size(1), w_k.size(1)),
                  fmt::format("W_Q has {} columns and W_K {}: a query and a key are multiplied, "
                              "and need the same length.",
                              w_q.size(1), w_k.size(1))});
  return right({});
}

// What is said when the score of `from` for `to` is the highest, or as good as, instead.
inline Words rival(int from, int to, double score, double wanted) {
  const Words it = look(from, to, score), own = look(sweet, apple, wanted);
  const auto told = [&](const std::string& zh, const std::string& en) {
    return Words{fmt::format("{}，而 {}。{}", it.zh, own.zh, zh),
                 fmt::format("{}, and {}. {}", it.en, own.en, en)};
  };
  if (from == apple && to == sweet && score > wanted)
    return told(
        "方向反了：现在是“苹果”在看“甜”。谁在看由 W_Q 写，看谁由 W_K 写。",
        "The wrong way round: apple looks at sweet. W_Q writes who looks, W_K who is seen.");
  if (from == apple && to == sweet)
    return told(
        "两边互相看：“苹果”的查询和“甜”的键也碰上了。想想哪一行不该写。",
        "They look at each other: apple's query meets sweet's key as well. Which row should have "
        "stayed empty?");
  if (from == sweet && to == sweet)
    return told("“甜”在看自己：它的键里写着它自己的查询要找的东西。",
                "Sweet looks at itself: its key holds what its own query seeks.");
  if (from == sweet && to == ming)
    return told(
        "“甜”分不清“小明”和“苹果”：两个都是东西。W_K 读的那个特征，应当只有“苹果”才有。",
        "Sweet cannot tell Ming from apple: both are things. Let W_K read a feature that only "
        "apple has.");
  if (from == sweet)
    return told("“甜”看错了词：看看它的查询碰上了谁的键。",
                "Sweet looks at the wrong word: see whose key its query meets.");
  if (to == apple)
    return told("看“苹果”的不该是这个词：W_Q 里，除了“甜”的特征，还有别的特征也在找“苹果”。",
                "This is not the word that should look at apple: in W_Q another feature than "
                "sweet's seeks it too.");
  if (to == sweet)
    return told(
        "W_Q 和 W_K 的分工像是反了：“甜”该出现在查询这一边，现在它的特征写在键里。",
        "W_Q and W_K seem to have changed places: sweet belongs on the side of the queries, and "
        "its feature stands among the keys.");
  return told("这两个词跟“甜”看“苹果”无关，却得了高分：看看它们的查询和键碰在哪一列。",
              "These two have nothing to do with sweet and apple, yet score high: see in which "
              "column their query and key meet.");
}

}  // namespace exercise_05

inline Diagnosis check_05(const std::function<attention::Tensor()>& query_weights,
                          const std::function<attention::Tensor()>& key_weights) {
  using namespace attention;
  using namespace exercise_05;
  Tensor w_q, w_k;
  try {
    w_q = query_weights(), w_k = key_weights();
  } catch (const std::exception& error) {
    return stopped(error);
  }
  if (!w_q.defined() || !w_k.defined()) return still_to_do({});
  if (const Diagnosis shapes = usable(w_q, w_k); shapes.state != State::right) return shapes;

  const Tensor x = sentence(), scores = matmul(matmul(x, w_q), matmul(x, w_k), transpose_b);
  const double wanted = scores.at({sweet, apple});
  if (max(scores * scores).item() == 0)
    return wrong(
        {"所有的分都是 0：W_Q 写的列和 W_K 写的列没有一处碰上。要找的和被找到的写在同一列。",
         "All scores are 0: what W_Q writes and what W_K writes never share a column."});
  if (max(pow(w_q - w_k, 2)).item() == 0)
    return wrong(
        {fmt::format("W_Q 和 W_K 是同一个矩阵，分数表就对称：“甜”给“苹果” {:.4g}，“苹果”也给“甜” "
                     "{:.4g}。单方面的看，要两个不同的矩阵。",
                     wanted, double(scores.at({apple, sweet}))),
         fmt::format("W_Q and W_K are the same matrix, so the table is symmetric: sweet gives "
                     "apple {:.4g}, and apple gives sweet {:.4g}. A look that is not returned "
                     "needs two.",
                     wanted, double(scores.at({apple, sweet})))});
  int from = -1, to = -1;  // of the highest of the others
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (!(i == sweet && j == apple) && (from < 0 || scores.at({i, j}) > scores.at({from, to})))
        from = i, to = j;
  const double rest = scores.at({from, to});
  if (wanted < 0 && wanted == -max(-scores).item())
    return wrong(
        {fmt::format("“甜”给“苹果”的分是 {:.4g}，全表最低：正负号反了。", wanted),
         fmt::format("Sweet gives apple {:.4g}, the lowest of all: the sign is wrong.", wanted)});
  if (wanted <= rest) return wrong(rival(from, to, rest, wanted));
  if (wanted < rest + 2)
    return wrong(
        {fmt::format("找对了，但只领先 {:.4g}，还不到 2。数写大一些。", wanted - rest),
         fmt::format("The right word, but ahead by {:.4g} only, not yet by 2. Larger numbers will "
                     "do.",
                     wanted - rest)});
  return right(
      {"一对 W_Q、W_K 就是一种关系：谁找谁，凭什么找。训练时没有人来填，梯度会填。多大的分才合适，"
       "第 6 课接着讲。",
       "One pair W_Q, W_K is one relation: who seeks whom, and by what. In training nobody fills "
       "them in, gradients do. How large a score should be is lesson 06."});
}

}  // namespace exercise
