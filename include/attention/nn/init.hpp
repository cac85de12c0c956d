// What weights are before anything has been learned, by the names the literature uses. Each returns
// a leaf that asks for its gradient. A weight (in, out) has fan_in = in and fan_out = out.
#pragma once

#include "attention/tensor/tensor.hpp"

namespace attention::init {

Tensor zeros(const Shape& shape);
Tensor ones(const Shape& shape);
Tensor normal(const Shape& shape, real deviation, Random& random);
// Glorot and Bengio (2010), eq. 16: uniform in ±sqrt(6 / (in + out)); keeps the variance both ways.
Tensor xavier_uniform(Size in, Size out, Random& random);
Tensor xavier_normal(Size in, Size out, Random& random);  // deviation sqrt(2 / (in + out))
// He et al. (2015), eq. 10: deviation sqrt(2 / in); keeps the variance through a relu.
Tensor kaiming_normal(Size in, Size out, Random& random);
// Of the weight that makes logits from C channels, whichever way round: deviation 0.1 / sqrt(C).
// The first logits are nearly even, so that the first loss is ln V.
Tensor for_logits(const Shape& shape, Size channels, Random& random);

}  // namespace attention::init
