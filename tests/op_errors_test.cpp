// What the ops refuse, and in which words: the text is part of the lesson.
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {
const Tensor matrix = ones({2, 3}), cube = ones({2, 3, 4});
}

TEST_CASE("operands that do not broadcast are refused by every binary op") {
  auto text = [](std::string op) {
    return op +
           ": (2, 3) and (2,) do not broadcast: at axis 1 from the end, 3 is not 2, and "
           "neither is 1";
  };
  const Tensor pair = ones({2});
  CHECK_THROWS_WITH(matrix + pair, text("add"));
  CHECK_THROWS_WITH(matrix - pair, text("subtract"));
  CHECK_THROWS_WITH(matrix * pair, text("multiply"));
  CHECK_THROWS_WITH(matrix / pair, text("divide"));
  CHECK_THROWS_WITH(where(greater(matrix, 0), matrix, pair), text("where"));
  CHECK_THROWS_WITH(equal(matrix, pair), text("equal"));
  CHECK_THROWS_WITH(greater(matrix, pair), text("greater"));
  CHECK_THROWS_WITH(where(Mask(), matrix, matrix),
                    "where: no mask was given; it decides between the two tensors");
}

TEST_CASE("matrix products that do not fit are refused, with the shapes that were given") {
  CHECK_THROWS_WITH(
      matmul(matrix, ones({4, 5})),
      "matmul: inner sizes differ: (2, 3) x (4, 5) (3 and 4); transpose one, or check the order");
  CHECK_THROWS_WITH(matmul(ones({2, 3}), ones({4, 5}), transpose_a),
                    "matmul: inner sizes differ: (2, 3) transposed x (4, 5) (2 and 4); transpose "
                    "one, or check the order");
  CHECK_THROWS_WITH(matmul(ones({2, 3}), ones({4, 5}), transpose_both),
                    "matmul: inner sizes differ: (2, 3) transposed x (4, 5) transposed (2 and 5); "
                    "transpose one, or check the order");
  CHECK_THROWS_WITH(matmul(cube, ones({5, 6})),
                    "matmul: inner sizes differ: (2, 3, 4) x (5, 6) (4 and 5); transpose one, or "
                    "check the order");
}

TEST_CASE("matrix products need two axes, and batches that broadcast") {
  CHECK_THROWS_WITH(
      matmul(matrix, ones({3})),
      "matmul: (2, 3) x (3,): both need at least two axes; reshape a vector to (1, n) "
      "or (n, 1)");
  CHECK_THROWS_WITH(matmul(ones({2, 3, 4}), ones({5, 4, 6})),
                    "matmul: (2,) and (5,) do not broadcast: at axis 1 from the end, 2 is not 5, "
                    "and neither is 1");
}

TEST_CASE("layouts that do not fit are refused") {
  CHECK_THROWS_WITH(reshape(matrix, {4, 2}), "reshape: (2, 3) has 6 values, (4, 2) has 8");
  CHECK_THROWS_WITH(permute(cube, {0, 1}),
                    "permute: 2 axes for shape (2, 3, 4): each of its 3 must be named once");
  CHECK_THROWS_WITH(permute(cube, {0, 1, 1}), "permute: axis 1 of (2, 3, 4) is named twice");
  CHECK_THROWS_WITH(permute(cube, {0, 1, 3}),
                    "permute: axis 3 of (2, 3, 4): there are 3 axes, so -3 to 2 are possible");
  CHECK_THROWS_WITH(transpose(matrix, 0, 2),
                    "transpose: axis 2 of (2, 3): there are 2 axes, so -2 to 1 are possible");
  CHECK_THROWS_WITH(broadcast_to(matrix, {2, 4}),
                    "broadcast_to: (2, 3) does not stretch to (2, 4): a size must be equal or 1");
  CHECK_THROWS_AS(broadcast_to(matrix, {3}), Error);
}

TEST_CASE("slices outside the axis are refused") {
  CHECK_THROWS_WITH(slice(matrix, 1, 1, 4),
                    "slice: [1, 4) of axis 1 of (2, 3): 0 <= begin <= end <= 3 is needed");
  CHECK_THROWS_WITH(slice(matrix, -1, -1, 2),
                    "slice: [-1, 2) of axis 1 of (2, 3): 0 <= begin <= end <= 3 is needed");
  CHECK_THROWS_WITH(slice(matrix, 0, 2, 1),
                    "slice: [2, 1) of axis 0 of (2, 3): 0 <= begin <= end <= 2 is needed");
  CHECK_THROWS_WITH(slice(matrix, 2, 0, 1),
                    "slice: axis 2 of (2, 3): there are 2 axes, so -2 to 1 are possible");
}

