#include "attention/nn/init.hpp"

#include <cmath>

#include "attention/core/error.hpp"

namespace attention::init {
namespace {

Tensor leaf(Tensor tensor) { return tensor.require_grad(); }

real root(double x) { return static_cast<real>(std::sqrt(x)); }

Shape weight_shape(Size in, Size out) {
  if (in < 1 || out < 1) fail("init: a weight of {} by {}; both sizes must be positive", in, out);
  return Shape{in, out};
}

double sum(Size in, Size out) { return static_cast<double>(in) + static_cast<double>(out); }

}  // namespace

Tensor zeros(const Shape& shape) { return leaf(attention::zeros(shape)); }
Tensor ones(const Shape& shape) { return leaf(attention::ones(shape)); }

Tensor normal(const Shape& shape, real deviation, Random& random) {
  return leaf(attention::normal(shape, 0, deviation, random));
}

Tensor xavier_uniform(Size in, Size out, Random& random) {
  const Shape shape = weight_shape(in, out);
  const real limit = root(6.0 / sum(in, out));
  return leaf(uniform(shape, -limit, limit, random));
}

Tensor xavier_normal(Size in, Size out, Random& random) {
  return normal(weight_shape(in, out), root(2.0 / sum(in, out)), random);
}

Tensor kaiming_normal(Size in, Size out, Random& random) {
  const Shape shape = weight_shape(in, out);
  return normal(shape, root(2.0 / static_cast<double>(in)), random);
}

Tensor for_logits(const Shape& shape, Size channels, Random& random) {
  if (channels < 1) fail("init: logits from {} channels; at least 1 is needed", channels);
  return normal(shape, real(0.1) / std::sqrt(static_cast<real>(channels)), random);
}

}  // namespace attention::init
