// What the ops refuse, and in which words: the text is part of the lesson. Next: misuse_parts_test,
// misuse_rows_test.
#include <climits>

#include "misuse.hpp"

using namespace attention;

namespace {

const Tensor matrix = ones({2, 3}), cube = ones({2, 3, 4}), pair = ones({2});
const Tensor none;

std::string apart(const std::string& op) {
  return op +
         ": (2, 3) and (2,) do not broadcast: at axis 1 from the end, 3 is not 2, and neither is 1";
}

}  // namespace

TEST_CASE("misuse: arithmetic") {
  refuse({
      {"operator+", "shapes", [] { matrix + pair; }, apart("add")},
      {"operator-", "shapes", [] { matrix - pair; }, apart("subtract")},
      {"operator*", "shapes", [] { matrix* pair; }, apart("multiply")},
      {"operator/", "shapes", [] { matrix / pair; }, apart("divide")},
      {"operator+", "nothing and two", [] { zeros({0}) + pair; },
       "add: (0,) and (2,) do not broadcast: at axis 1 from the end, 0 is not 2, and neither is 1"},
      {"operator+", "undefined", [] { none + matrix; }, undefined("add")},
      {"operator+", "a gradient that never came", [] { matrix + leaf(matrix.clone()).grad(); },
       undefined("add", 1)},
      {"operator-", "undefined", [] { matrix - none; }, undefined("subtract", 1)},
      {"operator-", "undefined, alone", [] { -none; }, undefined("negate")},
      {"operator*", "undefined", [] { none * 2; }, undefined("multiply")},
      {"operator/", "undefined", [] { 1 / none; }, undefined("divide", 1)},
      {"pow", "undefined", [] { pow(none, 2); }, undefined("pow")},
      {"where", "no mask", [] { where(Mask(), matrix, matrix); },
       "where: no mask was given; it decides between the two tensors"},
      {"where", "shapes", [] { where(greater(matrix, 0), matrix, pair); }, apart("where")},
      {"where", "a mask of another shape", [] { where(causal_mask(2), matrix, 0); },
       "where: (2, 3) and (2, 2) do not broadcast: at axis 1 from the end, 3 is not 2, and neither "
       "is 1"},
      {"where", "undefined", [] { where(causal_mask(2), 0, none); }, undefined("where", 1)},
  });
}

TEST_CASE("misuse: functions of nothing") {
  refuse({
      {"exp", "undefined", [] { exp(none); }, undefined("exp")},
      {"log", "undefined", [] { log(none); }, undefined("log")},
      {"sqrt", "undefined", [] { sqrt(none); }, undefined("sqrt")},
      {"tanh", "undefined", [] { tanh(none); }, undefined("tanh")},
      {"sigmoid", "undefined", [] { sigmoid(none); }, undefined("sigmoid")},
      {"relu", "undefined", [] { relu(none); }, undefined("relu")},
      {"erf", "undefined", [] { erf(none); }, undefined("erf")},
      {"gelu", "undefined", [] { gelu(none); }, undefined("gelu")},
      {"gelu_tanh", "undefined", [] { gelu_tanh(none); }, undefined("gelu_tanh")},
  });
}

