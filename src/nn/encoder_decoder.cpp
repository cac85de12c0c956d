#include "attention/nn/encoder_decoder.hpp"

#include <cmath>

#include "attention/core/error.hpp"
#include "attention/tensor/op.hpp"

namespace attention {
namespace {

void check_tokens(const char* side, const Tokens& ids, Size context) {
  ids.check("encoder-decoder");
  if (ids.shape.rank() != 2 || ids.shape.count() == 0)
    fail("encoder-decoder: a {} of shape {}; (batch, positions) is needed, at least one", side,
         ids.shape);
  if (ids.shape[1] > context)
    fail("encoder-decoder: a {} of {} tokens, but the model's context is {}; shorten it", side,
         ids.shape[1], context);
}

// Which of S positions count, for sources of these lengths: (B, 1, 1, S), or no mask if all do.
Mask source_mask(const std::vector<Size>& lengths, Size sources, Size positions) {
  if (lengths.empty()) return {};
  if (static_cast<Size>(lengths.size()) != sources)
    fail("encoder-decoder: {} lengths for {} sources; each needs one", lengths.size(), sources);
  for (std::size_t b = 0; b < lengths.size(); ++b)
    if (lengths[b] < 1 || lengths[b] > positions)
      fail("encoder-decoder: length {} of source {}; 1 to {} are possible", lengths[b], b,
           positions);
  return padding_mask(lengths, positions);
}

}  // namespace

DecoderBlock::DecoderBlock(const TransformerConfig& config, Random& random)
    : placement(config.norm),
      attention_norm(config.channels),
      attention(config.channels, config.heads, random),
      cross_attention_norm(config.channels),
      cross_attention(config.channels, config.heads, random),
      feed_forward_norm(config.channels),
      feed_forward(config.channels, config.hidden, config.activation, random),
      dropout(config.dropout) {}

Tensor DecoderBlock::operator()(const Tensor& x, const Mask& causal, const Tensor& memory,
                                const Mask& padding) const {
  const auto attend = [&](const Tensor& t) { return attention(t, causal); };
  const auto look = [&](const Tensor& t) { return cross_attention(t, memory, padding); };
  const Tensor y = add_part(x, placement, attention_norm, dropout, attend);
  const Tensor z = add_part(y, placement, cross_attention_norm, dropout, look);
  return add_part(z, placement, feed_forward_norm, dropout, feed_forward);
}

Tensor DecoderBlock::next(const Tensor& x, KeyValues& seen, const Mask& causal,
                          const KeyValues& memory, const Mask& padding) const {
  const auto attend = [&](const Tensor& t) { return attention.next(t, seen, causal); };
  const auto look = [&](const Tensor& t) { return cross_attention(t, memory, padding); };
  const Tensor y = add_part(x, placement, attention_norm, dropout, attend);
  const Tensor z = add_part(y, placement, cross_attention_norm, dropout, look);
  return add_part(z, placement, feed_forward_norm, dropout, feed_forward);
}

EncoderDecoder::EncoderDecoder(TransformerConfig given, Random& random)
    : config(checked(given)),
      source_embedding(config.vocabulary, config.channels, random),
      source_positions(config.positions, config.context, config.channels, random),
      target_positions(config.positions, config.context, config.channels, random),
      dropout(config.dropout) {
  const bool pre = config.norm == NormPlacement::pre;
  for (int i = 0; i < config.layers; ++i) encoder.emplace_back(config, random);
  if (pre) encoder_norm.emplace(config.channels);
  for (int i = 0; i < config.layers; ++i) decoder.emplace_back(config, random);
  if (pre) decoder_norm.emplace(config.channels);
  if (!config.tied) {
    target_embedding.emplace(config.vocabulary, config.channels, random);
    output.emplace(config.channels, config.vocabulary, random);
  }
  Tensor& last = output ? output->weight : source_embedding.weight;
  last = init::for_logits(last.shape(), config.channels, random);
}

Tensor EncoderDecoder::operator()(const Tokens& source, const std::vector<Size>& lengths,
                                  const Tokens& target) const {
  return decode(target, encode(source, lengths), lengths);
}

Tensor EncoderDecoder::encode(const Tokens& source, const std::vector<Size>& lengths) const {
  check_tokens("source", source, config.context);
  const Mask padding = source_mask(lengths, source.shape[0], source.shape[1]);
  const real scale = std::sqrt(static_cast<real>(config.channels));        // section 3.4
  Tensor x = dropout(source_positions(source_embedding(source) * scale));  // (B, S, C)
  for (const Block& block : encoder) x = block(x, padding);                // (B, S, C)
  return encoder_norm ? (*encoder_norm)(x) : x;
}

Tensor EncoderDecoder::decode(const Tokens& target, const Tensor& memory,
                              const std::vector<Size>& lengths) const {
  check_tokens("target", target, config.context);
  check_defined("encoder-decoder's memory", memory);
  if (memory.rank() != 3 || memory.size(0) != target.shape[0] || memory.size(1) == 0 ||
      memory.size(2) != config.channels)
    fail(
        "encoder-decoder: a memory of shape {} for targets of shape {}; ({}, positions, {}) is "
        "needed",
        memory.shape(), target.shape, target.shape[0], config.channels);
  const Mask padding = source_mask(lengths, memory.size(0), memory.size(1));
  const Mask causal = causal_mask(target.shape[1]);
  Tensor x = embed_target(target);                                                  // (B, T, C)
  for (const DecoderBlock& block : decoder) x = block(x, causal, memory, padding);  // (B, T, C)
  return to_logits(x);                                                              // (B, T, V)
}

KeyValueCache EncoderDecoder::start(const Tokens& source, const std::vector<Size>& lengths) const {
  NoGrad no_grad;
  const Tensor memory = encode(source, lengths);  // (B, S, C)
  KeyValueCache cache;
  for (const DecoderBlock& block : decoder)
    cache.memory.push_back(block.cross_attention.project(memory));
  cache.padding = source_mask(lengths, source.shape[0], source.shape[1]);
  return cache;
}

Tensor EncoderDecoder::next(const Tokens& target, KeyValueCache& cache) const {
  if (cache.memory.size() != decoder.size())
    fail("encoder-decoder: the cache has {} layers of a source, the model {}; start() makes one",
         cache.memory.size(), decoder.size());
  NoGrad no_grad;
  cache.check("encoder-decoder", target, decoder.size(), config.context);
  const Size first = cache.length();
  const Mask causal = causal_mask(target.shape[1], first + target.shape[1]);
  Tensor x = embed_target(target, first);  // (B, n, C)
  cache.seen.resize(decoder.size());
  for (std::size_t i = 0; i < decoder.size(); ++i)
    x = decoder[i].next(x, cache.seen[i], causal, cache.memory[i], cache.padding);
  return to_logits(x);  // (B, n, V)
}

Tensor EncoderDecoder::embed_target(const Tokens& target, Size first) const {
  const Embedding& embedding = target_embedding ? *target_embedding : source_embedding;
  const real scale = std::sqrt(static_cast<real>(config.channels));
  return dropout(target_positions(embedding(target) * scale, first));
}

Tensor EncoderDecoder::to_logits(const Tensor& x) const {
  const Tensor y = decoder_norm ? (*decoder_norm)(x) : x;
  return output ? (*output)(y) : matmul(y, source_embedding.weight, transpose_b);
}

}  // namespace attention
