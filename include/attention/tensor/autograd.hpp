// backward(): from a number back to everything it was made from. Also gradients(), which returns
// what backward() would store, and made_by(), which finds an op's results in a graph.
// Next: gradcheck.hpp, which tests it.
#pragma once

#include <string>

#include "attention/tensor/tensor.hpp"

namespace attention {

struct BackwardOptions {
  bool retain = false;  // leave the graph as it is, for another backward
  bool record = false;  // compute the gradients with recorded ops, to differentiate them again
};

// Adds d(loss)/d(leaf) to the gradient of every leaf that asked for it. The loss is one number.
// The graph is let go of on the way, unless it is to be retained. Throws when the loss depends on
// no such leaf, when an earlier backward has freed the graph, and when values have changed since
// they were used: with the name of the op.
void backward(const Tensor& loss, BackwardOptions options = {});

// d(loss)/d(input) for each input, which may be inner nodes too; nothing is stored in any leaf.
// Zeros for an input that the loss does not depend on; throws on one that asked for no gradient.
Tensors gradients(const Tensor& loss, const Tensors& inputs, BackwardOptions options = {});

// What the named op has made on the way to `result`, in order of creation: made_by(logits,
// "softmax") are the attention weights of a model that ran inside an AttentionMaps scope (ops.hpp).
Tensors made_by(const Tensor& result, std::string_view op);

// The graph behind a result as indented text, and in the language of Graphviz.
std::string graph_text(const Tensor& result);
std::string graph_dot(const Tensor& result);

}  // namespace attention
