#include "attention/nn/heads.hpp"

#include <algorithm>

#include "attention/core/error.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/op.hpp"

namespace attention {
namespace {

void check_maps(const Tensors& maps) {
  if (maps.empty()) fail("link scores: there are no maps");
  check_defined("link scores", maps);
  const Shape& first = maps[0].shape();
  for (const Tensor& map : maps)
    if (map.rank() != 4 || !(map.shape() == first))
      fail("link scores: maps of shapes {} and {}; all layers need one shape (B, H, T, S)", first,
           map.shape());
}

}  // namespace

Tensors attention_maps(const Transformer& model, const Tokens& ids) {
  if (!recording())
    fail("attention maps: nothing is recorded here; call this outside of any NoGrad scope");
  const AttentionMaps kept;
  const Tensor logits = model(ids);
  Tensors maps;
  for (const Tensor& weights : made_by(logits, "softmax")) maps.push_back(weights.detach());
  return maps;
}

Tensor link_scores(const Tensors& maps, const std::vector<AttentionLink>& links) {
  check_maps(maps);
  if (links.empty()) fail("link scores: there are no links to score");
  const Shape& shape = maps[0].shape();
  for (const auto& [row, query, key] : links)
    if (row < 0 || row >= shape[0] || query < 0 || query >= shape[2] || key < 0 || key >= shape[3])
      fail("link scores: a link from query {} to key {} in sequence {}; the maps are {}", query,
           key, row, shape);

  const auto layers = static_cast<Size>(maps.size()), heads = shape[1];
  Tensor scores = zeros({layers, heads});
  real* out = scores.edit();
  for (Size layer = 0; layer < layers; ++layer)
    for (Size head = 0; head < heads; ++head) {
      double sum = 0;
      for (const auto& [row, query, key] : links) sum += maps[layer].at({row, head, query, key});
      out[layer * heads + head] = static_cast<real>(sum / static_cast<double>(links.size()));
    }
  return scores;
}

Transformer without_head(const Transformer& model, int layer, int head) {
  const auto layers = static_cast<int>(model.blocks.size());
  if (layer < 0 || layer >= layers)
    fail("without head: layer {}; the model has layers 0 to {}", layer, layers - 1);
  const MultiHeadAttention& attention = model.blocks[layer].attention;
  if (head < 0 || head >= attention.heads)
    fail("without head: head {}; each layer has heads 0 to {}", head, attention.heads - 1);

  // The heads' outputs stand side by side in front of W_O, so its rows belong to one head each.
  const Tensor& weight = attention.output.weight;  // (C, C)
  Tensor cut = weight.clone();
  const Size rows = weight.size(0) / attention.heads, columns = weight.size(1);
  real* first = cut.edit() + head * rows * columns;
  std::fill(first, first + rows * columns, real(0));

  Transformer copy = model;
  copy.blocks[layer].attention.output.weight = cut.require_grad();
  return copy;
}

}  // namespace attention
