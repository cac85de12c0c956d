// The check of exercise 11. Each model is run on shuffled words; what a wrong prediction overlooks
// is said without the number that would answer it.
#pragma once

#include <algorithm>
#include <cmath>

#include "exercises/exercise.hpp"

namespace exercise {

using Model = std::function<attention::Tensor(const attention::Tensor&)>;

inline attention::Tensor reordered(const attention::Tensor& x, const std::vector<int>& order) {
  return attention::gather_rows(x, {{attention::Size(order.size())}, order});
}

namespace exercise_11 {

using attention::real;
using attention::Tensor;

inline double largest(const Tensor& a, const Tensor& b) {
  return std::sqrt(double(attention::max((a - b) * (a - b)).item()));
}

inline std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) result[order[i]] = int(i);
  return result;
}

inline Diagnosis measures(
    const std::function<double(const Model&, const Tensor&, const std::vector<int>&)>& learner) {
  using namespace attention;
  Random random(11);
  const Tensor x = normal({5, 3}, 0, 1, random), places = normal({5, 3}, 0, 1, random);
  const std::vector<int> order = {2, 0, 1, 4, 3};
  const auto blind = [](const Tensor& t) { return attend(t, t, t); };
  const auto sees = [&](const Tensor& t) { return attend(t + places, t + places, t); };
  const auto turned = [&](const Tensor& t) {
    return -sees(t);
  };  // the largest gap is once negative
  for (const Model& f : {Model(sees), Model(turned), Model(blind)}) {
    const Tensor shuffled = f(reordered(x, order)), plain = f(x), wanted = reordered(plain, order);
    const auto number = [](double value) { return Tensor(real(value)); };
    const Tensor gap = shuffled - wanted;
    const Diagnosis found = diagnose(
        [&] { return number(learner(f, x, order)); }, number(largest(shuffled, wanted)),
        {{number(largest(shuffled, plain)),
          {"你拿 f(PX) 直接跟 f(X) 比：词换了行，结果本来就会跟着换行。右边也要打乱。",
           "You compared f(PX) with f(X) itself: results move with their words, of course. "
           "Shuffle the other side too."}},
         {number(largest(shuffled, reordered(plain, inverse(order)))),
          {"右边打乱的方向反了，用成了逆排列。两边用同一个 order。",
           "The other side was shuffled backwards, by the inverse. Both sides take the same "
           "order."}},
         {number(largest(mean(shuffled, 0), mean(wanted, 0))),
          {"你先取了平均再比：一取平均，换了行的差别就看不见了。逐行比。",
           "You averaged first and compared then: an average hides what has moved. Compare row by "
           "row."}},
         {number(double(sum(gap).item())),
          {"你把差直接加了起来，没有取绝对值：正负会抵消。",
           "You added up the differences with their signs: they cancel. Take their size."}},
         {number(double(max(gap).item())),
          {"你取了最大的差，没有取绝对值：负得再多也看不见。",
           "You took the largest difference without its absolute value: what is far below goes "
           "unseen."}},
         {number(double(mean(sqrt(gap * gap)).item())),
          {"这是平均差了多少；问的是最多差多少。",
           "This is how much they differ on average; the largest difference is asked for."}},
         {number(largest(plain, wanted)),
          {"两边都是 f(X)：打乱要在进模型之前。",
           "Both sides are f(X): shuffle before the model, not after."}}},
        1e-9);
    if (found.state != State::right) return found;
  }
  return right({});
}

struct Reader {
  Model reads;  // (T, C) -> (C,)
  Words overlooked;
};

