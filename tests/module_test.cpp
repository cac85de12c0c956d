// Parameters: their names, how many there are, and that those a model names are those its loss
// reaches. Tied weights and files depend on it.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <set>

#include "attention/core/error.hpp"
#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/checkpoint.hpp"
#include "attention/train/optimizer.hpp"
#include "folder.hpp"
#include "models.hpp"

using namespace attention;
using models::small;

namespace {

Transformer make(const TransformerConfig& config, int seed = 1) {
  Random random(seed);
  return Transformer(config, random);
}

Tensor loss_of(const Transformer& model) {
  return cross_entropy(model(Tokens({2, 3}, {1, 2, 3, 10, 0, 2})),
                       Tokens({2, 3}, {4, 5, -1, 6, 7, 9}));
}

template <class Module>
std::vector<std::string> names(const Module& module) {
  std::vector<std::string> list;
  for (const auto& [name, tensor] : parameters(module)) list.push_back(name);
  return list;
}

// Calls f for small() in every way to combine its kinds.
void for_all_kinds(const std::function<void(const TransformerConfig&)>& f) {
  for (bool causal : {false, true})
    for (PositionKind positions :
         {PositionKind::none, PositionKind::sinusoidal, PositionKind::learned})
      for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post})
        for (bool tied : {false, true}) {
          TransformerConfig config = small();
          config.causal = causal;
          config.positions = positions;
          config.norm = norm;
          config.tied = tied;
          INFO("causal " << causal << ", positions " << to_string(positions) << ", norm "
                         << to_string(norm) << ", tied " << tied);
          f(config);
        }
}

// The leaves that want a gradient, found by walking the graph, not by anybody's list.
std::set<const Node*> leaves_behind(const Tensor& result) {
  std::set<const Node*> seen, leaves;
  Tensors open{result};
  while (!open.empty()) {
    const Tensor tensor = open.back();
    open.pop_back();
    const Node& node = tensor.node();
    if (!seen.insert(&node).second) continue;
    if (node.op.empty() && node.requires_grad) leaves.insert(&node);
    open.insert(open.end(), node.inputs.begin(), node.inputs.end());
  }
  return leaves;
}

// A module that shares: one weight under two names, and a layer that is not there.
struct Sharing {
  Tensor first = init::ones({2, 3}), second = first, none;
  std::optional<LayerNorm> absent;
  std::vector<LayerNorm> norms{LayerNorm(3), LayerNorm(4)};
  void visit(auto&& f) const {
    f("first", first), f("second", second), f("none", none), f("absent", absent);
    f("norms", norms);
  }
};

}  // namespace

TEST_CASE("a name is the path to the field, with numbers for the members of a list") {
  CHECK(names(Sharing()) == std::vector<std::string>{"first", "second", "norms.0.gain",
                                                     "norms.0.bias", "norms.1.gain",
                                                     "norms.1.bias"});
  TransformerConfig config = small();
  config.layers = 1;
  config.positions = PositionKind::learned;
  CHECK(names(make(config)) == std::vector<std::string>{"embedding.weight",
                                                        "positions.table",
                                                        "blocks.0.attention_norm.gain",
                                                        "blocks.0.attention_norm.bias",
                                                        "blocks.0.attention.query.weight",
                                                        "blocks.0.attention.query.bias",
                                                        "blocks.0.attention.key.weight",
                                                        "blocks.0.attention.key.bias",
                                                        "blocks.0.attention.value.weight",
                                                        "blocks.0.attention.value.bias",
                                                        "blocks.0.attention.output.weight",
                                                        "blocks.0.attention.output.bias",
                                                        "blocks.0.feed_forward_norm.gain",
                                                        "blocks.0.feed_forward_norm.bias",
                                                        "blocks.0.feed_forward.up.weight",
                                                        "blocks.0.feed_forward.up.bias",
                                                        "blocks.0.feed_forward.down.weight",
                                                        "blocks.0.feed_forward.down.bias",
                                                        "norm.gain",
                                                        "norm.bias",
                                                        "output.weight",
                                                        "output.bias"});
}

TEST_CASE("a shared tensor counts once") {
  CHECK(parameter_count(Sharing()) == 6 + 2 * 3 + 2 * 4);
  CHECK(parameter_count(LayerNorm(5)) == 10);
}

