// The check of exercise 12. The right encoding is not computed by the formula but by turning each
// pair on, step by step, from 0 1 0 1 …
#pragma once

#include <cmath>
#include <complex>
#include <numbers>

#include "exercises/exercise.hpp"

namespace exercise {

namespace exercise_12 {

using attention::real;
using attention::Size;
using attention::Tensor;

inline Tensor turned_on(Size count, Size d, double base) {
  Tensor table = attention::zeros({count, d});
  const double slower = std::pow(base, -2.0 / double(d));  // each pair than the one before
  double angle = 1;
  for (Size i = 0; i < d / 2; ++i, angle *= slower) {
    std::complex<double> hand(1, 0);
    for (Size p = 0; p < count; ++p, hand *= std::polar(1.0, angle)) {
      table.edit()[p * d + 2 * i] = real(hand.imag());
      table.edit()[p * d + 2 * i + 1] = real(hand.real());
    }
  }
  return table;
}

// The formula as somebody may have read it: from position and dimension to the angle, and which
// dimensions are sines.
inline Tensor as_read(Size count, Size d, const std::function<double(double, Size)>& angle,
                      const std::function<bool(Size)>& sine) {
  Tensor table = attention::zeros({count, d});
  for (Size p = 0; p < count; ++p)
    for (Size c = 0; c < d; ++c) {
      const double a = angle(double(p), c);
      table.edit()[p * d + c] = real(sine(c) ? std::sin(a) : std::cos(a));
    }
  return table;
}

inline Diagnosis encodes(const std::function<Tensor(Size, Size, double)>& learner, Size count,
                         Size d, double base) {
  const auto even = [](Size c) { return c % 2 == 0; };
  const auto read = [&](const std::function<double(double, Size)>& angle) {
    return as_read(count, d, angle, even);
  };
  const auto power = [&](double exponent) { return std::pow(base, exponent / double(d)); };
  const auto pair = [](Size c) { return double(c / 2); };
  const Tensor right = turned_on(count, d, base);
  const std::vector<Mistake> mistakes = {
      {read([&](double p, Size c) { return p / power(2.0 * double(c)); }),
       {"后面的维几乎不动，比应有的慢得多：你把第几维当成了 i。i 数的是第几对。",
        "The later dimensions hardly move, far less than they should: you took the dimension for "
        "i. What i counts are pairs."}},
      {read([&](double p, Size c) { return p / power(double(c)); }),
       {"偶数维都对，奇数维慢了：余弦用了自己的指数。一对里的正弦和余弦转得一样快。",
        "Even dimensions are right, odd ones too slow: the cosines have an exponent of their own. "
        "The sine and the cosine of a pair turn alike."}},
      {read([&](double p, Size c) { return p / power(pair(c)); }),
       {"每一对都转得太快，最慢的也只到底数的平方根：指数里少了 2。",
        "Every pair turns too fast, the slowest near the root of the base: the exponent lacks its "
        "2."}},
      {read([](double p, Size) { return p; }),
       {"每一对都一样快，每步 1 弧度：指数成了 0。整数除以整数，小数就没了。",
        "All pairs turn alike, by 1 a step: the exponent is 0. An integer over an integer loses "
        "its fraction."}},
      {read([&](double p, Size c) { return p * power(2 * pair(c)); }),
       {"第 0 对对了，后面的一对比一对快：指数的正负号反了，底数的幂应当在分母里。",
        "Pair 0 is right, but the later ones turn ever faster: the exponent has the wrong sign; "
        "the power belongs below the line."}},
      {read([&](double p, Size c) { return p / base * (2 * pair(c) / double(d)); }),
       {"第 0 对不动了：底数没有做幂，只是乘除。位置除以的是底数的几次方。",
        "Pair 0 stands still: the base was multiplied with or divided by, not raised to a power."}},
      {read([&](double p, Size c) { return p / std::pow(10000.0, 2 * pair(c) / double(d)); }),
       {"这是底数 10000 的编码：你的函数没有用给它的底数。",
        "This is the encoding of base 10000: the base that was given is not used."}},
      {read([&](double p, Size c) { return (p + 1) / power(2 * pair(c)); }),
       {"第一行是 sin 1 cos 1 …：你从位置 1 数起了。位置 0 应当是 0 1 0 1 …",
        "The first row is sin 1 cos 1 …: you count from position 1. Position 0 is 0 1 0 1 …"}},
      {as_read(
           count, d, [&](double p, Size c) { return p / power(2 * pair(c)); },
           [](Size c) { return c % 2 == 1; }),
       {"第一行是 1 0 1 0 …：正弦和余弦换了位置。",
        "The first row is 1 0 1 0 …: sines and cosines have changed places."}},
      {as_read(
           count, d, [&](double p, Size c) { return p / power(2 * pair(c)); },
           [](Size) { return true; }),
       {"第一行全是 0：每一维都成了正弦。奇数维是余弦。",
        "The first row is all zeros: every dimension is a sine. Odd ones are cosines."}},
      {as_read(
           count, d, [&](double p, Size c) { return p / power(2 * double(c % (d / 2))); },
           [&](Size c) { return c < d / 2; }),
       {"数都对，位置不对：你先排完了所有正弦，再排余弦。公式里它们是一对一对挨着的。",
        "The numbers are right, their places are not: first all sines, then all cosines. In the "
        "formula the two of a pair stand side by side."}},
      {attention::transpose(right, 0, 1),
       {"行和列换了：一行是一个位置，一列是一维。",
        "Rows and columns are swapped: a row is a position, a column a dimension."}}};
  bool has_nan = false;
  const auto answer = [&]() -> Tensor {
    const Tensor table = learner(count, d, base);
    if (table.defined() && table.rank() > 0)
      for (Size i = 0; i < table.count(); ++i) has_nan |= std::isnan(table.data()[i]);
    return table;
  };
  const Diagnosis found = diagnose(answer, right, mistakes);
  if (!has_nan) return found;
  return wrong({"有 NaN：有个角成了无穷大。看第 0 对，它的指数是 0；底数的 0 次方可不是 0。",
                "There is a NaN: an angle has become infinite. Look at pair 0, whose exponent is "
                "0; the base to the power of 0 is not 0."});
}

inline Diagnosis turns_slowly(const std::function<double(Size, double)>& learner) {
  constexpr Size d = 10;
  constexpr double base = 50, circle = 2 * std::numbers::pi;
  const auto number = [](double value) { return Tensor(real(value)); };
  // What pair 4 of 5 does in one step, read off the encoding.
  const Tensor one_step = turned_on(2, d, base);
  const double angle = std::atan2(double(one_step.at({1, 8})), double(one_step.at({1, 9})));
  return diagnose(
      [&] { return number(learner(d, base)); }, number(circle / angle),
      {{number(circle * base),
        {"2π 乘底数，那是 i = d/2 的波长，可是没有这一对。i 最大是几？",
         "2π times the base would be the wavelength of i = d/2, but there is no such pair. What "
         "is the largest i?"}},
       {number(1 / angle),
        {"这是转 1 弧度要走的步数。一整圈有几弧度？",
         "That many steps make one radian. How many radians has a full turn?"}},
       {number(angle),
        {"这是每步转多少，不是转一圈要走几步：正好是倒数关系，还差一整圈的弧度。",
         "This is how far it turns in a step; asked is how many steps it takes for a turn."}},
       {number(std::numbers::pi / angle),
        {"半圈只把方向反过来；回到原处要一整圈。",
         "Half a turn only points the other way; coming back takes all of it."}},
       {number(circle),
        {"这是最快的一对。最慢的是另一头那一对。",
         "This is the fastest pair. The slowest is at the other end."}},
       {number(circle * std::pow(base, double(d - 1) / double(d))),
        {"你用了最后一维的编号 d - 1：指数里是 2i，i 数的是对。",
         "You used the number of the last dimension, d - 1: the exponent has 2i, and i counts "
         "pairs."}},
       {number(circle * std::pow(base, double(d / 2 - 1) / double(d))),
        {"指数里少了 2：是 2i 除以 d。", "The exponent lacks its 2: it is 2i over d."}}});
}

inline Diagnosis finds_nearest(const std::function<double(const Tensor&)>& learner,
                               const Tensor& table) {
  const Size n = table.size(0);
  // The position, from `first` on, where a measure is least.
  const auto least = [&](Size first, const std::function<double(Size)>& measure) {
    Size best = first;
    for (Size p = first; p < n; ++p)
      if (measure(p) < measure(best)) best = p;
    return best;
  };
  const auto gap = [&](Size p, Size c) { return double(table.at({p, c}) - table.at({0, c})); };
  const auto over = [&](Size dimensions, const std::function<double(double)>& f) {
    return [&gap, dimensions, f](Size p) {
      double total = 0;
      for (Size c = 0; c < dimensions; ++c) total += f(gap(p, c));
      return total;
    };
  };
  const auto square = [](double x) { return x * x; };
  const Size d = table.size(1), right = least(1, over(d, square));
  const auto number = [](Size value) { return Tensor(real(value)); };
  return diagnose(
      [&] { return Tensor(real(learner(table))); }, number(right),
      {{number(0),
        {"每个位置离自己最近，距离 0：位置 0 不能跟自己比。",
         "Everything is nearest to itself, at a distance of 0: leave position 0 out."}},
       {number(right - 1),
        {"差了一：你从位置 1 开始找，找到的第几个要换回位置。",
         "One too few: your search began at position 1, so the index you found is not yet the "
         "position."}},
       {number(least(1, [&](Size p) { return -over(d, square)(p); })),
        {"这是离得最远的。点积大的才近，距离小的才近。",
         "This is the furthest. Near means a large dot product, or a small distance."}},
       {number(1),
        {"邻居不一定最近：把所有的距离都量一遍。",
         "The neighbour need not be nearest: measure all distances."}},
       {number(least(1, over(2, square))),
        {"你只看了最快的一对：它回到了原处，慢的那一对没有。所有的维都要算。",
         "You looked at the fastest pair alone: it is back, but the slow one is not. All "
         "dimensions count."}},
       {number(least(1, over(d, [](double x) { return x; }))),
        {"你把差直接加了起来：正负会抵消。先平方，或者取绝对值。",
         "You added up the differences with their signs, and they cancel. Take squares, or sizes, "
         "first."}},
       {number(least(1, [&](Size p) { return std::abs(over(d, [](double x) { return x; })(p)); })),
        {"你先加起来再取绝对值：加的时候正负已经抵消了。",
         "You took the size of the sum: by then, the signs have cancelled. Take sizes first."}}});
}

}  // namespace exercise_12

inline Diagnosis check_12(
    const std::function<attention::Tensor(attention::Size, attention::Size, double)>& encoding,
    const std::function<double(attention::Size, double)>& longest_wavelength,
    const std::function<double(const attention::Tensor&)>& nearest_to_0) {
  using namespace exercise_12;
  const Diagnosis found = first_of(
      {[&] { return encodes(encoding, 5, 6, 50); }, [&] { return encodes(encoding, 3, 8, 100); },
       [&] { return turns_slowly(longest_wavelength); },
       [&] { return finds_nearest(nearest_to_0, turned_on(512, 4, 100)); },
       [&] { return finds_nearest(nearest_to_0, turned_on(300, 4, 10000)); }});
  if (found.state != State::right) return found;
  return right(
      {"d = 4、底数 100，位置 377 几乎就是位置 0（距离 0.009）：快的转了 60 圈，慢的正好 6 圈，一"
       "起回来了。底数 10000 时最近的也有 0.242。底数小，慢的针也转得快，没有一根记得住走了多远；"
       "底数太大，多数针又几乎不动。维数多了，100 也分得开，只是最长的波长总不到 628。",
       "With d = 4 and base 100, position 377 is all but position 0 (0.009 away): the fast hand "
       "has made 60 turns, the slow one just 6, and both are back. With base 10000 the nearest is "
       "0.242 away. With a small base even slow hands turn soon, and none remembers a long way; "
       "with a huge one most hardly move. More dimensions keep base 100 apart, too, but no "
       "wavelength reaches 628."});
}

}  // namespace exercise
