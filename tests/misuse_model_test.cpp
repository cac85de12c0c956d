// What the language model refuses, and its configuration. Next: misuse_writing_test.
#include <cstddef>

#include "attention/nn/transformer.hpp"
#include "misuse.hpp"
#include "models.hpp"

using namespace attention;
using models::causal;
using models::causal_with;
using models::some_tokens;

namespace {

Random dice(1);

}  // namespace

TEST_CASE("misuse: configurations") {
  refuse({
      {"checked", "nothing set", [] { checked({}); },
       "transformer: vocabulary = 0; at least 1 is needed"},
      {"checked", "no context", [] { checked({.vocabulary = 3}); },
       "transformer: context = 0; at least 1 is needed"},
      {"Transformer::Transformer", "no vocabulary",
       [] { causal_with([](auto& c) { c.vocabulary = 0; }); },
       "transformer: vocabulary = 0; at least 1 is needed"},
      {"Transformer::Transformer", "no channels",
       [] { causal_with([](auto& c) { c.channels = 0; }); },
       "transformer: channels = 0; at least 1 is needed"},
      {"Transformer::Transformer", "channels beyond int",
       [] { causal_with([](auto& c) { c.channels = PTRDIFF_MAX; }); },
       "transformer: channels = 9223372036854775807; 2147483647 is the most"},
      {"Transformer::Transformer", "no layers", [] { causal_with([](auto& c) { c.layers = 0; }); },
       "transformer: layers = 0; at least 1 is needed"},
      {"Transformer::Transformer", "less than nothing hidden",
       [] { causal_with([](auto& c) { c.hidden = -1; }); },
       "transformer: hidden = -1; at least 1 is needed"},
      {"Transformer::Transformer", "no heads", [] { causal_with([](auto& c) { c.heads = 0; }); },
       "transformer: heads = 0; at least 1 is needed"},
      {"Transformer::Transformer", "heads that do not divide",
       [] { causal_with([](auto& c) { c.heads = 4; }); },
       "transformer: 4 heads do not divide 6 channels; each head needs the same whole number"},
      {"Transformer::Transformer", "dropout of 1",
       [] { causal_with([](auto& c) { c.dropout = 1; }); },
       "transformer: dropout = 1; 0 <= dropout < 1 is needed"},
      {"Transformer::Transformer", "dropout of NaN",
       [] { causal_with([](auto& c) { c.dropout = not_a_number; }); },
       "transformer: dropout = nan; 0 <= dropout < 1 is needed"},
      {"Transformer::Transformer", "a norm that is none",
       [] { causal_with([](auto& c) { c.norm = NormPlacement(2); }); },
       "norm: number 2 is no placement; pre and post are known"},
      {"Transformer::Transformer", "an activation that is none",
       [] { causal_with([](auto& c) { c.activation = Activation(3); }); },
       "activation: number 3 is none; relu, gelu and gelu_tanh are known"},
      {"Transformer::Transformer", "positions that are none",
       [] { causal_with([](auto& c) { c.positions = PositionKind(3); }); },
       "positions: number 3 is no kind; none, sinusoidal and learned are known"},
      {"norm_placement", "a name that is none", [] { norm_placement("between"); },
       "norm: 'between' is unknown; pre and post are known"},
      {"to_string", "a norm that is none", [] { to_string(NormPlacement(2)); },
       "norm: number 2 is no placement; pre and post are known"},
      {"Block::Block", "nothing hidden, unchecked",
       [] { Block({.channels = 6, .heads = 3}, dice); },
       "init: a weight of 6 by 0; both sizes must be positive"},
  });
}

TEST_CASE("misuse: the language model") {
  refuse({
      {"Transformer::operator()", "more than the context", [] { causal()(some_tokens(2, 8)); },
       "transformer: 8 tokens, but the model's context is 7; shorten the input"},
      {"Transformer::operator()", "the id V",
       [] {
         causal()({{1, 2}, {0, 11}});
       },
       "gather_rows: id 11 at position 1: the table has ids 0 to 10 (V = 11)"},
      {"Transformer::operator()", "a negative id",
       [] {
         causal()({{1, 2}, {-1, 0}});
       },
       "gather_rows: id -1 at position 0: the table has ids 0 to 10 (V = 11)"},
      {"Transformer::operator()", "no batch",
       [] {
         causal()({{2}, {0, 1}});
       },
       "transformer: tokens of shape (2,); (batch, positions) is needed"},
      {"Transformer::operator()", "no tokens", [] { causal()({}); },
       "transformer: tokens of shape (0,); (batch, positions) is needed"},
      {"Transformer::operator()", "a mask of another length",
       [] { causal()(some_tokens(2, 5), causal_mask(4)); },
       "mask: (5, 5) and (4, 4) do not broadcast: at axis 1 from the end, 5 is not 4, and neither "
       "is 1"},
      {"Transformer::operator()", "a shape without its ids",
       [] {
         Tokens ids = some_tokens(2, 3);
         ids.ids.clear();
         causal()(ids);
       },
       "transformer: tokens of shape (2, 3) with 0 ids; change both together"},
      {"Transformer::operator()", "moved from",
       [] {
         Transformer gone = causal();
         const Transformer taken = std::move(gone);
         gone(some_tokens(2, 3));
       },
       undefined("gather_rows")},
      {"Block::operator()", "other channels",
       [] {
         causal().blocks[0](ones({2, 3, 5}), {});
       },
       "layer_norm: gain (6,) and bias (6,) for (2, 3, 5): both need the shape (5,)"},
      {"Block::operator()", "undefined", [] { causal().blocks[0](Tensor(), {}); },
       undefined("layer_norm")},
      {"Block::next", "of other sequences",
       [] {
         KeyValues seen{ones({1, 2, 6}), ones({1, 2, 6})};
         causal().blocks[0].next(ones({2, 1, 6}), seen, {});
       },
       "attention: (1, 2, 6) was seen, and (2, 1, 6) comes next; the same sequences and channels "
       "are needed"},
  });
}
