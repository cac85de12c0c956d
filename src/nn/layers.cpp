#include "attention/nn/layers.hpp"

#include <cmath>

#include "attention/core/error.hpp"

namespace attention {
namespace {

thread_local Random* training = nullptr;

}  // namespace

Training::Training(Random& random) : before_(training) { training = &random; }
Training::~Training() { training = before_; }

Linear::Linear(Size in, Size out, Random& random, bool with_bias)
    : weight(init::xavier_uniform(in, out, random)),
      bias(with_bias ? init::zeros(Shape{out}) : Tensor()) {}

Tensor Linear::operator()(const Tensor& x) const {
  if (x.rank() < 1 || x.size(-1) != weight.size(0))
    fail("linear: an input of shape {} for a weight of shape {}: the last size must be {}",
         x.shape(), weight.shape(), weight.size(0));
  if (bias.defined()) return linear(x, weight, bias);
  const Tensor y = matmul(x.rank() == 1 ? reshape(x, {1, x.count()}) : x, weight);
  return x.rank() == 1 ? reshape(y, {y.count()}) : y;
}

Embedding::Embedding(Size vocabulary, Size channels, Random& random)
    : weight(init::normal(Shape{vocabulary, channels}, 1 / std::sqrt(static_cast<real>(channels)),
                          random)) {}

Tensor Embedding::operator()(const Tokens& ids) const { return gather_rows(weight, ids); }

LayerNorm::LayerNorm(Size channels, real eps)
    : gain(init::ones(Shape{channels})), bias(init::zeros(Shape{channels})), eps(eps) {}

Dropout::Dropout(real rate) : rate(rate) {
  if (!(rate >= 0 && rate < 1)) fail("dropout: rate {}; 0 <= rate < 1 is needed", rate);
}

Tensor Dropout::operator()(const Tensor& x) const {
  return training && rate > 0 ? dropout(x, rate, *training) : x;
}

Activation activation_kind(const std::string& name) {
  if (name == "relu") return Activation::relu;
  if (name == "gelu") return Activation::gelu;
  if (name == "gelu_tanh") return Activation::gelu_tanh;
  fail("activation: '{}' is unknown; relu, gelu and gelu_tanh are known", name);
}

std::string to_string(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return "relu";
    case Activation::gelu:
      return "gelu";
    case Activation::gelu_tanh:
      return "gelu_tanh";
  }
  return "";
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
  return x;
}

FeedForward::FeedForward(Size channels, Size hidden, Activation activation, Random& random)
    : up(channels, hidden, random), down(hidden, channels, random), activation(activation) {}

}  // namespace attention
