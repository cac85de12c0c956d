// With keys and values kept, a model says the same token by token as all at once; and what does not
// fit the cache is refused and leaves it as it was.
#include <catch2/catch.hpp>

#include <numeric>

#include "attention/core/error.hpp"
#include "attention/nn/generate.hpp"
#include "models.hpp"

using namespace models;
using Catch::Matchers::Equals;

namespace {

const double rounding = std::numeric_limits<real>::digits < 50 ? 1e-5 : 1e-12;

// Norms and positions of each kind.
std::vector<TransformerConfig> configs() {
  std::vector<TransformerConfig> list;
  for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post})
    for (PositionKind kind :
         {PositionKind::none, PositionKind::sinusoidal, PositionKind::learned}) {
      list.push_back(small());
      list.back().layers = 3;
      list.back().norm = norm;
      list.back().positions = kind;
      list.back().tied = kind == PositionKind::learned;
      list.back().causal = true;
    }
  return list;
}

// Feeds the ids in chunks of these sizes and compares with `expected`, the logits of all at once.
template <class Model>
void check_chunks(const Model& model, const Tokens& ids, const Tensor& expected,
                  KeyValueCache cache, const std::vector<Size>& chunks) {
  Size at = cache.length();
  for (Size chunk : chunks) {
    const Tensor logits = model.next(columns(ids, at, at + chunk), cache);
    CHECK_FALSE(logits.requires_grad());
    check_near(logits, slice(expected, 1, at, at + chunk), rounding);
    at += chunk;
    CHECK(cache.length() == at);
    CHECK(cache.sequences() == ids.shape[0]);
  }
}

const std::vector<std::vector<Size>> ways{{1, 1, 1, 1, 1, 1, 1}, {3, 1, 2}, {7}, {1, 6}, {6, 1}};

}  // namespace

TEST_CASE("a causal model with a cache gives the logits of one without, in chunks of any size") {
  for (const TransformerConfig& config : configs()) {
    const auto model = make<Transformer>(config);
    const Tokens ids = some_tokens(2, 7);
    for (const auto& chunks : ways) check_chunks(model, ids, model(ids), {}, chunks);
  }
}

TEST_CASE("so does the decoder, and its sources are read once") {
  const Tokens source = some_tokens(2, 5), target = some_tokens(2, 7, 5);
  for (const TransformerConfig& config : configs())
    for (const std::vector<Size>& lengths : {std::vector<Size>{}, std::vector<Size>{3, 5}}) {
      const auto model = make<EncoderDecoder>(config);
      const Tensor expected = model(source, lengths, target);
      for (const auto& chunks : ways)
        check_chunks(model, target, expected, model.start(source, lengths), chunks);
    }
}

TEST_CASE("sequences of a cache can be dropped, doubled and reordered") {
  const auto model = make<EncoderDecoder>(small());
  const Tokens source = some_tokens(3, 5), target = some_tokens(3, 4, 5);
  const std::vector<Size> lengths{5, 2, 4};
  for (const std::vector<int>& rows : {std::vector{2, 0}, std::vector{1, 1, 0, 2}}) {
    KeyValueCache cache = model.start(source, lengths);
    model.next(columns(target, 0, 2), cache);
    cache.select(rows);
    CHECK(cache.sequences() == Size(rows.size()));
    const Tensor logits =
        model.next(Tokens({Size(rows.size()), 1}, std::vector<int>(rows.size(), 4)), cache);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Tokens alone = part(target, rows[i], 0, 3);
      alone.ids[2] = 4;
      const Tensor expected =
          model(part(source, rows[i], 0, 5), {lengths[rows[i]]}, alone);  // (1, 3, V)
      check_near(part(logits, Size(i), 0, 1), part(expected, 0, 2, 3), rounding);
    }
  }
  KeyValueCache cache = model.start(source, lengths);
  CHECK_THROWS_WITH(cache.select({0, 3}),
                    Equals("cache: there is no sequence 3; it has 3, counted from 0"));
  CHECK_THROWS_AS(cache.select({-1}), Error);
  CHECK(cache.sequences() == 3);
}

