#include "attention/tensor/op.hpp"

#include <algorithm>

#include "attention/core/error.hpp"

namespace attention {
namespace {

std::vector<Listed>& entries() {
  static std::vector<Listed> list;
  return list;
}

}  // namespace

bool enlist(std::string_view name, Examples (*examples)()) {
  auto& list = entries();
  auto place = std::lower_bound(list.begin(), list.end(), name,
                                [](const Listed& item, auto name) { return item.name < name; });
  for (auto same = place; same != list.end() && same->name == name; ++same)
    if (same->examples == examples) return true;
  list.insert(place, {std::string(name), examples});
  return true;
}

const std::vector<Listed>& registry() { return entries(); }

Tensor sample(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  return normal(shape, 0, 1, random);
}

Tensor sample(const Shape& shape, real low, real high, std::uint64_t seed) {
  Random random(seed);
  return uniform(shape, low, high, random);
}

Tensor remember(Tensor out, std::string_view name, Tensors inputs, Rule rule) {
  for (const Tensor& input : inputs)  // a forward that hands its input through: give it a node
    if (input.same_as(out)) out = out.detach();
  Node& node = out.node();
  if (!node.op.empty())
    fail("{}: the forward returned a tensor that {} already made", name, node.op);
  node.requires_grad = true;
  node.op = name;
  node.rule = std::move(rule);
  node.version = node.values.version();
  for (const Tensor& input : inputs) node.versions.push_back(input.node().values.version());
  node.inputs = std::move(inputs);
  return out;
}

}  // namespace attention
