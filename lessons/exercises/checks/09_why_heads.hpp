// The check of exercise 09. Whether weights suffice is not looked up but tried: all ordered triples
// of five words are mixed by them and read by the best linear readout. So are the heads that each
// task needs: sets of one row, two, three, until one will do.
#pragma once

#include <algorithm>
#include <cmath>

#include "exercises/exercise.hpp"

namespace exercise {

namespace exercise_09 {

using attention::real;
using attention::Size;
using attention::Tensor;

constexpr int symbols = 5;
constexpr Size places = 3;

inline double worst_of(const std::vector<double>& shares) {
  return *std::min_element(shares.begin(), shares.end());
}

// What softmax can never give; else nothing.
inline Diagnosis no_shares(const Tensor& w) {
  if (w.rank() != 2 || w.size(1) != places || w.size(0) < 1)
    return wrong({fmt::format("你的权重形状是 {}；一个头一行，一行三个数：(头数, 3)。", w.shape()),
                  fmt::format("Your weights have the shape {}: a row for each head, and three "
                              "numbers in a row, (heads, 3).",
                              w.shape())});
  for (Size i = 0; i < w.count(); ++i)
    if (!(w.data()[i] >= 0 && std::isfinite(w.data()[i])))
      return wrong({fmt::format("有个权重是 {:.4g}：softmax 给出的份额不会小于 0。", w.data()[i]),
                    fmt::format("One of the weights is {:.4g}: the shares that softmax gives are "
                                "never below 0.",
                                w.data()[i])});
  const auto sums_to_1 = [&w](int axis) {
    const Tensor off = attention::sum(w, axis) - 1;
    return attention::max(off * off).item() < 1e-8;
  };
  if (sums_to_1(1)) return right({});
  if (sums_to_1(0))
    return wrong({"你的列之和是 1，行不是：每个头有一份注意力可分，一个头是一行。",
                  "Your columns sum to 1, your rows do not: each head has one whole attention to "
                  "share, and a head is a row."});
  return wrong({"每一行之和应当是 1：一个头只有整整一份注意力。",
                "Each row has to sum to 1: a head has one whole attention to share."});
}

inline bool same_rows(const Tensor& w, Size a, Size b) {
  for (Size j = 0; j < places; ++j)
    if (std::abs(w.at({a, j}) - w.at({b, j})) > 1e-6) return false;
  return true;
}

inline bool even_row(const Tensor& w, Size row) {
  return std::abs(w.at({row, 0}) - w.at({row, 1})) < 1e-6 &&
         std::abs(w.at({row, 1}) - w.at({row, 2})) < 1e-6;
}

// The volume that three rows span: 0 when one of them is a mix of the others.
inline double volume(const Tensor& w) {
  const auto at = [&w](Size i, Size j) { return double(w.at({i, j})); };
  double total = 0;
  for (Size j = 0; j < 3; ++j)
    total += at(0, j) *
             (at(1, (j + 1) % 3) * at(2, (j + 2) % 3) - at(1, (j + 2) % 3) * at(2, (j + 1) % 3));
  return std::abs(total);
}

inline Diagnosis suffice(const std::function<Tensor()>& learner) {
  Tensor w;
  const Diagnosis stopped = diagnose(
      [&] {
        w = learner();
        return w.defined() ? attention::zeros({}) : Tensor();
      },
      attention::zeros({}), {});
  if (stopped.state != State::right) return stopped;
  if (const Diagnosis found = no_shares(w); found.state != State::right) return found;
  const Size heads = w.size(0);
  if (heads > 3)
    return wrong({fmt::format("{} 个头太多了：事情只有三件。", heads),
                  fmt::format("{} heads are more than it takes: there are only three things to "
                              "find out.",
                              heads)});
  const std::vector<double> shares = attention::shares_right(symbols, w);
  if (heads == 3 && worst_of(shares) > 0.999) return right({});
  const std::string zh = fmt::format("谁 {:.2f}、什么时候 {:.2f}、什么 {:.2f}。", shares[0],
                                     shares[1], shares[2]),
                    en = fmt::format("Who {:.2f}, when {:.2f}, what {:.2f}. ", shares[0], shares[1],
                                     shares[2]);
  const auto told = [&](const std::string& chinese, const std::string& english) {
    return wrong({zh + chinese, en + english});
  };
  Size even = 0;
  for (Size i = 0; i < heads; ++i) even += even_row(w, i);
  if (even == heads)
    return told("每个头都平分：三个词的名单有了，先后一点也没有，只能三个里猜一个。",
                "All heads look evenly: the list of the three words is there and nothing of their "
                "order, which leaves a guess among three.");
  for (Size i = 0; i < heads; ++i)
    for (Size j = 0; j < i; ++j)
      if (same_rows(w, i, j))
        return told(fmt::format("头 {} 和头 {} 看得一模一样：两个头看同样的地方，等于一个。", j, i),
                    fmt::format("Heads {} and {} look just alike: two that look at the same "
                                "places are one.",
                                j, i));
  if (heads < 3)
    return told(fmt::format("{} 个头不够：三个位置上的词混在 {} 个向量里，线性的读出分不开。",
                            heads, heads),
                fmt::format("{} heads do not suffice: a linear readout cannot take three words "
                            "apart that are mixed into {} vectors.",
                            heads, heads));
  for (Size j = 0; j < places; ++j)
    if (attention::max(attention::slice(w, 1, j, j + 1)).item() < 1e-6)
      return told(
          fmt::format("没有一个头看位置 {}：没看见的词，什么读出也读不出来。", j),
          fmt::format("No head looks at place {}: a word that nobody sees cannot be read.", j));
  if (volume(w) < 1e-14)
    return told("有一行是另外两行调出来的：它没有带来新东西，三个头只当两个用。",
                "One row is a mix of the other two: it brings nothing new, and three heads do the "
                "work of two.");
  return told("三行太相近了，读出几乎分不开它们：让各头看的地方差得远一些。",
              "The three rows are too much alike for a readout to tell them apart: let the heads "
              "look at places that differ more.");
}

struct Job {
  std::vector<int> asked;  // the places; empty: which words there are
  Words overlooked;
};

inline std::vector<Job> jobs() {
  return {{{0},
           {"只有一件事：一个头全看着它，还缺什么？",
            "One thing only: if one head looks at nothing else, what is missing?"}},
          {{0, 2},
           {"两件事在两个位置上。一个头偏向一个，另一个就读不出来；没人问的位置不用看。",
            "Two things at two places. A head that favours one loses the other; and nobody need "
            "look where nothing is asked."}},
          {{0, 1, 2},
           {"三件事在三个位置上。看看第一题的结果。",
            "Three things at three places. Look at what the first part came to."}},
          {{0, 0},
           {"问了两遍，看的是同一处。数位置，不要数问题。",
            "It is asked twice, but of the same place. Count places, not questions."}},
          {{},
           {"不问先后，只要名单。平分的混合里，有没有这张名单？",
            "No order is asked for, only the list. Does an even mix hold that list?"}}};
}

// The smallest number of heads that does a job: rows are tried, alone, in pairs, in threes.
inline std::vector<int> fewest_heads() {
  const std::vector<std::vector<real>> rows = {
      {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.25, 0.25}, {real(1) / 3, real(1) / 3, real(1) / 3}};
  const std::vector<Job> list = jobs();
  std::vector<int> fewest(list.size(), int(rows.size()));
  for (unsigned chosen = 1; chosen < (1u << rows.size()); ++chosen) {
    std::vector<real> values;
    int heads = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (chosen >> i & 1) values.insert(values.end(), rows[i].begin(), rows[i].end()), ++heads;
    if (heads > 3) continue;
    const Tensor w = attention::from_values(values, {heads, places});
    const std::vector<double> shares = attention::shares_right(symbols, w);
    const bool sees_all = -attention::max(-attention::sum(w, 0)).item() > 0;
    for (std::size_t job = 0; job < list.size(); ++job) {
      bool done = !list[job].asked.empty() || sees_all;
      for (const int place : list[job].asked) done = done && shares[place] > 0.999;
      if (done) fewest[job] = std::min(fewest[job], heads);
    }
  }
  return fewest;
}

inline Diagnosis counts(const std::function<std::vector<int>()>& learner) {
  std::vector<int> said;
  try {
    said = learner();
  } catch (const std::exception& error) {
    return wrong({fmt::format("你的代码停在这里：{}", error.what()),
                  fmt::format("Your code stopped: {}", error.what())});
  }
  if (said.empty()) return still_to_do({});
  const std::vector<Job> list = jobs();
  if (said.size() != list.size())
    return wrong(
        {fmt::format("要 {} 个数，你给了 {} 个。", list.size(), said.size()),
         fmt::format("There are {} tasks; you gave {} numbers.", list.size(), said.size())});
  const std::vector<int> fewest = fewest_heads();
  for (std::size_t job = 0; job < list.size(); ++job)
    if (said[job] != fewest[job])
      return wrong({fmt::format("先看第 {} 个任务。{}", job + 1, list[job].overlooked.zh),
                    fmt::format("Look at task {} first. {}", job + 1, list[job].overlooked.en)});
  return right({});
}

}  // namespace exercise_09

inline Diagnosis check_09(const std::function<attention::Tensor()>& weights,
                          const std::function<std::vector<int>()>& heads_needed) {
  const Diagnosis found = first_of({[&] { return exercise_09::suffice(weights); },
                                    [&] { return exercise_09::counts(heads_needed); }});
  if (found.state != State::right) return found;
  return right(
      {"要几个头，看有几处要分开，不看有几个问题；只要名单，一个头就够。这说的是线性的读出；后面接"
       "上 MLP，少几个头也可能读得出来。几个头怎样并排算，看第 10 课。",
       "How many heads it takes depends on how many places must be kept apart, not on how many "
       "questions there are; for a mere list one will do. That is for a linear readout: an MLP "
       "behind the heads may get by with fewer. How heads work side by side is lesson 10."});
}

}  // namespace exercise
