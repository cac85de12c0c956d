// The encoder-decoder against its definition, what padding and later tokens may not change, and
// what is refused. PyTorch's word on a decoder block is in reference_decoder_test.cpp.
#include <catch2/catch.hpp>

#include <cmath>
#include <optional>
#include <set>

#include "attention/core/error.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/gradcheck.hpp"
#include "models.hpp"

using namespace models;
using Catch::Matchers::Equals;

namespace {

// A norm for each of the two placements, tied or not.
std::vector<TransformerConfig> configs() {
  std::vector<TransformerConfig> list;
  for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post})
    for (bool tied : {false, true}) {
      list.push_back(small());
      list.back().norm = norm;
      list.back().tied = tied;
    }
  return list;
}

}  // namespace

TEST_CASE("a decoder block attends to itself, to the memory, and thinks: in this order") {
  TransformerConfig config = small();
  config.dropout = real(0.3);
  const Tensor x = drawn({2, 4, 6}, 2), memory = drawn({2, 5, 6}, 3);
  const Mask causal = causal_mask(4), padding = padding_mask({3, 5}, 5);
  for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post}) {
    config.norm = norm;
    Random random(1);
    const DecoderBlock block(config, random);
    draw_parameters(parameters(block));
    for (bool training : {false, true}) {
      Random ours(3), theirs(3);
      auto drop = [&](const Tensor& t) { return training ? dropout(t, real(0.3), theirs) : t; };
      auto attend = [&](const Tensor& t) { return drop(block.attention(t, causal)); };
      auto look = [&](const Tensor& t) { return drop(block.cross_attention(t, memory, padding)); };
      auto think = [&](const Tensor& t) { return drop(block.feed_forward(t)); };
      Tensor expected;
      if (norm == NormPlacement::pre) {
        const Tensor y = x + attend(block.attention_norm(x));
        const Tensor z = y + look(block.cross_attention_norm(y));
        expected = z + think(block.feed_forward_norm(z));
      } else {
        const Tensor y = block.attention_norm(x + attend(x));
        const Tensor z = block.cross_attention_norm(y + look(y));
        expected = block.feed_forward_norm(z + think(z));
      }
      std::optional<Training> scope;
      if (training) scope.emplace(ours);
      check_near(block(x, causal, memory, padding), expected, 64 * eps);
    }
  }
}

TEST_CASE("the gradient of a decoder block is right, to both inputs and to its parameters") {
  if (std::numeric_limits<real>::digits < 50) return;
  TransformerConfig config = small();
  for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post}) {
    config.norm = norm;
    Random random(1);
    DecoderBlock block(config, random);
    draw_parameters(parameters(block));
    // A key's bias adds the same to all scores of a query, which changes nothing.
    std::vector<Tensor*> fields{&block.cross_attention_norm.gain, &block.cross_attention_norm.bias,
                                &block.cross_attention.key.weight, &block.attention.key.weight};
    for (Linear* linear : {&block.cross_attention.query, &block.cross_attention.value,
                           &block.cross_attention.output, &block.attention.value})
      fields.push_back(&linear->weight), fields.push_back(&linear->bias);
    Tensors inputs{drawn({2, 3, 6}, 2), drawn({2, 4, 6}, 3)};
    for (Tensor* field : fields) inputs.push_back(*field);
    const auto report = gradcheck(
        [&](const Tensors& in) {
          for (std::size_t i = 0; i < fields.size(); ++i) *fields[i] = in[i + 2];
          return block(in[0], causal_mask(3), in[1], padding_mask({2, 4}, 4));
        },
        inputs);
    INFO(report.text);
    CHECK(report.passed);
  }
}

TEST_CASE("an encoder-decoder is two stacks of blocks, and the second sees the first's result") {
  const Tokens source = some_tokens(2, 5), target = some_tokens(2, 4, 5);
  const std::vector<Size> lengths{3, 5};
  const Mask padding = padding_mask(lengths, 5);
  for (TransformerConfig config : configs()) {
    config.dropout = real(0.3);
    const auto model = make<EncoderDecoder>(config);
    CHECK(model.encoder.size() == 2);
    CHECK(model.decoder.size() == 2);
    CHECK(model.encoder_norm.has_value() == (config.norm == NormPlacement::pre));
    CHECK(model.decoder_norm.has_value() == (config.norm == NormPlacement::pre));
    CHECK(model.target_embedding.has_value() == !config.tied);
    CHECK(model.output.has_value() == !config.tied);

    Random ours(3), theirs(3);
    std::optional<Training> scope(theirs);
    const Tensor& words = model.source_embedding.weight;
    const Tensor& target_words = config.tied ? words : model.target_embedding->weight;
    auto embed = [&](const Tensor& table, const Tokens& ids) {
      const Tensor x = gather_rows(table, ids) * std::sqrt(real(6)) + sinusoids(ids.shape[1], 6);
      return dropout(x, real(0.3), theirs);
    };
    Tensor memory = embed(words, source);
    for (const Block& block : model.encoder) memory = block(memory, padding);
    if (model.encoder_norm) memory = (*model.encoder_norm)(memory);
    Tensor x = embed(target_words, target);
    for (const DecoderBlock& block : model.decoder) x = block(x, causal_mask(4), memory, padding);
    if (model.decoder_norm) x = (*model.decoder_norm)(x);
    const Tensor expected = config.tied ? matmul(x, words, transpose_b)
                                        : matmul(x, model.output->weight) + model.output->bias;
    scope.emplace(ours);
    const Tensor logits = model(source, lengths, target);
    CHECK(logits.shape() == Shape{2, 4, 11});
    check_near(logits, expected, 64 * eps);
  }
}

