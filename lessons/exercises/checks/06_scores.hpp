// The check of exercise 06. The right scores come from loops, the right variances from all the ways
// in which 16 coins can fall.
#pragma once

#include <cmath>

#include "exercises/exercise.hpp"

namespace exercise {

namespace exercise_06 {

using attention::real;
using attention::Size;
using attention::Tensor;

inline Tensor dots(const Tensor& q, const Tensor& k) {
  Tensor result = attention::zeros({q.size(0), k.size(0)});
  for (Size i = 0; i < q.size(0); ++i)
    for (Size j = 0; j < k.size(0); ++j)
      for (Size c = 0; c < q.size(1); ++c)
        result.edit()[i * k.size(0) + j] += q.at({i, c}) * k.at({j, c});
  return result;
}

inline Diagnosis scores(const std::function<Tensor(const Tensor&, const Tensor&, Size)>& learner) {
  constexpr Size queries = 3, keys = 4, d_k = 5, d_model = 10;
  attention::Random random(6);
  const Tensor q = attention::normal({queries, d_k}, 0, 1, random);
  const Tensor k = attention::normal({keys, d_k}, 0, 1, random);
  const Tensor products = dots(q, k);
  const auto divided = [&](double by) { return products / real(by); };
  const Tensor right = divided(std::sqrt(double(d_k)));
  return diagnose(
      [&] { return learner(q, k, d_model); }, right,
      {{products,
        {"这是没有缩放的点积：还没有除。", "These are the bare dot products: not divided yet."}},
       {divided(d_k),
        {"你除以了 d_k（或者查询、键各除了一次 √d_k）：方差变成 1/d_k，分数都挤在 0 附近，份额几乎"
         "平分。",
         "You divided by d_k (or both queries and keys by its root): that leaves a variance of "
         "1/d_k, scores that crowd around 0 and shares that are nearly even."}},
       {divided(std::sqrt(double(d_model))),
        {"你除以了 √d_model：点积里加起来的只是一个头的 d_k 个乘积，不是整个模型的宽度。",
         "You divided by sqrt(d_model): the dot product adds up the d_k products of a head, not "
         "the width of the whole model."}},
       {divided(d_model),
        {"你除以了 d_model：数错了，根号也没有开。数一数点积里有几个乘积。",
         "You divided by d_model: the wrong number, and no root. How many products does a dot "
         "product add up?"}},
       {divided(std::sqrt(double(queries))),
        {"你除以了查询个数的根：size(0) 是有几个词，每个向量多长看最后一个轴。",
         "You divided by the root of the number of queries: size(0) counts words; how long a "
         "vector is, the last axis says."}},
       {divided(std::sqrt(double(keys))),
        {"你除以了键的个数的根：有几个键不要紧，要紧的是键有多长。",
         "You divided by the root of the number of keys: not how many there are matters, but how "
         "long they are."}},
       {divided(1 / std::sqrt(double(d_k))),
        {"你乘上了 √d_k：分数更散了，方差成了 d_k 的平方。",
         "You multiplied by sqrt(d_k): the scores spread further, to a variance of d_k squared."}},
       {attention::transpose(right, 0, 1),
        {"行和列换了：一行应当是一个查询，一列是一个键。",
         "Rows and columns are swapped: a row belongs to a query, a column to a key."}}});
}

// The variance of the sum of so many coins, +1 or -1, over all the ways they can fall.
inline double variance_of_coins(int count) {
  Tensor sums = attention::zeros({1});
  for (int i = 0; i < count; ++i) sums = attention::concat({sums - 1, sums + 1}, 0);
  return double(attention::variance(sums).item());
}

inline Diagnosis predictions(const std::function<std::vector<double>()>& learner) {
  constexpr int d_k = 16, d_model = 64;
  const real v = real(variance_of_coins(d_k)), root_k = std::sqrt(real(d_k)),
             root_model = std::sqrt(real(d_model));
  const Tensor by = attention::from_values({1, d_k, root_model, root_k});
  const auto answer = [&]() -> Tensor {
    const std::vector<double> list = learner();
    if (list.empty()) return {};
    return attention::from_values(std::vector<real>(list.begin(), list.end()));
  };
  return diagnose(
      answer, v / (by * by),
      {{v / by,
        {"第一个对了，别的没有：分数除以 c，方差要除以 c 的平方。",
         "The first is right, the others are not: dividing scores by c divides their variance by "
         "c squared."}},
       {attention::sqrt(v) / by,
        {"这些是标准差，不是方差：方差是它们的平方。",
         "These are standard deviations; the variance is their square."}},
       {real(d_model) / (by * by),
        {"你把 d_model 当成了乘积的个数：一个头的点积只加 d_k 个乘积。",
         "You took d_model for the number of products: the dot product of a head adds up d_k."}},
       {attention::full({4}, 1),
        {"不会四个都是 1：只有一种除法刚好把方差带回 1。",
         "Not all four are 1: only one divisor brings the variance back to 1."}}});
}

}  // namespace exercise_06

inline Diagnosis check_06(
    const std::function<attention::Tensor(const attention::Tensor&, const attention::Tensor&,
                                          attention::Size)>& scaled_scores,
    const std::function<std::vector<double>()>& variances) {
  const Diagnosis found = first_of({[&] { return exercise_06::scores(scaled_scores); },
                                    [&] { return exercise_06::predictions(variances); }});
  if (found.state != State::right) return found;
  return right(
      {"方差 16 的分数，份额几乎全给一个词，斜率近乎 0；方差 1/16 的，几乎平分，谁也看不清。只有除"
       "以 √d_k，头有多宽都一样。分数怎样变成份额，看第 7 课。",
       "Scores of variance 16 give nearly all to one word, with slopes near 0; of 1/16 they share "
       "evenly and see nobody clearly. Only sqrt(d_k) makes heads of any width alike. How scores "
       "become shares is lesson 07."});
}

}  // namespace exercise
