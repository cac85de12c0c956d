// Multi-head attention against torch.nn.MultiheadAttention with the same weights: what comes out,
// and the gradients of inputs and weights.
#include <catch2/catch.hpp>

#include "attention/nn/module.hpp"
#include "attention/nn/multi_head_attention.hpp"
#include "attention/tensor/autograd.hpp"
#include "reference.hpp"

using namespace attention;

TEST_CASE("multi-head attention agrees with PyTorch") {
  for (const auto& c : reference::load("attention.txt")) {
    INFO("case " << c.name);
    Random random(1);
    const Size channels = c.values("x").shape[2];
    const MultiHeadAttention layer(channels, c.integer("heads"), random);
    NamedTensors leaves = parameters(layer);
    reference::fill(leaves, c);

    const Tensor x = c.tensor("x").require_grad(), weight = c.tensor("weight");
    const Mask mask = c.has_mask("mask") ? c.mask("mask") : Mask();
    leaves.push_back({"x", x});
    Tensor out;
    if (c.has_tensor("memory")) {
      const Tensor memory = c.tensor("memory").require_grad();
      leaves.push_back({"memory", memory});
      out = layer(x, memory, mask);
    } else {
      out = layer(x, mask);
    }
    backward(sum(out * weight));

    NamedTensors ours = reference::with_gradients(leaves);
    ours.push_back({"out", out});
    ours.push_back({"weight", weight});
    reference::check(c, ours);
  }
}
