#include "exercises/checks/14_train.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

// The same as the library's, by other means: count the digits; look one place to the left.
Sequence sorted(Sequence digits) {
  Sequence answer;
  for (int digit = 0; digit < 10; ++digit)
    for (const int d : digits)
      if (d == digit) answer.push_back(d);
  return answer;
}

Sequence shifted(Sequence digits) {
  const std::size_t n = digits.size();
  Sequence answer(n);
  for (std::size_t i = 0; i < n; ++i) answer[(i + 1) % n] = digits[i];
  return answer;
}

Diagnosis with_sort(const AnswerRule& rule) { return check_14(rule, shifted); }
Diagnosis with_shift(const AnswerRule& rule) { return check_14(sorted, rule); }

}  // namespace

TEST_CASE("exercise 14: sort and shift pass, and a model learns them") {
  const Diagnosis diagnosis = check_14(sorted, shifted);
  passes(diagnosis);
  CHECK_THAT(diagnosis.text.en, Catch::Contains("sort: with positions 1.000") ||
                                    Catch::Contains("sort: with positions 0.99"));
}

TEST_CASE("exercise 14: without positions no model passes the ceiling that is counted") {
  const SequenceRule rule{.name = "shift",
                          .summary = "",
                          .symbols = U"012",
                          .length = 6,
                          .answer = shifted,
                          .example = ""};
  const double ceiling = ceiling_without_positions(rule);
  CHECK(learn_rule(rule, PositionKind::none) <= ceiling);
  CHECK(learn_rule(rule, PositionKind::sinusoidal) > ceiling);
}

TEST_CASE("exercise 14: untouched, it is still to do") {
  is_to_do(with_sort([](Sequence) -> Sequence { return todo; }));
  is_to_do(with_shift([](Sequence) -> Sequence { return todo; }));
}

TEST_CASE("exercise 14: each mistake of sort is told by name") {
  is_told(with_sort([](Sequence d) {
            std::sort(d.begin(), d.end(), std::greater<>());
            return d;
          }),
          "从大到小", "large to small");
  is_told(with_sort([](Sequence d) {
            Sequence copy = d;
            std::sort(copy.begin(), copy.end());
            return d;
          }),
          "没有被返回", "not what you return");
  is_told(with_sort([](Sequence d) {
            std::sort(d.begin(), d.end());
            d.erase(std::unique(d.begin(), d.end()), d.end());
            return d;
          }),
          "重复的数字丢了", "Repeated digits");
  is_told(with_sort([](Sequence d) { return places_in_order(d, false); }), "是位置", "with places");
  is_told(with_sort([](Sequence d) { return places_in_order(d, true); }), "是名次", "with ranks");
  is_told(with_sort([](Sequence d) {
            for (std::size_t i = 1; i < d.size(); ++i)
              if (d[i - 1] > d[i]) std::swap(d[i - 1], d[i]);
            return d;
          }),
          "只走了一趟", "went through once");
  is_told(with_sort([](Sequence d) { return shifted(d); }), "sort: 2 0 1 0 -> 0 2 0 1  (0 0 1 2)",
          "sort: 2 0 1 0 -> 0 2 0 1  (0 0 1 2)");
  is_told(with_sort([](Sequence d) { return Sequence{d.at(7)}; }), "停在这里", "stopped");
}

TEST_CASE("exercise 14: each mistake of shift is told by name") {
  is_told(with_shift([](Sequence d) {
            d.push_back(d.front());
            d.erase(d.begin());
            return d;
          }),
          "往左挪", "to the left");
  is_told(with_shift([](Sequence d) {
            d.insert(d.begin(), 0);
            d.pop_back();
            return d;
          }),
          "补了一个 0", "a 0 was put");
  is_told(with_shift([](Sequence d) {
            for (std::size_t i = d.size() - 1; i > 0; --i) d[i] = d[i - 1];
            return d;
          }),
          "又写了一遍", "written twice");
  is_told(with_shift([](Sequence d) { return Sequence(d.begin(), d.end() - 1); }), "一样长",
          "as long as");
  is_told(with_shift([](Sequence d) {
            const int last = d.back();
            for (std::size_t i = 1; i < d.size(); ++i) d[i] = d[i - 1];
            d[0] = last;
            return d;
          }),
          "除了最前面", "all but the front");
  is_told(with_shift([](Sequence d) {
            for (std::size_t i = 1; i < d.size(); ++i) d[i] = d[i - 1];
            return d;
          }),
          "：全成了第一个", "all have become the first");
  is_told(with_shift([](Sequence d) { return d; }), "没有挪", "nothing has moved");
  is_told(with_shift([](Sequence d) {
            for (int& digit : d) digit = (digit + 1) % 10;
            return d;
          }),
          "是数值", "the values");
  is_told(with_shift([](Sequence d) { return Sequence(d.rbegin(), d.rend()); }), "倒了过来",
          "turned round");
}
