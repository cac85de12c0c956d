// The check of exercise 16: top-k, then a step of beam search, which is found by taking the best
// that is left, again and again. At last a whole search runs on the learner's step.
#pragma once

#include <algorithm>
#include <cmath>

#include "exercises/checks/16_top_k.hpp"

namespace exercise {

struct Continuation {
  int beginning = 0;  // which of those so far it goes on from
  int id = 0;
  double log_probability = 0;  // of all of it
};
using Continuations = std::vector<Continuation>;
using BeamStep = std::function<Continuations(const Numbers&, const std::vector<Numbers>&, int)>;

// Everything that can follow, with what is known of it: so_far, next.
struct Candidate {
  int beginning, id;
  double so_far, next;
};
using Value = std::function<double(const Candidate&)>;

inline double sum_of_logs(const Candidate& c) { return c.so_far + c.next; }

// The best that is left, `width` times, by `rank`; what it is said to have is `value`.
inline Continuations best_of(std::vector<Candidate> left, int width,
                             const Value& rank = sum_of_logs, const Value& value = sum_of_logs) {
  Continuations chosen;
  while (!left.empty() && static_cast<int>(chosen.size()) < width) {
    const auto best =
        std::max_element(left.begin(), left.end(),
                         [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
    chosen.push_back({best->beginning, best->id, value(*best)});
    left.erase(best);
  }
  return chosen;
}

inline std::vector<Candidate> candidates(const Numbers& so_far, const std::vector<Numbers>& next) {
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < so_far.size(); ++i)
    for (std::size_t id = 0; id < next[i].size(); ++id)
      all.push_back({static_cast<int>(i), static_cast<int>(id), so_far[i], next[i][id]});
  return all;
}

// (n, 3): beginning, id, log-probability.
inline attention::Tensor rows_of(const Continuations& list) {
  Numbers all;
  for (const auto& [beginning, id, log_probability] : list)
    for (double x : {double(beginning), double(id), log_probability}) all.push_back(x);
  if (all.empty()) return {};
  return reshape(as_tensor(all), {static_cast<attention::Size>(list.size()), 3});
}

inline Numbers logs(Numbers probabilities) {
  for (double& p : probabilities) p = std::log(p);
  return probabilities;
}

inline Diagnosis check_ties(const BeamStep& learner) {
  const Numbers so_far = logs({0.5, 0.5});
  const std::vector<Numbers> next = {logs({0.25, 0.5, 0.25}), logs({0.25, 0.5, 0.25})};
  auto turned = candidates(so_far, next);
  std::reverse(turned.begin(), turned.end());
  return diagnose([&] { return rows_of(learner(so_far, next, 3)); },
                  rows_of(best_of(candidates(so_far, next), 3)),
                  {{rows_of(best_of(turned, 3)),
                    {"概率一样大的，你把后面的排在了前面：开头靠前的先，编号小的先。",
                     "Among equals you put the later one first: the earlier beginning goes first, "
                     "then the lower id."}}});
}

inline Diagnosis check_step(const BeamStep& learner) {
  const Numbers so_far = logs({0.5, 0.3, 0.2});
  const std::vector<Numbers> next = {logs({0.05, 0.4, 0.2, 0.35}), logs({0.02, 0.03, 0.9, 0.05}),
                                     logs({0.1, 0.45, 0.15, 0.3})};
  const int width = 3, tokens = 4;
  const auto all = candidates(so_far, next);
  const Continuations chosen = best_of(all, width);
  const auto probability = [](const Candidate& c) { return std::exp(c.so_far + c.next); };
  const auto probabilities_added = [](const Candidate& c) {
    return std::exp(c.so_far) + std::exp(c.next);
  };
  const auto log_of_the_sum = [](const Candidate& c) {
    return std::log(std::exp(c.so_far) + std::exp(c.next));
  };
  const auto logs_multiplied = [](const Candidate& c) { return c.so_far * c.next; };
  const auto minus_logs_multiplied = [](const Candidate& c) { return -c.so_far * c.next; };
  const auto next_alone = [](const Candidate& c) { return c.next; };
  const auto least = [](const Candidate& c) { return -(c.so_far + c.next); };
  // Of each beginning its best few.
  const auto of_each = [&](int few) {
    Continuations list;
    for (int i = 0; i < 3; ++i) {
      const auto own = best_of({all.begin() + i * tokens, all.begin() + (i + 1) * tokens}, few);
      list.insert(list.end(), own.begin(), own.end());
    }
    return list;
  };
  const auto sorted = [](Continuations list) {
    std::ranges::stable_sort(list, std::greater<>(), &Continuation::log_probability);
    return list;
  };
  auto by_place = chosen, worst_first = chosen, wrong_way = chosen, wrong_divisor = chosen;
  std::ranges::stable_sort(by_place, std::less<>(), &Continuation::beginning);
  std::ranges::reverse(worst_first);
  for (auto& [beginning, id, log_probability] : wrong_way) std::swap(beginning, id);
  for (auto& [beginning, id, log_probability] : wrong_divisor) {
    const int place = beginning * tokens + id;
    beginning = place / width, id = place % width;
  }
  const Words adds = {
      "你把概率加了起来：先后都要说中，概率相乘，对数才是相加。",
      "You added probabilities: both have to happen, so they multiply, and their logarithms add."};
  const Words multiplies = {"你把对数乘了起来：概率相乘，对数相加。两个负数乘出来是正的。",
                            "You multiplied logarithms: probabilities multiply, logarithms add. "
                            "Two negative numbers give a positive one."};
  const Words per_beginning = {
      fmt::format("你每个开头都留了 width 个，一共 {} 个：是所有开头合起来留 {} 个。", 3 * width,
                  width),
      fmt::format("You kept `width` for each beginning, {} in all: {} are to stay of all together.",
                  3 * width, width)};
  const Words one_each = {
      "你只看每个开头最好的一个接法：同一个开头的两个接法可以都留下，别的开头可以一个不留。",
      "You looked at the best continuation of each beginning only: two of one may stay, and none "
      "of another."};
  return diagnose(
      [&] { return rows_of(learner(so_far, next, width)); }, rows_of(chosen),
      {{rows_of(best_of(all, width, logs_multiplied, logs_multiplied)), multiplies},
       {rows_of(best_of(all, width, minus_logs_multiplied, logs_multiplied)), multiplies},
       {rows_of(best_of(all, width, probabilities_added, probabilities_added)), adds},
       {rows_of(best_of(all, width, probabilities_added, log_of_the_sum)), adds},
       {rows_of(of_each(width)), per_beginning},
       {rows_of(sorted(of_each(width))), per_beginning},
       {rows_of(of_each(1)), one_each},
       {rows_of(sorted(of_each(1))), one_each},
       {rows_of(best_of(all, width, next_alone, next_alone)),
        {"你只看了这一步，忘了 so_far：开头已经不大可能的，接得再顺也还是不大可能。",
         "You looked at this step alone and forgot so_far: what began unlikely stays unlikely, "
         "however well it goes on."}},
       {rows_of(best_of(all, width, next_alone)),
        {"加是加对了，可是挑的时候只比了这一步的 next：要比加起来的。",
         "The sums are right, but you chose by this step's `next` alone: compare the sums."}},
       {rows_of(best_of(all, width, sum_of_logs, next_alone)),
        {"挑得对，记下的却只是这一步的：log_probability 是从头到这里的总和。",
         "Well chosen, but you noted this step alone: log_probability is that of all of it."}},
       {rows_of(best_of(all, width, sum_of_logs, probability)),
        {"挑得对，记下的却是概率：要的是它的对数。",
         "Well chosen, but you noted probabilities: their logarithms are wanted."}},
       {rows_of(best_of(all, width, least)),
        {"你留下的是最不可能的几个：方向反了。对数概率是负的，离 0 越近越可能。",
         "You kept the least likely ones: the order is turned round. Log-probabilities are "
         "negative; the nearer to 0, the likelier."}},
       {rows_of(by_place),
        {"挑得对，次序不对：你按开头排了，应当按概率从大到小。",
         "Well chosen, but in the order of their beginnings: the likeliest goes first."}},
       {rows_of(worst_first),
        {"挑得对，次序反了：最可能的要排在最前。",
         "Well chosen, but turned round: the likeliest goes first."}},
       {rows_of(wrong_way),
        {"beginning 和 id 对调了：前一个说从哪个开头接，后一个说接什么。",
         "beginning and id are exchanged: the one says what is continued, the other by what."}},
       {rows_of(wrong_divisor),
        {"一长排里的位置，你用开头的个数去除：每个开头占的是词表那么多格。",
         "The place in the long row is divided by the number of beginnings: each takes up as many "
         "places as there are tokens."}},
       {rows_of(best_of(all, 1)),
        {"你只留了一个：那是贪心。要留 width 个。",
         "You kept one only: that is greedy. `width` are to stay."}}});
}

// Greedy is a beam of 1; a beam wider than all there is keeps everything.
inline Diagnosis check_widths(const BeamStep& learner) {
  const Numbers so_far = logs({0.6, 0.4});
  const std::vector<Numbers> next = {logs({0.2, 0.5, 0.3}), logs({0.9, 0.06, 0.04})};
  const auto all = candidates(so_far, next);
  for (int width : {1, 100}) {
    const Diagnosis diagnosis = diagnose([&] { return rows_of(learner(so_far, next, width)); },
                                         rows_of(best_of(all, width)), {});
    if (diagnosis.state == State::right) continue;
    Diagnosis told = wrong(
        {fmt::format("width = {} 时不对，一共有 {} 种接法：该留 {} 个。{}", width, all.size(),
                     std::min<std::size_t>(width, all.size()), diagnosis.text.zh),
         fmt::format("With width = {} and {} continuations in all, {} should stay. {}", width,
                     all.size(), std::min<std::size_t>(width, all.size()), diagnosis.text.en)});
    return told;
  }
  return right({});
}

// Two tokens by the learner's step: what a beam of so many finds.
inline Continuation search(const BeamStep& learner, int width) {
  const Continuations first = learner({0}, {logs({0.6, 0.4})}, width);
  Numbers so_far;
  std::vector<Numbers> next;
  for (const Continuation& each : first) {
    so_far.push_back(each.log_probability);
    next.push_back(each.id == 0 ? logs({0.5, 0.5}) : logs({0.9, 0.1}));
  }
  Continuation best = learner(so_far, next, width).at(0);
  best.beginning = first.at(best.beginning).id;
  return best;
}

inline Diagnosis check_16(const TopK& top_k, const BeamStep& beam_step) {
  return first_of(
      {[&] { return check_top_k(top_k); }, [&] { return check_step(beam_step); },
       [&] { return check_ties(beam_step); }, [&] { return check_widths(beam_step); },
       [&] {
         const Continuation one = search(beam_step, 1), two = search(beam_step, 2);
         const auto line = [](const Continuation& best) {
           return fmt::format("{} {}, P = {:.2f}", best.beginning, best.id,
                              std::exp(best.log_probability));
         };
         return right(
             {fmt::format("用你的一步走课上那棵树：束宽 1 就是贪心，找到 {}；束宽 2 找到 {}。",
                          line(one), line(two)),
              fmt::format("Your step on the lesson's tree: a beam of 1 is greedy and finds {}; a "
                          "beam of 2 finds {}.",
                          line(one), line(two))});
       }});
}

}  // namespace exercise
