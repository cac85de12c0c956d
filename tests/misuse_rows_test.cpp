// What the ops refuse that make one row, or number, of many: reductions, softmax and the loss,
// attention, normalization.
#include <climits>

#include "misuse.hpp"

using namespace attention;

namespace {

const Tensor matrix = ones({2, 3}), cube = ones({2, 3, 4}), nothing = ones({3, 0});
const Tensor q = ones({2, 3, 4}), k = ones({2, 5, 4}), v = ones({2, 5, 6});
const Tensor none;

void smooth(real smoothing) { cross_entropy(matrix, {{2}, {0, 1}}, {.smoothing = smoothing}); }

void drop_at(const Tensor& x, real rate) {
  Random random(1);
  dropout(x, rate, random);
}

}  // namespace

TEST_CASE("misuse: reductions") {
  refuse({
      {"sum", "an axis that is not there", [] { sum(matrix, 2); }, no_axis("sum", 2)},
      {"sum", "an axis twice",
       [] {
         sum(matrix, {0, -2});
       },
       "sum: axis 0 of (2, 3) is named twice"},
      {"sum", "an axis of a scalar", [] { sum(Tensor(1), 0); },
       "sum: axis 0 of a scalar, which has no axes"},
      {"sum", "undefined", [] { sum(none); }, undefined("sum")},
      {"sum", "undefined, an axis", [] { sum(none, 0); }, undefined("sum")},
      {"mean", "an axis that is not there", [] { mean(matrix, 2); }, no_axis("mean", 2)},
      {"mean", "nothing", [] { mean(nothing); },
       "mean: (3, 0) has no values along these axes, and so no mean"},
      {"mean", "nothing along an axis", [] { mean(nothing, 1); },
       "mean: (3, 0) has no values along these axes, and so no mean"},
      {"mean", "undefined", [] { mean(none); }, undefined("mean")},
      {"max", "an axis that is not there", [] { max(matrix, INT_MIN); }, no_axis("max", INT_MIN)},
      {"max", "nothing", [] { max(nothing); },
       "max: (3, 0) has no values along these axes, and so no max"},
      {"max", "nothing along an axis", [] { max(nothing, -1); },
       "max: (3, 0) has no values along these axes, and so no max"},
      {"max", "undefined", [] { max(none, 0); }, undefined("max")},
      {"variance", "an axis that is not there", [] { variance(matrix, 2); },
       no_axis("variance", 2)},
      {"variance", "nothing", [] { variance(nothing); },
       "variance: (3, 0) has no values along these axes, and so no variance"},
      {"variance", "undefined", [] { variance(none); }, undefined("variance")},
      {"argmax", "an axis that is not there", [] { argmax(matrix, 2); }, no_axis("argmax", 2)},
      {"argmax", "nothing along an axis", [] { argmax(nothing, 1); },
       "argmax: axis 1 of (3, 0) is empty: there is no greatest"},
      {"argmax", "a scalar", [] { argmax(1, 0); }, "argmax: axis 0 of a scalar, which has no axes"},
      {"argmax", "undefined", [] { argmax(none, 0); }, undefined("argmax")},
  });
}

