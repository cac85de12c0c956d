// Sizes 0 and 1, and one tensor in both places: nothing of it is misuse, so there is a right value.
// No values give no values; a sum of none is 0; whatever has no answer is refused
// (misuse_rows_test).
#include "attention/tensor/autograd.hpp"
#include "misuse.hpp"

using namespace attention;

namespace {

// What comes out of an op, and what goes back: zeros, in the shape of x, for nothing counts.
struct Nothing {
  const char* op;
  Shape x;
  Tensor (*f)(const Tensor&);
  Shape shape;
  std::vector<real> values = {};
};

void check_nothing(const std::vector<Nothing>& rows) {
  for (const auto& [op, shape, f, expected, expected_values] : rows) {
    INFO(op << " of " << to_string(shape));
    const Tensor x = leaf(zeros(shape)), y = f(x);
    CHECK(y.shape() == expected);
    CHECK(values(y) == expected_values);
    backward(sum(y));
    CHECK(x.grad().shape() == shape);
    CHECK(x.grad().count() == 0);
  }
}

const Mask no_rows(Shape{0, 3}, {});
Random dice(1);

}  // namespace

TEST_CASE("nothing goes through every op of one element at a time") {
  const Shape none{0, 3};
  check_nothing({
      {"add", none, [](const Tensor& x) { return x + ones({3}); }, none},
      {"subtract", none,
       [](const Tensor& x) {
         return x - ones({1, 3});
       },
       none},
      {"multiply", none, [](const Tensor& x) { return 2 * x; }, none},
      {"divide", none,
       [](const Tensor& x) {
         return ones({1, 1}) / x;
       },
       none},
      {"negate", none, [](const Tensor& x) { return -x; }, none},
      {"pow", none, [](const Tensor& x) { return pow(x, real(1.5)); }, none},
      {"where", none, [](const Tensor& x) { return where(no_rows, x, 1); }, none},
      {"exp", none, exp, none},
      {"log", none, log, none},
      {"sqrt", none, sqrt, none},
      {"tanh", none, tanh, none},
      {"sigmoid", none, sigmoid, none},
      {"relu", none, relu, none},
      {"erf", none, erf, none},
      {"gelu", none, gelu, none},
      {"gelu_tanh", none, gelu_tanh, none},
      {"dropout", none, [](const Tensor& x) { return dropout(x, real(0.5), dice); }, none},
  });
}

TEST_CASE("nothing goes through products, layouts and parts") {
  check_nothing({
      {"matmul",
       {0, 3},
       [](const Tensor& x) {
         return matmul(x, ones({3, 2}));
       },
       {0, 2}},
      {"matmul",
       {2, 0},
       [](const Tensor& x) {
         return matmul(x, ones({0, 2}));
       },
       {2, 2},
       {0, 0, 0, 0}},
      {"matmul",
       {0, 2, 3},
       [](const Tensor& x) {
         return matmul(x, ones({1, 3, 4}));
       },
       {0, 2, 4}},
      {"matmul",
       {3, 0},
       [](const Tensor& x) {
         return matmul(ones({3, 2}), x, transpose_a);
       },
       {2, 0}},
      {"linear",
       {0, 3},
       [](const Tensor& x) {
         return linear(x, ones({3, 2}), ones({2}));
       },
       {0, 2}},
      {"linear",
       {2, 0},
       [](const Tensor& x) {
         return linear(x, ones({0, 2}), from_values({5, 7}));
       },
       {2, 2},
       {5, 7, 5, 7}},
      {"reshape",
       {0, 3},
       [](const Tensor& x) {
         return reshape(x, {2, 0, 4});
       },
       {2, 0, 4}},
      {"permute",
       {2, 0, 3},
       [](const Tensor& x) {
         return permute(x, {2, 0, 1});
       },
       {3, 2, 0}},
      {"transpose", {0, 3}, [](const Tensor& x) { return transpose(x, 0, 1); }, {3, 0}},
      {"broadcast_to",
       {0},
       [](const Tensor& x) {
         return broadcast_to(x, {2, 0});
       },
       {2, 0}},
      {"slice", {0, 3}, [](const Tensor& x) { return slice(x, 1, 1, 3); }, {0, 2}},
      {"concat",
       {0, 3},
       [](const Tensor& x) {
         return concat({x, ones({1, 3}), x}, 0);
       },
       {1, 3},
       {1, 1, 1}},
      {"stack",
       {0, 3},
       [](const Tensor& x) {
         return stack({x, x}, 1);
       },
       {0, 2, 3}},
      {"gather_rows", {0, 3}, [](const Tensor& x) { return gather_rows(x, {}); }, {0, 3}},
      {"gather_rows",
       {2, 0},
       [](const Tensor& x) {
         return gather_rows(x, {{1}, {1}});
       },
       {1, 0}},
  });
  CHECK(slice(ones({2, 3}), 1, 3, 3).shape() == Shape{2, 0});
  CHECK(broadcast_to(ones({1, 3}), {0, 3}).shape() == Shape{0, 3});
}

