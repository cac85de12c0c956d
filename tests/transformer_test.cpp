// Blocks and the whole model against their definition, and the properties that hold whatever the
// weights are. How parameters are found is in module_test.cpp; how they learn, in
// training_test.cpp.
#include <cmath>
#include <limits>

#include "attention/core/error.hpp"
#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/gradcheck.hpp"
#include "models.hpp"

using namespace models;
using Catch::Matchers::Equals;

namespace {

// The logits of one sequence up to position `end`: (end, V).
Tensor up_to(const Tensor& logits, Size sequence, Size end) {
  return slice(slice(logits, 0, sequence, sequence + 1), 1, 0, end);
}

}  // namespace

TEST_CASE("a block is its definition, with the normalization before or after") {
  TransformerConfig config = small();
  config.dropout = real(0.3);
  Random random(1);
  const Tensor x = drawn({2, 4, 6}, 2);
  const Mask mask = causal_mask(4);
  for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post}) {
    config.norm = norm;
    const Block block(config, random);
    draw_parameters(parameters(block));
    for (bool training : {false, true}) {
      Random ours(3), theirs(3);
      auto drop = [&](const Tensor& t) { return training ? dropout(t, real(0.3), theirs) : t; };
      auto attend = [&](const Tensor& t) { return drop(block.attention(t, t, mask)); };
      auto think = [&](const Tensor& t) {
        const FeedForward& layer = block.feed_forward;
        return drop(matmul(gelu(matmul(t, layer.up.weight) + layer.up.bias), layer.down.weight) +
                    layer.down.bias);
      };
      Tensor expected;
      if (norm == NormPlacement::pre) {
        const Tensor y = x + attend(block.attention_norm(x));
        expected = y + think(block.feed_forward_norm(y));
      } else {
        const Tensor y = block.attention_norm(x + attend(x));
        expected = block.feed_forward_norm(y + think(y));
      }
      std::optional<Training> scope;
      if (training) scope.emplace(ours);
      check_near(block(x, mask), expected, 64 * eps);
    }
  }
}

TEST_CASE("the gradient of a whole block is right, to its input and to its parameters") {
  if (std::numeric_limits<real>::digits < 50) return;
  TransformerConfig config = small();
  for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post}) {
    config.norm = norm;
    Random random(1);
    Block block(config, random);
    draw_parameters(parameters(block));
    // All but the key's bias: it adds the same to all scores of a query, which changes nothing.
    std::vector<Tensor*> fields{&block.attention_norm.gain, &block.attention_norm.bias,
                                &block.feed_forward_norm.gain, &block.feed_forward_norm.bias,
                                &block.attention.key.weight};
    for (Linear* linear : {&block.attention.query, &block.attention.value, &block.attention.output,
                           &block.feed_forward.up, &block.feed_forward.down})
      fields.push_back(&linear->weight), fields.push_back(&linear->bias);
    Tensors inputs{drawn({2, 3, 6}, 2)};
    for (Tensor* field : fields) inputs.push_back(*field);
    const auto report = gradcheck(
        [&](const Tensors& in) {
          for (std::size_t i = 0; i < fields.size(); ++i) *fields[i] = in[i + 1];
          return block(in[0], causal_mask(3));
        },
        inputs);
    INFO(report.text);
    CHECK(report.passed);
  }
}

TEST_CASE("the model is embedding, positions, blocks, norm and output") {
  TransformerConfig config = small();
  config.dropout = real(0.3);
  for (bool tied : {false, true})
    for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post}) {
      config.tied = tied;
      config.norm = norm;
      const Transformer model = make<Transformer>(config);
      CHECK(model.norm.has_value() == (norm == NormPlacement::pre));
      CHECK(model.output.has_value() == !tied);
      const Tokens ids = some_tokens(2, 4);
      Random ours(3), theirs(3);
      std::optional<Training> scope(theirs);
      Tensor x = gather_rows(model.embedding.weight, ids) * std::sqrt(real(6)) + sinusoids(4, 6);
      x = dropout(x, real(0.3), theirs);
      for (const Block& block : model.blocks) x = block(x, {});
      if (model.norm) x = layer_norm(x, model.norm->gain, model.norm->bias);
      const Tensor expected = tied ? matmul(x, model.embedding.weight, transpose_b)
                                   : matmul(x, model.output->weight) + model.output->bias;
      scope.emplace(ours);
      const Tensor logits = model(ids);
      CHECK(logits.shape() == Shape{2, 4, 11});
      check_near(logits, expected, 64 * eps);
    }
}

