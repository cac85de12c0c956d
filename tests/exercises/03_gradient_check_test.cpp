#include "exercises/checks/03_gradient_check.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

std::string the_one_that_fails() {
  for (const char* letter : {"A", "B", "C", "D"})
    if (!gradcheck(candidate(letter), input(letter))) return letter;
  return "";
}

Diagnosis with_letter(const std::string& letter) {
  return check_03([&] { return letter; }, [] { return -0.03125; });
}
Diagnosis with_number(double number) {
  return check_03(the_one_that_fails, [=] { return number; });
}

}  // namespace

TEST_CASE("exercise 03: gradcheck finds the rule, a pencil the number") {
  passes(with_number(-2.0 / 64));
}

TEST_CASE("exercise 03: of the four rules, one is wrong") {
  int wrong_ones = 0;
  for (const char* letter : {"A", "B", "C", "D"})
    wrong_ones += !gradcheck(candidate(letter), input(letter)).passed;
  CHECK(wrong_ones == 1);
}

TEST_CASE("exercise 03: untouched, or with the letter alone, it is still to do") {
  const auto no_number = []() -> double { return todo; };
  is_to_do(check_03([]() -> std::string { return todo; }, no_number));
  const Diagnosis half = check_03(the_one_that_fails, no_number);
  is_to_do(half);
  CHECK_THAT(half.text.en, Catch::Contains("Now for the number"));
}

TEST_CASE("exercise 03: who names a rule that is right is told why it is") {
  is_told(with_letter("A"), "藏在 y 里", "that is in y");
  is_told(with_letter("B"), "用几次就加几次", "so many times");
  is_told(with_letter("D"), "没有 x", "no x in it");
  is_told(with_letter("E"), "不是四个字母", "none of the four");
}

TEST_CASE("exercise 03: each mistake in the number is told by name") {
  is_told(with_number(0), "错的规则给的数", "what the wrong rule says");
  is_told(with_number(2.0 / 64), "符号反了", "the sign is not");
  is_told(with_number(6.0 / 64), "第二个输入", "second input");
  is_told(with_number(3.0 / 64), "y₃ 对 x₃", "y₃ by x₃");
  is_told(with_number(-5.0 / 64), "不是 5", "not 5");
  is_told(with_number(-2.0 / 8), "少了一个平方", "square is missing");
  is_told(with_number(-1.0 / 64), "那个 2 还在", "2 is still there");
}

TEST_CASE(
    "exercise 03: another number is told where to look, not the answer, and so is what throws") {
  const Diagnosis strange = with_number(0.5);
  is_told(strange, "x₃ 从 5 变到 5.01", "from 5 to 5.01");
  CHECK_THAT(strange.text.en, !Catch::Contains("0.031"));
  is_told(check_03([] { return candidate("Z"), "C"; }, [] { return 0.0; }), "停在这里",
          "stopped: exercise: there is no op Z");
}
