#include "exercises/checks/18_your_own_op.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

template <class Op>
Examples examples_of() {
  return {{[](const Tensor& x) { return apply(Op{}, x); }, sample({2, 3})}};
}

struct Swish {
  static constexpr auto name = "swish";
  Tensor forward(const Tensor& x) const { return x * sigmoid(x); }
  Tensors backward(const Link& l) const {
    const Tensor s = sigmoid(l.in[0]);
    return {l.grad * (s + l.in[0] * s * (1 - s))};
  }
  static Examples examples() { return examples_of<Swish>(); }
};

// The values of the slope, without a history.
Tensor bare_slope(const Link& l) {
  const Tensor s = sigmoid(l.in[0]);
  return (s + l.in[0] * s * (1 - s)).detach();
}

struct Broken : Swish {
  Tensors backward(const Link& l) const { return {l.grad * bare_slope(l)}; }
  static Examples examples() { return examples_of<Broken>(); }
};

// Made of functions without state: forward(x), and backward(l, x, s) with s = sigmoid(x).
template <auto function>
struct WithForward : Swish {
  Tensor forward(const Tensor& x) const { return function(x); }
};
template <auto rule>
struct WithRule : Swish {
  Tensors backward(const Link& l) const { return {rule(l, l.in[0], sigmoid(l.in[0]))}; }
};

template <auto function>
Diagnosis forward_of() {
  return check_18<WithForward<function>, Broken>();
}
template <auto rule>
Diagnosis rule_of() {
  return check_18<WithRule<rule>, Broken>();
}
template <auto rule>
Diagnosis broken_rule_of() {
  return check_18<Swish, WithRule<rule>>();
}
using T = const Tensor&;
using L = const Link&;

}  // namespace

TEST_CASE("exercise 18: swish and its broken twin pass") { passes(check_18<Swish, Broken>()); }

TEST_CASE("exercise 18: untouched, it is still to do") {
  is_to_do(forward_of<[](T) -> Tensor { return todo; }>());
  is_to_do(rule_of<[](L, T, T) -> Tensor { return todo; }>());
  is_to_do(broken_rule_of<[](L, T, T) -> Tensor { return todo; }>());
}

TEST_CASE("exercise 18: each mistake of forward is told by name") {
  is_told(forward_of<[](T x) { return sigmoid(x); }>(), "少乘了 x", "multiplied by x");
  is_told(forward_of<[](T x) { return x / (1 + exp(x)); }>(), "符号反了", "turned round");
  is_told(forward_of<[](T x) { return x * tanh(x); }>(), "tanh", "tanh");
}

TEST_CASE("exercise 18: each mistake of backward is told by name") {
  is_told(rule_of<[](L, T x, T s) { return s + x * s * (1 - s); }>(), "少乘了上游",
          "what arrives is missing");
  is_told(rule_of<[](L l, T, T s) { return l.grad * s; }>(), "你只有一项", "you have one");
  is_told(rule_of<[](L l, T x, T s) { return l.grad * x * s * (1 - s); }>(), "只有后一项",
          "the second one only");
  is_told(rule_of<[](L l, T, T s) { return l.grad * s * (1 - s); }>(), "sigmoid 的梯度",
          "gradient of sigmoid");
  is_told(rule_of<[](L l, T x, T) { return l.grad * (l.out + x * l.out * (1 - l.out)); }>(),
          "当成了 sigmoid", "for sigmoid(x)");
  is_told(rule_of<[](L l, T, T) { return l.grad * l.out; }>(), "多陡", "how steep");
  is_told(rule_of<[](L l, T, T) { return l.grad * bare_slope(l); }>(), "一阶对，二阶不对",
          "wrong at second");
  is_told(rule_of<[](L l, T x, T s) {
            return map(l.grad * (s + x * s * (1 - s)), 1, [](real v) { return v; });
          }>(),
          "一阶对，二阶不对", "wrong at second");
  is_told(rule_of<[](L l, T x, T) {
            const Tensor s = l.out / x;
            return l.grad * (s + x * s * (1 - s));
          }>(),
          "除以了 x", "divided by x");
  is_told(rule_of<[](L l, T, T) { return reshape(l.grad, {3, 2}); }>(), "形状", "shape");
  is_told(rule_of<[](L l, T, T) { return matmul(l.grad, l.grad); }>(), "你的代码停在这里",
          "Your code stopped");
}

TEST_CASE("exercise 18: what is not broken, or too much, is told") {
  is_told(broken_rule_of<[](L l, T x, T s) { return l.grad * (s + x * s * (1 - s)); }>(),
          "还没有坏", "not broken yet");
  is_told(broken_rule_of<[](L l, T, T s) { return l.grad * s; }>(), "BrokenSwish：乘积",
          "BrokenSwish: The slope of a product");
}