TEST_CASE("misuse: products") {
  refuse({
      {"matmul", "the order",
       [] {
         matmul(matrix, ones({4, 5}));
       },
       "matmul: inner sizes differ: (2, 3) x (4, 5) (3 and 4); transpose one, or check the order"},
      {"matmul", "the first transposed",
       [] {
         matmul(matrix, ones({4, 5}), transpose_a);
       },
       "matmul: inner sizes differ: (2, 3) transposed x (4, 5) (2 and 4); transpose one, or check "
       "the order"},
      {"matmul", "both transposed",
       [] {
         matmul(matrix, ones({4, 5}), transpose_both);
       },
       "matmul: inner sizes differ: (2, 3) transposed x (4, 5) transposed (2 and 5); transpose "
       "one, or check the order"},
      {"matmul", "a batch and one matrix",
       [] {
         matmul(cube, ones({5, 6}));
       },
       "matmul: inner sizes differ: (2, 3, 4) x (5, 6) (4 and 5); transpose one, or check the "
       "order"},
      {"matmul", "a vector", [] { matmul(matrix, ones({3})); },
       "matmul: (2, 3) x (3,): both need at least two axes; reshape a vector to (1, n) or (n, 1)"},
      {"matmul", "a scalar", [] { matmul(2, matrix); },
       "matmul: () x (2, 3): both need at least two axes; reshape a vector to (1, n) or (n, 1)"},
      {"matmul", "other batches",
       [] {
         matmul(cube, ones({5, 4, 6}));
       },
       "matmul: the batches of (2, 3, 4) x (5, 4, 6) do not broadcast: (2,) and (5,); all but the "
       "last two axes have to be equal, 1 or missing"},
      {"matmul", "undefined", [] { matmul(matrix, none); }, undefined("matmul", 1)},
      {"linear", "the last size",
       [] {
         linear(cube, ones({3, 5}), ones({5}));
       },
       "linear: (2, 3, 4) x (3, 5) + (5,); (…, in) x (in, out) + (out,) is needed"},
      {"linear", "a bias of another size",
       [] {
         linear(cube, ones({4, 5}), ones({4}));
       },
       "linear: (2, 3, 4) x (4, 5) + (4,); (…, in) x (in, out) + (out,) is needed"},
      {"linear", "a weight of three axes", [] { linear(matrix, cube, ones({4})); },
       "linear: (2, 3) x (2, 3, 4) + (4,); (…, in) x (in, out) + (out,) is needed"},
      {"linear", "a scalar",
       [] {
         linear(1, ones({1, 2}), ones({2}));
       },
       "linear: () x (1, 2) + (2,); (…, in) x (in, out) + (out,) is needed"},
      {"linear", "no bias",
       [] {
         linear(cube, ones({4, 5}), none);
       },
       undefined("linear", 2)},
  });
}

TEST_CASE("misuse: layout") {
  refuse({
      {"reshape", "another count",
       [] {
         reshape(matrix, {4, 2});
       },
       "reshape: (2, 3) has 6 values, (4, 2) has 8; the counts have to be equal"},
      {"reshape", "a size to be worked out",
       [] {
         reshape(matrix, {3, -1});
       },
       "shape: a size is negative: (3, -1); each has to be given, none is worked out"},
      {"reshape", "nothing to one",
       [] {
         reshape(zeros({0, 3}), {});
       },
       "reshape: (0, 3) has 0 values, () has 1; the counts have to be equal"},
      {"reshape", "undefined", [] { reshape(none, {}); }, undefined("reshape")},
      {"permute", "too few axes",
       [] {
         permute(cube, {0, 1});
       },
       "permute: 2 axes for shape (2, 3, 4): each of its 3 must be named once"},
      {"permute", "an axis twice",
       [] {
         permute(cube, {0, 1, -2});
       },
       "permute: axis 1 of (2, 3, 4) is named twice"},
      {"permute", "an axis that is not there",
       [] {
         permute(cube, {0, 1, 3});
       },
       "permute: axis 3 of (2, 3, 4): there are 3 axes, so -3 to 2 are possible"},
      {"permute", "undefined", [] { permute(none, {}); }, undefined("permute")},
      {"transpose", "an axis that is not there", [] { transpose(matrix, 0, 2); },
       no_axis("transpose", 2)},
      {"transpose", "far before the first", [] { transpose(matrix, INT_MIN, 0); },
       "transpose: axis -2147483648 of (2, 3): there are 2 axes, so -2 to 1 are possible"},
      {"transpose", "a scalar", [] { transpose(1, 0, 1); },
       "transpose: axis 0 of a scalar, which has no axes"},
      {"transpose", "undefined", [] { transpose(none, 0, 1); }, undefined("transpose")},
      {"broadcast_to", "another size",
       [] {
         broadcast_to(matrix, {2, 4});
       },
       "broadcast_to: (2, 3) does not stretch to (2, 4): a size must be equal or 1"},
      {"broadcast_to", "fewer axes", [] { broadcast_to(matrix, {3}); },
       "broadcast_to: (2, 3) does not stretch to (3,): a size must be equal or 1"},
      {"broadcast_to", "undefined", [] { broadcast_to(none, {3}); }, undefined("broadcast_to")},
  });
}
