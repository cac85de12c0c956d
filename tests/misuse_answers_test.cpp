// What the encoder-decoder refuses, and whoever lets it answer.
#include <climits>

#include "attention/nn/decode.hpp"
#include "misuse.hpp"
#include "models.hpp"

using namespace attention;
using models::small;
using models::some_tokens;

namespace {

Random dice(1);
const Marks marks = Marks::after(8);

EncoderDecoder model() { return EncoderDecoder(small(), dice); }

EncoderDecoder broken(real logit) {
  EncoderDecoder result = model();
  for (Size id = 0; id < (logit < 0 ? 11 : 4); ++id) result.output->bias.edit()[id] = logit;
  return result;
}

void answer(std::vector<int> source, DecodeOptions options) { greedy(model(), source, options); }
void search(BeamOptions beam) { beam_search(model(), {1}, {.marks = marks}, beam); }

// The next token of so many sequences, where there are 2.
void go_on(const Tokens& ids) {
  const EncoderDecoder with = model();
  KeyValueCache cache = with.start(some_tokens(2, 5));
  with.next(ids, cache);
}

}  // namespace

TEST_CASE("misuse: sources and targets") {
  refuse({
      {"EncoderDecoder::EncoderDecoder", "heads that do not divide",
       [] {
         TransformerConfig config = small();
         config.heads = 4;
         EncoderDecoder(config, dice);
       },
       "transformer: 4 heads do not divide 6 channels; each head needs the same whole number"},
      {"EncoderDecoder::encode", "more than the context", [] { model().encode(some_tokens(2, 8)); },
       "encoder-decoder: a source of 8 tokens, but the model's context is 7; shorten it"},
      {"EncoderDecoder::encode", "no batch",
       [] {
         model().encode({{3}, {1, 2, 3}});
       },
       "encoder-decoder: a source of shape (3,); (batch, positions) is needed, at least one"},
      {"EncoderDecoder::encode", "nothing",
       [] {
         model().encode({{2, 0}, {}});
       },
       "encoder-decoder: a source of shape (2, 0); (batch, positions) is needed, at least one"},
      {"EncoderDecoder::encode", "the id V",
       [] {
         model().encode({{1, 2}, {0, 11}});
       },
       "gather_rows: id 11 at position 1: the table has ids 0 to 10 (V = 11)"},
      {"EncoderDecoder::encode", "a length too many",
       [] {
         model().encode(some_tokens(2, 5), {5, 5, 5});
       },
       "encoder-decoder: 3 lengths for 2 sources; each needs one"},
      {"EncoderDecoder::encode", "a length of 0",
       [] {
         model().encode(some_tokens(2, 5), {5, 0});
       },
       "encoder-decoder: length 0 of source 1; 1 to 5 are possible"},
      {"EncoderDecoder::encode", "a length beyond the source",
       [] {
         model().encode(some_tokens(2, 5), {6, 5});
       },
       "encoder-decoder: length 6 of source 0; 1 to 5 are possible"},
      {"EncoderDecoder::decode", "more than the context",
       [] {
         model().decode(some_tokens(2, 9), ones({2, 5, 6}));
       },
       "encoder-decoder: a target of 9 tokens, but the model's context is 7; shorten it"},
      {"EncoderDecoder::decode", "another batch's memory",
       [] {
         model().decode(some_tokens(3, 4), ones({2, 5, 6}));
       },
       "encoder-decoder: a memory of shape (2, 5, 6) for targets of shape (3, 4); (3, positions, "
       "6) is needed"},
      {"EncoderDecoder::decode", "other channels",
       [] {
         model().decode(some_tokens(2, 4), ones({2, 5, 4}));
       },
       "encoder-decoder: a memory of shape (2, 5, 4) for targets of shape (2, 4); (2, positions, "
       "6) is needed"},
      {"EncoderDecoder::decode", "no memory",
       [] {
         model().decode(some_tokens(2, 4), ones({2, 0, 6}));
       },
       "encoder-decoder: a memory of shape (2, 0, 6) for targets of shape (2, 4); (2, positions, "
       "6) is needed"},
      {"EncoderDecoder::decode", "undefined", [] { model().decode(some_tokens(2, 4), Tensor()); },
       undefined("encoder-decoder's memory")},
      {"EncoderDecoder::operator()", "fewer targets than sources",
       [] { model()(some_tokens(2, 5), {}, some_tokens(1, 4)); },
       "encoder-decoder: a memory of shape (2, 5, 6) for targets of shape (1, 4); (1, positions, "
       "6) is needed"},
      {"EncoderDecoder::start", "a negative length", [] { model().start(some_tokens(1, 5), {-1}); },
       "encoder-decoder: length -1 of source 0; 1 to 5 are possible"},
      {"EncoderDecoder::next", "a cache that start() did not make",
       [] {
         KeyValueCache cache;
         model().next(some_tokens(2, 1), cache);
       },
       "encoder-decoder: the cache has 0 layers of a source, the model 2; start() makes one"},
      {"EncoderDecoder::next", "other sequences", [] { go_on(some_tokens(3, 1)); },
       "encoder-decoder: tokens for 3 sequences, but the cache has 2; its select() makes it fit"},
      {"EncoderDecoder::next", "more than the context", [] { go_on(some_tokens(2, 8)); },
       "encoder-decoder: 8 tokens after the 0 in the cache, but the model's context is 7; begin "
       "anew with fewer"},
      {"EncoderDecoder::next", "a negative id",
       [] {
         go_on({{2, 1}, {0, -1}});
       },
       "gather_rows: id -1 at position 1: the table has ids 0 to 10 (V = 11)"},
  });
}

