// The model of Vaswani et al. (2017), section 3, with both of its halves: the encoder reads a
// source (B, S), the decoder says a target (B, T), each token by looking at what it has said so far
// and at what the encoder made of the source, the memory (B, S, C). The letters are those of
// transformer.hpp. Next: decode.hpp, which lets it answer.
#pragma once

#include <optional>
#include <vector>

#include "attention/nn/cache.hpp"
#include "attention/nn/transformer.hpp"

namespace attention {

// One layer of the decoder: x + attention to itself, then x + attention to the memory, then
// x + feed-forward, each with its normalization.
struct DecoderBlock {
  NormPlacement placement;
  LayerNorm attention_norm;
  MultiHeadAttention attention;  // to the target up to the same place
  LayerNorm cross_attention_norm;
  MultiHeadAttention cross_attention;  // to the memory
  LayerNorm feed_forward_norm;
  FeedForward feed_forward;
  Dropout dropout;

  DecoderBlock(const TransformerConfig& config, Random& random);
  // x (B, T, C), memory (B, S, C) -> (B, T, C). `causal` is for x, `padding` for the memory.
  Tensor operator()(const Tensor& x, const Mask& causal, const Tensor& memory,
                    const Mask& padding) const;
  // What comes next, (B, n, C) -> (B, n, C); `seen` grows by it. The memory is projected already.
  Tensor next(const Tensor& x, KeyValues& seen, const Mask& causal, const KeyValues& memory,
              const Mask& padding) const;
  void visit(auto&& f) const {
    f("attention_norm", attention_norm), f("attention", attention);
    f("cross_attention_norm", cross_attention_norm), f("cross_attention", cross_attention);
    f("feed_forward_norm", feed_forward_norm), f("feed_forward", feed_forward);
  }
};

// Sources of different lengths are padded on the right, with any ids: the first lengths[b] of
// source b count, and nothing depends on the others. No lengths: all of them count. Targets need
// none, for what fills up a target comes after all that counts, and the decoder does not look
// ahead; the loss leaves it out (targets of -1).
struct EncoderDecoder {
  // One vocabulary for both sides; `layers` of each; `context` is the largest S, and the largest T.
  // `causal` says nothing here: the decoder always is, the encoder never.
  TransformerConfig config;
  Embedding source_embedding;
  std::optional<Embedding> target_embedding;  // none when tied: one weight for all (section 3.4)
  Positions source_positions, target_positions;
  Dropout dropout;
  std::vector<Block> encoder;
  std::optional<LayerNorm> encoder_norm;  // post-norm blocks end with their own
  std::vector<DecoderBlock> decoder;
  std::optional<LayerNorm> decoder_norm;
  std::optional<Linear> output;  // none when tied

  EncoderDecoder(TransformerConfig config, Random& random);

  // source (B, S), target (B, T) -> logits (B, T, V): what follows each of the target's tokens.
  // Throws, as the others do, on more tokens than the context, on other shapes, and unless there is
  // a length from 1 to S for each source.
  Tensor operator()(const Tokens& source, const std::vector<Size>& lengths,
                    const Tokens& target) const;
  Tensor encode(const Tokens& source, const std::vector<Size>& lengths = {}) const;  // (B, S, C)
  Tensor decode(const Tokens& target, const Tensor& memory,
                const std::vector<Size>& lengths = {}) const;  // (B, T, V)

  // Token by token, without recording: start() reads the sources, and each next() gives the logits
  // (B, n, V) after the next tokens (B, n) of the targets, the same as decode() would in these
  // places. next() throws as decode() does, and on a cache that does not fit; it is unchanged then.
  KeyValueCache start(const Tokens& source, const std::vector<Size>& lengths = {}) const;
  Tensor next(const Tokens& target, KeyValueCache& cache) const;

  void visit(auto&& f) const {
    f("source_embedding", source_embedding), f("target_embedding", target_embedding);
    f("source_positions", source_positions), f("target_positions", target_positions);
    f("encoder", encoder), f("encoder_norm", encoder_norm);
    f("decoder", decoder), f("decoder_norm", decoder_norm), f("output", output);
  }

 private:
  Tensor embed_target(const Tokens& target, Size first = 0) const;  // (B, n) -> (B, n, C)
  Tensor to_logits(const Tensor& x) const;                          // (B, n, C) -> (B, n, V)
};

}  // namespace attention
