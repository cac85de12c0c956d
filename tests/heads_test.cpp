// Heads: their maps, how much weight they put on given links, and models that lack one of them.
#include <catch2/catch.hpp>

#include "attention/nn/heads.hpp"
#include "attention/nn/module.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Contains;

namespace {

// 3 heads of 4 channels, 2 layers; positions and heads differ in number.
Transformer make_model(std::uint64_t seed = 1) {
  Random random(seed);
  Transformer model({.vocabulary = 7, .context = 5, .channels = 12, .heads = 3}, random);
  for (auto& [name, tensor] : parameters(model)) {  // biases too, or they could not be missed
    Tensor handle = tensor;
    real* values = handle.edit();
    for (Size i = 0; i < handle.count(); ++i) values[i] += real(0.3 * random.normal());
  }
  return model;
}

const Tokens ids({2, 5}, {0, 3, 6, 1, 2, 5, 5, 4, 0, 1});

// The same layer with the chosen head's output replaced by zeros before W_O: by its definition.
Tensor attention_without(const MultiHeadAttention& a, const Tensor& x, int without) {
  Tensors outputs;
  for (int head = 0; head < a.heads; ++head) {
    const Size depth = x.size(-1) / a.heads, begin = head * depth, end = begin + depth;
    const Tensor q = slice(a.query(x), -1, begin, end), k = slice(a.key(x), -1, begin, end),
                 v = slice(a.value(x), -1, begin, end);
    const Tensor out = attend(q, k, v);
    outputs.push_back(head == without || without < 0 ? zeros(out.shape()) : out);
  }
  return a.output(concat(outputs, -1));
}

// The model with one layer's attention computed as above; without = -1 takes away all heads.
Tensor by_hand(const Transformer& m, int layer, int without) {
  Tensor x = m.positions(m.embedding(ids) * std::sqrt(real(12)));
  for (int i = 0; i < 2; ++i) {
    const Block& b = m.blocks[i];
    const Tensor normed = b.attention_norm(x);
    x = x + (i == layer ? attention_without(b.attention, normed, without) : b.attention(normed));
    x = x + b.feed_forward(b.feed_forward_norm(x));
  }
  return (*m.output)((*m.norm)(x));
}

}  // namespace

TEST_CASE("attention maps are (B, H, T, T), a layer each, and their rows sum to 1") {
  const Transformer model = make_model();
  const Tensors maps = attention_maps(model, ids);
  REQUIRE(maps.size() == 2);
  for (const Tensor& map : maps) {
    CHECK(map.shape() == Shape{2, 3, 5, 5});
    CHECK_FALSE(map.requires_grad());
    CHECK(distance(sum(map, {-1}), ones({2, 3, 5})) < 1e-5);
  }
  const Block& block = model.blocks[0];
  const Tensor x =
      block.attention_norm(model.positions(model.embedding(ids) * std::sqrt(real(12))));
  const Tensor q = split_heads(block.attention.query(x), 3),
               k = split_heads(block.attention.key(x), 3);
  CHECK(distance(maps[0], softmax(matmul(q, k, transpose_b) * real(0.5), -1)) < 1e-5);
}

TEST_CASE("link scores are the mean weight on the links, for each head of each layer") {
  Tensors maps{zeros({2, 3, 2, 4}), zeros({2, 3, 2, 4})};
  const auto set = [](Tensor& map, Size at, double value) { map.edit()[at] = real(value); };
  // Offsets in (2, 3, 2, 4): ((row * 3 + head) * 2 + query) * 4 + key.
  set(maps[0], ((0 * 3 + 1) * 2 + 1) * 4 + 3, 0.8);
  set(maps[0], ((1 * 3 + 1) * 2 + 0) * 4 + 2, 0.4);
  set(maps[1], ((1 * 3 + 2) * 2 + 0) * 4 + 2, 0.5);
  set(maps[1], ((0 * 3 + 2) * 2 + 1) * 4 + 2, 0.9);  // on no link
  const Tensor scores = link_scores(maps, {{0, 1, 3}, {1, 0, 2}});
  CHECK(distance(scores, from_values({0, real(0.6), 0, 0, 0, real(0.25)}, {2, 3})) < 1e-6);
}

TEST_CASE("a model without a head is the one whose head puts out zeros") {
  const Transformer model = make_model();
  const Tensor before = model(ids);
  for (int layer = 0; layer < 2; ++layer)
    for (int head = 0; head < 3; ++head) {
      INFO("layer " << layer << " head " << head);
      const Tensor ablated = without_head(model, layer, head)(ids);
      CHECK(distance(ablated, by_hand(model, layer, head)) < 1e-4);
      CHECK(max(pow(ablated - before, 2)).item() > 1e-4);
    }
  const Tensor after = model(ids);
  for (Size i = 0; i < before.count(); ++i) CHECK(after.data()[i] == before.data()[i]);
}

TEST_CASE("without any of a layer's heads, its attention is W_O's bias") {
  const Transformer model = make_model(2);
  Transformer none = model;
  for (int head : {2, 0, 1}) none = without_head(none, 1, head);
  CHECK(distance(none(ids), by_hand(model, 1, -1)) < 1e-4);
}

TEST_CASE("a model without a head shares all parameters but one weight") {
  const Transformer model = make_model();
  const Transformer copy = without_head(model, 1, 2);
  const NamedTensors original = parameters(model), changed = parameters(copy);
  REQUIRE(original.size() == changed.size());
  for (std::size_t i = 0; i < original.size(); ++i) {
    const bool own = original[i].name == "blocks.1.attention.output.weight";
    CHECK(original[i].name == changed[i].name);
    CHECK(original[i].tensor.same_as(changed[i].tensor) != own);
    CHECK(changed[i].tensor.requires_grad());
  }
}