TEST_CASE("a cache can be copied, and the copies go on by themselves") {
  TransformerConfig config = small();
  config.causal = true;
  const auto model = make<Transformer>(config);
  KeyValueCache one;
  model.next(Tokens({1, 3}, {1, 2, 3}), one);
  KeyValueCache other = one;
  const Tensor a = model.next(Tokens({1, 1}, {4}), one);
  model.next(Tokens({1, 2}, {9, 8}), other);
  CHECK(one.length() == 4);
  CHECK(other.length() == 5);
  check_near(a, part(model(Tokens({1, 4}, {1, 2, 3, 4})), 0, 3, 4), rounding);
  check_near(model.next(Tokens({1, 1}, {5}), one),
             part(model(Tokens({1, 5}, {1, 2, 3, 4, 5})), 0, 4, 5), rounding);
}

TEST_CASE("what a cache has no room for, or was not made for, is refused and changes nothing") {
  TransformerConfig config = small();
  config.causal = true;
  const auto model = make<Transformer>(config);
  KeyValueCache cache;
  const Tokens ids = some_tokens(2, 7);
  model.next(columns(ids, 0, 5), cache);
  CHECK_THROWS_WITH(
      model.next(some_tokens(2, 3), cache),
      Equals("transformer: 3 tokens after the 5 in the cache, but the model's context "
             "is 7; begin anew with fewer"));
  CHECK_THROWS_WITH(model.next(some_tokens(3, 1), cache),
                    Equals("transformer: tokens for 3 sequences, but the cache has 2; its select() "
                           "makes it fit"));
  CHECK_THROWS_WITH(model.next(Tokens({2}, {1, 2}), cache),
                    Equals("transformer: tokens of shape (2,); (batch, positions) is needed, at "
                           "least one"));
  CHECK_THROWS_AS(model.next(Tokens(Shape{2, 0}, {}), cache), Error);
  CHECK_THROWS_AS(model.next(Tokens({2, 1}, {1, 11}), cache), Error);
  config.layers = 1;
  CHECK_THROWS_WITH(
      make<Transformer>(config).next(some_tokens(2, 1), cache),
      Equals("transformer: a cache of 2 layers for a model of 1; each model needs its "
             "own"));
  CHECK(cache.length() == 5);
  check_near(model.next(columns(ids, 5, 7), cache), slice(model(ids), 1, 5, 7), rounding);

  CHECK_THROWS_WITH(make<Transformer>(small()).next(some_tokens(2, 1), cache),
                    Equals("transformer: this model is not causal: what comes next changes all "
                           "before it"));
  const auto pairs = make<EncoderDecoder>(small());
  KeyValueCache empty;
  CHECK_THROWS_WITH(pairs.next(some_tokens(2, 1), empty),
                    Equals("encoder-decoder: the cache has 0 layers of a source, the model 2; "
                           "start() makes one"));
  KeyValueCache started = pairs.start(some_tokens(2, 5));
  CHECK_THROWS_AS(pairs.next(some_tokens(3, 1), started), Error);
  CHECK_THROWS_AS(pairs.next(some_tokens(2, 8), started), Error);
}

TEST_CASE(
    "greedy generation with the cache writes what it writes without, within and beyond the "
    "context") {
  for (const TransformerConfig& config : configs()) {
    const auto model = make<Transformer>(config);
    for (const std::vector<int>& prompt :
         {std::vector{3}, std::vector{1, 4, 1, 5, 9, 2, 6, 5, 3}}) {
      std::vector<int> expected = prompt;
      while (expected.size() < prompt.size() + 12) {
        const Size seen = std::min<Size>(Size(expected.size()), config.context);
        const Tensor logits = model(Tokens({1, seen}, {expected.end() - seen, expected.end()}));
        expected.push_back(argmax(logits, -1).ids.back());
      }
      Random random(1);
      CHECK(generate(model, prompt, 12, {.temperature = 0}, random) == expected);
    }
  }
}
