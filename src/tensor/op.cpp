#include "attention/tensor/op.hpp"

#include <algorithm>

#include "attention/core/error.hpp"

namespace attention {
namespace {

std::vector<Listed>& entries() {
  static std::vector<Listed> list;
  return list;
}

[[noreturn]] void fail_undefined(std::string_view op, std::ptrdiff_t input) {
  fail(
      "{}: input {} is undefined: a Tensor without a value, or a gradient that no backward reached",
      op, input);
}

}  // namespace

bool enlist(std::string_view name, Examples (*examples)()) {
  if (name.empty() || !examples)
    fail("enlist: op \"{}\"; it needs a name, and examples to check its gradient at", name);
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

void refuse_undefined(std::string_view op, std::initializer_list<bool> defined) {
  fail_undefined(op, std::find(defined.begin(), defined.end(), false) - defined.begin());
}

void check_defined(std::string_view op, const Tensors& inputs) {
  const auto missing =
      std::find_if(inputs.begin(), inputs.end(), [](const Tensor& x) { return !x.defined(); });
  if (missing != inputs.end()) fail_undefined(op, missing - inputs.begin());
}

Tensor remember(Tensor out, std::string_view name, Tensors inputs, Rule rule) {
  if (name.empty()) fail("remember: an op without a name; its result would pass for a leaf");
  if (!out.defined()) fail("{}: the forward returned an undefined tensor", name);
  check_defined(name, inputs);
  for (const Tensor& input : inputs)  // a forward that hands its input through: give it a node
    if (input.same_as(out)) out = out.detach();
  Node& node = out.node();
  if (!node.op.empty())
    fail("{}: the forward returned a tensor that {} already made", name, node.op);
  if (!rule.defined()) fail("{}: without a rule there is no way back; give remember() one", name);
  node.requires_grad = true;
  node.op = name;
  node.rule = std::move(rule);
  node.version = node.values.version();
  for (const Tensor& input : inputs) {
    node.versions.push_back(input.node().values.version());
    if (!input.requires_grad()) input.node().constant.store(true, std::memory_order_relaxed);
  }
  node.inputs = std::move(inputs);
  return out;
}

}  // namespace attention
