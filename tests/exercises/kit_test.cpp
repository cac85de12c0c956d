// What lessons and exercises are made with: numbers, tables that line up, limits, and diagnoses.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "diagnosis.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace exercise;

namespace {

// What f prints.
std::string printed(const std::function<void()>& f) {
  std::fflush(stdout);
  const int before = dup(1);
  std::FILE* file = std::tmpfile();
  dup2(fileno(file), 1);
  f();
  std::fflush(stdout);
  dup2(before, 1);
  close(before);
  std::rewind(file);
  std::string text;
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

const Tensor right_answer = from_values({1, 2, 3, 4, 5, 6}, {2, 3});
const std::vector<Mistake> mistakes{
    {from_values({1, 4, 2, 5, 3, 6}, {2, 3}), {"读错", "misread"}},
    {from_values({2, 4, 6, 8, 10, 12}, {2, 3}), {"两倍", "double"}}};

Diagnosis of(const Tensor& answer) {
  return diagnose([&] { return answer; }, right_answer, mistakes);
}

}  // namespace

TEST_CASE("a number is written as a person would") {
  CHECK(lesson::number(3) == "3");
  CHECK(lesson::number(-0.0) == "0");
  CHECK(lesson::number(0.5) == "0.5");
  CHECK(lesson::number(1.0 / 6) == "0.1667");
  CHECK(lesson::number(2.0 / 3, 2) == "0.67");
  CHECK(lesson::number(1.234e-7) == "1.2e-07");
  CHECK(lesson::number(-std::nan("")) == "nan");
  CHECK(lesson::number(-INFINITY) == "-inf");
}

TEST_CASE("columns of a table line up, a Chinese character counting as two") {
  const std::string text = printed([] {
    lesson::table({{"词", "n"}, {"苹果", "7"}, {"it", "11"}});
  });
  CHECK(text == "\n  词    n\n  苹果  7\n  it    11\n");
}

TEST_CASE("a paragraph is broken to 80 columns, no line beginning with a mark") {
  std::string chinese;
  for (int i = 0; i < 39; ++i) chinese += "词";
  CHECK(printed([&] { lesson::paragraph(chinese + "四五，六"); }) ==
        "\n" + chinese + "四\n五，六\n");
  CHECK(printed([&] { lesson::paragraph(chinese + "四，五"); }) == "\n" + chinese + "\n四，五\n");
  const std::string word(40, 'w');
  CHECK(printed([&] { lesson::paragraph(word + " " + word + " a b"); }) ==
        "\n" + word + "\n" + word + " a b\n");
}

TEST_CASE("a matrix is shown with its points in a line, whole numbers and crumbs as they are") {
  const std::string text = printed([] {
    lesson::show("A", from_values({1, real(0.25), 0, 12, real(-1e-9), 14}, {2, 3}), {"吃", "it"});
  });
  CHECK(text == "\nA (2, 3)\n  吃   1  0.2500   0\n  it  12  0.0000  14\n");
}

TEST_CASE("limits admit what they say, and never a NaN") {
  CHECK(lesson::at_most(2).admits(2));
  CHECK_FALSE(lesson::at_most(2).admits(2.001));
  CHECK(lesson::at_least(2).admits(2));
  CHECK_FALSE(lesson::at_least(2).admits(1.999));
  CHECK(lesson::exactly(2).admits(2));
  CHECK_FALSE(lesson::exactly(2).admits(2.0000001));
  for (const auto& limit : {lesson::at_most(2), lesson::at_least(2), lesson::exactly(2)})
    CHECK_FALSE(limit.admits(std::nan("")));
}

TEST_CASE("the largest difference of two tensors, and other shapes are infinitely far") {
  const Tensor a = from_values({1, 2, 3}), b = from_values({1, 4, 2});
  CHECK(lesson::difference(a, b) == 2);
  CHECK(lesson::difference(a, reshape(a, {1, 3})) == INFINITY);
  CHECK(std::isnan(
      lesson::difference(a, from_values({1, std::numeric_limits<real>::quiet_NaN(), 3}))));
}

TEST_CASE("a diagnosis knows the right answer, each mistake, and what is neither") {
  passes(of(right_answer));
  is_to_do(of(Tensor()));
  is_told(of(mistakes[0].gives), "读错", "misread");
  is_told(of(mistakes[1].gives), "两倍", "double");
  is_told(of(reshape(right_answer, {3, 2})), "形状是 (3, 2)，应当是 (2, 3)",
          "it should have (2, 3)");
  is_told(of(from_values({1, 2, 3, 4, 7, 6}, {2, 3})), "在 (1, 1) 处，你的结果是 7，应当是 5",
          "At (1, 1) your result is 7; it should be 5");
  is_told(diagnose([]() -> Tensor { fail("no way: {}", 3); }, right_answer, mistakes),
          "停在这里：no way: 3", "stopped: no way: 3");
  is_told(diagnose([] { return Tensor(real(4)); }, Tensor(real(5)), {}), "你的结果是 4，应当是 5",
          "Your result is 4; it should be 5");
}

TEST_CASE("of several parts the first that is not right is told") {
  const auto part = [](State state, const char* text) {
    return [=] { return Diagnosis{state, {text, text}}; };
  };
  CHECK(first_of({part(State::right, "a"), part(State::right, "b")}).text.en == "b");
  CHECK(first_of({part(State::right, "a"), part(State::wrong, "b"), part(State::todo, "c")})
            .text.en == "b");
}

TEST_CASE("an exercise says how it stands by its exit code, in the language that is asked for") {
  char name[] = "exercise", option[] = "--lang", zh[] = "zh", fr[] = "fr";
  const auto run = [&](char* language, const Diagnosis& diagnosis, int code) {
    char* arguments[] = {name, option, language};
    return printed([&] { CHECK(report(3, arguments, [&] { return diagnosis; }) == code); });
  };
  CHECK_THAT(run(zh, right({"好", "good"}), 0), Catch::Contains("对了") && Catch::Contains("好"));
  CHECK_THAT(run(zh, wrong({"差", "bad"}), 1), Catch::Contains("还不对") && Catch::Contains("差"));
  CHECK_THAT(run(zh, still_to_do({}), 2), Catch::Contains("到你了"));
  CHECK(run(fr, right({}), 2).empty());
}