TEST_CASE("nothing goes through reductions, softmax, attention and normalization") {
  check_nothing({
      {"sum", {0, 3}, [](const Tensor& x) { return sum(x); }, {}, {0}},
      {"sum", {0, 3}, [](const Tensor& x) { return sum(x, 0); }, {3}, {0, 0, 0}},
      {"mean", {0, 3}, [](const Tensor& x) { return mean(x, 1); }, {0}},
      {"max", {0, 3}, [](const Tensor& x) { return max(x, 1, keep); }, {0, 1}},
      {"variance", {0, 3}, [](const Tensor& x) { return variance(x, 1); }, {0}},
      {"softmax", {0, 3}, [](const Tensor& x) { return softmax(x, -1); }, {0, 3}},
      {"softmax", {0, 3}, [](const Tensor& x) { return softmax(x, 0, no_rows); }, {0, 3}},
      {"log_softmax", {3, 0}, [](const Tensor& x) { return log_softmax(x, -1); }, {3, 0}},
      {"cross_entropy", {0, 3}, [](const Tensor& x) { return cross_entropy(x, {}); }, {}, {0}},
      {"cross_entropy",
       {2, 0},
       [](const Tensor& x) {
         return cross_entropy(x, {{2}, {-1, -1}});
       },
       {},
       {0}},
      {"attend",
       {0, 4},
       [](const Tensor& x) {
         return attend(x, ones({5, 4}), ones({5, 2}));
       },
       {0, 2}},
      {"attend",
       {0, 4},
       [](const Tensor& x) {
         return attend(ones({3, 4}), x, slice(x, 1, 0, 1));
       },
       {3, 1},
       {0, 0, 0}},
      {"attend_heads",
       {0, 3, 4},
       [](const Tensor& x) { return attend_heads(x, x, x, 2); },
       {0, 3, 4}},
      {"attend_heads",
       {2, 0, 4},
       [](const Tensor& x) { return attend_heads(x, x, x, 2); },
       {2, 0, 4}},
      {"split_heads", {2, 0, 4}, [](const Tensor& x) { return split_heads(x, 2); }, {2, 2, 0, 2}},
      {"merge_heads", {2, 2, 0, 2}, [](const Tensor& x) { return merge_heads(x); }, {2, 0, 4}},
      {"normalize", {0, 3}, [](const Tensor& x) { return normalize(x); }, {0, 3}},
      {"layer_norm",
       {0, 3},
       [](const Tensor& x) { return layer_norm(x, ones({3}), ones({3})); },
       {0, 3}},
  });
  CHECK(argmax(ones({0, 3}), 1) == Tokens(Shape{0}, {}));
  CHECK(greater(ones({0, 3}), 0).shape() == Shape{0, 3});
}

TEST_CASE("attention without keys gives zeros also where its weights are asked for") {
  const AttentionMaps asked;
  CHECK(values(attend(ones({3, 4}), ones({0, 4}), ones({0, 1}))) == std::vector<real>{0, 0, 0});
  CHECK(attend_heads(ones({2, 0, 4}), ones({2, 0, 4}), ones({2, 0, 4}), 2).count() == 0);
}
