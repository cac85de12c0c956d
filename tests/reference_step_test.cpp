// Training against PyTorch: a causal transformer's logits, loss and gradients, and then every
// weight after steps of Adam, AdamW and SGD.
#include <catch2/catch.hpp>

#include <functional>

#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "reference.hpp"

using namespace attention;
using reference::Case;

namespace {

Transformer model_of(const Case& start) {
  const Shape table = start.values("embedding.weight").shape;  // (V, C)
  Random random(1);
  const Transformer model({.vocabulary = table[0],
                           .context = start.tokens("ids").shape[1],
                           .channels = table[1],
                           .heads = start.integer("heads"),
                           .layers = start.integer("blocks"),
                           .hidden = start.integer("hidden"),
                           .causal = true},
                          random);
  REQUIRE(model.norm->eps == real(start.number("eps")));
  reference::fill(parameters(model), start);
  return model;
}

Tensor loss_of(const Tensor& logits, const Case& start) {
  return cross_entropy(logits, start.tokens("targets"), {.ignore = start.integer("ignore")});
}

// A step of the optimizer that the case's settings belong to.
std::function<void()> optimizer_of(const Case& c, const NamedTensors& weights) {
  const real rate = real(c.number("lr")), decay = real(c.number("weight_decay"));
  if (c.has("momentum")) {
    REQUIRE(decay == 0);  // ours has none
    return [rate, sgd = Sgd(weights, real(c.number("momentum")))]() mutable { sgd.step(rate); };
  }
  const auto betas = c.list<double>("betas");
  const AdamOptions options{real(betas.at(0)), real(betas.at(1)), real(c.number("eps")), decay};
  return [rate, adam = Adam(weights, options)]() mutable { adam.step(rate); };
}

}  // namespace

TEST_CASE("a transformer's logits, loss and gradients agree with PyTorch") {
  const auto cases = reference::load("step.txt");
  const Case& start = reference::find(cases, "model");
  INFO("case " << start.name);
  const Transformer model = model_of(start);
  const Tensor logits = model(start.tokens("ids")), loss = loss_of(logits, start);
  backward(loss);
  NamedTensors ours = reference::with_gradients(parameters(model));
  ours.push_back({"logits", logits});
  ours.push_back({"loss", loss});
  reference::check(start, ours);
}

TEST_CASE("the weights after training steps agree with PyTorch") {
  const auto cases = reference::load("step.txt");
  const Case& start = reference::find(cases, "model");
  for (const Case& c : cases) {
    if (&c == &start) continue;
    INFO("case " << c.name);
    const Transformer model = model_of(start);
    NamedTensors ours = parameters(model);
    const auto step = optimizer_of(c, ours);
    std::vector<real> losses;
    for (int i = 0; i < c.integer("steps"); ++i) {
      clear_gradients(ours);
      const Tensor loss = loss_of(model(start.tokens("ids")), start);
      losses.push_back(loss.item());
      backward(loss);
      step();
    }
    ours.push_back({"losses", from_values(losses)});

    reference::check_names(c, ours);
    for (const auto& [name, tensor] : ours) {
      // Softmax does not see a bias of the keys, so that its gradient g is rounding alone. Adam's
      // step, rate * g / (|g| + eps), makes rate / eps times as much of it: in float, anything.
      const bool noise = c.has("betas") && name.ends_with("key.bias");
      reference::check_near(c, name, tensor, noise ? c.number("lr") / c.number("eps") : 1);
    }
  }
}
