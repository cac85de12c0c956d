// The scope, and the watch that backward() keeps inside it. Next: likely_cause.cpp.
#include "attention/tensor/anomaly.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "watch.hpp"

namespace attention {
namespace {

thread_local const AnomalyMode* innermost = nullptr;

constexpr std::size_t longest_path = 64;  // bytes; of a longer one the middle is left out

// A constant that says by 0 and -inf what counts and what does not.
bool is_mask(const Tensor& x) {
  if (!x.node().op.empty() || x.requires_grad()) return false;
  for (Size i = 0; i < x.count(); ++i)
    if (x.data()[i] != 0 && x.data()[i] != -std::numeric_limits<real>::infinity()) return false;
  return true;
}

// "(0, 1)" for the second value of a matrix.
std::string place(const Shape& shape, Size index) {
  std::string text;
  for (int axis = shape.rank(); axis-- > 0; index /= shape[axis])
    text = fmt::format("{}{}{}", index % shape[axis], text.empty() ? "" : ", ", text);
  return "(" + text + ")";
}

// "matmul of (2, 3), (3, 4)"
std::string call(const Node& node) {
  constexpr std::size_t most = 4;
  std::string text = fmt::format("{} of ", node.op);
  for (std::size_t i = 0; i < std::min(most, node.inputs.size()); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", node.inputs[i].shape());
  if (node.inputs.size() > most) text += fmt::format(", … {} inputs", node.inputs.size());
  return text;
}

std::string_view kind(const Node& node) {
  if (!node.op.empty()) return node.op;
  return node.requires_grad ? "leaf" : "constant";
}

std::string source(const Tensor& leaf) {
  return leaf.requires_grad()
             ? "it came in like that: the optimizer's last step was too large; a lower rate helps"
             : "it came in like that: look at the data, and at what was made of it before the "
               "graph";
}

}  // namespace

AnomalyMode::AnomalyMode(NamedTensors names) : names_(std::move(names)), outer_(innermost) {
  innermost = this;
}
AnomalyMode::~AnomalyMode() { innermost = outer_; }

bool all_finite(const Tensor& x) {
  const real* values = x.data();
  unsigned wrong = 0;  // without a branch, so that it runs in vectors
  for (Size i = 0, count = x.count(); i < count; ++i)
    wrong |= !(std::abs(values[i]) <= std::numeric_limits<real>::max());
  return wrong == 0;
}

bool has_nan(const Tensor& x) {
  for (Size i = 0; i < x.count(); ++i)
    if (std::isnan(x.data()[i])) return true;
  return false;
}

std::string not_finite(const Tensor& x) {
  Size wrong = 0, first = 0;
  for (Size i = x.count(); i-- > 0;)
    if (!std::isfinite(x.data()[i])) ++wrong, first = i;
  if (wrong == 0) return "";
  const real value = x.data()[first];
  const char* name = std::isnan(value) ? "NaN" : value > 0 ? "inf" : "-inf";
  if (x.count() == 1) return fmt::format("the value is {}", name);
  return fmt::format("{} of {} values {} not finite, the first is {} at {}", wrong, x.count(),
                     wrong == 1 ? "is" : "are", name, place(x.shape(), first));
}

bool Watch::wanted() { return innermost != nullptr; }

// Breadth first, so that a node is first seen from the next one on a shortest way.
Watch::Watch(const Tensor& loss, const Ancestors& ancestors) {
  const auto label = [](const Tensor& tensor) {
    const Node& node = tensor.node();
    for (const AnomalyMode* mode = innermost; mode && node.op.empty(); mode = mode->outer_)
      for (const NamedTensor& named : mode->names_)
        if (named.tensor.same_as(tensor)) return fmt::format("{} {}", named.name, node.shape);
    return fmt::format("{} {}", kind(node), node.shape);
  };
  std::deque<const Node*> open{&loss.node()};
  steps_[loss.node().number] = {label(loss), 0};
  for (; !open.empty(); open.pop_front()) {
    const Node& node = *open.front();
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Tensor& input = node.inputs[i];
      if (steps_.contains(input.node().number)) continue;
      steps_[input.node().number] = {label(input), node.number, i};
      open.push_back(&input.node());
    }
  }
  check_values(loss, ancestors);
}

void Watch::check_values(const Tensor& loss, const Ancestors& ancestors) const {
  std::set<std::uint64_t> infinite;  // by definition, or made of what is
  const auto infinite_input = [&](const Node& node) -> const Tensor* {
    for (const Tensor& input : node.inputs)
      if (infinite.contains(input.node().number)) return &input;
    return nullptr;
  };
  for (const auto& [number, tensor] : ancestors) {
    const Node& node = tensor.node();
    if (node.freed || all_finite(tensor)) continue;  // freed: backward will refuse in a moment
    if (has_nan(tensor) || !(node.may_be_infinite || is_mask(tensor) || infinite_input(node)))
      report_value(tensor, node.op.empty() ? source(tensor) : cause_in_forward(tensor));
    infinite.insert(number);
  }
  if (!infinite.contains(loss.node().number)) return;
  const Tensor* origin = &loss;
  while (const Tensor* from = infinite_input(origin->node())) origin = from;
  report_value(*origin,
               "what is masked may be -inf, but here it reaches the loss; leave it out of "
               "the sum with where()");
}

void Watch::report_value(const Tensor& tensor, const std::string& why) const {
  const Step& step = steps_.at(tensor.node().number);
  std::string what = step.label;
  if (!tensor.node().op.empty())
    what = call(tensor.node());
  else if (step.next != 0 && !tensor.requires_grad())
    what = fmt::format("{}, input {} of {}", step.label, step.input, steps_.at(step.next).label);
  throw Anomaly(fmt::format("anomaly in the forward pass: {}: {}; {}; path to the loss: {}", what,
                            not_finite(tensor), why, path_from(tensor)));
}

void Watch::check_given(const Tensor& result, const Tensor& arrived, std::size_t input,
                        const Tensor& gradient) const {
  if (all_finite(gradient)) return;
  const Node& node = result.node();
  const std::string which = node.inputs.size() > 1 ? fmt::format("input {}", input) : "its input";
  throw Anomaly(fmt::format(
      "anomaly in the backward pass: {}: of the gradient for {}, {}; {}; path to the loss: {}",
      call(node), which, not_finite(gradient), cause_in_backward(result, arrived, input, gradient),
      path_from(result)));
}

void Watch::check_sum(const Tensor& tensor, const Tensor& gradient) const {
  if (all_finite(gradient)) return;
  throw Anomaly(fmt::format(
      "anomaly in the backward pass: {}: of the sum of the gradients that arrive, {}; each of them "
      "is finite, but together they are too large; path to the loss: {}",
      steps_.at(tensor.node().number).label, not_finite(gradient), path_from(tensor)));
}

// The steps from the front, as many as there is room for, and the loss.
std::string Watch::path_from(const Tensor& tensor) const {
  std::vector<std::string> labels;
  for (std::uint64_t number = tensor.node().number; number != 0;) {
    const Step& step = steps_.at(number);
    labels.push_back(step.label);
    number = step.next;
  }
  std::string path = labels[0];
  for (std::size_t i = 1; i < labels.size(); ++i) {
    const std::size_t left = labels.size() - 1 - i;
    if (left > 0 && path.size() + labels[i].size() + labels.back().size() > longest_path)
      return fmt::format("{} > … {} more … > {}", path, left, labels.back());
    path += " > " + labels[i];
  }
  return path;
}

}  // namespace attention