inline std::vector<Reader> readers() {
  using namespace attention;
  Random random(12);
  const Tensor places = normal({4, 6}, 0, 1, random);
  const Tensor q = normal({6, 6}, 0, 1, random), k = normal({6, 6}, 0, 1, random);
  const Tensor v = normal({6, 6}, 0, 1, random);
  const auto attends = [=](const Tensor& x, const Mask& mask = {}) {
    return attend(matmul(x, q), matmul(x, k), matmul(x, v), mask);
  };
  return {
      {[](const Tensor& x) { return mean(x, 0); },
       {"一袋词：除了加起来，什么也没做。加法认不认先后？",
        "A bag of words: nothing is done but adding up. Do sums know an order?"}},
      {[=](const Tensor& x) { return mean(attends(x), 0); },
       {"f(PX) = P f(X)，再取平均。平均认不认行的次序？",
        "f(PX) = P f(X), then averaged. Does an average know the order of rows?"}},
      {[=](const Tensor& x) { return mean(x + places, 0); },
       {"位置加上了，可是没有哪一步让一个词和它的位置一起算：先加后平均，等于分开平均再加。",
        "Positions are added, but no step lets a word and its place act together: the mean of "
        "sums is the sum of means."}},
      {[=](const Tensor& x) { return mean(attends(x + places), 0); },
       {"分数是查询乘键，词和位置在里面相乘了：同一个词换个位置，查询就不同。",
        "Scores are products, where word and place meet: the same word in another place asks "
        "another question."}},
      {[=](const Tensor& x) {
         return mean(attends(x, Mask({4, 4}, {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1})), 0);
       },
       {"没有位置，可是有掩码：第一个词能看见谁？换一个词站在第一，它能看见的变不变？",
        "No positions, but a mask: whom can the first word see? Put another word first: does what "
        "it sees change?"}},
      {[=](const Tensor& x) { return reshape(slice(attends(x), 0, 0, 1), {6}); },
       {"注意力这一层看不见，读的人看得见：打乱之后，站在第一行的是谁？",
        "The layer is blind, but the reader is not: who stands in the first row after shuffling?"}},
      {[=](const Tensor& x) { return max(attends(x), 0); },
       {"每列取最大，跟取平均一样：换了行，最大的还是它。",
        "A column's largest is like its mean: move the rows, and the largest is still the same."}},
      {[=](const Tensor& x) {
         Tensor h = zeros({1, 6});
         for (Size i = 0; i < x.size(0); ++i) h = tanh(matmul(h, q) + slice(x, 0, i, i + 1));
         return reshape(h, {6});
       },
       {"一个接一个地读：早读的词，每一步都要再穿过一次 W 和 tanh。",
        "Words are read one after another: an early one passes through W and tanh once more at "
        "each step."}}};
}

inline Diagnosis predicts(const std::function<std::vector<bool>()>& learner) {
  const std::vector<Reader> models = readers();
  std::vector<bool> said;
  try {
    said = learner();
  } catch (const std::exception& error) {
    return stopped(error);
  }
  if (said.empty()) return still_to_do({});
  if (said.size() != models.size())
    return wrong(
        {fmt::format("要 {} 个答案，你给了 {} 个。", models.size(), said.size()),
         fmt::format("There are {} models; you gave {} answers.", models.size(), said.size())});
  attention::Random random(13);
  const Tensor x = attention::normal({4, 6}, 0, 1, random);
  std::vector<std::size_t> missed;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const double moved = largest(models[i].reads(reordered(x, {3, 1, 2, 0})), models[i].reads(x));
    if (said[i] != (moved < 1e-9)) missed.push_back(i);
  }
  if (missed.empty()) return right({});
  if (missed.size() == models.size())
    return wrong({"八个全反了：true 是“不变”，false 是“会变”。",
                  "All eight are the wrong way round: true means that it stays, false that it "
                  "changes."});
  const std::size_t first = missed.front();
  return wrong({fmt::format("有 {} 个没想对。先看第 {} 个。{}", missed.size(), first + 1,
                            models[first].overlooked.zh),
                fmt::format("{} of them are not right. Look at number {} first. {}", missed.size(),
                            first + 1, models[first].overlooked.en)});
}

}  // namespace exercise_11

inline Diagnosis check_11(const std::function<double(const Model&, const attention::Tensor&,
                                                     const std::vector<int>&)>& sees_order,
                          const std::function<std::vector<bool>()>& stays_the_same) {
  const Diagnosis found = first_of({[&] { return exercise_11::measures(sees_order); },
                                    [&] { return exercise_11::predicts(stays_the_same); }});
  if (found.state != State::right) return found;
  return right(
      {"次序要进得来，得有一处让词和位置碰面：相乘、遮住、逐个读，或者专读某一行；只把位置加上去还"
       "不够。怎样的位置好，第 12 课。",
       "Order gets in where word and place meet: in a product, behind a mask, by reading one "
       "after another or one row alone. Adding positions is not enough by itself. What makes good "
       "ones is lesson 12."});
}

}  // namespace exercise
