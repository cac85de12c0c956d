#include "exercises/checks/16_encoder_decoder.hpp"

#include <numeric>

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

// The ids in the order of their logits, the largest first.
std::vector<int> order_of(const Numbers& logits) {
  std::vector<int> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return logits[a] > logits[b]; });
  return order;
}

// Which ids stay, from their order; what does not stay becomes `gone`.
Numbers stay(const Numbers& logits, const std::vector<int>& order, int k, double gone = -INFINITY) {
  Numbers kept(logits.size(), gone);
  for (int i = 0; i < std::min(k, static_cast<int>(order.size())); ++i)
    kept[order[i]] = logits[order[i]];
  return kept;
}

Numbers top_k(Numbers logits, int k) { return stay(logits, order_of(logits), k); }

struct Habit {  // what a solution may do wrong
  bool forgets = false, multiplies = false, adds_probabilities = false, upwards = false;
  bool unsorted = false, late_first = false, narrow_only = false;
  int of_each = 0;  // how many of each beginning are looked at; 0 for all
};

Continuations step(const Numbers& so_far, const std::vector<Numbers>& next, int width,
                   const Habit& habit) {
  const auto by_value = [&](const Continuation& a, const Continuation& b) {
    return habit.upwards ? a.log_probability < b.log_probability
                         : a.log_probability > b.log_probability;
  };
  Continuations all;
  for (int i = 0; i < static_cast<int>(so_far.size()); ++i) {
    Continuations own;
    for (int id = 0; id < static_cast<int>(next[i].size()); ++id) {
      double value = so_far[i] + next[i][id];
      if (habit.forgets) value = next[i][id];
      if (habit.multiplies) value = so_far[i] * next[i][id];
      if (habit.adds_probabilities) value = std::log(std::exp(so_far[i]) + std::exp(next[i][id]));
      own.push_back({i, id, value});
    }
    if (habit.of_each > 0) {
      std::stable_sort(own.begin(), own.end(), by_value);
      own.resize(habit.of_each);
    }
    all.insert(all.end(), own.begin(), own.end());
  }
  if (habit.of_each > 1) return all;
  if (habit.late_first) std::reverse(all.begin(), all.end());
  std::stable_sort(all.begin(), all.end(), by_value);
  if (habit.narrow_only && width > static_cast<int>(all.size())) fail("step: too wide");
  all.resize(std::min<std::size_t>(all.size(), width));
  if (habit.unsorted)
    std::stable_sort(all.begin(), all.end(), [](const Continuation& a, const Continuation& b) {
      return a.beginning < b.beginning;
    });
  return all;
}

Diagnosis with_top_k(const TopK& learner) {
  return check_16(learner, [](const auto& so_far, const auto& next, int width) {
    return step(so_far, next, width, {});
  });
}

Diagnosis with_habit(const Habit& habit) {
  return check_16(top_k, [habit](const auto& so_far, const auto& next, int width) {
    return step(so_far, next, width, habit);
  });
}

// What is done to the right continuations afterwards.
Diagnosis with_change(const std::function<void(Continuations&)>& change) {
  return check_16(top_k, [change](const auto& so_far, const auto& next, int width) {
    Continuations list = step(so_far, next, width, {});
    change(list);
    return list;
  });
}

}  // namespace

TEST_CASE("exercise 16: top-k and a step of beam search pass, and a beam of 1 is greedy") {
  const Diagnosis diagnosis = with_habit({});
  passes(diagnosis);
  CHECK_THAT(diagnosis.text.en, Catch::Contains("greedy and finds 0 0, P = 0.30") &&
                                    Catch::Contains("of 2 finds 1 0, P = 0.36"));
  CHECK_THAT(diagnosis.text.zh, Catch::Contains("0 0, P = 0.30") && Catch::Contains("P = 0.36"));
}

TEST_CASE("exercise 16: untouched, it is still to do") {
  is_to_do(with_top_k([](const Numbers&, int) -> Numbers { return todo; }));
  is_to_do(check_16(top_k, [](const auto&, const auto&, int) -> Continuations { return todo; }));
}