TEST_CASE("misuse: softmax and the loss") {
  refuse({
      {"softmax", "an axis that is not there", [] { softmax(matrix, 2); }, no_axis("softmax", 2)},
      {"softmax", "a scalar", [] { softmax(1, -1); },
       "softmax: axis -1 of a scalar, which has no axes"},
      {"softmax", "a mask of another shape", [] { softmax(matrix, -1, causal_mask(2)); },
       "softmax: a mask of shape (2, 2) does not broadcast to (2, 3): a size must be equal or 1"},
      {"softmax", "undefined", [] { softmax(none, 0); }, undefined("softmax")},
      {"log_softmax", "an axis that is not there", [] { log_softmax(matrix, 2); },
       no_axis("log_softmax", 2)},
      {"log_softmax", "a mask of another shape", [] { log_softmax(matrix, 0, causal_mask(3)); },
       "log_softmax: a mask of shape (3, 3) does not broadcast to (2, 3): a size must be equal or "
       "1"},
      {"log_softmax", "undefined", [] { log_softmax(none, 0); }, undefined("log_softmax")},
      {"cross_entropy", "the target V",
       [] {
         cross_entropy(matrix, {{2}, {0, 3}});
       },
       "cross_entropy: target 3 at position 1: 0 to 2 are possible, or -1 to ignore it"},
      {"cross_entropy", "a negative target",
       [] {
         cross_entropy(matrix, {{2}, {-2, 0}});
       },
       "cross_entropy: target -2 at position 0: 0 to 2 are possible, or -1 to ignore it"},
      {"cross_entropy", "other targets",
       [] {
         cross_entropy(matrix, {{3}, {0, 1, 2}});
       },
       "cross_entropy: logits (2, 3) and targets (3,): the targets need the shape of the logits "
       "without the last axis"},
      {"cross_entropy", "targets of the logits' shape",
       [] {
         cross_entropy(matrix, {{2, 3}, {0, 1, 2, 0, 1, 2}});
       },
       "cross_entropy: logits (2, 3) and targets (2, 3): the targets need the shape of the logits "
       "without the last axis"},
      {"cross_entropy", "a scalar",
       [] {
         cross_entropy(1, {{}, {0}});
       },
       "cross_entropy: logits () and targets (): the targets need the shape of the logits without "
       "the last axis"},
      {"cross_entropy", "no vocabulary",
       [] {
         cross_entropy(nothing, {{3}, {0, 0, 0}});
       },
       "cross_entropy: target 0 for logits (3, 0): with no vocabulary there is none"},
      {"cross_entropy", "no targets", [] { cross_entropy(matrix, {}); },
       "cross_entropy: logits (2, 3) and targets (0,): the targets need the shape of the logits "
       "without the last axis"},
      {"cross_entropy", "a shape without its targets",
       [] {
         Tokens targets;
         targets.shape = {2};
         cross_entropy(matrix, targets);
       },
       "cross_entropy: tokens of shape (2,) with 0 ids; change both together"},
      {"cross_entropy", "smoothing of 1", [] { smooth(1); },
       "cross_entropy: label smoothing 1; 0 <= smoothing < 1 is needed"},
      {"cross_entropy", "smoothing of -1", [] { smooth(-1); },
       "cross_entropy: label smoothing -1; 0 <= smoothing < 1 is needed"},
      {"cross_entropy", "smoothing of NaN", [] { smooth(not_a_number); },
       "cross_entropy: label smoothing nan; 0 <= smoothing < 1 is needed"},
      {"cross_entropy", "over a negative number",
       [] {
         cross_entropy(matrix, {{2}, {0, 1}}, {.over = -1});
       },
       "cross_entropy: over = -1 tokens; a count is needed"},
      {"cross_entropy", "undefined",
       [] {
         cross_entropy(none, {{1}, {0}});
       },
       undefined("cross_entropy")},
  });
}

TEST_CASE("misuse: attention") {
  refuse({
      {"attend", "a vector", [] { attend(ones({4}), k, v); },
       "attend: q (4,), k (2, 5, 4) and v (2, 5, 6); (…, T, D), (…, S, D) and (…, S, E) are "
       "needed"},
      {"attend", "other depths",
       [] {
         attend(q, ones({2, 5, 3}), v);
       },
       "attend: q (2, 3, 4), k (2, 5, 3) and v (2, 5, 6); (…, T, D), (…, S, D) and (…, S, E) are "
       "needed"},
      {"attend", "a value for each key, but one",
       [] {
         attend(q, k, ones({2, 4, 6}));
       },
       "attend: q (2, 3, 4), k (2, 5, 4) and v (2, 4, 6); (…, T, D), (…, S, D) and (…, S, E) are "
       "needed"},
      {"attend", "other batches",
       [] {
         attend(q, ones({3, 5, 4}), v);
       },
       "matmul: the batches of (2, 3, 4) x (3, 5, 4) do not broadcast: (2,) and (3,); all but the "
       "last two axes have to be equal, 1 or missing"},
      {"attend", "a mask of another shape", [] { attend(q, k, v, causal_mask(3)); },
       "softmax: a mask of shape (3, 3) does not broadcast to (2, 3, 5): a size must be equal or "
       "1"},
      {"attend", "undefined", [] { attend(q, k, none); }, undefined("attend", 2)},
      {"attend_heads", "no heads", [] { attend_heads(q, k, v, 0); },
       "attend_heads: 0 heads; at least 1 is needed"},
      {"attend_heads", "a negative number", [] { attend_heads(q, k, v, INT_MIN); },
       "attend_heads: -2147483648 heads; at least 1 is needed"},
      {"attend_heads", "heads that do not divide", [] { attend_heads(q, k, v, 4); },
       "attend_heads: q (2, 3, 4), k (2, 5, 4) and v (2, 5, 6) with 4 heads; (B, T, H D), (B, S, H "
       "D) and (B, S, H E) are needed"},
      {"attend_heads", "two axes", [] { attend_heads(matrix, matrix, matrix, 1); },
       "attend_heads: q (2, 3), k (2, 3) and v (2, 3) with 1 heads; (B, T, H D), (B, S, H D) and "
       "(B, S, H E) are needed"},
      {"attend_heads", "other depths", [] { attend_heads(q, v, v, 2); },
       "attend: q (2, 2, 3, 2), k (2, 2, 5, 3) and v (2, 2, 5, 3); (…, T, D), (…, S, D) and (…, S, "
       "E) are needed"},
      {"attend_heads", "a mask of another shape", [] { attend_heads(q, k, v, 2, causal_mask(3)); },
       "softmax: a mask of shape (3, 3) does not broadcast to (2, 2, 3, 5): a size must be equal "
       "or 1"},
      {"attend_heads", "undefined", [] { attend_heads(none, k, v, 2); }, undefined("attend_heads")},
      {"split_heads", "heads that do not divide", [] { split_heads(cube, 3); },
       "split_heads: (2, 3, 4) into 3 heads; (B, T, C) is needed, and heads that divide C"},
      {"split_heads", "no heads", [] { split_heads(cube, 0); },
       "split_heads: (2, 3, 4) into 0 heads; (B, T, C) is needed, and heads that divide C"},
      {"split_heads", "two axes", [] { split_heads(matrix, 1); },
       "split_heads: (2, 3) into 1 heads; (B, T, C) is needed, and heads that divide C"},
      {"split_heads", "undefined", [] { split_heads(none, 1); }, undefined("split_heads")},
      {"merge_heads", "three axes", [] { merge_heads(cube); },
       "merge_heads: (2, 3, 4); (B, H, T, D) is needed"},
      {"merge_heads", "undefined", [] { merge_heads(none); }, undefined("merge_heads")},
  });
}

