// The layers that a transformer is built of, apart from attention. Shapes: x is (…, C).
// Next: positions.hpp, multi_head_attention.hpp.
#pragma once

#include <string>

#include "attention/nn/init.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {

// While one of these is alive on a thread, that thread trains: dropout acts, drawing from `random`.
// Outside, dropout passes everything through.
class Training {
 public:
  explicit Training(Random& random);
  ~Training();
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

 private:
  Random* before_;
};

// y = x W + b, with W (in, out): the article's Q = X W_Q. Weights Xavier uniform, biases zero.
struct Linear {
  Tensor weight;  // (in, out)
  Tensor bias;    // (out), or undefined for none

  Linear(Size in, Size out, Random& random, bool with_bias = true);
  Tensor operator()(const Tensor& x) const;  // (…, in) -> (…, out)
  void visit(auto&& f) const { f("weight", weight), f("bias", bias); }
};

// Row id of the table for each token. Deviation C^-0.5, so that a row's length is about 1.
struct Embedding {
  Tensor weight;  // (V, C)

  Embedding(Size vocabulary, Size channels, Random& random);
  Tensor operator()(
      const Tokens& ids) const;  // (B, T) -> (B, T, C); throws on an id outside [0, V)
  void visit(auto&& f) const { f("weight", weight); }
};

struct LayerNorm {
  Tensor gain, bias;  // (C)
  real eps;

  explicit LayerNorm(Size channels, real eps = real(1e-5));
  Tensor operator()(const Tensor& x) const { return layer_norm(x, gain, bias, eps); }
  void visit(auto&& f) const { f("gain", gain), f("bias", bias); }
};

struct Dropout {
  real rate = 0;

  explicit Dropout(real rate);               // throws unless 0 <= rate < 1
  Tensor operator()(const Tensor& x) const;  // x itself, unless inside a Training scope
};

enum class Activation { relu, gelu, gelu_tanh };
Activation activation_kind(
    const std::string& name);  // throws on an unknown name, listing the known
std::string to_string(Activation activation);
Tensor activate(Activation activation, const Tensor& x);

// Vaswani et al. (2017), eq. 2: two linear layers with an activation between, at each position.
struct FeedForward {
  Linear up, down;
  Activation activation;

  FeedForward(Size channels, Size hidden, Activation activation, Random& random);
  Tensor operator()(const Tensor& x) const { return down(activate(activation, up(x))); }
  void visit(auto&& f) const { f("up", up), f("down", down); }
};

}  // namespace attention
