// What the cache of a language model refuses, whoever lets it write, and whoever looks into its
// heads.
#include <climits>

#include "attention/nn/generate.hpp"
#include "attention/nn/heads.hpp"
#include "misuse.hpp"
#include "models.hpp"

using namespace attention;
using models::causal;
using models::causal_with;
using models::some_tokens;

namespace {

Random dice(1);
Transformer not_causal() {
  return causal_with([](auto& config) { config.causal = false; });
}

KeyValueCache cache_of(const Transformer& model, Size sequences, Size positions) {
  KeyValueCache cache;
  model.next(some_tokens(sequences, positions), cache);
  return cache;
}

// One more token each, of so many sequences, in a cache of 2 sequences of 5 positions.
void go_on(const Transformer& model, const Tokens& ids) {
  KeyValueCache cache = cache_of(causal(), 2, 5);
  model.next(ids, cache);
}

int choose_from(const std::vector<real>& logits, const GenerateOptions& options) {
  return choose(logits.data(), Size(logits.size()), options, dice);
}
void write(std::vector<int> prompt, int count, const GenerateOptions& options = {}) {
  generate(causal(), std::move(prompt), count, options, dice);
}

const Tensor map = ones({2, 3, 4, 5});
void score(AttentionLink link) { link_scores({map}, {link}); }

}  // namespace

TEST_CASE("misuse: going on with a cache") {
  refuse({
      {"Transformer::next", "over the context", [] { go_on(causal(), some_tokens(2, 3)); },
       "transformer: 3 tokens after the 5 in the cache, but the model's context is 7; begin anew "
       "with fewer"},
      {"Transformer::next", "with other sequences", [] { go_on(causal(), some_tokens(3, 1)); },
       "transformer: tokens for 3 sequences, but the cache has 2; its select() makes it fit"},
      {"Transformer::next", "no batch",
       [] {
         go_on(causal(), {{2}, {1, 2}});
       },
       "transformer: tokens of shape (2,); (batch, positions) is needed, at least one"},
      {"Transformer::next", "no tokens",
       [] {
         go_on(causal(), {{2, 0}, {}});
       },
       "transformer: tokens of shape (2, 0); (batch, positions) is needed, at least one"},
      {"Transformer::next", "the id V",
       [] {
         go_on(causal(), {{2, 1}, {1, 11}});
       },
       "gather_rows: id 11 at position 1: the table has ids 0 to 10 (V = 11)"},
      {"Transformer::next", "not causal", [] { go_on(not_causal(), some_tokens(2, 1)); },
       "transformer: this model is not causal: what comes next changes all before it"},
      {"Transformer::next", "another model's layers",
       [] { go_on(causal_with([](auto& c) { c.layers = 1; }), some_tokens(2, 1)); },
       "transformer: a cache of 2 layers for a model of 1; each model needs its own"},
      {"Transformer::next", "another model's channels",
       [] { go_on(causal_with([](auto& c) { c.channels = 9; }), some_tokens(2, 1)); },
       "attention: (2, 5, 6) was seen, and (2, 1, 9) comes next; the same sequences and channels "
       "are needed"},
      {"KeyValueCache::check", "over the context",
       [] { KeyValueCache().check("mine", some_tokens(1, 3), 2, 2); },
       "mine: 3 tokens after the 0 in the cache, but the model's context is 2; begin anew with "
       "fewer"},
      {"KeyValueCache::select", "a sequence too far",
       [] {
         cache_of(causal(), 2, 3).select({0, 2});
       },
       "cache: there is no sequence 2; it has 2, counted from 0"},
      {"KeyValueCache::select", "a negative one",
       [] { cache_of(causal(), 2, 3).select({INT_MIN}); },
       "cache: there is no sequence -2147483648; it has 2, counted from 0"},
      {"KeyValueCache::select", "none", [] { cache_of(causal(), 2, 3).select({}); },
       "cache: no sequence was chosen of 2; begin anew instead"},
      {"KeyValueCache::select", "of nothing", [] { KeyValueCache().select({0}); },
       "cache: there is no sequence 0; it has 0, counted from 0"},
      {"KeyValueCache::length", "layers without keys",
       [] {
         KeyValueCache cache;
         cache.seen.resize(1);
         cache.length();
       },
       "tensor: used before it was given a value (it is undefined)"},
      {"KeyValueCache::sequences", "layers without keys",
       [] {
         KeyValueCache cache;
         cache.seen.resize(1);
         cache.sequences();
       },
       "tensor: used before it was given a value (it is undefined)"},
  });
}

