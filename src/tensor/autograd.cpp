// Reverse mode: each pending node gets its gradient complete before it passes any on, because the
// newest goes first and users are always newer than what they use. The map from numbers to nodes is
// the queue and holds the sums at once: no recursion, no sorting, no set of visited nodes.
#include "attention/tensor/autograd.hpp"

#include <map>
#include <optional>

#include "attention/core/error.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"
#include "watch.hpp"

namespace attention {
namespace {

Ancestors ancestors(const Tensor& result);

struct Pending {
  Tensor tensor;
  Tensor grad;  // the sum of what has arrived so far
};
using Queue =
    std::map<std::uint64_t, Pending, std::less<>, Pooled<std::pair<const std::uint64_t, Pending>>>;

// The gradient of a stretched operand: every copy's share, added up.
Tensor sum_to(const Tensor& grad, const Shape& shape, std::string_view op) {
  if (grad.shape() == shape) return grad;
  if (!broadcasts_to(shape, grad.shape()))
    fail("backward: {} sent a gradient of shape {} to an input of shape {}", op, grad.shape(),
         shape);
  Axes stretched;
  const int missing = grad.rank() - shape.rank();
  for (int i = 0; i < grad.rank(); ++i)
    if (i < missing || (shape[i - missing] == 1 && grad.shape()[i] != 1)) stretched.push_back(i);
  return reshape(sum(grad, stretched), shape);
}

void add_to(Queue& queue, const Tensor& tensor, const Tensor& grad) {
  Pending& pending = queue[tensor.node().number];
  pending.tensor = tensor;
  pending.grad = pending.grad.defined() ? pending.grad + grad : grad;
}

void check_unchanged(const Node& node) {
  if (node.values.version() != node.version)
    fail("backward: the result of {} {} was changed after it was computed", node.op, node.shape);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Node& input = node.inputs[i].node();
    if (input.values.version() != node.versions[i])
      fail(
          "backward: input {} of {}, shape {}, was changed after {} had used it; change leaves "
          "only "
          "between backward and the next forward",
          i, node.op, input.shape, node.op);
  }
}

// Hands the gradient of one node on to its inputs.
void pass_on(const Pending& from, Queue& queue, const BackwardOptions& options,
             const std::optional<Watch>& watch) {
  Node& node = from.tensor.node();
  if (node.freed)
    fail(
        "backward: the graph behind {} {} was freed by an earlier backward; pass retain = true to "
        "that one to keep it",
        node.op, node.shape);
  check_unchanged(node);
  const Tensors grads = node.rule(Link{node.inputs, from.tensor, from.grad});
  if (grads.size() != node.inputs.size())
    fail("backward: {} has {} inputs, but its rule gave {} gradients", node.op, node.inputs.size(),
         grads.size());
  for (std::size_t i = 0; i < grads.size(); ++i) {
    if (!grads[i].defined() || !node.inputs[i].requires_grad()) continue;
    const Tensor grad = sum_to(grads[i], node.inputs[i].shape(), node.op);
    if (watch) watch->check_given(from.tensor, from.grad, i, grad);
    add_to(queue, node.inputs[i], grad);
  }
  if (!options.retain && !options.record) {
    node.inputs.clear();
    node.rule = {};
    node.freed = true;
  }
}

// Inside an AnomalyMode: nothing if the forward pass is in order, else an error. A graph that was
// changed is told first: its values are not those of the forward pass.
void watch_over(std::optional<Watch>& watch, const Tensor& loss) {
  if (!Watch::wanted()) return;
  const Ancestors all = ancestors(loss);
  for (const auto& [number, tensor] : all)
    if (!tensor.node().op.empty()) check_unchanged(tensor.node());
  watch.emplace(loss, all);
}

// Calls arrived(tensor, gradient) for every node with its complete gradient, newest first.
template <class Arrived>
void replay(const Tensor& loss, const BackwardOptions& options, Arrived arrived) {
  if (!loss.defined()) fail("backward: the loss is undefined: it was never given a value");
  if (loss.count() != 1)
    fail("backward: the loss has shape {}; it must be one number: take sum() or mean()",
         loss.shape());
  if (!loss.requires_grad())
    fail(
        "backward: the loss depends on nothing that asked for a gradient; call require_grad() on a "
        "leaf, and build the graph outside NoGrad");
  std::optional<NoGrad> unrecorded;
  if (!options.record) unrecorded.emplace();
  std::optional<Watch> watch;
  watch_over(watch, loss);
  Queue queue;
  add_to(queue, loss, ones(loss.shape()));
  while (!queue.empty()) {
    const Pending newest = std::move(std::prev(queue.end())->second);
    queue.erase(std::prev(queue.end()));
    if (watch) watch->check_sum(newest.tensor, newest.grad);
    arrived(newest.tensor, newest.grad);
    if (!newest.tensor.node().op.empty()) pass_on(newest, queue, options, watch);
  }
}

}  // namespace