TEST_CASE("what cannot be put together is refused") {
  CHECK_THROWS_WITH(concat({matrix, ones({3, 3})}, 1),
                    "concat: (2, 3) and (3, 3) differ in more than axis 1");
  CHECK_THROWS_WITH(concat({matrix, cube}, 0),
                    "concat: (2, 3) and (2, 3, 4) differ in more than axis 0");
  CHECK_THROWS_WITH(concat({}, 0),
                    "concat: nothing to put together; at least one tensor is needed");
  CHECK_THROWS_AS(concat({matrix}, 2), Error);
  CHECK_THROWS_WITH(stack({matrix, ones({3, 2})}, 0), "stack: shapes differ: (2, 3) and (3, 2)");
  CHECK_THROWS_WITH(stack({}, 0), "stack: nothing to put together; at least one tensor is needed");
  CHECK_THROWS_WITH(stack({matrix}, 3),
                    "stack: new axis 3 for tensors of shape (2, 3): -3 to 2 are possible");
}

TEST_CASE("ids outside the table are refused, with the id and V") {
  const Tensor table = ones({5, 3});
  CHECK_THROWS_WITH(gather_rows(table, Tokens(Shape{3}, {0, -1, 2})),
                    "gather_rows: id -1 at position 1: the table has ids 0 to 4 (V = 5)");
  CHECK_THROWS_WITH(gather_rows(table, Tokens(Shape{1, 3}, {0, 4, 5})),
                    "gather_rows: id 5 at position 2: the table has ids 0 to 4 (V = 5)");
  CHECK_THROWS_WITH(gather_rows(cube, Tokens(Shape{1}, {0})),
                    "gather_rows: a table of shape (2, 3, 4); (rows, columns) is needed");
}

TEST_CASE("nothing has no mean, maximum or variance") {
  const Tensor nothing = ones({3, 0});
  CHECK_THROWS_WITH(mean(nothing), "mean: (3, 0) has nothing along the axes to average");
  CHECK_THROWS_WITH(mean(nothing, 1), "mean: (3, 0) has nothing along the axes to average");
  CHECK_THROWS_WITH(max(nothing, -1),
                    "max: (3, 0) has nothing along the axes to take the maximum of");
  CHECK_THROWS_WITH(max(nothing), "max: (3, 0) has nothing along the axes to take the maximum of");
  CHECK_THROWS_AS(variance(nothing, 1), Error);
  CHECK_THROWS_WITH(argmax(nothing, 1), "argmax: axis 1 of (3, 0) is empty");
  CHECK(mean(nothing, 0).shape() == Shape{0});
  CHECK(sum(nothing).item() == 0);
}

TEST_CASE("axes that are not there are refused by every reduction") {
  auto text = [](std::string op) {
    return op + ": axis 2 of (2, 3): there are 2 axes, so -2 to 1 are possible";
  };
  CHECK_THROWS_WITH(sum(matrix, 2), text("sum"));
  CHECK_THROWS_WITH(mean(matrix, 2), text("mean"));
  CHECK_THROWS_WITH(max(matrix, 2), text("max"));
  CHECK_THROWS_WITH(argmax(matrix, 2), text("argmax"));
  CHECK_THROWS_WITH(softmax(matrix, 2), text("softmax"));
  CHECK_THROWS_WITH(log_softmax(matrix, 2), text("log_softmax"));
  CHECK_THROWS_AS(variance(matrix, 2), Error);
  CHECK_THROWS_WITH(sum(matrix, {0, -2}), "sum: axis 0 of (2, 3) is named twice");
  CHECK_THROWS_WITH(softmax(Tensor(1), -1), "softmax: axis -1 of a scalar, which has no axes");
}

TEST_CASE("normalization needs something to normalize") {
  CHECK_THROWS_WITH(normalize(ones({2, 0})),
                    "normalize: (2, 0) has nothing along its last axis to normalize");
  CHECK_THROWS_WITH(normalize(Tensor(1)),
                    "normalize: () has nothing along its last axis to normalize");
  CHECK_THROWS_WITH(normalize(matrix, 0), "normalize: eps = 0; a small positive number is needed");
  CHECK_THROWS_AS(normalize(matrix, not_a_number), Error);
  CHECK_THROWS_WITH(layer_norm(matrix, ones({3}), ones({2})),
                    "layer_norm: gain (3,) and bias (2,) for (2, 3): both need the shape (3,)");
}

TEST_CASE("a dropout rate is at least 0 and below 1") {
  Random random(1);
  CHECK_THROWS_WITH(dropout(matrix, 1, random), "dropout: rate 1; 0 <= rate < 1 is needed");
  CHECK_THROWS_WITH(dropout(matrix, -0.5, random), "dropout: rate -0.5; 0 <= rate < 1 is needed");
  CHECK_THROWS_AS(dropout(matrix, not_a_number, random), Error);
}
