#include <cmath>
#include <numbers>

#include "exercises/checks/12_sinusoids.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

using Angle = std::function<double(double p, double c, double d, double base)>;

// An encoding whose angles and order are given.
auto written(
    const Angle& angle,
    const std::function<bool(Size, Size)>& sine = [](Size c, Size) { return c % 2 == 0; }) {
  return [=](Size count, Size d, double base) {
    std::vector<real> values;
    for (Size p = 0; p < count; ++p)
      for (Size c = 0; c < d; ++c) {
        const double a = angle(double(p), double(c), double(d), base);
        values.push_back(real(sine(c, d) ? std::sin(a) : std::cos(a)));
      }
    return from_values(values, {count, d});
  };
}

double pair(double c) { return std::floor(c / 2); }
double formula(double p, double c, double d, double base) {
  return p / std::pow(base, 2 * pair(c) / d);
}

double slowest(Size d, double base) {
  return 2 * std::numbers::pi * std::pow(base, double(d - 2) / double(d));
}

Tensor squares(const Tensor& table) { return sum(pow(table - slice(table, 0, 0, 1), 2), 1); }
double nearest(const Tensor& table) {
  return argmax(-slice(squares(table), 0, 1, table.size(0)), 0).ids[0] + 1;
}

Diagnosis encoded(const std::function<Tensor(Size, Size, double)>& learner) {
  return check_12(learner, slowest, nearest);
}
Diagnosis turned(const std::function<double(Size, double)>& learner) {
  return check_12(written(formula), learner, nearest);
}
Diagnosis found(const std::function<double(const Tensor&)>& learner) {
  return check_12(written(formula), slowest, learner);
}

}  // namespace

TEST_CASE("exercise 12: the formula, the wavelength and the nearest pass") {
  passes(encoded(written(formula)));
}

TEST_CASE("exercise 12: untouched, it is still to do") {
  is_to_do(encoded([](Size, Size, double) -> Tensor { return todo; }));
  is_to_do(turned([](Size, double) -> double { return todo; }));
  is_to_do(found([](const Tensor&) -> double { return todo; }));
}

TEST_CASE("exercise 12: each misreading of the formula is told by name") {
  const auto told = [](const Angle& angle, const std::string& zh, const std::string& en) {
    is_told(encoded(written(angle)), zh, en);
  };
  told([](double p, double c, double d, double b) { return p / std::pow(b, 2 * c / d); },
       "你把第几维当成了 i", "took the dimension for i");
  told([](double p, double c, double d, double b) { return p / std::pow(b, c / d); },
       "余弦用了自己的指数", "exponent of their own");
  told([](double p, double c, double d, double b) { return p / std::pow(b, pair(c) / d); },
       "每一对都转得太快", "Every pair turns too fast");
  told([](double p, double c, double d,
          double b) { return p / std::pow(b, 2 * Size(pair(c)) / Size(d)); },
       "整数除以整数", "integer over an integer");
  told([](double p, double c, double d, double b) { return p * std::pow(b, 2 * pair(c) / d); },
       "正负号反了", "wrong sign");
  told([](double p, double c, double d, double b) { return p / b * (2 * pair(c) / d); },
       "底数没有做幂", "not raised to a power");
  told([](double p, double c, double d, double b) { return p / (b * (2 * pair(c) / d)); }, "有 NaN",
       "There is a NaN");
  told([](double p, double c, double d, double) { return formula(p, c, d, 10000); },
       "没有用给它的底数", "is not used");
  told([](double p, double c, double d, double b) { return formula(p + 1, c, d, b); },
       "从位置 1 数起", "count from position 1");
}

TEST_CASE("exercise 12: each wrong order of the dimensions is told by name") {
  is_told(encoded(written(formula, [](Size c, Size) { return c % 2 == 1; })), "换了位置",
          "changed places");
  is_told(encoded(written(formula, [](Size, Size) { return true; })), "每一维都成了正弦",
          "every dimension is a sine");
  is_told(encoded(written([](double p, double c, double d,
                             double b) { return p / std::pow(b, 2 * std::fmod(c, d / 2) / d); },
                          [](Size c, Size d) { return c < d / 2; })),
          "先排完了所有正弦", "first all sines");
  is_told(encoded([](Size count, Size d, double b) {
            return transpose(written(formula)(count, d, b), 0, 1);
          }),
          "行和列换了", "Rows and columns are swapped");
  is_told(encoded([](Size count, Size d, double) { return zeros({count}) + zeros({d}); }),
          "停在这里", "stopped");
}

TEST_CASE("exercise 12: each wrong wavelength is told by name") {
  constexpr double pi = std::numbers::pi;
  is_told(turned([](Size, double b) { return 2 * pi * b; }), "没有这一对", "no such pair");
  is_told(turned([](Size d, double b) { return slowest(d, b) / 2 / pi; }), "1 弧度", "one radian");
  is_told(turned([](Size d, double b) { return 2 * pi / slowest(d, b); }), "每步转多少",
          "how far it turns");
  is_told(turned([](Size d, double b) { return slowest(d, b) / 2; }), "半圈", "Half a turn");
  is_told(turned([](Size, double) { return 2 * pi; }), "最快的一对", "fastest pair");
  is_told(turned([](Size d, double b) { return 2 * pi * std::pow(b, double(d - 1) / double(d)); }),
          "最后一维的编号", "the last dimension");
  is_told(
      turned([](Size d, double b) { return 2 * pi * std::pow(b, double(d / 2 - 1) / double(d)); }),
      "少了 2", "lacks its 2");
}

TEST_CASE("exercise 12: each wrong search is told by name") {
  using T = const Tensor&;
  const auto gaps = [](T t) -> Tensor { return sum(t - slice(t, 0, 0, 1), 1); };
  const auto least = [](const Tensor& measure) {  // but for position 0
    return double(argmax(-slice(measure, 0, 1, measure.size(0)), 0).ids[0] + 1);
  };
  is_told(found([](T t) { return double(argmax(-squares(t), 0).ids[0]); }), "跟自己比",
          "nearest to itself");
  is_told(found([](T t) { return nearest(t) - 1; }), "差了一", "One too few");
  is_told(found([&](T t) { return least(-squares(t)); }), "离得最远", "the furthest");
  is_told(found([](T) { return 1.0; }), "邻居不一定", "neighbour need not");
  is_told(found([&](T t) { return nearest(slice(t, 1, 0, 2)); }), "只看了最快的一对",
          "fastest pair alone");
  is_told(found([&](T t) { return least(gaps(t)); }), "差直接加了起来", "with their signs");
  is_told(found([&](T t) { return least(sqrt(gaps(t) * gaps(t))); }), "先加起来再取绝对值",
          "the size of the sum");
}
