// What the grammar, induction and the ordered pairs refuse.
#include <climits>

#include "attention/tasks/grammar.hpp"
#include "attention/tasks/induction.hpp"
#include "attention/tasks/pairs.hpp"
#include "misuse.hpp"

using namespace attention;

namespace {

Random dice(1);
const Tokens tuples = ordered_tuples(3, 2);  // (6, 2)

}  // namespace

TEST_CASE("misuse: the grammar") {
  refuse({
      {"Grammar::batch", "a negative number", [] { Grammar().batch(-1, dice); },
       "grammar: -1 sequences; their number cannot be negative"},
      {"Grammar::unseen", "a negative number", [] { Grammar().unseen(-1); },
       "grammar: -1 sequences; their number cannot be negative"},
      {"Grammar::surprise", "no sentence",
       [] {
         Grammar().surprise({0, 0});
       },
       "grammar: \"||\" is no sentence of this form"},
      {"Grammar::surprise", "an id that is no word's",
       [] {
         Grammar().surprise({0, 99});
       },
       "alphabet: id 99 is outside [0, 33)"},
      {"Grammar::padded", "a mark alone", [] { Grammar().padded({{0}}); },
       "grammar: a sentence of 1 tokens; with both marks it has 2 to 24"},
      {"Grammar::padded", "too long", [] { Grammar().padded({Sequence(99, 0)}); },
       "grammar: a sentence of 99 tokens; with both marks it has 2 to 24"},
      {"Grammar::floor", "one axis",
       [] {
         Grammar().floor({{{2}, {0, 1}}, {{2}, {0, 1}}});
       },
       "grammar: tokens of shape (2,); (sequences, positions) is needed"},
      {"Grammar::floor", "fewer targets",
       [] {
         Grammar().floor({{{1, 2}, {0, 1}}, {{1, 1}, {0}}});
       },
       "grammar: input (1, 2) and targets (1, 1); both need one shape, with a position at least"},
      {"Grammar::floor", "no positions",
       [] {
         Grammar().floor({{{1, 0}, {}}, {{1, 0}, {}}});
       },
       "grammar: input (1, 0) and targets (1, 0); both need one shape, with a position at least"},
      {"Grammar::expected_loss", "one axis",
       [] {
         Grammar().expected_loss({{{2}, {0, 1}}, {{2}, {0, 1}}});
       },
       "grammar: tokens of shape (2,); (sequences, positions) is needed"},
      {"Grammar::links", "one axis",
       [] {
         Grammar::links({{2}, {0, 1}});
       },
       "grammar: tokens of shape (2,); (sequences, positions) is needed"},
  });
}

TEST_CASE("misuse: induction") {
  refuse({
      {"Induction::Induction", "no letters", [] { Induction({.letters = 0}); },
       "induction: 0 letters; there are 1 to 52"},
      {"Induction::Induction", "all pairs asked", [] { Induction({.pairs = 4, .asked = 4}); },
       "induction: 4 of 4 pairs come again, of 26 letters; 1 or more have to, but not all, and "
       "each pair takes two letters"},
      {"Induction::Induction", "more pairs than letters",
       [] { Induction({.letters = 9, .pairs = 5}); },
       "induction: 4 of 5 pairs come again, of 9 letters; 1 or more have to, but not all, and each "
       "pair takes two letters"},
      {"Induction::batch", "a negative number", [] { Induction().batch(-1, dice); },
       "induction: -1 sequences; their number cannot be negative"},
      {"Induction::unseen", "a negative number", [] { Induction().unseen(-1); },
       "induction: -1 sequences; their number cannot be negative"},
      {"Induction::answer_links", "one axis",
       [] {
         Induction().answer_links({{2}, {0, 1}});
       },
       "induction: tokens of shape (2,); (sequences, positions) is needed"},
      {"Induction::answer_links", "too short",
       [] {
         Induction().answer_links({{1, 2}, {0, 1}});
       },
       "induction: tokens of shape (1, 2); the first 16 positions are the pairs"},
      {"Induction::previous_links", "a letter that was in no pair",
       [] {
         Tokens ids({1, 17}, std::vector<int>(17, 0));
         ids.ids[16] = 5;
         Induction().previous_links(ids);
       },
       "induction: id 5 at position 16 of sequence 0 begins none of the pairs"},
  });
}

TEST_CASE("misuse: ordered pairs") {
  refuse({
      {"ordered_tuples", "no places", [] { ordered_tuples(3, 0); },
       "pairs: 0 places for 3 different symbols; 1 to 3 can be filled"},
      {"ordered_tuples", "more places than symbols", [] { ordered_tuples(3, 4); },
       "pairs: 4 places for 3 different symbols; 1 to 3 can be filled"},
      {"ordered_tuples", "millions of rows", [] { ordered_tuples(2000, 2); },
       "pairs: 2000 symbols in 2 places make more than 1000000 rows"},
      {"mixed", "weights of other places",
       [] {
         mixed(tuples, 3, ones({1, 3}));
       },
       "pairs: weights of shape (1, 3) for tuples of 2 places; (heads, 2) is needed"},
      {"mixed", "too few symbols",
       [] {
         mixed(tuples, 2, ones({1, 2}));
       },
       "gather_rows: id 2 at position 3: the table has ids 0 to 1 (V = 2)"},
      {"mixed", "no tuples",
       [] {
         mixed({}, 3, ones({1, 2}));
       },
       "pairs: tuples of shape (0,); (N, places) is needed, at least one"},
      {"mixed", "undefined", [] { mixed(tuples, 3, Tensor()); }, undefined("pairs")},
      {"best_readout", "a place too far",
       [] {
         best_readout(ones({6, 3}), tuples, 2);
       },
       "pairs: place 2; the tuples have places 0 to 1"},
      {"best_readout", "other rows",
       [] {
         best_readout(ones({5, 3}), tuples, 0);
       },
       "pairs: mixes of shape (5, 3) for 6 tuples; each needs one"},
      {"best_readout", "no tuples",
       [] {
         best_readout(ones({0, 3}), {{0, 2}, {}}, 0);
       },
       "pairs: tuples of shape (0, 2); (N, places) is needed, at least one"},
      {"share_right", "other rows",
       [] {
         share_right(ones({7, 3}), ones({3, 3}), tuples, 0);
       },
       "pairs: mixes of shape (7, 3) for 6 tuples; each needs one"},
      {"share_right", "a readout of fewer symbols",
       [] {
         share_right(ones({6, 3}), ones({3, 2}), tuples, 0);
       },
       "pairs: symbol 2 in the tuples, but the readout tells 0 to 1 apart"},
      {"share_right", "a negative place",
       [] {
         share_right(ones({6, 3}), ones({3, 3}), tuples, -1);
       },
       "pairs: place -1; the tuples have places 0 to 1"},
      {"shares_right", "a vector", [] { shares_right(3, ones({2})); },
       "pairs: weights of shape (2,); (heads, places) is needed"},
      {"shares_right", "undefined", [] { shares_right(3, Tensor()); }, undefined("pairs")},
  });
}
