// Functions of one number, each with its derivative right under it. A derivative is written with
// tensors, so it can be differentiated again.
#include <cmath>
#include <numbers>
#include <utility>

#include "attention/core/math.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

constexpr real inverse_sqrt_2 = real(1 / std::numbers::sqrt2);
constexpr real two_over_sqrt_pi = real(2 * std::numbers::inv_sqrtpi);
constexpr real sqrt_2_over_pi = real(std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
constexpr real cubic = real(0.044715);

// A fused rule: f of each element of the input and of the gradient, which have one shape. That is
// one loop, so f is inlined however long it is, and the loop runs in vectors.
template <class F>
Tensors each_slope(const Link& l, Size cost, F f) {
  const Tensor& x = l.in[0];
  Buffer out(x.count());
  kernels::zip(out.fill(), x.data(), l.grad.data(), x.count(), cost, f);
  return {Tensor(x.shape(), std::move(out))};
}

struct Exp {
  static constexpr auto name = "exp";
  Tensor forward(const Tensor& x) const {
    return map(x, 10, [](real v) { return math::exp(v); });
  }
  Tensors backward(const Link& l) const { return {l.grad * l.out}; }
  static Examples examples() { return {{exp, sample({2, 3})}}; }
};

struct Log {
  static constexpr auto name = "log";
  Tensor forward(const Tensor& x) const {
    return map(x, 60, [](real v) { return std::log(v); });
  }
  Tensors backward(const Link& l) const { return {l.grad / l.in[0]}; }
  static Examples examples() { return {{log, sample({2, 3}, real(0.5), 2)}}; }
};

struct Sqrt {
  static constexpr auto name = "sqrt";
  Tensor forward(const Tensor& x) const {
    return map(x, 4, [](real v) { return std::sqrt(v); });
  }
  Tensors backward(const Link& l) const { return {l.grad * real(0.5) / l.out}; }
  static Examples examples() { return {{sqrt, sample({2, 3}, real(0.5), 2)}}; }
};

struct Tanh {
  static constexpr auto name = "tanh";
  Tensor forward(const Tensor& x) const {
    return map(x, 12, [](real v) { return math::tanh(v); });
  }
  Tensors backward(const Link& l) const { return {l.grad * (1 - l.out * l.out)}; }
  static Examples examples() { return {{tanh, sample({2, 3})}}; }
};

struct Sigmoid {
  static constexpr auto name = "sigmoid";
  Tensor forward(const Tensor& x) const {
    return map(x, 12, [](real v) { return 1 / (1 + math::exp(-v)); });
  }
  Tensors backward(const Link& l) const { return {l.grad * l.out * (1 - l.out)}; }
  static Examples examples() { return {{sigmoid, sample({2, 3})}}; }
};

struct Relu {
  static constexpr auto name = "relu";
  Tensor forward(const Tensor& x) const {
    return map(x, 1, [](real v) { return v > 0 || v != v ? v : 0; });  // NaN stays NaN
  }
  Tensors backward(const Link& l) const { return {where(greater(l.out, 0), l.grad, 0)}; }
  static Examples examples() { return {{relu, sample({3, 5})}}; }
};

struct Erf {
  static constexpr auto name = "erf";
  Tensor forward(const Tensor& x) const {
    return map(x, 18, [](real v) { return math::erf(v); });
  }
  Tensors backward(const Link& l) const {
    return {l.grad * two_over_sqrt_pi * exp(-(l.in[0] * l.in[0]))};
  }
  static Examples examples() { return {{erf, sample({2, 3})}}; }
};

// (x Φ(x))' = Φ(x) + x φ(x), where φ = Φ' is the density exp(-x²/2) / sqrt(2π).
struct Gelu {
  static constexpr auto name = "gelu";
  Tensor forward(const Tensor& x) const {
    return map(x, 20, [](real v) { return v / 2 * (1 + math::erf(v * inverse_sqrt_2)); });
  }
  Tensors backward(const Link& l) const { return recording() ? formula(l) : fused(l); }

  static Tensors formula(const Link& l) {
    const Tensor& x = l.in[0];
    const Tensor distribution = (1 + erf(x * inverse_sqrt_2)) / 2;
    const Tensor density = exp(x * x * real(-0.5)) * (sqrt_2_over_pi / 2);
    return {l.grad * (distribution + x * density)};
  }
  static Tensors fused(const Link& l) {
    return each_slope(l, 35, [](real x, real g) {
      const real distribution = (1 + math::erf(x * inverse_sqrt_2)) / 2;
      const real density = math::exp(x * x * real(-0.5)) * (sqrt_2_over_pi / 2);
      return g * math::fma(x, density, distribution);
    });
  }
  static Examples examples() { return {{gelu, sample({3, 5})}}; }
};

// With t = tanh(u), u = sqrt(2/π) (x + c x³): (x (1 + t) / 2)' = (1 + t) / 2 + x (1 - t²) u' / 2.
struct GeluTanh {
  static constexpr auto name = "gelu_tanh";
  Tensor forward(const Tensor& x) const {
    return map(x, 15, [](real v) {
      return v / 2 * (1 + math::tanh(sqrt_2_over_pi * (v + cubic * v * v * v)));
    });
  }
  Tensors backward(const Link& l) const { return recording() ? formula(l) : fused(l); }

  static Tensors formula(const Link& l) {
    const Tensor& x = l.in[0];
    const Tensor square = x * x;
    const Tensor t = tanh(sqrt_2_over_pi * (x + cubic * square * x));
    const Tensor slope = sqrt_2_over_pi * (1 + 3 * cubic * square);
    return {l.grad * ((1 + t) + x * (1 - t * t) * slope) / 2};
  }
  static Tensors fused(const Link& l) {
    return each_slope(l, 18, [](real x, real g) {
      const real t = math::tanh(sqrt_2_over_pi * (x + cubic * x * x * x));
      const real slope = sqrt_2_over_pi * (1 + 3 * cubic * x * x);
      return g * ((1 + t) + x * (1 - t * t) * slope) / 2;
    });
  }
  static Examples examples() { return {{gelu_tanh, sample({3, 5})}}; }
};

}  // namespace

Tensor exp(const Tensor& x) { return apply(Exp{}, x); }
Tensor log(const Tensor& x) { return apply(Log{}, x); }
Tensor sqrt(const Tensor& x) { return apply(Sqrt{}, x); }
Tensor tanh(const Tensor& x) { return apply(Tanh{}, x); }
Tensor sigmoid(const Tensor& x) { return apply(Sigmoid{}, x); }
Tensor relu(const Tensor& x) { return apply(Relu{}, x); }
Tensor erf(const Tensor& x) { return apply(Erf{}, x); }
Tensor gelu(const Tensor& x) { return apply(Gelu{}, x); }
Tensor gelu_tanh(const Tensor& x) { return apply(GeluTanh{}, x); }

}  // namespace attention
