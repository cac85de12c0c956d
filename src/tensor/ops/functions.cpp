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

// A function of a number, and its slope there.
struct Point {
  real value, slope;
};

// Room for the slopes at x where backward() will ask for them, else none.
Buffer slopes_for(const Tensor& x, std::string_view op) {
  check_defined(op, x);
  return recording() && x.requires_grad() ? Buffer(x.count()) : Buffer();
}

// f of each element, which gives a Point; its slopes are kept where there is room. They share most
// of the work with the values. One loop, so f is inlined however long it is, and runs in vectors.
template <class F>
Tensor each_point(const Tensor& x, const Buffer& slopes, Size cost, F f) {
  if (slopes.size() == 0) return map(x, cost, [f](real v) { return f(v).value; });
  Buffer out(x.count());
  const real* from = x.data();
  real *to = out.fill(), *slope = slopes.fill();
  parallel_for(x.count(), kernels::elements_per_range, x.count() * (2 * cost + moving),
               [=](Size begin, Size end) {
                 for (Size i = begin; i < end; ++i) {
                   const Point point = f(from[i]);
                   to[i] = point.value;
                   slope[i] = point.slope;
                 }
               });
  return Tensor(x.shape(), std::move(out));
}

struct Exp {
  static constexpr auto name = "exp";
  Tensor forward(const Tensor& x) const {
    return map(x, 10, [](real v) { return math::exp(v); });
  }
  Tensors backward(const Link& l) const { return {l.grad * l.out}; }
  // Below 1, where the worst element is the largest: above, all have the same relative error.
  static Examples examples() { return {{exp, sample({2, 3}, -2, real(-0.5))}}; }
};

struct Log {
  static constexpr auto name = "log";
  Tensor forward(const Tensor& x) const {
    return map(x, 12, [](real v) { return math::log(v); });
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
  Tensors backward(const Link& l) const { return {recording() ? formula(l) : fused(l)}; }

  static Tensor formula(const Link& l) { return where(greater(l.out, 0), l.grad, 0); }
  static Tensor fused(const Link& l) {
    return zip(l.out, l.grad, name, 1, [](real y, real g) { return y > 0 ? g : 0; });
  }
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
  Buffer slopes;
  static constexpr auto name = "gelu";
  Tensor forward(const Tensor& x) const {
    return each_point(x, slopes, 20, [](real v) {
      const auto [erf, bell] = math::erf_and_bell(v * inverse_sqrt_2);
      const real distribution = (1 + erf) / 2, density = bell * (sqrt_2_over_pi / 2);
      return Point{v * distribution, math::fma(v, density, distribution)};
    });
  }
  Tensors backward(const Link& l) const { return {recording() ? formula(l) : fused(l)}; }

  static Tensor formula(const Link& l) {
    const Tensor& x = l.in[0];
    const Tensor distribution = (1 + erf(x * inverse_sqrt_2)) / 2;
    const Tensor density = exp(x * x * real(-0.5)) * (sqrt_2_over_pi / 2);
    return l.grad * (distribution + x * density);
  }
  Tensor fused(const Link& l) const { return l.grad * Tensor(l.out.shape(), slopes); }
  static Examples examples() { return {{gelu, sample({3, 5})}}; }
};

// With t = tanh(u), u = sqrt(2/π) (x + c x³): (x (1 + t) / 2)' = (1 + t) / 2 + x (1 - t²) u' / 2.
struct GeluTanh {
  Buffer slopes;
  static constexpr auto name = "gelu_tanh";
  Tensor forward(const Tensor& x) const {
    return each_point(x, slopes, 15, [](real v) {
      const real t = math::tanh(sqrt_2_over_pi * (v + cubic * v * v * v));
      const real u_slope = sqrt_2_over_pi * (1 + 3 * cubic * v * v);
      return Point{v / 2 * (1 + t), ((1 + t) + v * (1 - t * t) * u_slope) / 2};
    });
  }
  Tensors backward(const Link& l) const { return {recording() ? formula(l) : fused(l)}; }

  static Tensor formula(const Link& l) {
    const Tensor& x = l.in[0];
    const Tensor square = x * x;
    const Tensor t = tanh(sqrt_2_over_pi * (x + cubic * square * x));
    const Tensor u_slope = sqrt_2_over_pi * (1 + 3 * cubic * square);
    return l.grad * ((1 + t) + x * (1 - t * t) * u_slope) / 2;
  }
  Tensor fused(const Link& l) const { return l.grad * Tensor(l.out.shape(), slopes); }
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
Tensor gelu(const Tensor& x) { return apply(Gelu{slopes_for(x, Gelu::name)}, x); }
Tensor gelu_tanh(const Tensor& x) { return apply(GeluTanh{slopes_for(x, GeluTanh::name)}, x); }

}  // namespace attention
