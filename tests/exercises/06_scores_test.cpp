#include "exercises/checks/06_scores.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

using Scores = std::function<Tensor(const Tensor&, const Tensor&, Size)>;

Tensor over(const Tensor& q, const Tensor& k, double divisor) {
  return matmul(q, k, transpose_b) / real(divisor);
}

Tensor solution(const Tensor& q, const Tensor& k, Size) {
  return over(q, k, std::sqrt(double(q.size(-1))));
}

const std::vector<double> predicted = {16, 1.0 / 16, 0.25, 1};

Diagnosis scored(const Scores& learner) {
  return check_06(learner, [] { return predicted; });
}

Diagnosis foreseen(const std::vector<double>& list) {
  return check_06(solution, [&] { return list; });
}

}  // namespace

TEST_CASE("exercise 06: divided by the root of d_k, and foreseen, passes") {
  passes(scored(solution));
}

TEST_CASE("exercise 06: untouched, it is still to do") {
  is_to_do(scored([](const Tensor&, const Tensor&, Size) -> Tensor { return todo; }));
  is_to_do(check_06(solution, []() -> std::vector<double> { return todo; }));
}

TEST_CASE("exercise 06: each wrong divisor is told by name") {
  const auto by = [](auto divisor) {
    return scored([divisor](const Tensor& q, const Tensor& k, Size d_model) {
      return over(q, k, divisor(q, k, double(d_model)));
    });
  };
  using T = const Tensor&;
  is_told(by([](T, T, double) { return 1.0; }), "没有缩放", "bare dot products");
  is_told(by([](T q, T, double) { return double(q.size(1)); }), "除以了 d_k", "divided by d_k");
  is_told(by([](T, T, double model) { return std::sqrt(model); }), "除以了 √d_model",
          "divided by sqrt(d_model)");
  is_told(by([](T, T, double model) { return model; }), "根号也没有开", "and no root");
  is_told(by([](T q, T, double) { return std::sqrt(double(q.size(0))); }), "查询个数",
          "number of queries");
  is_told(by([](T, T k, double) { return std::sqrt(double(k.size(0))); }), "键的个数",
          "number of keys");
  is_told(by([](T q, T, double) { return 1 / std::sqrt(double(q.size(1))); }), "乘上了",
          "multiplied by");
  is_told(scored([](T q, T k, Size d) { return solution(k, q, d); }), "行和列换了",
          "Rows and columns");
  is_told(by([](T, T, double) { return 0.0; }), "不是常见的错误", "none of the usual");
  is_told(scored([](T q, T k, Size) { return matmul(q, k); }), "停在这里", "stopped");
}

TEST_CASE("exercise 06: each wrong prediction is told by name") {
  is_told(foreseen({16, 1, 2, 4}), "c 的平方", "c squared");
  is_told(foreseen({4, 0.25, 0.5, 1}), "标准差", "standard deviations");
  is_told(foreseen({64, 0.25, 1, 4}), "当成了乘积的个数", "for the number of products");
  is_told(foreseen({1, 1, 1, 1}), "四个都是 1", "all four");
  is_told(foreseen({16, 1}), "形状", "shape");
  is_told(foreseen({16, 1.0 / 16, 0.25, NAN}), "不是常见的错误", "none of the usual");
}
