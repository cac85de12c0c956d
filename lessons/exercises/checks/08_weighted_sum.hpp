// The check of exercise 08. Whom the two questions look at, and how much, tells what was done; what
// is right is the dictionary itself.
#pragma once

#include <array>
#include <cmath>

#include "exercises/exercise.hpp"

namespace exercise {

namespace exercise_08 {

using attention::real;
using attention::Size;
using attention::Tensor;

inline const std::vector<Words> rows = {{"苹果", "apple"},     {"柠檬", "lemon"},
                                        {"辣椒", "chilli"},    {"西瓜", "melon"},
                                        {"问辣椒", "chilli?"}, {"问苹果", "apple?"}};
constexpr int entries = 4, questions = 2;
constexpr std::array<int, 2> asked = {2, 0};  // the entry that each question is about

inline Tensor contents() {
  return attention::from_values({3, 1, 0, 1, 5, 0, 0, 0, 4, 4, 0, 0}, {4, 3});
}

// The six rows, as the learner's file lists them.
inline Tensor dictionary() {
  using namespace attention;
  const Tensor one = identity(4);
  Tensors asks = {zeros({4, 4})};
  for (const int entry : asked) asks.push_back(slice(one, 0, entry, entry + 1));
  return concat(
      {concat(asks, 0), concat({one, zeros({2, 4})}, 0), concat({contents(), zeros({2, 3})}, 0)},
      1);
}

inline Diagnosis usable(const std::string& name, const Tensor& w, const attention::Shape& wanted) {
  if (w.shape() != wanted)
    return wrong(
        {fmt::format("{} 的形状是 {}，应当是 {}：X 的每一列占一行。", name, w.shape(), wanted),
         fmt::format("{} has the shape {}; it should have {}: a row for each column of X.", name,
                     w.shape(), wanted)});
  for (Size i = 0; i < w.count(); ++i)
    if (!(std::abs(w.data()[i]) <= 1e6))
      return wrong({fmt::format("{} 里有一个 {}：用普通的、不大的数就够。", name, w.data()[i]),
                    fmt::format("{} holds a {}: ordinary numbers, not large ones, will do.", name,
                                w.data()[i])});
  return right({});
}

// Rows of the two questions.
inline Tensor asking(const Tensor& x) {
  return attention::slice(x, 0, entries, entries + questions);
}

inline bool all_zero(const Tensor& x) { return attention::max(x * x).item() == 0; }

inline double off(const Tensor& a, const Tensor& b) {
  return std::sqrt(double(attention::max((a - b) * (a - b)).item()));
}

// How far the answers are from what the two entries hold.
inline double error(const Tensor& q, const Tensor& k, const Tensor& v) {
  return off(asking(attention::attend(q, k, v)),
             attention::gather_rows(contents(), {{2}, {asked.begin(), asked.end()}}));
}

// Whether each question looks at its entry and hardly at anything else.
inline Diagnosis looks(const Tensor& q, const Tensor& k) {
  using namespace attention;
  const Tensor weights =
      softmax(matmul(asking(q), k, transpose_b) / std::sqrt(real(q.size(1))), -1);
  const Tokens best = argmax(weights, -1);
  for (int i = 0; i < questions; ++i) {
    const double share = weights.at({i, asked[i]}), most = weights.at({i, best.ids[i]});
    const Words question = rows[entries + i], found = rows[best.ids[i]];
    const auto told = [&](const std::string& zh, const std::string& en) {
      return wrong({fmt::format("“{}”给对的那条 {:.4f}，给“{}” {:.4f}。{}", question.zh, share,
                                found.zh, most, zh),
                    fmt::format("\"{}\" gives the right entry {:.4f} and \"{}\" {:.4f}. {}",
                                question.en, share, found.en, most, en)});
    };
    if (most - share > 1e-9 && best.ids[i] >= entries)
      return told("提问找到了提问：W_K 读的是“问哪条”，该读“是哪条”。",
                  "Questions find questions: W_K reads what a row asks for, not what it is.");
    if (most - share > 1e-9 && share < 1.0 / 6)
      return told(
          "对的那条反而最少听到：正负号反了，或者名字对错了。",
          "The right entry is heard less than an even share: the sign is wrong, or the names are "
          "mixed up.");
    if (most - share > 1e-9)
      return told("翻错了条目：提问的第几列要对上名字的第几列。",
                  "The wrong entry: which column of the question meets which column of the name?");
    if (share < 0.99)
      return wrong(
          {fmt::format("“{}”找对了，可是太软：对的那条只占 {:.4f}，别的也混了进来。分数要差得更"
                       "大，别忘了 attend 还要除以 √d_k。",
                       question.zh, share),
           fmt::format("\"{}\" finds the right entry, but too softly: that has {:.4f}, and others "
                       "are mixed in. Scores have to be further apart; attend divides them by "
                       "sqrt(d_k) as well.",
                       question.en, share)});
  }
  return right({});
}

}  // namespace exercise_08

// The weights of queries, keys and values.
inline Diagnosis check_08(const std::array<std::function<attention::Tensor()>, 3>& learner) {
  using namespace attention;
  using namespace exercise_08;
  std::array<Tensor, 3> w;
  try {
    for (int i = 0; i < 3; ++i) w[i] = learner[i]();
  } catch (const std::exception& error) {
    return stopped(error);
  }
  const char* names[] = {"W_Q", "W_K", "W_V"};
  for (const Tensor& one : w)
    if (!one.defined()) return still_to_do({});
  for (int i = 0; i < 3; ++i)
    if (const Diagnosis found = usable(names[i], w[i], {11, i == 2 ? 3 : 4});
        found.state != State::right)
      return found;

  const Tensor x = dictionary(), q = matmul(x, w[0]), k = matmul(x, w[1]), v = matmul(x, w[2]);
  if (error(q, k, v) > 0.01 && error(k, q, v) <= 0.01)
    return wrong(
        {"W_Q 和 W_K 换了位置：提问的那一行没有查询，字典条目倒在找提问。",
         "W_Q and W_K have changed places: the questions' rows ask nothing, and the entries look "
         "for questions."});
  if (all_zero(asking(q)))
    return wrong({"两个提问的查询都是 0，六行就平分：W_Q 没有读到“问哪条”。",
                  "The queries of both questions are 0, and so all six rows share evenly: W_Q "
                  "does not read what they ask for."});
  if (all_zero(k))
    return wrong({"所有的键都是 0，六行就平分：W_K 没有读到“是哪条”。",
                  "All keys are 0, and so all six rows share evenly: W_K does not read which "
                  "entry a row is."});
  if (const Diagnosis found = looks(q, k); found.state != State::right) return found;
  const Tensor held = slice(v, 0, 0, entries), names_of = slice(identity(4), 1, 0, 3);
  if (off(held, contents()) > 0.005) {
    const double scale =
        double(sum(held * contents()).item() / sum(contents() * contents()).item());
    if (off(held, names_of * max(held)) < 1e-9)
      return wrong(
          {"翻到了，带回来的却是名字：W_V 读的是“是哪条”，不是内容。",
           "The entry is found, but its name is brought home: W_V reads which entry it is, not "
           "what it holds."});
    if (off(held, contents() * real(scale)) < 1e-6)
      return wrong(
          {fmt::format("翻到了，内容却成了 {:.4g} 倍：只有分数要放大，值不要。", scale),
           fmt::format("The entry is found, but comes out {:.4g} times as large: scores are made "
                       "larger, values are not.",
                       scale)});
    return wrong(
        {"翻到了，内容却不对：看看 W_V 的最后三行。",
         "The entry is found, but not what it holds: look at the last three rows of W_V."});
  }
  if (const double worst = error(q, k, v); worst > 0.01)
    return wrong({fmt::format("差一点：输出最多差 {:.4f}，要在 0.01 以内。", worst),
                  fmt::format("Nearly: the output is off by {:.4f}; 0.01 is allowed.", worst)});
  return right(
      {"注意力就是一本软的字典：分数差得大，就只翻一条；差得小，就几条混着读。正因为软，梯度才能教"
       "它该翻哪一条。一个词想同时翻两条怎么办？第 9 课。",
       "Attention is a soft dictionary: scores far apart read one entry, close ones blend "
       "several. Being soft, it can be taught by gradients which one to read. And if a word wants "
       "to look up two things at once? Lesson 09."});
}

}  // namespace exercise
