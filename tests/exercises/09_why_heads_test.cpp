#include "exercises/checks/09_why_heads.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

using Rows = std::vector<std::vector<real>>;

const std::vector<int> counted = {1, 2, 3, 1, 1};

Diagnosis given(const Rows& rows) {
  return check_09(
      [&] {
        std::vector<real> values;
        for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
        return from_values(values, {Size(rows.size()), Size(rows[0].size())});
      },
      [] { return counted; });
}

Diagnosis foreseen(const std::vector<int>& list) {
  return check_09([] { return identity(3); }, [&] { return list; });
}

}  // namespace

TEST_CASE("exercise 09: three heads that look at three places pass, sharply or not") {
  passes(given({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  passes(given({{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}));
  passes(given({{0.6, 0.2, 0.2}, {0.2, 0.6, 0.2}, {0.2, 0.2, 0.6}}));
}

TEST_CASE("exercise 09: untouched, it is still to do") {
  is_to_do(check_09([]() -> Tensor { return todo; }, [] { return counted; }));
  is_to_do(check_09([] { return identity(3); }, []() -> std::vector<int> { return todo; }));
}

TEST_CASE("exercise 09: each wrong set of weights is told by name") {
  const real third = real(1) / 3;
  is_told(given({{1, 0, 0}, {0, 0.5, 0.5}}), "2 个头不够", "2 heads do not suffice");
  is_told(given({{1, 0, 0}, {0, 1, 0}, {0, 1, 0}}), "头 1 和头 2 看得一模一样",
          "Heads 1 and 2 look just alike");
  is_told(given({{third, third, third}, {third, third, third}, {third, third, third}}),
          "每个头都平分", "All heads look evenly");
  is_told(given({{1, 0, 0}, {0, 2, 0}, {0, 0, 1}}), "每一行之和应当是 1",
          "Each row has to sum to 1");
  is_told(given({{0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 1}}), "列之和是 1", "columns sum to 1");
  is_told(given({{1.5, -0.5, 0}, {0, 1, 0}, {0, 0, 1}}), "不会小于 0", "never below 0");
  is_told(given({{1, 0, 0}, {0, 1, 0}, {0.75, 0.25, 0}}), "没有一个头看位置 2",
          "No head looks at place 2");
  is_told(given({{1, 0, 0}, {0, 0.5, 0.5}, {0.5, 0.25, 0.25}}), "另外两行调出来的",
          "a mix of the other two");
  is_told(given({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {third, third, third}}), "4 个头太多",
          "4 heads are more");
  is_told(given({{1, 0}, {0, 1}}), "形状是 (2, 2)", "the shape (2, 2)");
  const real more = third + real(2e-5), less = third - real(1e-5);
  is_told(given({{more, less, less}, {less, more, less}, {less, less, more}}), "太相近",
          "too much alike");
  is_told(check_09([] { return matmul(identity(3), identity(2)); }, [] { return counted; }),
          "停在这里", "stopped");
}

TEST_CASE("exercise 09: each wrong number of heads is told by what it overlooks") {
  is_told(foreseen({2, 2, 3, 1, 1}), "一个头全看着它", "looks at nothing else");
  is_told(foreseen({1, 3, 3, 1, 1}), "没人问的位置", "where nothing is asked");
  is_told(foreseen({1, 1, 3, 1, 1}), "第 2 个任务", "task 2 first");
  is_told(foreseen({1, 2, 2, 1, 1}), "三件事在三个位置", "Three things at three places");
  is_told(foreseen({1, 2, 3, 2, 1}), "数位置", "Count places");
  is_told(foreseen({1, 2, 3, 1, 3}), "只要名单", "only the list");
  is_told(foreseen({1, 2}), "你给了 2 个", "you gave 2");
}