TEST_CASE("exercise 16: each mistake of top-k is told by name") {
  is_told(with_top_k([](Numbers x, int k) {
            std::vector<int> order = order_of(x);
            std::reverse(order.begin(), order.end());
            return stay(x, order, k);
          }),
          "最小的：排序", "k smallest have");
  is_told(with_top_k([](Numbers x, int k) { return stay(x, order_of(x), k, 0); }), "exp(0) = 1",
          "exp(0) = 1");
  is_told(with_top_k([](Numbers x, int k) {
            std::vector<int> order = order_of(x);
            std::sort(order.begin(), order.end());
            return stay(x, order, k);
          }),
          "编号最小的 k 个", "k lowest ids");
  is_told(with_top_k([](Numbers x, int k) {
            std::vector<int> order = order_of(x);
            std::sort(order.rbegin(), order.rend());
            return stay(x, order, k);
          }),
          "编号最大的 k 个", "k highest ids");
  is_told(with_top_k([](Numbers x, int k) {
            std::sort(x.rbegin(), x.rend());
            x.resize(k);
            return x;
          }),
          "编号丢了", "ids are lost");
  is_told(with_top_k([](Numbers x, int) {
            std::sort(x.rbegin(), x.rend());
            return x;
          }),
          "全部排了序", "All are sorted");
  is_told(with_top_k([](Numbers x, int k) {
            std::sort(x.rbegin(), x.rend());
            std::fill(x.begin() + k, x.end(), -INFINITY);
            return x;
          }),
          "挤到了最前面", "moved to the front");
  is_told(with_top_k([](Numbers x, int k) { return top_k(x, k - 1); }), "只留下 k - 1 个",
          "Only k - 1");
  is_told(with_top_k([](Numbers x, int k) { return top_k(x, k + 1); }), "留下了 k + 1 个",
          "k + 1 have stayed");
  is_told(with_top_k([](Numbers x, int k) { return shares_of(top_k(x, k), top_k(x, k)); }),
          "已经是份额", "shares already");
  is_told(with_top_k([](Numbers x, int k) { return shares_of(top_k(x, k), x); }), "凑不成 1",
          "does not sum to 1");
  is_told(with_top_k([](Numbers x, int) { return x; }), "什么也没有变", "Nothing has changed");
}

TEST_CASE("exercise 16: ties, and k beyond the vocabulary, are told by name") {
  const auto threshold = [](const Numbers& x, int k) {
    return x[order_of(x)[std::min(k, static_cast<int>(x.size())) - 1]];
  };
  is_told(with_top_k([&](Numbers x, int k) {
            const double least = threshold(x, k);
            for (double& value : x)
              if (value < least) value = -INFINITY;
            return x;
          }),
          "多于 k 个", "more than k");
  is_told(with_top_k([](Numbers x, int k) {
            std::reverse(x.begin(), x.end());
            x = top_k(x, k);
            std::reverse(x.begin(), x.end());
            return x;
          }),
          "先留了编号大的", "kept the higher id");
  is_told(with_top_k([&](Numbers x, int k) {
            const double next = k < static_cast<int>(x.size()) ? threshold(x, k + 1) : -INFINITY;
            for (double& value : x)
              if (value <= next) value = -INFINITY;
            return x;
          }),
          "不足 k 个", "fewer than k");
  is_told(with_top_k([](Numbers x, int k) {
            return k > static_cast<int>(x.size()) ? Numbers(x.size(), -INFINITY) : top_k(x, k);
          }),
          "一个也没留：应当全留下", "nothing has stayed: all should");
  is_told(with_top_k([](Numbers x, int k) {
            x = top_k(x, k);
            if (k > static_cast<int>(x.size())) x.resize(k, -INFINITY);
            return x;
          }),
          "你的答案有 k 个数", "answer with k numbers");
  is_told(with_top_k([](Numbers x, int k) { return Numbers{order_of(x).at(k - 1) + x.at(k)}; }),
          "形状", "shape");
  is_told(with_top_k([](Numbers x, int k) { return Numbers{x.at(k + 9)}; }), "停在这里", "stopped");
}

TEST_CASE("exercise 16: each mistake of a step is told by name") {
  is_told(with_habit({.multiplies = true}), "对数乘了起来", "multiplied logarithms");
  is_told(with_habit({.multiplies = true, .upwards = true}), "对数乘了起来",
          "multiplied logarithms");
  is_told(with_habit({.adds_probabilities = true}), "概率加了起来", "added probabilities");
  is_told(with_habit({.of_each = 3}), "每个开头都留了 width 个", "`width` for each beginning");
  is_told(with_habit({.of_each = 1}), "每个开头最好的一个", "of each beginning only");
  is_told(with_habit({.forgets = true}), "忘了 so_far", "forgot so_far");
  is_told(with_habit({.upwards = true}), "最不可能的几个", "least likely");
  is_told(with_habit({.unsorted = true}), "按开头排了", "order of their beginnings");
  is_told(with_habit({.late_first = true}), "把后面的排在了前面", "put the later one first");
  is_told(with_habit({.narrow_only = true}), "停在这里：step: too wide", "stopped: step: too wide");
  is_told(with_habit({.narrow_only = true}), "width = 100", "width = 100");
}

TEST_CASE("exercise 16: right continuations, wrongly written down, are told by name") {
  is_told(with_change([](Continuations& list) { std::reverse(list.begin(), list.end()); }),
          "次序反了", "turned round: the likeliest");
  is_told(with_change([](Continuations& list) {
            for (Continuation& each : list) std::swap(each.beginning, each.id);
          }),
          "对调了", "exchanged");
  is_told(with_change([](Continuations& list) {
            for (auto& [beginning, id, log_probability] : list) {
              const int place = beginning * 4 + id;
              beginning = place / 3, id = place % 3;
            }
          }),
          "开头的个数去除", "by the number of beginnings");
  is_told(with_change([](Continuations& list) {
            for (Continuation& each : list) each.log_probability = std::exp(each.log_probability);
          }),
          "记下的却是概率", "noted probabilities");
  is_told(with_change([](Continuations& list) { list.resize(1); }), "那是贪心", "that is greedy");
  is_told(with_change([](Continuations& list) { list.resize(2); }), "形状", "shape");
}
