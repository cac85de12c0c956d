// Layer normalization and dropout.
#include <memory>

#include "attention/core/error.hpp"
#include "attention/core/kernels.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

// y = (x - mean(x)) r with r = 1 / sqrt(variance(x) + eps), a row at a time. Shifting or stretching
// a row changes nothing, so its gradient is what arrives without its mean and without its part
// along y: dx = r (g - mean(g) - y mean(g y)).
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

  Tensor formula(const Link& l) const {
    const Tensor &g = l.grad, &y = l.out;
    const Tensor r = pow(variance(l.in[0], -1, keep) + eps, real(-0.5));
    return r * (g - mean(g, -1, keep) - y * mean(g * y, -1, keep));
  }
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

}  // namespace

Tensor normalize(const Tensor& x, real eps) {
  if (x.rank() < 1 || x.size(-1) == 0)
    fail("normalize: {} has nothing along its last axis to normalize", x.shape());
  if (!(eps > 0)) fail("normalize: eps = {}; a small positive number is needed", eps);
  return apply(Normalize{eps, Buffer(x.count() / x.size(-1))}, x);
}

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, real eps) {
  const Shape last{x.rank() > 0 ? x.size(-1) : 0};
  if (!(gain.shape() == last) || !(bias.shape() == last))
    fail("layer_norm: gain {} and bias {} for {}: both need the shape {}", gain.shape(),
         bias.shape(), x.shape(), last);
  return normalize(x, eps) * gain + bias;
}

Tensor dropout(const Tensor& x, real rate, Random& random) {
  if (!(rate >= 0 && rate < 1)) fail("dropout: rate {}; 0 <= rate < 1 is needed", rate);
  if (rate == 0) return x;
  Buffer factors(x.count());
  for (Size i = 0; i < x.count(); ++i)
    factors.fill()[i] = random.uniform() < rate ? 0 : 1 / (1 - rate);
  return x * Tensor(x.shape(), std::move(factors));
}

}  // namespace attention
