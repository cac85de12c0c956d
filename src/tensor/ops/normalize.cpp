// Layer normalization and dropout.
#include <cmath>
#include <memory>

#include "attention/core/error.hpp"
#include "attention/core/kernels.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

// What arrives at y = (x - mean(x)) r, where r = 1 / sqrt(variance(x) + eps), a row at a time.
// Shifting or stretching a row changes nothing, so x gets what arrives without its mean and without
// its part along y: dx = r (g - mean(g) - y mean(g y)).
Tensor through_normalize(const Tensor& x, const Tensor& y, const Tensor& g, real eps) {
  const Tensor r = pow(variance(x, -1, keep) + eps, real(-0.5));
  return r * (g - mean(g, -1, keep) - y * mean(g * y, -1, keep));
}

struct Normalize {
  real eps;
  Buffer scale;  // r of each row, for the fused rule
  static constexpr auto name = "normalize";

  Tensor forward(const Tensor& x) const {
    Buffer out(x.count());
    kernels::normalize(out.fill(), scale.fill(), x.data(), eps, scale.size(), x.size(-1));
    return Tensor(x.shape(), std::move(out));
  }
  Tensors backward(const Link& l) const { return {recording() ? formula(l) : fused(l)}; }

  Tensor formula(const Link& l) const { return through_normalize(l.in[0], l.out, l.grad, eps); }
  Tensor fused(const Link& l) const {
    Buffer dx(l.out.count());
    kernels::normalize_backward(dx.fill(), l.out.data(), scale.data(), l.grad.data(), scale.size(),
                                l.out.size(-1));
    return Tensor(l.out.shape(), std::move(dx));
  }
  static Examples examples() {
    auto f = [](const Tensor& x) { return normalize(x, real(0.1)); };
    return {{f, sample({2, 3, 5})}, {f, sample({3, 3, 3})}};
  }
};

// y gain + bias with y = normalize(x), which is not kept but made again on the way back. So gain
// gets g y and bias gets g, summed over the rows; y gets g gain.
struct LayerNorm {
  real eps;
  Buffer mean, scale;  // of each row
  static constexpr auto name = "layer_norm";

  Tensor forward(const Tensor& x, const Tensor& gain, const Tensor& bias) const {
    Buffer out(x.count());
    kernels::layer_norm(out.fill(), mean.fill(), scale.fill(), x.data(), gain.data(), bias.data(),
                        eps, scale.size(), x.size(-1));
    return Tensor(x.shape(), std::move(out));
  }
  Tensors backward(const Link& l) const { return recording() ? formula(l) : fused(l); }

  Tensors formula(const Link& l) const {
    const Tensor &x = l.in[0], &gain = l.in[1], y = normalize(x, eps);
    return {through_normalize(x, y, l.grad * gain, eps), l.grad * y, l.grad};
  }
  Tensors fused(const Link& l) const {
    const Tensor &x = l.in[0], &gain = l.in[1];
    Buffer dx(x.count()), dgain(gain.count()), dbias(gain.count());
    kernels::layer_norm_backward(dx.fill(), dgain.fill(), dbias.fill(), x.data(), mean.data(),
                                 scale.data(), gain.data(), l.grad.data(), scale.size(),
                                 x.size(-1));
    return {Tensor(x.shape(), std::move(dx)), Tensor(gain.shape(), std::move(dgain)),
            Tensor(gain.shape(), std::move(dbias))};
  }
  static Examples examples() {
    auto f = [](const Tensor& x, const Tensor& gain, const Tensor& bias) {
      return layer_norm(x, gain, bias, real(0.1));
    };
    return {{f, sample({2, 3, 5}), sample(Shape{5}, 2), sample(Shape{5}, 3)},
            {f, sample({3, 3, 3}), sample(Shape{3}, 2), sample(Shape{3}, 3)}};
  }
};

Size rows_to_normalize(const Tensor& x, real eps, std::string_view op) {
  if (x.rank() < 1 || x.size(-1) == 0)
    fail("{}: {} has nothing along its last axis to normalize", op, x.shape());
  if (!(eps > 0) || std::isinf(eps))
    fail("{}: eps = {}; a small positive number is needed, such as 1e-5", op, eps);
  return x.count() / x.size(-1);
}

}  // namespace

Tensor normalize(const Tensor& x, real eps) {
  check_defined("normalize", x);
  return apply(Normalize{eps, Buffer(rows_to_normalize(x, eps, "normalize"))}, x);
}

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, real eps) {
  check_defined("layer_norm", x, gain, bias);
  const Size rows = rows_to_normalize(x, eps, "layer_norm");
  const Shape last{x.size(-1)};
  if (!(gain.shape() == last) || !(bias.shape() == last))
    fail("layer_norm: gain {} and bias {} for {}: both need the shape {}", gain.shape(),
         bias.shape(), x.shape(), last);
  return apply(LayerNorm{eps, Buffer(rows), Buffer(rows)}, x, gain, bias);
}

Tensor dropout(const Tensor& x, real rate, Random& random) {
  check_defined("dropout", x);
  if (!(rate >= 0 && rate < 1)) fail("dropout: rate {}; 0 <= rate < 1 is needed", rate);
  if (rate == 0) return x;
  const Size count = x.count();
  const real kept = 1 / (1 - rate);
  Buffer factors(count);
  real* factor = factors.fill();
  for (Size i = 0; i < count; ++i) factor[i] = static_cast<real>(random.uniform());
  for (Size i = 0; i < count; ++i) factor[i] = factor[i] < rate ? 0 : kept;  // runs in vectors
  return x * Tensor(x.shape(), std::move(factors));
}

}  // namespace attention