TEST_CASE("a model has as many parameters as the pencil counts") {
  const Size V = 11, context = 7, C = 6, hidden = 5;
  const Size block = (4 * C * C + 4 * C) + (2 * C * hidden + hidden + C) + 2 * 2 * C;
  for_all_kinds([&](const TransformerConfig& config) {
    Size expected = V * C + 2 * block;
    if (config.positions == PositionKind::learned) expected += context * C;
    if (config.norm == NormPlacement::pre) expected += 2 * C;
    if (!config.tied) expected += C * V + V;
    CHECK(parameter_count(make(config)) == expected);
  });
  TransformerConfig config = small();
  config.hidden = 0;
  CHECK(make(config).blocks[1].feed_forward.up.weight.shape() == Shape{6, 24});
}

TEST_CASE("the leaves a loss reaches are the parameters a model names, and the other way round") {
  for_all_kinds([](const TransformerConfig& config) {
    const Transformer model = make(config);
    const NamedTensors list = parameters(model);
    std::set<const Node*> named;
    std::set<std::string> different;
    for (const auto& [name, tensor] : list) {
      named.insert(&tensor.node());
      different.insert(name);
      CHECK(tensor.requires_grad());
    }
    CHECK(named.size() == list.size());
    CHECK(different.size() == list.size());
    const Tensor loss = loss_of(model);
    CHECK(leaves_behind(loss) == named);
    backward(loss);
    for (const auto& [name, tensor] : list) {
      INFO(name);
      CHECK(tensor.grad().defined());
    }
  });
}

TEST_CASE("a tied weight is one tensor, and gets the gradients of both its uses") {
  TransformerConfig config = small();
  config.tied = true;
  const Transformer tied = make(config);
  int tables = 0;
  for (const auto& [name, tensor] : parameters(tied)) tables += tensor.shape() == Shape{11, 6};
  CHECK(tables == 1);
  CHECK_FALSE(tied.output.has_value());

  // The same model with two weights.
  config.tied = false;
  Transformer apart = make(config);
  apart.output->weight = transpose(tied.embedding.weight, 0, 1).detach().require_grad();
  NamedTensors into = parameters(apart);
  std::erase_if(into, [](const NamedTensor& item) { return item.name.starts_with("output"); });
  load_tensors(into, {parameters(tied), {}}, "tied");

  const Tensor loss = loss_of(tied), same_loss = loss_of(apart);
  const double eps = std::numeric_limits<real>::epsilon();
  CHECK(loss.item() == Approx(same_loss.item()).epsilon(16 * eps));
  backward(loss);
  backward(same_loss);
  const Tensor both = apart.embedding.weight.grad() + transpose(apart.output->weight.grad(), 0, 1);
  for (Size i = 0; i < both.count(); ++i)
    CHECK(tied.embedding.weight.grad().data()[i] ==
          Approx(both.data()[i]).epsilon(64 * eps).margin(64 * eps));
}

TEST_CASE("an optimizer steps a tied weight once") {
  TransformerConfig config = small();
  config.tied = true;
  const Transformer model = make(config);
  NamedTensors twice = parameters(model);
  twice.push_back({"output.weight", model.embedding.weight});
  Sgd sgd(twice);
  backward(loss_of(model));
  const Tensor before = model.embedding.weight.clone();
  sgd.step(real(0.5));
  const Tensor expected = before - model.embedding.weight.grad() * real(0.5);
  for (Size i = 0; i < expected.count(); ++i)
    CHECK(model.embedding.weight.data()[i] ==
          Approx(expected.data()[i]).epsilon(1e-6).margin(1e-6));
}

TEST_CASE("a model that was saved and loaded gives the same logits, bit for bit") {
  const Folder folder;
  for_all_kinds([&](const TransformerConfig& config) {
    const Transformer model = make(config, 1), other = make(config, 2);
    const Tokens ids({2, 3}, {1, 2, 3, 10, 0, 2});
    const std::vector<real> logits = values(model(ids));
    CHECK(values(other(ids)) != logits);
    save_checkpoint(folder.path / "model", parameters(model));
    load_tensors(parameters(other), read_checkpoint(folder.path / "model"), "model");
    CHECK(values(other(ids)) == logits);
  });
}
