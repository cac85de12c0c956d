// Who looks where, and does it matter? The attention weights of a model, how much of them a head
// puts on links that are known to be the right ones, and the model without one of its heads:
// weights alone do not tell whether a head is needed, taking it away does.
#pragma once

#include <vector>

#include "attention/nn/transformer.hpp"
#include "attention/tensor/attention_link.hpp"

namespace attention {

// The attention weights of each layer, (B, H, T, T): a row for each query, a column for each key.
// ids (B, T). Throws inside a NoGrad scope, since the weights are read from the graph.
Tensors attention_maps(const Transformer& model, const Tokens& ids);

// (layers, heads): the mean weight that each head puts on the links. Throws without a link, on one
// outside the maps, and on maps that are not all of one shape (B, H, T, S).
Tensor link_scores(const Tensors& maps, const std::vector<AttentionLink>& links);

// The model without what one head contributes: the head's rows of W_O are zero. Layers and heads
// count from 0. That weight is a copy; every other parameter is shared with `model`, which itself
// stays as it is. Throws when there is no such layer or head.
Transformer without_head(const Transformer& model, int layer, int head);

}  // namespace attention