TEST_CASE("a new encoder-decoder guesses: the first loss is about ln V") {
  for (const TransformerConfig& config : configs()) {
    Random random(1);
    const EncoderDecoder model(config, random);
    const Tensor logits = model(some_tokens(2, 5), {}, some_tokens(2, 6, 5));
    CHECK(cross_entropy(logits, some_tokens(2, 6, 7)).item() == Approx(std::log(11)).margin(0.1));
  }
}

TEST_CASE("the loss reaches every parameter of an encoder-decoder") {
  for (const TransformerConfig& config : configs()) {
    const auto model = make<EncoderDecoder>(config);
    backward(cross_entropy(model(some_tokens(2, 5), {3, 5}, some_tokens(2, 4, 5)),
                           some_tokens(2, 4, 6)));
    std::set<const Node*> different;
    for (const auto& [name, tensor] : parameters(model)) {
      INFO(name);
      CHECK(different.insert(&tensor.node()).second);
      REQUIRE(tensor.grad().defined());
      if (name.find("key.bias") == name.npos) CHECK(max(pow(tensor.grad(), 2)).item() > 0);
    }
  }
}

TEST_CASE("what fills up sources and targets changes nothing, bit for bit") {
  const std::vector<Size> source_lengths{3, 5}, target_lengths{4, 2};
  const Tokens source = some_tokens(2, 5), target = some_tokens(2, 4, 5);
  Tokens next = some_tokens(2, 4, 7);
  for (Size t = target_lengths[1]; t < 4; ++t) next.ids[4 + t] = -1;  // not scored
  Tokens other_source = source, other_target = target;
  for (Size s = source_lengths[0]; s < 5; ++s) other_source.ids[s] = 10 - source.ids[s];
  for (Size t = target_lengths[1]; t < 4; ++t) other_target.ids[4 + t] = 10 - target.ids[4 + t];
  REQUIRE(!(other_source == source));
  REQUIRE(!(other_target == target));
  for (const TransformerConfig& config : configs()) {
    const auto model = make<EncoderDecoder>(config);
    auto gradients_with = [&](const Tokens& from, const Tokens& to) {
      const Tensor logits = model(from, source_lengths, to);
      std::vector<std::vector<real>> all;
      for (Size b = 0; b < 2; ++b) all.push_back(values(part(logits, b, 0, target_lengths[b])));
      backward(cross_entropy(logits, next));
      for (auto [name, tensor] : parameters(model)) {
        all.push_back(values(tensor.grad()));
        tensor.clear_grad();
      }
      return all;
    };
    const auto before = gradients_with(source, target);
    CHECK(gradients_with(other_source, target) == before);
    CHECK(gradients_with(source, other_target) == before);
  }
}

TEST_CASE("a batch of different lengths equals each pair alone") {
  const std::vector<Size> source_lengths{2, 5, 3}, target_lengths{4, 1, 3};
  const Tokens source = some_tokens(3, 5), target = some_tokens(3, 4, 5);
  for (const TransformerConfig& config : configs()) {
    const auto model = make<EncoderDecoder>(config);
    const Tensor together = model(source, source_lengths, target);
    for (Size b = 0; b < 3; ++b) {
      const Tokens from = part(source, b, 0, source_lengths[b]);
      const Tokens to = part(target, b, 0, target_lengths[b]);
      check_near(part(together, b, 0, target_lengths[b]), model(from, {}, to));
      check_near(part(together, b, 0, target_lengths[b]), model(from, {source_lengths[b]}, to));
    }
  }
}

TEST_CASE("the decoder does not look ahead, and the encoder looks both ways") {
  const Tokens source = some_tokens(2, 5), target = some_tokens(2, 4, 5);
  for (const TransformerConfig& config : configs()) {
    const auto model = make<EncoderDecoder>(config);
    const Tensor memory = model.encode(source), before = model.decode(target, memory);
    for (Size t = 0; t + 1 < 4; ++t) {
      Tokens changed = target;
      changed.ids[t + 1] = (target.ids[t + 1] + 1) % 11;  // in the first sequence
      const Tensor after = model.decode(changed, memory);
      CHECK(values(part(after, 0, 0, t + 1)) == values(part(before, 0, 0, t + 1)));
      CHECK(values(part(after, 0, t + 1, t + 2)) != values(part(before, 0, t + 1, t + 2)));
      CHECK(values(part(after, 1, 0, 4)) == values(part(before, 1, 0, 4)));
    }
    for (Size s : {Size(0), Size(4)}) {
      Tokens changed = source;
      changed.ids[s] = (source.ids[s] + 1) % 11;
      const Tensor other = model.encode(changed);
      for (Size at = 0; at < 5; ++at)
        CHECK(values(part(other, 0, at, at + 1)) != values(part(memory, 0, at, at + 1)));
      CHECK(values(model.decode(target, other)) != values(before));
    }
  }
}
