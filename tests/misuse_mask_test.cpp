// What tokens and masks refuse.
#include "misuse.hpp"

using namespace attention;

namespace {
const Tensor matrix = ones({2, 3});
}

TEST_CASE("misuse: tokens and masks") {
  refuse({
      {"Tokens::Tokens", "too few ids",
       [] {
         Tokens(Shape{2, 3}, {1, 2});
       },
       "tokens: 2 ids for shape (2, 3), which has 6"},
      {"Tokens::Tokens", "none for one place", [] { Tokens(Shape{}, {}); },
       "tokens: 0 ids for shape (), which has 1"},
      {"Tokens::check", "fields that no longer fit",
       [] {
         Tokens ids(Shape{2}, {1, 2});
         ids.ids.pop_back();
         ids.check("embedding");
       },
       "embedding: tokens of shape (2,) with 1 ids; change both together"},
      {"Mask::Mask", "too few values",
       [] {
         Mask(Shape{2, 3}, {1, 0});
       },
       "mask: 2 values for shape (2, 3), which has 6"},
      {"Mask::at", "an index for each axis, less one", [] { causal_mask(2).at({0}); },
       "mask: 1 indices for shape (2, 2); give one for each of its 2 axes"},
      {"Mask::at", "beyond the last",
       [] {
         causal_mask(2).at({2, 0});
       },
       "mask: index 2 on axis 0 of (2, 2): 0 to 1 are possible"},
      {"Mask::at", "before the first",
       [] {
         causal_mask(2).at({0, -1});
       },
       "mask: index -1 on axis 1 of (2, 2): 0 to 1 are possible"},
      {"Mask::expand", "to a shape it does not stretch to",
       [] {
         causal_mask(2).expand({3, 2});
       },
       "mask: (2, 2) does not broadcast to (3, 2): a size must be equal or 1"},
      {"Mask::transpose", "an axis it does not have", [] { causal_mask(2).transpose(0, 2); },
       "mask: axis 2 of (2, 2): there are 2 axes, so -2 to 1 are possible"},
      {"operator&", "shapes that do not broadcast", [] { causal_mask(2) & causal_mask(3); },
       "mask: (2, 2) and (3, 3) do not broadcast: at axis 1 from the end, 2 is not 3, and neither "
       "is 1"},
      {"operator!", "no mask", [] { !Mask(); },
       "mask: the opposite of no mask has no shape; make the mask first"},
      {"causal_mask", "fewer keys than queries", [] { causal_mask(3, 2); },
       "causal_mask: 3 queries and 2 keys; a query needs a key at its own position"},
      {"causal_mask", "a negative number", [] { causal_mask(-1); },
       "causal_mask: -1 queries and -1 keys; a query needs a key at its own position"},
      {"padding_mask", "longer than there are positions",
       [] {
         padding_mask({2, 4}, 3);
       },
       "padding_mask: length 4 of sequence 1; 0 to 3 are possible"},
      {"padding_mask", "a negative length", [] { padding_mask({-1}, 3); },
       "padding_mask: length -1 of sequence 0; 0 to 3 are possible"},
      {"padding_mask", "negative positions", [] { padding_mask({}, -3); },
       "padding_mask: -3 positions; their number cannot be negative"},
      {"equal", "undefined", [] { equal(matrix, Tensor()); },
       "equal: the second tensor is undefined: there are no values to compare"},
      {"equal", "shapes that do not broadcast", [] { equal(matrix, ones({2})); },
       "equal: (2, 3) and (2,) do not broadcast: at axis 1 from the end, 3 is not 2, and neither "
       "is 1"},
      {"greater", "undefined", [] { greater(Tensor(), 0); },
       "greater: the first tensor is undefined: there are no values to compare"},
      {"greater", "shapes that do not broadcast", [] { greater(matrix, ones({2})); },
       "greater: (2, 3) and (2,) do not broadcast: at axis 1 from the end, 3 is not 2, and neither "
       "is 1"},
  });
}
