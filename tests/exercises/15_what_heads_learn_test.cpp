#include "exercises/checks/15_what_heads_learn.hpp"

#include <set>

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

using Links = std::vector<AttentionLink>;

// The head with the greatest total of what `read` gets from (map, head, link).
template <class Read>
HeadFinder greatest_by(Read read) {
  return [read](const Tensors& maps, const Links& links) {
    std::vector<int> found;
    double best = -1e9;
    for (std::size_t layer = 0; layer < maps.size(); ++layer)
      for (Size head = 0; head < maps[layer].size(1); ++head) {
        double total = 0;
        for (const AttentionLink& link : links) total += read(maps[layer], head, link);
        if (total > best) best = total, found = {int(layer), int(head)};
      }
    return found;
  };
}

double on_link(const Tensor& map, Size head, const AttentionLink& link) {
  return map.at({link.row, head, link.query, link.key});
}

const HeadFinder solution = greatest_by(on_link);

HeadFinder with_links(const std::function<Links(Links)>& change) {
  return
      [change](const Tensors& maps, const Links& links) { return solution(maps, change(links)); };
}

// The best head of layers [from, to).
HeadFinder among(std::size_t from, std::size_t to) {
  return [=](const Tensors& maps, const Links& links) {
    std::vector<int> found =
        solution(Tensors(maps.begin() + Size(from), maps.begin() + Size(to)), links);
    found[0] += int(from);
    return found;
  };
}

HeadFinder told(const std::function<std::vector<int>(int layer, int head)>& how) {
  return [how](const Tensors& maps, const Links& links) {
    const std::vector<int> found = solution(maps, links);
    return how(found[0], found[1]);
  };
}

Tensor row_of(const Tensor& map, Size head, const AttentionLink& l) {  // (T)
  const Tensor rows = slice(slice(map, 0, l.row, l.row + 1), 1, head, head + 1);
  return reshape(slice(rows, 2, l.query, l.query + 1), {map.size(3)});
}

}  // namespace

TEST_CASE("exercise 15: the head with the greatest mean on the links passes") {
  passes(check_15(solution));
  passes(check_15([](const Tensors& maps, const Links& links) {  // by the library
    const Tensor scores = link_scores(maps, links);
    const int heads = int(scores.size(1)),
              flat = argmax(reshape(scores, {scores.count()}), 0).ids[0];
    return std::vector<int>{flat / heads, flat % heads};
  }));
}

TEST_CASE("exercise 15: untouched, it is still to do") {
  is_to_do(check_15([](const Tensors&, const Links&) -> std::vector<int> { return todo; }));
}

TEST_CASE("exercise 15: the maps are weights, and each mistake finds a head of its own") {
  const Tensors maps = exercise_15::maps_by_hand();
  for (const Tensor& map : maps) {
    CHECK(-max(-map).item() >= 0);
    const Tensor sums = sum(map, {-1});
    for (Size i = 0; i < sums.count(); ++i) CHECK(sums.data()[i] == 1);
  }
  std::set<std::vector<real>> found{{1, 3}};
  for (const Mistake& mistake : exercise_15::mistakes(maps)) {
    const Tensor& gives = mistake.gives;
    INFO(mistake.name.en << to_string(gives));
    CHECK(found.insert({gives.data(), gives.data() + gives.count()}).second);
  }
}

TEST_CASE("exercise 15: looking up the wrong weight is told by name") {
  is_told(check_15(greatest_by([](const Tensor& map, Size head, const AttentionLink& l) {
            return map.at({l.row, head, l.key, l.query});
          })),
          "对调了", "are swapped");
  is_told(check_15(greatest_by([](const Tensor& map, Size head, const AttentionLink& l) {
            return map.at({0, head, l.query, l.key});
          })),
          "没有用到 row", "row is not used");
  is_told(check_15(greatest_by([](const Tensor& map, Size head, const AttentionLink& l) {
            return mean(map, 0).at({head, l.query, l.key});
          })),
          "没有用到 row", "row is not used");
  is_told(check_15(greatest_by([](const Tensor& map, Size head, const AttentionLink& l) {
            return map.at({l.row, head, l.query + 1, l.key});
          })),
          "晚了一位", "one place too late");
  is_told(check_15(greatest_by([](const Tensor& map, Size head, const AttentionLink& l) {
            return mean(map, 2).at({l.row, head, l.key});
          })),
          "所有的查询", "All queries");
  is_told(check_15(greatest_by([](const Tensor& map, Size head, const AttentionLink& l) {
            return max(row_of(map, head, l)).item();
          })),
          "最专心的头，可它", "stares at something else");
  is_told(check_15(greatest_by([](const Tensor& map, Size head, const AttentionLink& l) {
            return mean(row_of(map, head, l)).item();
          })),
          "所有的头分数都一样", "all scores are the same");
}

