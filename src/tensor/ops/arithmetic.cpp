// Sums, products, quotients and powers, element by element; and the choice between two tensors.
// Where an operand was stretched, backward() sums its gradient down again: no rule has to.
#include <cmath>
#include <limits>

#include "attention/core/error.hpp"
#include "attention/core/kernels.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();

// Every pattern of ones and missing axes that two operands can have.
template <class F>
Examples broadcast_examples(F f) {
  const Shape full{2, 3, 4};
  Examples examples;
  for (const Shape& other : {full, Shape{3, 4}, Shape{4}, Shape{}, Shape{1}, Shape{2, 1, 4},
                             Shape{2, 3, 1}, Shape{1, 3, 1}, Shape{2, 1, 1}, Shape{3, 1}}) {
    examples.push_back({f, sample(full, 1), sample(other, real(0.5), 2, 2)});
    examples.push_back({f, sample(other, 3), sample(full, real(0.5), 2, 4)});
  }
  examples.push_back({f, sample(Shape{3, 1}, 5), sample(Shape{1, 4}, real(0.5), 2, 6)});
  examples.push_back({f, sample(Shape{3, 3, 3}, 7), sample(Shape{3, 3, 3}, real(0.5), 2, 8)});
  return examples;
}

struct Add {
  static constexpr auto name = "add";
  Tensor forward(const Tensor& a, const Tensor& b) const {
    return zip(a, b, name, 1, [](real x, real y) { return x + y; });
  }
  Tensors backward(const Link& l) const { return {l.grad, l.grad}; }
  static Examples examples() {
    return broadcast_examples([](const Tensor& a, const Tensor& b) { return a + b; });
  }
};

struct Subtract {
  static constexpr auto name = "subtract";
  Tensor forward(const Tensor& a, const Tensor& b) const {
    return zip(a, b, name, 1, [](real x, real y) { return x - y; });
  }
  Tensors backward(const Link& l) const { return {l.grad, l.wants(1) ? -l.grad : Tensor()}; }
  static Examples examples() {
    return broadcast_examples([](const Tensor& a, const Tensor& b) { return a - b; });
  }
};

struct Multiply {
  static constexpr auto name = "multiply";
  Tensor forward(const Tensor& a, const Tensor& b) const {
    return zip(a, b, name, 1, [](real x, real y) { return x * y; });
  }
  Tensors backward(const Link& l) const {
    return {l.wants(0) ? l.grad * l.in[1] : Tensor(), l.wants(1) ? l.grad * l.in[0] : Tensor()};
  }
  static Examples examples() {
    return broadcast_examples([](const Tensor& a, const Tensor& b) { return a * b; });
  }
};

// d(a/b) = da / b - (a/b) db / b
struct Divide {
  static constexpr auto name = "divide";
  Tensor forward(const Tensor& a, const Tensor& b) const {
    return zip(a, b, name, 4, [](real x, real y) { return x / y; });
  }
  Tensors backward(const Link& l) const {
    const Tensor to_a = l.grad / l.in[1];
    return {to_a, l.wants(1) ? -(to_a * l.out) : Tensor()};
  }
  static Examples examples() {
    return broadcast_examples([](const Tensor& a, const Tensor& b) { return a / b; });
  }
};

struct Negate {
  static constexpr auto name = "negate";
  Tensor forward(const Tensor& x) const {
    return map(x, 1, [](real v) { return -v; });
  }
  Tensors backward(const Link& l) const { return {-l.grad}; }
  static Examples examples() {
    return {{[](const Tensor& x) { return -x; }, sample({2, 3})}};
  }
};

// d(x^p) = p x^(p-1) dx; for p = 0 that is 0, also at x = 0.
struct Power {
  real exponent;
  static constexpr auto name = "pow";
  Tensor forward(const Tensor& x) const {
    if (exponent == 2) return map(x, 1, [](real v) { return v * v; });
    if (exponent == 1) return map(x, 1, [](real v) { return v; });
    if (exponent == 0.5)  // 0 of -0 and inf of -inf, as pow has it
      return map(x, 4, [](real v) { return v == -infinity ? infinity : std::sqrt(v + 0); });
    if (exponent == -1) return map(x, 4, [](real v) { return 1 / v; });
    return map(x, 60, [p = exponent](real v) { return std::pow(v, p); });
  }
  Tensors backward(const Link& l) const {
    if (exponent == 0) return {zeros(l.in[0].shape())};
    return {l.grad * exponent * pow(l.in[0], exponent - 1)};
  }
  static Examples examples() {
    return {{[](const Tensor& x) { return pow(x, real(2.5)); }, sample({2, 3}, real(0.5), 2)},
            {[](const Tensor& x) { return pow(x, -2); }, sample({2, 3}, real(0.5), 2)},
            {[](const Tensor& x) { return pow(x, 3); }, sample({2, 3})}};
  }
};

struct Where {
  Mask mask;
  static constexpr auto name = "where";
  Tensor forward(const Tensor& a, const Tensor& b) const {
    const Shape shape = broadcast(broadcast(a.shape(), b.shape(), name), mask.shape(), name);
    Buffer out(shape.count());
    kernels::where(out.fill(), shape, mask.data(), mask.shape(), a.data(), a.shape(), b.data(),
                   b.shape());
    return Tensor(shape, std::move(out));
  }
  Tensors backward(const Link& l) const {
    return {l.wants(0) ? where(mask, l.grad, 0) : Tensor(),
            l.wants(1) ? where(mask, 0, l.grad) : Tensor()};
  }
  static Examples examples() {
    Examples list = broadcast_examples([](const Tensor& a, const Tensor& b) {
      const Shape shape = broadcast(a.shape(), b.shape(), name);
      return where(greater(sample(shape, 9), 0), a, b);
    });
    const Mask stretched(Shape{2, 1, 4}, {1, 0, 0, 1, 0, 1, 1, 0});
    list.push_back({[=](const Tensor& a, const Tensor& b) { return where(stretched, a, b); },
                    sample(Shape{3, 4}), sample(Shape{2, 3, 1}, 2)});
    return list;
  }
};

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) { return apply(Add{}, a, b); }
Tensor operator-(const Tensor& a, const Tensor& b) { return apply(Subtract{}, a, b); }
Tensor operator*(const Tensor& a, const Tensor& b) { return apply(Multiply{}, a, b); }
Tensor operator/(const Tensor& a, const Tensor& b) { return apply(Divide{}, a, b); }
Tensor operator-(const Tensor& x) { return apply(Negate{}, x); }
Tensor pow(const Tensor& x, real exponent) { return apply(Power{exponent}, x); }

Tensor where(const Mask& mask, const Tensor& a, const Tensor& b) {
  if (!mask.defined()) fail("where: no mask was given; it decides between the two tensors");
  return apply(Where{mask}, a, b);
}

}  // namespace attention
