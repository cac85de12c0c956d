#include "exercises/checks/11_why_positions.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

using Order = std::vector<int>;
using Measure = std::function<double(const Model&, const Tensor&, const Order&)>;

double size_of(const Tensor& gap) { return double(max(sqrt(gap * gap)).item()); }

double solution(const Model& f, const Tensor& x, const Order& order) {
  return size_of(f(reordered(x, order)) - reordered(f(x), order));
}

const std::vector<bool> predicted = {true, true, true, false, false, false, true, false};

Diagnosis measured(const Measure& learner) {
  return check_11(learner, [] { return predicted; });
}

Diagnosis foreseen(const std::vector<bool>& list) {
  return check_11(solution, [&] { return list; });
}

}  // namespace

TEST_CASE("exercise 11: the measure and the predictions pass") { passes(measured(solution)); }

TEST_CASE("exercise 11: untouched, it is still to do") {
  is_to_do(measured([](const Model&, const Tensor&, const Order&) -> double { return todo; }));
  is_to_do(check_11(solution, []() -> std::vector<bool> { return todo; }));
}

TEST_CASE("exercise 11: each wrong measure is told by name") {
  using T = const Tensor&;
  using F = const Model&;
  using O = const Order&;
  const auto gap = [](F f, T x, O order) -> Tensor {
    return f(reordered(x, order)) - reordered(f(x), order);
  };
  is_told(measured([](F f, T x, O o) { return size_of(f(reordered(x, o)) - f(x)); }),
          "右边也要打乱", "Shuffle the other side too");
  is_told(measured([](F f, T x, O o) {
            Order back(o.size());
            for (std::size_t i = 0; i < o.size(); ++i) back[o[i]] = int(i);
            return size_of(f(reordered(x, o)) - reordered(f(x), back));
          }),
          "逆排列", "by the inverse");
  is_told(measured([&](F f, T x, O o) { return size_of(mean(gap(f, x, o), 0)); }), "先取了平均",
          "averaged first");
  is_told(measured([&](F f, T x, O o) { return double(sum(gap(f, x, o)).item()); }), "抵消",
          "cancel");
  is_told(measured([&](F f, T x, O o) { return double(max(gap(f, x, o)).item()); }),
          "没有取绝对值：负", "without its absolute value");
  is_told(measured([&](F f, T x, O o) {
            const Tensor g = gap(f, x, o);
            return double(mean(sqrt(g * g)).item());
          }),
          "平均差了多少", "on average");
  is_told(measured([](F f, T x, O o) { return size_of(f(x) - reordered(f(x), o)); }), "进模型之前",
          "before the model");
  is_told(measured([](F f, T x, O) { return size_of(f(x) - f(slice(x, 0, 0, 2))); }), "停在这里",
          "stopped");
}

TEST_CASE("exercise 11: each wrong prediction is told by what it overlooks") {
  const std::vector<std::string> zh = {"一袋词",     "再取平均",   "分开平均再加", "在里面相乘",
                                       "可是有掩码", "站在第一行", "取最大",       "一个接一个"};
  const std::vector<std::string> en = {"A bag of words",      "then averaged",    "sum of means",
                                       "word and place meet", "but a mask",       "reader is not",
                                       "column's largest",    "one after another"};
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    std::vector<bool> list = predicted;
    list[i] = !list[i];
    is_told(foreseen(list), zh[i], en[i]);
  }
  is_told(foreseen({false, false, false, true, true, true, false, true}), "全反了",
          "wrong way round");
  is_told(foreseen({true, false}), "你给了 2 个", "you gave 2");
  is_told(check_11(solution, []() -> std::vector<bool> { return {zeros({2}).at({2}) > 0}; }),
          "停在这里", "stopped");
}
