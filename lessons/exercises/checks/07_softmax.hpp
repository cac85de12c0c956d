// The check of exercise 07. The share of the largest score at the learner's temperature tells.
#pragma once

#include <algorithm>
#include <cmath>

#include "exercises/exercise.hpp"

namespace exercise {

// The two largest of some scores.
inline attention::Tensor best_two(const attention::Tensor& scores) {
  std::vector<attention::real> list(scores.data(), scores.data() + scores.count());
  std::sort(list.rbegin(), list.rend());
  return attention::from_values({list[0], list[1]});
}

inline Diagnosis check_07(const std::function<double(const attention::Tensor&)>& learner) {
  using namespace attention;
  for (const Tensor& scores :
       {from_values({0, 1, 3}), from_values({-2, 5, 4.5, 0.5}), from_values({3, 60, -40})}) {
    const double t = learner(scores);
    if (std::isnan(t)) return still_to_do({});
    if (!(t > 0))
      return wrong({fmt::format("温度必须大于 0，你的是 {}：负的温度会把名次颠倒过来。", t),
                    fmt::format("A temperature is above 0, yours is {}: a negative one would turn "
                                "the order round.",
                                t)});
    const auto largest = [&](double divisor) {
      return double(max(softmax(scores / real(divisor), -1)).item());
    };
    const auto is_nine_tenths = [](double share) { return std::abs(share - 0.9) < 1e-6; };
    if (is_nine_tenths(largest(t))) continue;
    if (is_nine_tenths(largest(1 / t)))
      return wrong({"你的数是温度的倒数：分数要除以 t，而不是乘以 t。",
                    "Your number is one over the temperature: the scores are divided by t, not "
                    "multiplied by it."});
    const Tensor two = softmax(best_two(scores) / real(t), -1);
    if (is_nine_tenths(max(two).item()))
      return wrong({"在 t 下，最大的词只跟第二名比才是 90 %。分母要加上所有的词。",
                    "At your t the largest word has 90 % only against the second. All words "
                    "belong below the line."});
    if (largest(t) > 0.999999 || largest(t) < 1.01 / double(scores.count()))
      return wrong(
          {fmt::format("t = {:.4g} 是查找范围的尽头：方向反了。t 越大，份额越小。", t),
           fmt::format("t = {:.4g} is the end of the range: the search went the wrong way. A "
                       "larger t gives a smaller share.",
                       t)});
    return wrong(
        {fmt::format("在 t = {:.4g} 时，最大的份额是 {:.4f}，应当是 0.9。{}", t, largest(t),
                     largest(t) > 0.9 ? "太集中了：t 应当大一些。" : "太平均了：t 应当小一些。"),
         fmt::format("At t = {:.4g} the largest share is {:.4f}; it should be 0.9. {}", t,
                     largest(t),
                     largest(t) > 0.9 ? "Too sharp: t has to be larger."
                                      : "Too even: t has to be smaller.")});
  }
  return right({"同一组分数，温度决定注意力是盯住一个词，还是看看大家。",
                "The same scores: the temperature decides between staring at one word and looking "
                "around."});
}

}  // namespace exercise
