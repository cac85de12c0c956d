// Small models with parameters drawn for tests: zero biases and gains of one would hide what they
// do. All sizes are different: V = 11, a context of 7, C = 6, H = 3, D = 2, 5 hidden, 2 layers.
#pragma once

#include <vector>

#include "attention/nn/encoder_decoder.hpp"
#include "attention/nn/module.hpp"
#include "tensor_test.hpp"

namespace models {

using namespace attention;

inline void draw_parameters(const NamedTensors& list, double deviation = 0.3) {
  Random random(7);
  for (auto [name, tensor] : list)
    for (Size i = 0; i < tensor.count(); ++i)
      tensor.edit()[i] = static_cast<real>(deviation * random.normal());
}

inline TransformerConfig small() {
  return {.vocabulary = 11, .context = 7, .channels = 6, .heads = 3, .layers = 2, .hidden = 5};
}

template <class Model>
Model make(const TransformerConfig& config, double deviation = 0.3) {
  Random random(1);
  Model model(config, random);
  draw_parameters(parameters(model), deviation);
  return model;
}

// A small language model, with a setting changed.
template <class Change>
Transformer causal_with(Change change) {
  TransformerConfig config = small();
  config.causal = true;
  change(config);
  Random random(1);
  return Transformer(config, random);
}
inline Transformer causal() {
  return causal_with([](auto&) {});
}

inline Tokens some_tokens(Size batch, Size length, int seed = 3) {
  std::vector<int> ids;
  for (Size i = 0; i < batch * length; ++i)
    ids.push_back(static_cast<int>(i * i + seed * i + seed) % 11);
  return Tokens({batch, length}, ids);
}

// Tokens [begin, end) of sequence b, as a batch of one.
inline Tokens part(const Tokens& ids, Size b, Size begin, Size end) {
  const auto first = ids.ids.begin() + b * ids.shape[1];
  return Tokens({1, end - begin}, std::vector<int>(first + begin, first + end));
}

// Tokens [begin, end) of every sequence.
inline Tokens columns(const Tokens& ids, Size begin, Size end) {
  std::vector<int> chosen;
  for (Size b = 0; b < ids.shape[0]; ++b)
    for (Size t = begin; t < end; ++t) chosen.push_back(ids.ids[b * ids.shape[1] + t]);
  return Tokens({ids.shape[0], end - begin}, chosen);
}

// Positions [begin, end) of sequence b: (1, end - begin, …).
inline Tensor part(const Tensor& x, Size b, Size begin, Size end) {
  return slice(slice(x, 0, b, b + 1), 1, begin, end);
}

}  // namespace models
