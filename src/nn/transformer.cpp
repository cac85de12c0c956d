#include "attention/nn/transformer.hpp"

#include <cmath>

#include "attention/core/error.hpp"

namespace attention {

Block::Block(const TransformerConfig& config, Random& random)
    : placement(config.norm),
      attention_norm(config.channels),
      attention(config.channels, config.heads, random),
      feed_forward_norm(config.channels),
      feed_forward(config.channels, config.hidden, config.activation, random),
      dropout(config.dropout) {}

Tensor Block::operator()(const Tensor& x, const Mask& mask) const {
  const auto attend = [&](const Tensor& t) { return attention(t, mask); };
  const Tensor y = add_part(x, placement, attention_norm, dropout, attend);
  return add_part(y, placement, feed_forward_norm, dropout, feed_forward);
}

Tensor Block::next(const Tensor& x, KeyValues& seen, const Mask& mask) const {
  const auto attend = [&](const Tensor& t) { return attention.next(t, seen, mask); };
  const Tensor y = add_part(x, placement, attention_norm, dropout, attend);
  return add_part(y, placement, feed_forward_norm, dropout, feed_forward);
}

Transformer::Transformer(TransformerConfig given, Random& random)
    : config(checked(given)),
      embedding(config.vocabulary, config.channels, random),
      positions(config.positions, config.context, config.channels, random),
      dropout(config.dropout) {
  for (int i = 0; i < config.layers; ++i) blocks.emplace_back(config, random);
  if (config.norm == NormPlacement::pre) norm.emplace(config.channels);
  if (!config.tied) output.emplace(config.channels, config.vocabulary, random);
  Tensor& last = output ? output->weight : embedding.weight;
  last = init::for_logits(last.shape(), config.channels, random);
}

Tensor Transformer::operator()(const Tokens& ids, const Mask& mask) const {
  ids.check("transformer");
  if (ids.shape.rank() != 2)
    fail("transformer: tokens of shape {}; (batch, positions) is needed", ids.shape);
  const Size length = ids.shape[1];
  if (length > config.context)
    fail("transformer: {} tokens, but the model's context is {}; shorten the input", length,
         config.context);

  const Mask visible = config.causal ? causal_mask(length) & mask : mask;
  Tensor x = embed(ids);                                    // (B, T, C)
  for (const Block& block : blocks) x = block(x, visible);  // (B, T, C)
  return to_logits(x);                                      // (B, T, V)
}

Tensor Transformer::next(const Tokens& ids, KeyValueCache& cache) const {
  if (!config.causal)
    fail("transformer: this model is not causal: what comes next changes all before it");
  NoGrad no_grad;
  cache.check("transformer", ids, blocks.size(), config.context);
  const Size first = cache.length();
  const Mask visible = causal_mask(ids.shape[1], first + ids.shape[1]);
  Tensor x = embed(ids, first);  // (B, n, C)
  cache.seen.resize(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) x = blocks[i].next(x, cache.seen[i], visible);
  return to_logits(x);  // (B, n, V)
}

Tensor Transformer::embed(const Tokens& ids, Size first) const {
  const real scale = std::sqrt(static_cast<real>(config.channels));  // section 3.4
  return dropout(positions(embedding(ids) * scale, first));
}

Tensor Transformer::to_logits(const Tensor& x) const {
  const Tensor y = norm ? (*norm)(x) : x;
  return output ? (*output)(y) : matmul(y, embedding.weight, transpose_b);
}

}  // namespace attention
