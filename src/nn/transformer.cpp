#include "attention/nn/transformer.hpp"

#include <cmath>

#include "attention/core/error.hpp"

namespace attention {
namespace {

// Deviation of the first logits, whatever weight makes them: they are nearly even, so that the
// first loss is ln V.
constexpr real small = real(0.1);

TransformerConfig checked(TransformerConfig config) {
  auto positive = [](const char* name, Size value) {
    if (value < 1) fail("transformer: {} = {}; at least 1 is needed", name, value);
  };
  positive("vocabulary", config.vocabulary);
  positive("context", config.context);
  positive("channels", config.channels);
  positive("heads", config.heads);
  positive("layers", config.layers);
  if (config.hidden == 0) config.hidden = 4 * config.channels;
  positive("hidden", config.hidden);
  if (config.channels % config.heads != 0)
    fail("transformer: {} heads do not divide {} channels; each head needs the same whole number",
         config.heads, config.channels);
  return config;
}

}  // namespace

NormPlacement norm_placement(const std::string& name) {
  if (name == "pre") return NormPlacement::pre;
  if (name == "post") return NormPlacement::post;
  fail("norm: '{}' is unknown; pre and post are known", name);
}

std::string to_string(NormPlacement placement) {
  return placement == NormPlacement::pre ? "pre" : "post";
}

Block::Block(const TransformerConfig& config, Random& random)
    : placement(config.norm),
      attention_norm(config.channels),
      attention(config.channels, config.heads, random),
      feed_forward_norm(config.channels),
      feed_forward(config.channels, config.hidden, config.activation, random),
      dropout(config.dropout) {}

Tensor Block::operator()(const Tensor& x, const Mask& mask) const {
  if (placement == NormPlacement::pre) {
    const Tensor y = x + dropout(attention(attention_norm(x), mask));
    return y + dropout(feed_forward(feed_forward_norm(y)));
  }
  const Tensor y = attention_norm(x + dropout(attention(x, mask)));
  return feed_forward_norm(y + dropout(feed_forward(y)));
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
  last = init::normal(last.shape(), small / std::sqrt(static_cast<real>(config.channels)), random);
}

Tensor Transformer::operator()(const Tokens& ids, const Mask& mask) const {
  if (ids.shape.rank() != 2)
    fail("transformer: tokens of shape {}; (batch, positions) is needed", ids.shape);
  const Size length = ids.shape[1];
  if (length > config.context)
    fail("transformer: {} tokens, but the model's context is {}; shorten the input", length,
         config.context);

  const Mask visible = config.causal ? causal_mask(length) & mask : mask;
  const real scale = std::sqrt(static_cast<real>(config.channels));  // section 3.4
  Tensor x = dropout(positions(embedding(ids) * scale));             // (B, T, C)
  for (const Block& block : blocks) x = block(x, visible);           // (B, T, C)
  if (norm) x = (*norm)(x);
  return output ? (*output)(x) : matmul(x, embedding.weight, transpose_b);  // (B, T, V)
}

}  // namespace attention
