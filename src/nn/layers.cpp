#include "attention/nn/layers.hpp"

#include <cmath>

#include "attention/core/error.hpp"
#include "attention/tensor/op.hpp"

namespace attention {
namespace {

thread_local Random* training = nullptr;

Shape table_shape(Size vocabulary, Size channels) {
  if (vocabulary < 1 || channels < 1)
    fail("embedding: a table of {} by {}; both sizes must be positive", vocabulary, channels);
  return Shape{vocabulary, channels};
}

Shape normalized(Size channels) {
  if (channels < 1) fail("layer_norm: {} channels; at least 1 is needed", channels);
  return Shape{channels};
}

}  // namespace

Training::Training(Random& random) : before_(training) { training = &random; }
Training::~Training() { training = before_; }

Linear::Linear(Size in, Size out, Random& random, bool with_bias)
    : weight(init::xavier_uniform(in, out, random)),
      bias(with_bias ? init::zeros(Shape{out}) : Tensor()) {}

Tensor Linear::operator()(const Tensor& x) const {
  check_defined("linear", x, weight);
  if (x.rank() < 1 || x.size(-1) != weight.size(0))
    fail("linear: an input of shape {} for a weight of shape {}: the last size must be {}",
         x.shape(), weight.shape(), weight.size(0));
  if (bias.defined()) return linear(x, weight, bias);
  const Tensor y = matmul(x.rank() == 1 ? reshape(x, {1, x.count()}) : x, weight);
  return x.rank() == 1 ? reshape(y, {y.count()}) : y;
}

Embedding::Embedding(Size vocabulary, Size channels, Random& random)
    : weight(init::normal(table_shape(vocabulary, channels),
                          1 / std::sqrt(static_cast<real>(channels)), random)) {}

Tensor Embedding::operator()(const Tokens& ids) const { return gather_rows(weight, ids); }

LayerNorm::LayerNorm(Size channels, real eps)
    : gain(init::ones(normalized(channels))), bias(init::zeros(Shape{channels})), eps(eps) {
  if (!(eps > 0) || std::isinf(eps))
    fail("layer_norm: eps = {}; a small positive number is needed, such as 1e-5", eps);
}

Dropout::Dropout(real rate) : rate(rate) {
  if (!(rate >= 0 && rate < 1)) fail("dropout: rate {}; 0 <= rate < 1 is needed", rate);
}

Tensor Dropout::operator()(const Tensor& x) const {
  check_defined("dropout", x);
  return training && rate > 0 ? dropout(x, rate, *training) : x;
}

Tensor activate(Activation activation, const Tensor& x) {
  switch (activation) {
    case Activation::relu:
      return relu(x);
    case Activation::gelu:
      return gelu(x);
    case Activation::gelu_tanh:
      return gelu_tanh(x);
  }
  fail("{}", to_string(activation));  // which throws: it has no name
}

FeedForward::FeedForward(Size channels, Size hidden, Activation activation, Random& random)
    : up(channels, hidden, random), down(hidden, channels, random), activation(activation) {}

}  // namespace attention