void backward(const Tensor& loss, BackwardOptions options) {
  replay(loss, options, [&](Tensor tensor, const Tensor& grad) {
    if (!tensor.node().op.empty()) return;
    const Tensor before = tensor.grad();
    // Two leaves may have been sent one and the same gradient: each keeps its own.
    tensor.set_grad(before.defined() ? before + grad : grad.requires_grad() ? grad : grad.clone());
  });
}

Tensors gradients(const Tensor& loss, const Tensors& inputs, BackwardOptions options) {
  Tensors result(inputs.size());
  check_defined("gradients", inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].requires_grad())
      fail(
          "gradients: input {}, shape {}, did not ask for a gradient; call require_grad() on it "
          "before it is used",
          i, inputs[i].shape());
  replay(loss, options, [&](const Tensor& tensor, const Tensor& grad) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].same_as(tensor)) result[i] = grad;
  });
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!result[i].defined()) result[i] = zeros(inputs[i].shape());
  return result;
}

namespace {

// Every node behind a result, oldest first.
Ancestors ancestors(const Tensor& result) {
  Ancestors found;
  Tensors open{result};
  while (!open.empty()) {
    const Tensor next = std::move(open.back());
    open.pop_back();
    if (!found.emplace(next.node().number, next).second) continue;
    for (const Tensor& input : next.node().inputs) open.push_back(input);
  }
  return found;
}

std::string label(const Tensor& tensor) {
  const Node& node = tensor.node();
  const std::string_view kind = !node.op.empty()     ? node.op
                                : node.requires_grad ? "leaf"
                                                     : "constant";
  return fmt::format("{} {}{}", kind, node.shape,
                     tensor.count() == 1 ? fmt::format(" = {:.6g}", tensor.item()) : "");
}

}  // namespace

Tensors made_by(const Tensor& result, std::string_view op) {
  check_defined("made_by", result);
  Tensors made;
  for (const auto& [number, tensor] : ancestors(result)) {
    if (tensor.node().freed)
      fail(
          "made_by: the graph behind {} {} was freed by a backward; look before it, or pass it "
          "retain = true",
          tensor.node().op, tensor.shape());
    if (tensor.node().op == op) made.push_back(tensor);
  }
  return made;
}

// Nodes are renumbered 1, 2, … in order of creation.
std::string graph_text(const Tensor& result) {
  check_defined("graph_text", result);
  std::map<std::uint64_t, int> names;
  std::string text;
  for (const auto& [number, tensor] : ancestors(result)) {
    const int name = names[number] = static_cast<int>(names.size()) + 1;
    text += fmt::format("{:4}  {}", name, label(tensor));
    const Tensors& inputs = tensor.node().inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      text += fmt::format("{}{}", i == 0 ? "  from " : ", ", names[inputs[i].node().number]);
    text += '\n';
  }
  return text;
}

std::string graph_dot(const Tensor& result) {
  check_defined("graph_dot", result);
  std::map<std::uint64_t, int> names;
  std::string text = "digraph {\n  rankdir=BT;\n";
  for (const auto& [number, tensor] : ancestors(result)) {
    const int name = names[number] = static_cast<int>(names.size()) + 1;
    text += fmt::format("  n{} [label=\"{}\"];\n", name, label(tensor));
    for (const Tensor& input : tensor.node().inputs)
      text += fmt::format("  n{} -> n{};\n", name, names[input.node().number]);
  }
  return text + "}\n";
}

}  // namespace attention