TEST_CASE("a causal model's logits are the same bit for bit when a later token changes") {
  TransformerConfig config = small();
  config.causal = true;
  config.dropout = real(0.2);
  for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post})
    for (bool training : {false, true}) {
      config.norm = norm;
      const Transformer model = make<Transformer>(config);
      auto run = [&](const Tokens& ids) {
        Random random(5);
        std::optional<Training> scope;
        if (training) scope.emplace(random);
        return model(ids);
      };
      const Tokens ids = some_tokens(2, 5);
      const Tensor before = run(ids);
      for (Size t = 0; t < 4; ++t) {
        Tokens changed = ids;
        changed.ids[5 + t + 1] = (ids.ids[5 + t + 1] + 1) % 11;  // in the second sequence
        const Tensor after = run(changed);
        CHECK(values(up_to(after, 0, 5)) == values(up_to(before, 0, 5)));
        CHECK(values(up_to(after, 1, t + 1)) == values(up_to(before, 1, t + 1)));
        CHECK(values(up_to(after, 1, t + 2)) != values(up_to(before, 1, t + 2)));
      }
    }
}

TEST_CASE("without positions the model cannot see order, and with them it can") {
  TransformerConfig config = small();
  const std::vector<int> order{2, 0, 3, 1}, ids{4, 9, 1, 7}, moved{1, 4, 7, 9};
  for (PositionKind kind : {PositionKind::none, PositionKind::sinusoidal, PositionKind::learned}) {
    config.positions = kind;
    const Transformer model = make<Transformer>(config);
    const Tensor expected =
        gather_rows(reshape(model(Tokens({1, 4}, ids)), {4, 11}), Tokens({4}, order));
    const Tensor got = reshape(model(Tokens({1, 4}, moved)), {4, 11});
    if (kind == PositionKind::none) {
      check_near(got, expected, 128 * eps);
    } else {
      CHECK(std::sqrt(mean(pow(got - expected, 2)).item()) > 1e-3);
    }
  }
}

TEST_CASE("padded sequences of a batch equal each of them alone") {
  const std::vector<Size> lengths{2, 4};
  for (bool causal : {false, true}) {
    TransformerConfig config = small();
    config.causal = causal;
    const Transformer model = make<Transformer>(config);
    const Tokens ids = some_tokens(2, 5);
    const Tensor together = model(ids, padding_mask(lengths, 5));
    for (Size b = 0; b < 2; ++b) {
      const auto begin = ids.ids.begin() + 5 * b;
      const Tokens alone({1, lengths[b]}, std::vector<int>(begin, begin + lengths[b]));
      check_near(up_to(together, b, lengths[b]), model(alone), 128 * eps);
    }
  }
}

TEST_CASE("padding on the left of a causal model leaves a row without keys, and nothing breaks") {
  TransformerConfig config = small();
  config.causal = true;
  const Transformer model = make<Transformer>(config);
  const Mask padded_left({1, 1, 1, 4}, {0, 0, 1, 1});
  const Tensor logits = model(some_tokens(1, 4), padded_left);
  const Tensor with_maps = (AttentionMaps(), model(some_tokens(1, 4), padded_left));
  CHECK(made_by(logits, "softmax").empty());
  CHECK(made_by(with_maps, "softmax").size() == model.blocks.size());
  for (const Tensor& map : made_by(with_maps, "softmax"))
    CHECK(sum(slice(map, 2, 0, 2)).item() == 0);
  check_near(logits, with_maps, 128 * eps);
  backward(sum(logits * drawn(logits.shape(), 3)));
  for (real v : values(logits)) CHECK(std::isfinite(v));
  for (const auto& [name, tensor] : parameters(model))
    for (real v : values(tensor.grad())) REQUIRE(std::isfinite(v));
}

TEST_CASE("norm placements are found by name") {
  for (const char* name : {"pre", "post"}) CHECK(to_string(norm_placement(name)) == name);
}