TEST_CASE("misuse: normalization and noise") {
  refuse({
      {"normalize", "nothing along the last axis", [] { normalize(nothing); },
       "normalize: (3, 0) has nothing along its last axis to normalize"},
      {"normalize", "a scalar", [] { normalize(1); },
       "normalize: () has nothing along its last axis to normalize"},
      {"normalize", "eps of 0", [] { normalize(matrix, 0); },
       "normalize: eps = 0; a small positive number is needed, such as 1e-5"},
      {"normalize", "a negative eps", [] { normalize(matrix, -1); },
       "normalize: eps = -1; a small positive number is needed, such as 1e-5"},
      {"normalize", "eps of NaN", [] { normalize(matrix, not_a_number); },
       "normalize: eps = nan; a small positive number is needed, such as 1e-5"},
      {"normalize", "an infinite eps", [] { normalize(matrix, infinity); },
       "normalize: eps = inf; a small positive number is needed, such as 1e-5"},
      {"normalize", "undefined", [] { normalize(none); }, undefined("normalize")},
      {"layer_norm", "a bias of another size", [] { layer_norm(matrix, ones({3}), ones({2})); },
       "layer_norm: gain (3,) and bias (2,) for (2, 3): both need the shape (3,)"},
      {"layer_norm", "a gain of two axes", [] { layer_norm(matrix, matrix, ones({3})); },
       "layer_norm: gain (2, 3) and bias (3,) for (2, 3): both need the shape (3,)"},
      {"layer_norm", "nothing", [] { layer_norm(nothing, ones({0}), ones({0})); },
       "layer_norm: (3, 0) has nothing along its last axis to normalize"},
      {"layer_norm", "a scalar", [] { layer_norm(1, 1, 0); },
       "layer_norm: () has nothing along its last axis to normalize"},
      {"layer_norm", "eps of 0", [] { layer_norm(matrix, ones({3}), ones({3}), 0); },
       "layer_norm: eps = 0; a small positive number is needed, such as 1e-5"},
      {"layer_norm", "undefined", [] { layer_norm(matrix, none, ones({3})); },
       undefined("layer_norm", 1)},
      {"dropout", "a rate of 1", [] { drop_at(matrix, 1); },
       "dropout: rate 1; 0 <= rate < 1 is needed"},
      {"dropout", "a negative rate", [] { drop_at(matrix, -0.5); },
       "dropout: rate -0.5; 0 <= rate < 1 is needed"},
      {"dropout", "a rate of NaN", [] { drop_at(matrix, not_a_number); },
       "dropout: rate nan; 0 <= rate < 1 is needed"},
      {"dropout", "undefined", [] { drop_at(none, 0); }, undefined("dropout")},
  });
}