TEST_CASE("exercise 15: sharpness of the whole map is told by name") {
  is_told(check_15(greatest_by([](const Tensor& map, Size head, const AttentionLink&) {
            const Tensor p = slice(map, 1, head, head + 1);
            return sum(p * log(p + real(1e-9))).item();
          })),
          "整张图", "of the whole map");
  is_told(check_15(greatest_by([](const Tensor& map, Size head, const AttentionLink&) {
            return mean(max(slice(map, 1, head, head + 1), -1)).item();
          })),
          "整张图", "of the whole map");
}

TEST_CASE("exercise 15: links that are left out, and the greatest for the mean, are told by name") {
  is_told(check_15(with_links([](Links l) { return Links{l.front()}; })), "只用了第一条",
          "Only the first");
  is_told(check_15(with_links([](Links l) { return Links{l.back()}; })), "只用了最后一条",
          "Only the last");
  is_told(check_15(with_links([](Links l) { return Links(l.begin(), l.end() - 1); })),
          "漏了最后一条", "last link is left out");
  is_told(check_15(with_links([](Links l) { return Links(l.begin() + 1, l.end()); })), "漏了第一条",
          "first link is left out");
  is_told(check_15([](const Tensors& maps, const Links& links) {
            std::vector<int> found;
            double best = 0;
            for (int layer = 0; layer < int(maps.size()); ++layer)
              for (int head = 0; head < maps[layer].size(1); ++head)
                for (const AttentionLink& link : links)
                  if (const double w = on_link(maps[layer], head, link); w > best)
                    best = w, found = {layer, head};
            return found;
          }),
          "最大的权重", "greatest weight of any");
}

TEST_CASE("exercise 15: searching wrongly and telling it wrongly are told by name") {
  is_told(check_15(greatest_by([](const Tensor& map, Size head, const AttentionLink& l) {
            return -on_link(map, head, l);
          })),
          "方向反了", "comparison is the wrong way");
  is_told(check_15(among(0, 1)), "只找了第一层", "the first layer alone");
  is_told(check_15(among(3, 4)), "最后一层里", "best head of the last layer");
  is_told(check_15([](const Tensors& maps, const Links& links) {
            const Tensor by_layer = mean(link_scores(maps, links), -1);
            const auto layer = std::size_t(argmax(by_layer, 0).ids[0]);
            return among(layer, layer + 1)(maps, links);
          }),
          "平均最好的一层", "best on average");
  is_told(check_15(told([](int layer, int head) {
            return std::vector{head, layer};
          })),
          "写反了", "layer first");
  is_told(check_15(told([](int layer, int head) {
            return std::vector{layer + 1, head + 1};
          })),
          "从 1 数起", "count from 1");
  is_told(check_15(told([](int layer, int head) {
            const int flat = layer * 5 + head;
            return std::vector{flat / 4, flat % 4};
          })),
          "拆错了", "taken apart wrongly");
  is_told(check_15(told([](int layer, int head) { return std::vector{layer * 5 + head}; })),
          "排成一排", "split into layer and head");
}

TEST_CASE("exercise 15: a constant does not pass, and what throws is told") {
  is_told(check_15([](const Tensors&, const Links&) {
            return std::vector{1, 3};
          }),
          "应当是", "it should be");
  is_told(check_15([](const Tensors& maps, const Links&) {
            return std::vector{int(maps.at(9).count())};
          }),
          "停在这里", "stopped");
}
