#include "exercises/checks/01_tensors.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

const std::vector<Shape> solution = {{5, 5}, {3, 4, 2}, {2, 1, 4}, {5, 2, 3}, {6, 7}, {2, 5, 3, 6}};

// The solution, but for the prediction of this number.
Diagnosis with(int number, const Shape& shape) {
  std::vector<Shape> answers = solution;
  answers.at(number - 1) = shape;
  return check_01([&] { return answers; });
}

}  // namespace

TEST_CASE("exercise 01: the six shapes pass") {
  passes(check_01([] { return solution; }));
}

TEST_CASE("exercise 01: untouched or half done, it is still to do") {
  is_to_do(check_01([]() -> std::vector<Shape> { return todo; }));
  const Diagnosis half = with(3, {0});
  is_to_do(half);
  CHECK_THAT(half.text.en, Catch::Contains("2 right so far; number 3"));
}

TEST_CASE("exercise 01: each misreading is told by name, and of which prediction") {
  is_told(with(1, {5, 1}), "靠左对齐", "Number 1, you predict (5, 1). You lined");
  is_told(with(1, {5}), "轴消失", "of size 1 vanish");
  is_told(with(2, {3, 6, 2}), "照搬", "Number 2, you predict (3, 6, 2). You carried over");
  is_told(with(2, {3, 5, 2}), "和不变", "kept the sum");
  is_told(with(2, {3, 24, 2}), "全部的数", "24 is all");
  is_told(with(3, {2, 4}), "忘了 keep", "forgot keep");
  is_told(with(3, {2, 3, 1}), "从前面数", "from the front");
  is_told(with(3, {1, 3, 4}), "多数了一个", "one too many");
  is_told(with(4, {3, 5, 2}), "倒过来读", "backwards");
  is_told(with(4, {5, 3, 2}), "整个倒了过来", "turned the whole shape");
  is_told(with(5, {4, 4}), "里外弄反", "Inner and outer");
  is_told(with(5, {7, 6}), "次序反了", "order is swapped");
  is_told(with(5, {7, 4}), "忘了 transpose_b", "forgot transpose_b");
  is_told(with(6, {5, 1, 3, 6}), "2 和 5 对不上", "where 2 meets 5");
  is_told(with(6, {2, 1, 3, 6}), "5 不见了", "The 5 is gone");
  is_told(with(6, {10, 3, 6}), "乘在了一起", "merged the leading axes");
}

TEST_CASE("exercise 01: what no misreading explains is told the rule, never the answer") {
  const Diagnosis strange = with(5, {1, 2, 3});
  is_told(strange, "划掉中间", "strike out");
  CHECK_THAT(strange.text.en, !Catch::Contains("(6, 7)"));
}

TEST_CASE("exercise 01: too few shapes, and what is no shape, stop nothing") {
  is_told(check_01([] { return std::vector<Shape>{{5, 5}, {3, 4, 2}}; }), "你写了 2 个", "gave 2");
  is_told(check_01([] {
            return std::vector<Shape>(6, Shape{3, -1, 2});
          }),
          "不是一个形状", "not a shape: shape: a size is negative");
}