TEST_CASE("misuse: a layer of the decoder") {
  refuse({
      {"DecoderBlock::DecoderBlock", "nothing hidden, unchecked",
       [] { DecoderBlock({.channels = 6, .heads = 3}, dice); },
       "init: a weight of 6 by 0; both sizes must be positive"},
      {"DecoderBlock::operator()", "another batch's memory",
       [] {
         model().decoder[0](ones({2, 3, 6}), {}, ones({3, 5, 6}), {});
       },
       "matmul: the batches of (2, 3, 3, 2) x (3, 3, 5, 2) do not broadcast: (2, 3) and (3, 3); "
       "all but the last two axes have to be equal, 1 or missing"},
      {"DecoderBlock::operator()", "undefined",
       [] {
         model().decoder[0](ones({2, 3, 6}), {}, Tensor(), {});
       },
       undefined("linear")},
      {"DecoderBlock::next", "nothing to look at",
       [] {
         KeyValues seen;
         model().decoder[0].next(ones({2, 1, 6}), seen, {}, {}, {});
       },
       undefined("attend_heads", 1)},
  });
}

TEST_CASE("misuse: answers") {
  refuse({
      {"greedy", "more than the context", [] { answer({1}, {.marks = marks, .most = 8}); },
       "decode: answers of up to 8 tokens, but the model's context is 7"},
      {"greedy", "a negative number", [] { answer({1}, {.marks = marks, .most = -1}); },
       "decode: answers of up to -1 tokens, but the model's context is 7"},
      {"greedy", "marks beyond V", [] { answer({1}, {.marks = Marks::after(9)}); },
       "decode: a mark has id 11, but the model's ids are 0 to 10"},
      {"greedy", "an end that is the start", [] { answer({1}, {}); },
       "decode: the end mark has the id 0 of another mark; no answer could end"},
      {"greedy", "an empty source", [] { answer({}, {.marks = marks}); },
       "encoder-decoder: a source of shape (1, 0); (batch, positions) is needed, at least one"},
      {"greedy", "too long a source", [] { answer(std::vector<int>(8, 1), {.marks = marks}); },
       "encoder-decoder: a source of 8 tokens, but the model's context is 7; shorten it"},
      {"greedy", "NaN", [] { greedy(broken(not_a_number), std::vector{1}, {.marks = marks}); },
       "decode: logit 0 is nan; the model is broken"},
      {"beam_search", "no width", [] { search({.width = 0}); },
       "decode: a beam of 0; at least 1 is needed"},
      {"beam_search", "a negative width", [] { search({.width = INT_MIN}); },
       "decode: a beam of -2147483648; at least 1 is needed"},
      {"beam_search", "a penalty of NaN", [] { search({.alpha = not_a_number}); },
       "decode: alpha = nan makes a length penalty of nan; about 0 to 1 is usual"},
      {"beam_search", "a penalty beyond numbers", [] { search({.alpha = 1e6}); },
       "decode: alpha = 1000000 makes a length penalty of inf; about 0 to 1 is usual"},
      {"beam_search", "a penalty of nothing", [] { search({.alpha = -1e6}); },
       "decode: alpha = -1000000 makes a length penalty of 0; about 0 to 1 is usual"},
      {"beam_search", "the id V", [] { beam_search(model(), {11}, {.marks = marks}); },
       "gather_rows: id 11 at position 0: the table has ids 0 to 10 (V = 11)"},
      {"beam_search", "nothing is possible",
       [] { beam_search(broken(-infinity), {1}, {.marks = marks}); },
       "decode: all 11 logits are -inf; the model is broken"},
  });
}
