// The check of exercise 15. The maps are made by hand: for each well-known way to go wrong there is
// a head that it takes for the right one, a different head each.
#pragma once

#include <algorithm>
#include <cmath>

#include "exercises/exercise.hpp"

namespace exercise {

using attention::AttentionLink;
using attention::Tensors;
using HeadFinder =
    std::function<std::vector<int>(const Tensors&, const std::vector<AttentionLink>&)>;

namespace exercise_15 {

using attention::real;
using attention::Size;
using attention::Tensor;

inline constexpr Size layers = 4, sentences = 2, heads = 5, places = 8;
inline const std::vector<AttentionLink> links{{0, 3, 1}, {1, 4, 2}, {1, 2, 0}};

// All is even, 1/8 each, unless a row is told to put a weight on a key. What is left over goes to
// the four keys behind it. Weights are 64ths, so that rows sum to 1 without any rounding.
class Maps {
 public:
  Maps() {
    for (Size layer = 0; layer < layers; ++layer)
      all_.push_back(attention::full({sentences, heads, places, places}, real(1) / places));
  }
  void look(int layer, int head, const AttentionLink& link, int of_64) {
    real* row = all_[layer].edit() + ((link.row * heads + head) * places + link.query) * places;
    std::fill(row, row + places, real(0));
    row[link.key] = real(of_64) / 64;
    for (Size i = 1; i <= 4; ++i) row[(link.key + i) % places] = real(64 - of_64) / 256;
  }
  void look(int layer, int head, const std::vector<int>& of_64) {  // along each link
    for (std::size_t i = 0; i < links.size(); ++i) look(layer, head, links[i], of_64[i]);
  }
  const Tensors& all() const { return all_; }

