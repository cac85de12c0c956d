// What initial weights, layers, positions and attention refuse.
#include <climits>

#include "attention/nn/multi_head_attention.hpp"
#include "attention/nn/positions.hpp"
#include "misuse.hpp"

using namespace attention;

namespace {

Random dice(1);
const Tensor matrix = ones({2, 3}), cube = ones({2, 3, 4});

Linear linear_of(Size in, Size out) { return Linear(in, out, dice); }
MultiHeadAttention two_heads() { return MultiHeadAttention(4, 2, dice); }
Positions learned() { return Positions(PositionKind::learned, 5, 4, dice); }
Positions sines() { return Positions(PositionKind::sinusoidal, 5, 4, dice); }

}  // namespace

TEST_CASE("misuse: initial weights") {
  refuse({
      {"init::zeros", "a negative size", [] { init::zeros({-1}); },
       "shape: a size is negative: (-1,); each has to be given, none is worked out"},
      {"init::ones", "a negative size",
       [] {
         init::ones({2, -1});
       },
       "shape: a size is negative: (2, -1); each has to be given, none is worked out"},
      {"init::normal", "a deviation of NaN", [] { init::normal({2}, not_a_number, dice); },
       "normal: a mean of 0 and a deviation of nan; finite numbers are needed, and a deviation of "
       "at least 0"},
      {"init::xavier_uniform", "no inputs", [] { init::xavier_uniform(0, 3, dice); },
       "init: a weight of 0 by 3; both sizes must be positive"},
      {"init::xavier_uniform", "the largest sizes",
       [] { init::xavier_uniform(PTRDIFF_MAX, PTRDIFF_MAX, dice); },
       "shape: (9223372036854775807, 9223372036854775807) has more elements than 64 bits count"},
      {"init::xavier_normal", "a negative size", [] { init::xavier_normal(2, -3, dice); },
       "init: a weight of 2 by -3; both sizes must be positive"},
      {"init::kaiming_normal", "no outputs", [] { init::kaiming_normal(2, 0, dice); },
       "init: a weight of 2 by 0; both sizes must be positive"},
      {"init::for_logits", "no channels",
       [] {
         init::for_logits({2, 3}, 0, dice);
       },
       "init: logits from 0 channels; at least 1 is needed"},
  });
}

