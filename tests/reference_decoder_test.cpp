// A decoder block against torch.nn.TransformerDecoderLayer with the same weights: what comes out,
// and the gradients of both inputs and of all weights.
#include <catch2/catch.hpp>

#include "attention/nn/encoder_decoder.hpp"
#include "attention/nn/module.hpp"
#include "attention/tensor/autograd.hpp"
#include "reference.hpp"

using namespace attention;

TEST_CASE("a decoder block agrees with PyTorch") {
  const auto cases = reference::load("decoder.txt");
  CHECK(cases.size() == 2);
  for (const auto& c : cases) {
    INFO("case " << c.name);
    Random random(1);
    const DecoderBlock block({.channels = c.values("x").shape[2],
                              .heads = c.integer("heads"),
                              .hidden = c.integer("hidden"),
                              .norm = norm_placement(c.text("norm"))},
                             random);
    REQUIRE(block.attention_norm.eps == real(c.number("eps")));
    NamedTensors leaves = parameters(block);
    reference::fill(leaves, c);

    const Tensor x = c.tensor("x").require_grad(), memory = c.tensor("memory").require_grad();
    const Tensor weight = c.tensor("weight");
    leaves.push_back({"x", x});
    leaves.push_back({"memory", memory});
    const Tensor out = block(x, causal_mask(x.size(1)), memory, c.mask("padding"));
    backward(sum(out * weight));

    NamedTensors ours = reference::with_gradients(leaves);
    ours.push_back({"out", out});
    ours.push_back({"weight", weight});
    reference::check(c, ours);
  }
}
