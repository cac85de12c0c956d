#include "exercises/checks/05_query_key_value.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

// A matrix of five features and two columns with a number in two places at most.
struct Entry {
  int feature, column;
  real value;
};
enum { thing, food, person, degree, taste };

Tensor weights(const std::vector<Entry>& entries, int columns = 2) {
  std::vector<real> values(5 * columns, 0);
  for (const Entry& entry : entries) values[entry.feature * columns + entry.column] += entry.value;
  return from_values(values, {5, columns});
}

Diagnosis told(const Tensor& w_q, const Tensor& w_k) {
  return check_05([&] { return w_q; }, [&] { return w_k; });
}

}  // namespace

TEST_CASE("exercise 05: taste seeks food, and that passes") {
  passes(told(weights({{taste, 0, 2}}), weights({{food, 0, 1}})));
  passes(told(weights({{taste, 1, -3}, {degree, 0, 1}}, 3), weights({{food, 1, -1}}, 3)));
}

TEST_CASE("exercise 05: untouched, it is still to do") {
  is_to_do(check_05([]() -> Tensor { return todo; }, []() -> Tensor { return todo; }));
  is_to_do(check_05([] { return zeros({5, 2}); }, []() -> Tensor { return todo; }));
}

TEST_CASE("exercise 05: each mistake is told by name") {
  const Tensor seeks = weights({{taste, 0, 2}}), is_food = weights({{food, 0, 1}});
  is_told(told(is_food, seeks), "方向反了", "wrong way round");
  const Tensor one = weights({{taste, 0, 2}, {food, 0, 2}});
  is_told(told(one, one), "同一个矩阵", "the same matrix");
  is_told(told(weights({{taste, 0, 2}, {food, 1, 2}}), weights({{food, 0, 1}, {taste, 1, 1}})),
          "互相看", "look at each other");
  is_told(told(seeks, weights({{taste, 0, 1}, {food, 0, 1}})), "在看自己", "looks at itself");
  is_told(told(seeks, weights({{thing, 0, 1}})), "分不清", "cannot tell Ming");
  is_told(told(weights({{degree, 0, 2}}), is_food), "不该是这个词", "not the word that should");
  is_told(told(weights({{thing, 0, 2}}), weights({{taste, 0, 2}})), "分工像是反了",
          "changed places");
  is_told(told(weights({{taste, 0, 2}, {thing, 0, 2}}), is_food), "不该是这个词",
          "not the word that should");
  is_told(told(seeks, weights({{degree, 0, 1}})), "看错了词", "the wrong word");
  is_told(told(seeks, weights({{food, 1, 1}})), "所有的分都是 0", "All scores are 0");
  is_told(told(seeks, -is_food), "正负号反了", "sign is wrong");
  is_told(told(weights({{taste, 0, 1}}), is_food), "只领先 1", "ahead by 1 only");
  is_told(told(weights({{taste, 0, 2}, {degree, 1, 3}}), weights({{food, 0, 1}, {degree, 1, 1}})),
          "无关", "nothing to do with");
}

TEST_CASE("exercise 05: what cannot be multiplied is told kindly") {
  const Tensor good = weights({{food, 0, 1}});
  is_told(told(zeros({2, 5}), good), "横过来", "on its side");
  is_told(told(zeros({4, 2}), good), "(5, d_k)", "(5, d_k)");
  is_told(told(real(3), good), "(5, d_k)", "(5, d_k)");
  is_told(told(ones({5, 3}), good), "3 列", "has 3 columns");
  is_told(told(full({5, 2}, NAN), good), "普通的", "ordinary numbers");
  is_told(told(good, full({5, 2}, 1e200)), "普通的", "ordinary numbers");
  is_told(check_05(
              []() -> Tensor {
                return ones({5, 2}) + ones({3});
              },
              [&] { return good; }),
          "停在这里", "stopped");
}
