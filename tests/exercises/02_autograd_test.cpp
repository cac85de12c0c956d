#include "exercises/checks/02_autograd.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

TEST_CASE("exercise 02: the rule of tanh passes") {
  passes(check_02([](auto&, auto& y, auto& grad) { return grad * (1 - y * y); }));
  passes(check_02([](auto& x, auto&, auto& grad) {  // from x, in other words
    return grad * 4 / pow(exp(x) + exp(-x), 2);
  }));
}

TEST_CASE("exercise 02: untouched, it is still to do") {
  is_to_do(check_02([](auto&, auto&, auto&) -> Tensor { return todo; }));
}

TEST_CASE("exercise 02: each mistake is told by name") {
  const auto told = [](const TanhRule& rule, const char* zh, const char* en) {
    is_told(check_02(rule), zh, en);
  };
  told([](auto& x, auto&, auto& g) { return g * (1 - x * x); }, "用了输入 x", "used the input x");
  told([](auto&, auto& y, auto&) { return 1 - y * y; }, "grad 没有用上", "grad has not been used");
  told([](auto&, auto& y, auto& g) { return g + (1 - y * y); }, "加在一起", "added to grad");
  told([](auto&, auto& y, auto& g) { return g * (1 - y); }, "少了一个平方", "square is missing");
  told([](auto&, auto& y, auto& g) { return g * (1 + y * y); }, "斜率到处都大于 1", "slope of tan");
  told([](auto&, auto& y, auto& g) { return g * (y * y - 1); }, "差了一个负号", "wrong sign");
  told([](auto&, auto& y, auto& g) { return g * y * (1 - y); }, "sigmoid", "rule of sigmoid");
  told([](auto&, auto& y, auto& g) { return g * (1 - tanh(y) * tanh(y)); }, "又做了一次",
       "once more");
  told([](auto&, auto& y, auto& g) { return g * y; }, "exp 的规则", "rule of exp");
  told([](auto&, auto& y, auto& g) { return sum(g * (1 - y * y)); }, "加成了一个", "six numbers");
}

TEST_CASE("exercise 02: two mistakes at once are both told") {
  is_told(check_02([](auto& x, auto&, auto&) { return 1 - x * x; }), "grad 也没有用上",
          "Besides, the grad");
}

TEST_CASE("exercise 02: what fits no mistake, and what throws, is told as it is") {
  is_told(check_02([](auto&, auto& y, auto& g) { return g * (1 - y * y) / 2; }), "在 (0, 0) 处",
          "At (0, 0)");
  is_told(check_02([](auto& x, auto&, auto&) { return matmul(x, x); }), "停在这里", "stopped");
}
