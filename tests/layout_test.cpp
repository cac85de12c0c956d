// Ops that only move values: where each value goes, and that its gradient comes back from there.
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

// The sum of the result, weighted by 0 1 2 …: the gradient of a value tells where it went.
Tensor places(const Tensor& x, const Tensor& result) {
  const Tensor weights = reshape(arange(result.count()), result.shape());
  return gradients(sum(result * weights), {x})[0];
}

}  // namespace

TEST_CASE("reshape keeps the order, and shares the values") {
  const Tensor x = leaf({1, 2, 3, 4, 5, 6}, {2, 3}), y = reshape(x, {3, 1, 2});
  CHECK(y.shape() == Shape{3, 1, 2});
  CHECK(values(y) == values(x));
  CHECK(y.data() == x.data());
  CHECK(values(places(x, y)) == std::vector<real>{0, 1, 2, 3, 4, 5});
  CHECK(reshape(ones({1, 1}), {}).item() == 1);
  CHECK(reshape(ones({0, 3}), {5, 0}).shape() == Shape{5, 0});
}

TEST_CASE("permute puts the axes in the order they are named") {
  const Tensor x = leaf(reshape(arange(24), {2, 3, 4}).clone());
  const Tensor y = permute(x, {2, 0, 1});
  CHECK(y.shape() == Shape{4, 2, 3});
  for (Size i = 0; i < 2; ++i)
    for (Size j = 0; j < 3; ++j)
      for (Size k = 0; k < 4; ++k) CHECK(y.at({k, i, j}) == x.at({i, j, k}));
  const Tensor back = places(x, y);
  for (Size i = 0; i < 2; ++i)
    for (Size j = 0; j < 3; ++j)
      for (Size k = 0; k < 4; ++k) CHECK(back.at({i, j, k}) == (k * 2 + i) * 3 + j);
  CHECK(values(permute(x, {-1, 0, 1})) == values(y));
}