 private:
  Tensors all_;
};

inline Tensors maps_by_hand() {
  Maps maps;
  const auto elsewhere = [&](int layer, int head, int of_64, auto moved) {
    for (const AttentionLink& link : links) maps.look(layer, head, moved(link), of_64);
  };
  maps.look(1, 3, {38, 38, 38});  // the right one: 0.59 on average
  elsewhere(0, 4, 57, [](AttentionLink l) { return AttentionLink{l.row, l.key, l.query}; });
  elsewhere(2, 1, 57, [](AttentionLink l) { return AttentionLink{0, l.query, l.key}; });
  elsewhere(3, 2, 57, [](AttentionLink l) { return AttentionLink{l.row, l.query + 1, l.key}; });
  for (Size query = 0; query < places; ++query) {  // (0, 2): the keys, whoever asks
    maps.look(0, 2, {0, query, 1}, 32);
    maps.look(0, 2, {1, query, query % 2 ? 0 : 2}, 40);
    for (Size row = 0; row < sentences; ++row)  // (0, 1): sharp, wherever there is no link
      if (std::none_of(links.begin(), links.end(),
                       [&](const AttentionLink& l) { return l.row == row && l.query == query; }))
        maps.look(0, 1, {row, query, query}, 64);
  }
  elsewhere(2, 3, 62, [](AttentionLink l) { return AttentionLink{l.row, l.query, 7}; });  // sharp
  maps.look(1, 4, {6, 63, 6});    // the greatest single weight
  maps.look(1, 0, {61, 6, 6});    // the first link alone
  maps.look(1, 1, {6, 6, 61});    // the last link alone
  maps.look(3, 3, {53, 53, 0});   // all but the last
  maps.look(3, 4, {0, 53, 53});   // all but the first
  maps.look(1, 2, {0, 0, 0});     // the least
  maps.look(0, 3, {35, 35, 35});  // the best of the first layer, of the last, and of the layer
  maps.look(3, 0, {37, 37, 37});  // that is best on average
  maps.look(2, 2, {37, 37, 37});
  maps.look(2, 0, {35, 35, 35}), maps.look(2, 4, {35, 35, 35}), maps.look(3, 1, {3, 3, 3});
  return maps.all();
}

using Score = std::function<double(const Tensor& map, Size head)>;

// The first of the heads with the greatest score, among layers [from, to).
inline std::vector<int> greatest(const Tensors& maps, const Score& score, std::size_t from,
                                 std::size_t to) {
  std::vector<int> found;
  double best = -1e9;
  for (std::size_t layer = from; layer < to; ++layer)
    for (Size head = 0; head < maps[layer].size(1); ++head)
      if (const double here = score(maps[layer], head); here > best)
        best = here, found = {int(layer), int(head)};
  return found;
}

// The mean, over these links, of what is read for each of them.
template <class Read>
Score mean_over(const std::vector<AttentionLink>& chosen, Read read) {
  return [=](const Tensor& map, Size head) {
    double total = 0;
    for (const AttentionLink& link : chosen) total += read(map, head, link);
    return total / double(chosen.size());
  };
}

inline double weight(const Tensor& map, Size head, const AttentionLink& l) {
  return map.at({l.row, head, l.query, l.key});
}

inline double row_maximum(const Tensor& map, Size head, const AttentionLink& l) {
  double most = 0;
  for (Size key = 0; key < places; ++key)
    most = std::max(most, double(map.at({l.row, head, l.query, key})));
  return most;
}

inline double column_mean(const Tensor& map, Size head, const AttentionLink& l) {
  double total = 0;
  for (Size query = 0; query < places; ++query) total += map.at({l.row, head, query, l.key});
  return total / places;
}

// Minus the sum of p ln p, so that the sharpest head has the greatest score.
inline double sharpness(const Tensor& map, Size head) {
  double total = 0;
  for (Size row = 0; row < sentences; ++row)
    for (Size query = 0; query < places; ++query)
      for (Size key = 0; key < places; ++key)
        if (const double p = map.at({row, head, query, key}); p > 0) total += p * std::log(p);
  return total;
}

inline std::vector<int> by_layer_first(const Tensors& maps, const Score& score) {
  std::vector<double> means;
  for (const Tensor& map : maps) {
    means.push_back(0);
    for (Size head = 0; head < heads; ++head) means.back() += score(map, head);
  }
  const auto layer = std::size_t(std::max_element(means.begin(), means.end()) - means.begin());
  return greatest(maps, score, layer, layer + 1);
}

inline Tensor as_tensor(const std::vector<int>& numbers) {
  return attention::from_values(std::vector<real>(numbers.begin(), numbers.end()));
}

inline std::vector<Mistake> mistakes(const Tensors& maps) {
  const auto first = links.begin(), last = links.end();
  const auto by = [&](const Score& score) { return as_tensor(greatest(maps, score, 0, layers)); };
  const Score right = mean_over(links, weight);
  const std::vector<int> found = greatest(maps, right, 0, layers);
  const int flat = found[0] * int(heads) + found[1];
  const auto moved = [](auto to) {
    return [to](const Tensor& map, Size head, const AttentionLink& l) {
      return weight(map, head, to(l));
    };
  };
  return {
      {by(mean_over(links, moved([](AttentionLink l) {
                      return AttentionLink{l.row, l.key, l.query};
                    }))),
       {"查询和键对调了：你读的是 key 那一行、query 那一列，也就是被看的回头看谁。",
        "Query and key are swapped: you read the row of the key and the column of the query, how "
        "much the one looked at looks back."}},
      {by(mean_over(links, moved([](AttentionLink l) {
                      return AttentionLink{0, l.query, l.key};
                    }))),
       {"没有用到 row：每条链接都该到自己的句子里去查，你一直在查第 0 句，或者把句子平均了。",
        "row is not used: each link is of one sentence, and you look all of them up in sentence "
        "0, or in the mean of the sentences."}},
      {by(mean_over(links, moved([](AttentionLink l) {
                      return AttentionLink{l.row, l.query + 1, l.key};
                    }))),
       {"查询晚了一位：query 已经是预测下一个词的位置，不用再加 1。",
        "The query is one place too late: query is already where the next word is predicted; "
        "nothing is to be added."}},
      {by(mean_over(links, column_mean)),
       {"你把所有的查询都算进去了：这个头不管谁问都看那个键。只有 query 那一行算数。",
        "All queries are in your mean: this head looks at that key whoever asks. Only the row of "
        "the link's query counts."}},
      {by(mean_over(links, row_maximum)),
       {"你找的是这些查询看得最专心的头，可它专心看的是别处。要的是 key 那一格，不是一行里最大的。",
        "You found the head whose rows are sharpest at these queries, but it stares at something "
        "else. What counts is the weight on key, not the greatest of the row."}},
      {by(sharpness),
       {"你找的是整张图里最专心的头（熵最低，或者每行最大的权重最大）：链接没有用上。专心不等于看"
        "对了。",
        "You found the sharpest head of the whole map, by entropy or by the greatest weights: the "
        "links played no part. Sharp does not mean that it looks at the right place."}},
      {by([](const Tensor& map, Size head) {
         double most = 0;
         for (const AttentionLink& link : links) most = std::max(most, weight(map, head, link));
         return most;
       }),
       {"你取了几条链接里最大的权重：这个头有一条对得极准，别的都不看。要的是平均。",
        "You took the greatest weight of any link: this head has one link nearly whole, and none "
        "of the others. The mean is wanted."}},
      {by(mean_over({*first}, weight)),
       {"只用了第一条链接：看循环是不是一条之后就停了。",
        "Only the first link is used: does your loop stop after one?"}},
      {by(mean_over({*(last - 1)}, weight)),
       {"只用了最后一条链接：前面的被盖掉了。是不是该用 += 的地方写成了 =？",
        "Only the last link is used: it overwrites those before. Is there a = that should be +=?"}},
      {by(mean_over({first, last - 1}, weight)),
       {"漏了最后一条链接：看循环到哪里为止。",
        "The last link is left out: see where your loop ends."}},
      {by(mean_over({first + 1, last}, weight)),
       {"漏了第一条链接：看循环从哪里开始。",
        "The first link is left out: see where your loop begins."}},
      {by([&](const Tensor& map, Size head) { return -right(map, head); }),
       {"这是权重最少的头：比较的方向反了。",
        "This is the head with the least weight: the comparison is the wrong way round."}},
      {by([](const Tensor&, Size) { return 0.0; }),
       {"你答的是第一层第一个头，所有的头分数都一样时才会这样。一整行加起来总是 1，平均总是 1/T，"
        "分不出谁是谁；也看看最好的分数有没有记下来。",
        "You answer with the very first head, as when all scores are the same. A whole row always "
        "sums to 1, its mean is always 1/T: that tells no head from another. Or the best so far "
        "is not kept."}},
      {as_tensor(greatest(maps, right, 0, 1)),
       {"你只找了第一层：maps 里每一层都要看。",
        "You searched the first layer alone: maps has one entry for each."}},
      {as_tensor(greatest(maps, right, layers - 1, layers)),
       {"你答的是最后一层里最好的头：换到下一层时，最好的分数不能清零；也不能只看最后一层。",
        "This is the best head of the last layer: the best score so far must outlive the change "
        "of layers, and the last layer is not the only one."}},
      {as_tensor(by_layer_first(maps, right)),
       {"你先挑了平均最好的一层，再在里面挑头：最好的头可以在平平的一层里。",
        "You chose the layer that is best on average and then a head of it: the best head may sit "
        "in a poor layer."}},
      {as_tensor({found[1], found[0]}),
       {"层和头写反了：先层后头。", "Layer and head are the wrong way round: layer first."}},
      {as_tensor({found[0] + 1, found[1] + 1}),
       {"你从 1 数起了：这里层和头都从 0 数。", "You count from 1: both are counted from 0 here."}},
      {as_tensor({flat / int(layers), flat % int(layers)}),
       {"排成一排的编号拆错了：一层里有几个头，就除以几，不是除以层数。",
        "The number in a row of all heads is taken apart wrongly: divide by the heads of a layer, "
        "not by the layers."}},
      {as_tensor({flat}),
       {"这是排成一排的编号：还要拆成层和头。",
        "This is the number in a row of all heads: it is still to be split into layer and head."}}};
}

// Other sizes, any weights: what is right there is right anywhere.
inline Diagnosis check_at_random(const std::function<Tensor(const Tensors&)>& answer) {
  attention::Random random(15);
  for (int round = 0; round < 3; ++round) {
    Tensors maps;
    for (int layer = 0; layer < 6; ++layer)
      maps.push_back(attention::softmax(attention::normal({2, 3, 7, 9}, 0, 2, random), -1));
    const Tensor scores = attention::link_scores(maps, links);
    const int flat = attention::argmax(attention::reshape(scores, {18}), 0).ids[0];
    const Diagnosis found =
        diagnose([&] { return answer(maps); }, as_tensor({flat / 3, flat % 3}), {});
    if (found.state != State::right) return found;
  }
  return right({});
}

}  // namespace exercise_15

inline Diagnosis check_15(const HeadFinder& find_head) {
  using namespace exercise_15;
  const auto answer = [&](const Tensors& maps) {
    const std::vector<int> found = find_head(maps, links);
    return found.empty() ? attention::Tensor() : as_tensor(found);
  };
  const Tensors maps = maps_by_hand();
  const Diagnosis found =
      first_of({[&] {
                  return diagnose([&] { return answer(maps); }, as_tensor({1, 3}), mistakes(maps));
                },
                [&] { return check_at_random(answer); }});
  if (found.state != State::right) return found;
  return right(
      {"二十个头里，只有一个在三条链接上都放了一大半权重。有的更专心，有的有一条更准，有的谁问都看"
       "同一处，你都没有上当。不过找到的只是“它在看”；有没有用，要像第 15 课那样去掉它才知道。",
       "Of twenty heads, one puts more than half of its weight on all three links. Others are "
       "sharper, or better at one link, or look at the same place whoever asks; none of them "
       "misled you. That it looks is all you know now; whether it matters is seen by taking it "
       "away, as lesson 15 does."});
}

}  // namespace exercise