TEST_CASE("misuse: layers") {
  refuse({
      {"Linear::Linear", "no inputs", [] { linear_of(0, 3); },
       "init: a weight of 0 by 3; both sizes must be positive"},
      {"Linear::Linear", "a negative size", [] { linear_of(2, -3); },
       "init: a weight of 2 by -3; both sizes must be positive"},
      {"Linear::operator()", "another last size", [] { linear_of(2, 3)(matrix); },
       "linear: an input of shape (2, 3) for a weight of shape (2, 3): the last size must be 2"},
      {"Linear::operator()", "a scalar", [] { linear_of(2, 3)(1); },
       "linear: an input of shape () for a weight of shape (2, 3): the last size must be 2"},
      {"Linear::operator()", "undefined", [] { linear_of(2, 3)(Tensor()); }, undefined("linear")},
      {"Linear::operator()", "moved from",
       [] {
         Linear layer = linear_of(3, 2);
         const Linear taken = std::move(layer);
         layer(matrix);
       },
       undefined("linear", 1)},
      {"Embedding::Embedding", "no vocabulary", [] { Embedding(0, 3, dice); },
       "embedding: a table of 0 by 3; both sizes must be positive"},
      {"Embedding::Embedding", "no channels", [] { Embedding(7, 0, dice); },
       "embedding: a table of 7 by 0; both sizes must be positive"},
      {"Embedding::operator()", "the id V",
       [] {
         Embedding(7, 2, dice)({{1, 3}, {0, 6, 7}});
       },
       "gather_rows: id 7 at position 2: the table has ids 0 to 6 (V = 7)"},
      {"Embedding::operator()", "a negative id",
       [] {
         Embedding(7, 2, dice)({{2}, {0, -1}});
       },
       "gather_rows: id -1 at position 1: the table has ids 0 to 6 (V = 7)"},
      {"LayerNorm::LayerNorm", "no channels", [] { LayerNorm(0); },
       "layer_norm: 0 channels; at least 1 is needed"},
      {"LayerNorm::LayerNorm", "eps of 0", [] { LayerNorm(3, 0); },
       "layer_norm: eps = 0; a small positive number is needed, such as 1e-5"},
      {"LayerNorm::operator()", "other channels", [] { LayerNorm(4)(matrix); },
       "layer_norm: gain (4,) and bias (4,) for (2, 3): both need the shape (3,)"},
      {"LayerNorm::operator()", "undefined", [] { LayerNorm(4)(Tensor()); },
       undefined("layer_norm")},
      {"Dropout::Dropout", "a rate of 1", [] { Dropout(1); },
       "dropout: rate 1; 0 <= rate < 1 is needed"},
      {"Dropout::Dropout", "a negative rate", [] { Dropout(-0.5); },
       "dropout: rate -0.5; 0 <= rate < 1 is needed"},
      {"Dropout::Dropout", "a rate of NaN", [] { Dropout{not_a_number}; },
       "dropout: rate nan; 0 <= rate < 1 is needed"},
      {"Dropout::operator()", "undefined", [] { Dropout(0)(Tensor()); }, undefined("dropout")},
      {"activation_kind", "a name that is none", [] { activation_kind("swish"); },
       "activation: 'swish' is unknown; relu, gelu and gelu_tanh are known"},
      {"to_string", "an activation that is none", [] { to_string(Activation(7)); },
       "activation: number 7 is none; relu, gelu and gelu_tanh are known"},
      {"activate", "an activation that is none", [] { activate(Activation(-1), matrix); },
       "activation: number -1 is none; relu, gelu and gelu_tanh are known"},
      {"activate", "undefined", [] { activate(Activation::gelu, Tensor()); }, undefined("gelu")},
      {"FeedForward::FeedForward", "nothing hidden",
       [] { FeedForward(4, 0, Activation::relu, dice); },
       "init: a weight of 4 by 0; both sizes must be positive"},
      {"FeedForward::operator()", "other channels",
       [] { FeedForward(4, 5, Activation::relu, dice)(matrix); },
       "linear: an input of shape (2, 3) for a weight of shape (4, 5): the last size must be 4"},
  });
}

TEST_CASE("misuse: positions") {
  refuse({
      {"sinusoids", "a negative count", [] { sinusoids(-1, 4); },
       "sinusoids: -1 positions from 0 with 4 channels; none may be negative, and at least one "
       "channel is needed"},
      {"sinusoids", "no channels", [] { sinusoids(1, 0); },
       "sinusoids: 1 positions from 0 with 0 channels; none may be negative, and at least one "
       "channel is needed"},
      {"sinusoids", "before the first", [] { sinusoids(1, 4, -1); },
       "sinusoids: 1 positions from -1 with 4 channels; none may be negative, and at least one "
       "channel is needed"},
      {"sinusoids", "where double skips numbers", [] { sinusoids(1, 4, PTRDIFF_MAX); },
       "sinusoids: 1 positions from 9223372036854775807; they are exact up to 9007199254740992"},
      {"position_kind", "a name that is none", [] { position_kind("rotary"); },
       "positions: 'rotary' is unknown; none, sinusoidal and learned are known"},
      {"to_string", "a kind of positions that is none", [] { to_string(PositionKind(3)); },
       "positions: number 3 is no kind; none, sinusoidal and learned are known"},
      {"Positions::Positions", "a kind that is none",
       [] { Positions(PositionKind(3), 5, 4, dice); },
       "positions: number 3 is no kind; none, sinusoidal and learned are known"},
      {"Positions::Positions", "no context", [] { Positions(PositionKind::learned, 0, 4, dice); },
       "positions: a context of 0 and 4 channels; both have to be at least 1"},
      {"Positions::operator()", "more than were learned",
       [] {
         learned()(ones({2, 9, 4}));
       },
       "positions: 9 positions, but only 5 have been learned; shorten the input"},
      {"Positions::operator()", "one channel, which would stretch",
       [] {
         learned()(ones({2, 3, 1}));
       },
       "positions: (2, 3, 1) for a table of (5, 4); (…, T, 4) is needed"},
      {"Positions::operator()", "a vector", [] { sines()(ones({4})); },
       "positions: (4,) for a table of (5, 4); (…, T, 4) is needed"},
      {"Positions::operator()", "before the first", [] { sines()(cube, -1); },
       "positions: 3 from number -1; they count from 0"},
      {"Positions::operator()", "beyond the last number", [] { sines()(cube, PTRDIFF_MAX); },
       "positions: 3 from number 9223372036854775807; they count from 0"},
      {"Positions::operator()", "undefined", [] { sines()(Tensor()); }, undefined("positions")},
  });
}

