#include "exercise.hpp"

#include <cmath>

#include "../language.hpp"

namespace exercise {
namespace {

using attention::Size;
using attention::Tensor;

bool near(double x, double y, double tolerance) {
  if (!std::isfinite(y)) return x == y;
  return std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y));
}

bool same(const Tensor& a, const Tensor& b, double tolerance) {
  if (a.shape() != b.shape()) return false;
  for (Size i = 0; i < a.count(); ++i)
    if (!near(a.data()[i], b.data()[i], tolerance)) return false;
  return true;
}

std::string place(Size flat, const attention::Shape& shape) {
  std::string text;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    text = fmt::format("{}{}{}", flat % shape[axis], text.empty() ? "" : ", ", text);
    flat /= shape[axis];
  }
  return "(" + text + ")";
}

Diagnosis first_difference(const Tensor& answer, const Tensor& right, double tolerance) {
  if (answer.shape() != right.shape())
    return wrong({fmt::format("你的结果形状是 {}，应当是 {}。", answer.shape(), right.shape()),
                  fmt::format("Your result has the shape {}; it should have {}.", answer.shape(),
                              right.shape())});
  for (Size i = 0; i < answer.count(); ++i) {
    const double x = answer.data()[i], y = right.data()[i];
    if (near(x, y, tolerance)) continue;
    if (answer.rank() == 0)
      return wrong(
          {fmt::format("你的结果是 {:.6g}，应当是 {:.6g}。这不是常见的错误：逐步手算一遍。", x, y),
           fmt::format("Your result is {:.6g}; it should be {:.6g}. This is none of the "
                       "usual mistakes: go through it with a pencil.",
                       x, y)});
    const std::string where = place(i, answer.shape());
    return wrong(
        {fmt::format(
             "在 {} 处，你的结果是 {:.6g}，应当是 {:.6g}。这不是常见的错误：用这一个数手算一遍。",
             where, x, y),
         fmt::format("At {} your result is {:.6g}; it should be {:.6g}. This is none of the usual "
                     "mistakes: work this one number out with a pencil.",
                     where, x, y)});
  }
  return {State::right, {}};
}

}  // namespace

Diagnosis still_to_do(const Words& what) { return {State::todo, what}; }
Diagnosis right(const Words& why_it_matters) { return {State::right, why_it_matters}; }
Diagnosis wrong(const Words& why) { return {State::wrong, why}; }
Diagnosis stopped(const std::exception& error) {
  return wrong({fmt::format("你的代码停在这里：{}", error.what()),
                fmt::format("Your code stopped: {}", error.what())});
}

Diagnosis diagnose(const std::function<Tensor()>& answer, const Tensor& right,
                   const std::vector<Mistake>& mistakes, double tolerance) {
  Tensor given;
  try {
    given = answer();
  } catch (const std::exception& error) {
    return stopped(error);
  }
  if (!given.defined() || (given.rank() == 0 && std::isnan(given.item()))) return still_to_do({});
  if (same(given, right, tolerance)) return {State::right, {}};
  for (const Mistake& mistake : mistakes)
    if (same(given, mistake.gives, tolerance)) return wrong(mistake.name);
  return first_difference(given, right, tolerance);
}

Diagnosis first_of(const std::vector<std::function<Diagnosis()>>& parts) {
  Diagnosis last;
  for (const auto& part : parts) {
    last = part();
    if (last.state != State::right) break;
  }
  return last;
}

int report(int argc, char** argv, const std::function<Diagnosis()>& check) {
  CLI::App app("练习 · exercise");
  std::string language = lesson::system_language();
  lesson::add_language(app, language);
  if (const int code = lesson::read_arguments(app, argc, argv); code >= 0) return code;
  const bool zh = language == "zh";
  const auto say = [zh](const char* chinese, const char* english, const Words& words) {
    const std::string& text = zh ? words.zh : words.en;
    fmt::print("{}{}{}\n", zh ? chinese : english, text.empty() ? "" : "\n", text);
  };
  const Diagnosis diagnosis = check();
  switch (diagnosis.state) {
    case State::todo:
      say("还没有写完：在这个文件里找到“到你了”，把它补上，再运行一次。",
          "Still to do: find \"your turn\" in the exercise's file, fill it in and run it again.",
          diagnosis.text);
      return 2;
    case State::wrong:
      say("还不对。", "Not yet.", diagnosis.text);
      return 1;
    case State::right:
      say("对了！", "Right!", diagnosis.text);
      return 0;
  }
  return 1;
}

}  // namespace exercise