TEST_CASE("misuse: writing") {
  refuse({
      {"choose", "a negative temperature",
       [] {
         choose_from({1, 2}, {.temperature = -1});
       },
       "generate: temperature -1 and top_k 0; both need finite numbers, at least 0"},
      {"choose", "a temperature of NaN",
       [] {
         choose_from({1, 2}, {.temperature = not_a_number});
       },
       "generate: temperature nan and top_k 0; both need finite numbers, at least 0"},
      {"choose", "an infinite temperature",
       [] {
         choose_from({1, 2}, {.temperature = infinity});
       },
       "generate: temperature inf and top_k 0; both need finite numbers, at least 0"},
      {"choose", "a negative top_k",
       [] {
         choose_from({1, 2}, {.top_k = -3});
       },
       "generate: temperature 1 and top_k -3; both need finite numbers, at least 0"},
      {"choose", "no logits", [] { choose_from({}, {}); },
       "generate: there are no logits to choose from"},
      {"choose", "nothing where logits should be", [] { choose(nullptr, 3, {}, dice); },
       "generate: there are no logits to choose from"},
      {"choose", "NaN",
       [] {
         choose_from({0, not_a_number}, {});
       },
       "generate: logit 1 is not a number; the model is broken"},
      {"choose", "infinity",
       [] {
         choose_from({0, infinity}, {});
       },
       "generate: the highest logit is inf; the model is broken"},
      {"choose", "all impossible",
       [] {
         choose_from({-infinity, -infinity}, {});
       },
       "generate: the highest logit is -inf; the model is broken"},
      {"generate", "an empty prompt", [] { write({}, 3); },
       "generate: an empty prompt; give at least one token to go on from"},
      {"generate", "a negative count", [] { write({1}, -3); },
       "generate: -3 new tokens; the number may not be negative"},
      {"generate", "the id V",
       [] {
         write({1, 11}, 1);
       },
       "gather_rows: id 11 at position 1: the table has ids 0 to 10 (V = 11)"},
      {"generate", "an end that never comes", [] { write({1}, 3, {.end = 11}); },
       "generate: end = 11, but the model's ids are 0 to 10; -1 is for never"},
      {"generate", "not causal", [] { generate(not_causal(), {1}, 3, {}, dice); },
       "generate: this model is not causal, so it cannot continue a text"},
  });
}

TEST_CASE("misuse: looking into heads") {
  refuse({
      {"attention_maps", "without recording",
       [] { (NoGrad(), attention_maps(causal(), some_tokens(1, 2))); },
       "attention maps: nothing is recorded here; call this outside of any NoGrad scope"},
      {"attention_maps", "more than the context",
       [] { attention_maps(causal(), some_tokens(1, 8)); },
       "transformer: 8 tokens, but the model's context is 7; shorten the input"},
      {"link_scores", "no maps",
       [] {
         link_scores({}, {{0, 0, 0}});
       },
       "link scores: there are no maps"},
      {"link_scores", "no links", [] { link_scores({map}, {}); },
       "link scores: there are no links to score"},
      {"link_scores", "three axes",
       [] {
         link_scores({ones({3, 2, 4})}, {{0, 0, 0}});
       },
       "link scores: maps of shapes (3, 2, 4) and (3, 2, 4); all layers need one shape (B, H, T, "
       "S)"},
      {"link_scores", "maps of two shapes",
       [] {
         link_scores({map, ones({2, 3, 4, 4})}, {{0, 0, 0}});
       },
       "link scores: maps of shapes (2, 3, 4, 5) and (2, 3, 4, 4); all layers need one shape (B, "
       "H, T, S)"},
      {"link_scores", "undefined",
       [] {
         link_scores({map, Tensor()}, {{0, 0, 0}});
       },
       undefined("link scores", 1)},
      {"link_scores", "a sequence too far",
       [] {
         score({2, 0, 0});
       },
       "link scores: a link from query 0 to key 0 in sequence 2; the maps are (2, 3, 4, 5)"},
      {"link_scores", "a query before the first",
       [] {
         score({0, -1, 0});
       },
       "link scores: a link from query -1 to key 0 in sequence 0; the maps are (2, 3, 4, 5)"},
      {"link_scores", "a key too far",
       [] {
         score({0, 0, 5});
       },
       "link scores: a link from query 0 to key 5 in sequence 0; the maps are (2, 3, 4, 5)"},
      {"without_head", "a layer too far", [] { without_head(causal(), 2, 0); },
       "without head: layer 2; the model has layers 0 to 1"},
      {"without_head", "a layer before the first", [] { without_head(causal(), -1, 0); },
       "without head: layer -1; the model has layers 0 to 1"},
      {"without_head", "a head too far", [] { without_head(causal(), 0, 3); },
       "without head: head 3; each layer has heads 0 to 2"},
      {"without_head", "a head before the first", [] { without_head(causal(), 0, INT_MIN); },
       "without head: head -2147483648; each layer has heads 0 to 2"},
  });
}