TEST_CASE("misuse: multi-head attention") {
  refuse({
      {"MultiHeadAttention::MultiHeadAttention", "heads that do not divide",
       [] { MultiHeadAttention(10, 4, dice); },
       "attention: 4 heads do not divide 10 channels; each head needs the same whole number"},
      {"MultiHeadAttention::MultiHeadAttention", "no heads",
       [] { MultiHeadAttention(10, 0, dice); },
       "attention: 0 heads do not divide 10 channels; each head needs the same whole number"},
      {"MultiHeadAttention::MultiHeadAttention", "a negative number",
       [] { MultiHeadAttention(10, INT_MIN, dice); },
       "attention: -2147483648 heads do not divide 10 channels; each head needs the same whole "
       "number"},
      {"MultiHeadAttention::MultiHeadAttention", "no channels",
       [] { MultiHeadAttention(0, 1, dice); },
       "init: a weight of 0 by 0; both sizes must be positive"},
      {"MultiHeadAttention::operator()", "other channels",
       [] {
         two_heads()(ones({2, 3, 5}));
       },
       "linear: an input of shape (2, 3, 5) for a weight of shape (4, 4): the last size must be 4"},
      {"MultiHeadAttention::operator()", "no batch",
       [] {
         two_heads()(ones({3, 4}));
       },
       "attend_heads: q (3, 4), k (3, 4) and v (3, 4) with 2 heads; (B, T, H D), (B, S, H D) and "
       "(B, S, H E) are needed"},
      {"MultiHeadAttention::operator()", "another batch to look at",
       [] {
         two_heads()(cube, ones({3, 5, 4}), {});
       },
       "matmul: the batches of (2, 2, 3, 2) x (3, 2, 5, 2) do not broadcast: (2, 2) and (3, 2); "
       "all but the last two axes have to be equal, 1 or missing"},
      {"MultiHeadAttention::operator()", "a mask of another shape",
       [] { two_heads()(cube, causal_mask(4)); },
       "softmax: a mask of shape (4, 4) does not broadcast to (2, 2, 3, 3): a size must be equal "
       "or 1"},
      {"MultiHeadAttention::operator()", "nothing seen", [] { two_heads()(cube, KeyValues(), {}); },
       undefined("attend_heads", 1)},
      {"MultiHeadAttention::project", "undefined", [] { two_heads().project(Tensor()); },
       undefined("linear")},
      {"MultiHeadAttention::next", "of other sequences",
       [] {
         KeyValues seen{ones({1, 2, 4}), ones({1, 2, 4})};
         two_heads().next(cube, seen, {});
       },
       "attention: (1, 2, 4) was seen, and (2, 3, 4) comes next; the same sequences and channels "
       "are needed"},
      {"MultiHeadAttention::next", "of another model",
       [] {
         KeyValues seen{ones({2, 2, 6}), ones({2, 2, 6})};
         two_heads().next(cube, seen, {});
       },
       "attention: (2, 2, 6) was seen, and (2, 3, 4) comes next; the same sequences and channels "
       "are needed"},
  });
}

TEST_CASE("what attention has seen stays as it was when the next step fails") {
  KeyValues seen{ones({2, 2, 4}), ones({2, 2, 4})};
  CHECK_THROWS_AS(two_heads().next(cube, seen, causal_mask(3)), Error);  // there are 5 keys
  CHECK(seen.keys.shape() == Shape{2, 2, 4});
}