TEST_CASE("every order of four axes, with sizes 1 among them") {
  for (const Shape& shape : {Shape{2, 3, 4, 5}, Shape{3, 3, 3, 3}, Shape{2, 1, 4, 1},
                             Shape{1, 3, 1, 5}, Shape{1, 1, 1, 1}, Shape{2, 0, 3, 4}}) {
    const Tensor x = reshape(arange(shape.count()), shape);
    Axes axes{0, 1, 2, 3};
    do {
      const Tensor y = permute(x, axes);
      Tensor expected = zeros(y.shape());
      Size n = 0;
      for (Size a = 0; a < shape[0]; ++a)
        for (Size b = 0; b < shape[1]; ++b)
          for (Size c = 0; c < shape[2]; ++c)
            for (Size d = 0; d < shape[3]; ++d) {
              const Size index[] = {a, b, c, d};
              Size to = 0;
              for (int i = 0; i < 4; ++i) to = to * y.shape()[i] + index[axes[i]];
              expected.edit()[to] = real(n++);
            }
      CHECK(values(y) == values(expected));
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
}

TEST_CASE("transpose swaps two axes and is its own mirror image") {
  const Tensor x = reshape(arange(6), {2, 3});
  CHECK(values(transpose(x, 0, 1)) == std::vector<real>{0, 3, 1, 4, 2, 5});
  CHECK(values(transpose(x, -1, 0)) == std::vector<real>{0, 3, 1, 4, 2, 5});
  CHECK(values(transpose(x, 1, 1)) == values(x));
  CHECK(values(transpose(transpose(x, 0, 1), 0, 1)) == values(x));
}

TEST_CASE("splitting and merging heads is one permutation and its inverse") {
  const Tensor x = reshape(arange(2 * 3 * 8), {2, 3, 8});                // (B, T, C)
  const Tensor heads = permute(reshape(x, {2, 3, 4, 2}), {0, 2, 1, 3});  // (B, H, T, D)
  CHECK(heads.at({1, 2, 0, 1}) == x.at({1, 0, 5}));
  CHECK(values(reshape(permute(heads, {0, 2, 1, 3}), {2, 3, 8})) == values(x));
}

TEST_CASE("broadcast_to repeats, and its gradient sums") {
  const Tensor x = leaf({1, 2, 3}, {3, 1});
  const Tensor y = broadcast_to(x, {2, 3, 2});
  CHECK(values(y) == std::vector<real>{1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3});
  CHECK(values(places(x, y)) == std::vector<real>{0 + 1 + 6 + 7, 2 + 3 + 8 + 9, 4 + 5 + 10 + 11});
  CHECK(values(broadcast_to(Tensor(7), {2, 2})) == std::vector<real>{7, 7, 7, 7});
  CHECK(broadcast_to(ones({1, 3}), {0, 3}).shape() == Shape{0, 3});
}

TEST_CASE("slice takes a range of one axis") {
  const Tensor x = leaf({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {3, 4});
  CHECK(values(slice(x, 0, 1, 3)) == std::vector<real>{4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(values(slice(x, 1, 1, 3)) == std::vector<real>{1, 2, 5, 6, 9, 10});
  CHECK(values(slice(x, -1, 3, 4)) == std::vector<real>{3, 7, 11});
  CHECK(values(slice(x, 1, 0, 4)) == values(x));
  CHECK(slice(x, 1, 4, 4).shape() == Shape{3, 0});
  CHECK(values(places(x, slice(x, 1, 1, 3))) ==
        std::vector<real>{0, 0, 1, 0, 0, 2, 3, 0, 0, 4, 5, 0});
}

TEST_CASE("concat puts tensors one after another along an axis") {
  const Tensor a = leaf({1, 2, 3, 4}, {2, 2}), b = leaf({5, 6}, {2, 1});
  const Tensor wide = concat({a, b, a}, 1);
  CHECK(wide.shape() == Shape{2, 5});
  CHECK(values(wide) == std::vector<real>{1, 2, 5, 1, 2, 3, 4, 6, 3, 4});
  CHECK(values(places(a, wide)) == std::vector<real>{0 + 3, 1 + 4, 5 + 8, 6 + 9});
  CHECK(values(places(b, concat({a, b}, -1))) == std::vector<real>{2, 5});
  CHECK(values(concat({a, ones({1, 2})}, 0)) == std::vector<real>{1, 2, 3, 4, 1, 1});
  CHECK(values(concat({b}, 0)) == values(b));
}

TEST_CASE("stack makes a new axis") {
  const Tensor a = leaf({1, 2, 3}, {3}), b = leaf({4, 5, 6}, {3});
  CHECK(stack({a, b}, 0).shape() == Shape{2, 3});
  CHECK(values(stack({a, b}, 0)) == std::vector<real>{1, 2, 3, 4, 5, 6});
  CHECK(stack({a, b}, 1).shape() == Shape{3, 2});
  CHECK(values(stack({a, b}, -1)) == std::vector<real>{1, 4, 2, 5, 3, 6});
  CHECK(values(places(b, stack({a, b}, 1))) == std::vector<real>{1, 3, 5});
  CHECK(stack({Tensor(1), Tensor(2)}, 0).shape() == Shape{2});
}

TEST_CASE("gather_rows looks rows up, and their gradients add up again") {
  const Tensor table = leaf({0, 1, 10, 11, 20, 21}, {3, 2});
  const Tensor rows = gather_rows(table, Tokens(Shape{2, 2}, {2, 0, 2, 2}));
  CHECK(rows.shape() == Shape{2, 2, 2});
  CHECK(values(rows) == std::vector<real>{20, 21, 0, 1, 20, 21, 20, 21});
  CHECK(values(places(table, rows)) ==
        std::vector<real>{2, 3, 0, 0, 0 + 4 + 6, 1 + 5 + 7});  // row 1 is never asked for
  CHECK(gather_rows(table, Tokens(Shape{0}, {})).shape() == Shape{0, 2});
}
