// The fast loops against the plain ones. Products are of small whole numbers, so that every order
// of adding gives the same number and the two must agree to the last bit.
#include "attention/core/kernels.hpp"

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

std::vector<real> whole_numbers(Size count, std::uint64_t seed) {
  Random random(seed);
  std::vector<real> numbers(count);
  for (real& number : numbers) number = real(random.below(9)) - 4;
  return numbers;
}

// Exactly as large as they have to be: reading past an end is for the address sanitizer to find.
void check_product(kernels::Product size) {
  const std::vector<real> a = whole_numbers(size.rows * size.inner, 1);
  const std::vector<real> b = whole_numbers(size.inner * size.columns, 2);
  for (const bool transpose_a : {false, true})
    for (const bool transpose_b : {false, true}) {
      size.transpose_a = transpose_a;
      size.transpose_b = transpose_b;
      const std::size_t count = size.rows * size.columns;
      std::vector<real> out(count + 1, 77), expected(count);
      kernels::matmul(out.data(), a.data(), b.data(), size);
      kernels::matmul_naive(expected.data(), a.data(), b.data(), size);
      const bool untouched = out.back() == 77;
      out.pop_back();
      INFO("(" << size.rows << ", " << size.inner << ") x (" << size.inner << ", " << size.columns
               << "), transposed " << transpose_a << transpose_b);
      CHECK(untouched);
      CHECK((out == expected));
    }
}

}  // namespace

TEST_CASE("the plain product is the definition") {
  const std::vector<real> a{1, 2, 3, 4, 5, 6}, b{1, 0, 2, 0, 1, 3};
  std::vector<real> out(4);
  kernels::matmul_naive(out.data(), a.data(), b.data(), {2, 3, 2});
  CHECK(out == std::vector<real>{8, 9, 20, 18});
  kernels::matmul_naive(out.data(), a.data(), b.data(), {2, 3, 2, true, true});
  // A is 1 3 5 over 2 4 6, B is 1 0 over 0 1 over 2 3.
  CHECK(out == std::vector<real>{11, 18, 14, 22});
}

TEST_CASE("the fast product agrees with the plain one, for odd sizes and all transposes") {
  const std::vector<Size> sizes{1, 2, 3, 7, 8, 13, 16, 17, 31, 33};
  for (const Size rows : sizes)
    for (const Size inner : sizes)
      for (const Size columns : sizes) check_product({rows, inner, columns});
}

TEST_CASE("the fast product agrees across the borders of its blocks") {
  for (const Size inner : {255, 256, 257, 513}) check_product({5, inner, 9});
  for (const Size columns : {255, 257, 511, 512, 513, 1025}) check_product({3, 5, columns});
  for (const Size rows : {63, 64, 65, 255, 257}) check_product({rows, 6, 33});
  check_product({29, 514, 515});
  check_product({300, 300, 1});
  check_product({1, 300, 300});
}

TEST_CASE("what is added to a product: a row for all, a matrix, the output as it was") {
  const std::vector<real> a{1, 2, 3, 4, 5, 6}, b{1, 0, 2, 0, 1, 3}, bias{10, 20};
  for (const auto product : {kernels::matmul, kernels::matmul_naive}) {
    std::vector<real> out(4);
    product(out.data(), a.data(), b.data(), {2, 3, 2}, {bias.data(), 0});
    CHECK(out == std::vector<real>{18, 29, 30, 38});
    product(out.data(), a.data(), b.data(), {2, 3, 2}, {out.data(), 2});
    CHECK(out == std::vector<real>{26, 38, 50, 56});
    product(out.data(), a.data(), b.data(), {2, 3, 2}, {a.data(), 3});  // its first two columns
    CHECK(out == std::vector<real>{9, 11, 24, 23});
  }
}

TEST_CASE(
    "parts of larger matrices are multiplied where they lie, and nothing beside them changes") {
  const Threads asked(threads_available() ? 3 : 1);
  for (const auto& [rows, inner, columns] :
       {std::array<Size, 3>{5, 7, 9}, {29, 300, 33}, {71, 67, 129}, {129, 67, 71}})
    for (int flip = 0; flip < 4; ++flip) {
      kernels::Product size{rows, inner, columns, flip % 2 == 1, flip / 2 == 1};
      size.out_step = columns + 3;
      size.a_step = (size.transpose_a ? rows : inner) + 5;
      size.b_step = (size.transpose_b ? inner : columns) + 2;
      const std::vector<real> a = whole_numbers((size.transpose_a ? inner : rows) * size.a_step, 1);
      const std::vector<real> b =
          whole_numbers((size.transpose_b ? columns : inner) * size.b_step, 2);
      const std::vector<real> plus = whole_numbers(rows * (columns + 1), 3);
      for (const kernels::Rows& added : {kernels::Rows{}, kernels::Rows{plus.data(), 0},
                                         kernels::Rows{plus.data(), columns + 1}}) {
        std::vector<real> out(rows * size.out_step, 77), expected = out;
        kernels::matmul(out.data(), a.data(), b.data(), size, added);
        kernels::matmul_naive(expected.data(), a.data(), b.data(), size, added);
        INFO(rows << " " << inner << " " << columns << ", transposed " << flip);
        CHECK((out == expected));
        CHECK(out[columns] == 77);
      }
    }
}

TEST_CASE("a matrix turned over its diagonal, from between other columns") {
  for (const Size rows : {1, 15, 16, 33})
    for (const Size columns : {1, 7, 16, 37}) {
      const Size step = columns + 3, out_step = (rows + 15) / 16 * 16;
      const std::vector<real> x = whole_numbers(rows * step, 1);
      std::vector<real> out(columns * out_step);
      kernels::transpose(out.data(), out_step, x.data(), step, rows, columns);
      bool same = true;
      for (Size i = 0; i < rows; ++i)
        for (Size j = 0; j < columns; ++j) same = same && out[j * out_step + i] == x[i * step + j];
      INFO(rows << " " << columns);
      CHECK(same);
    }
}

TEST_CASE("the fast product of nothing is zeros, or nothing") {
  for (const kernels::Product& size :
       {kernels::Product{3, 0, 4}, {0, 3, 4}, {3, 4, 0}, {0, 0, 0}, {1, 0, 1}, {0, 5, 0}})
    check_product(size);
}

TEST_CASE("the fast product shared among threads agrees with the plain one") {
  if (!threads_available()) return;
  const Threads asked(3);
  check_product({129, 67, 71});
  check_product({71, 67, 129});
  check_product({1, 300, 300});
  check_product({300, 300, 1});
}

// Whatever tile an element falls into: otherwise threads, which split a product, would change bits.
// For few columns the rows of A are read where they lie, for many they are packed.
TEST_CASE("an element of a product has the same bits, however much is computed with it") {
  constexpr Size inner = 19, all_rows = 31;
  const Tensor left = drawn({all_rows, inner}, 1);
  const auto check = [&](Size all_columns, Size most_columns) {
    const Tensor right = drawn({inner, all_columns}, 2);
    const auto part = [&](Size rows, Size columns) {
      std::vector<real> out(all_rows * all_columns);
      kernels::matmul(out.data(), left.data(), right.data(),
                      {.rows = rows,
                       .inner = inner,
                       .columns = columns,
                       .out_step = all_columns,
                       .b_step = all_columns});
      return out;
    };
    const std::vector<real> whole = part(all_rows, all_columns);
    for (Size rows = 1; rows <= all_rows; ++rows)
      for (Size columns = all_columns - most_columns; columns <= all_columns; ++columns) {
        INFO("(" << rows << ", " << inner << ") x (" << inner << ", " << columns << ")");
        const std::vector<real> out = part(rows, columns);
        Size differing = 0;
        for (Size i = 0; i < rows; ++i)
          for (Size j = 0; j < columns; ++j)
            differing += out[i * all_columns + j] != whole[i * all_columns + j];
        CHECK(differing == 0);
      }
  };
  check(37, 36);
  check(300, 37);
}

TEST_CASE("a product does not hide what is not a number") {
  for (const real odd : {not_a_number, infinity}) {
    Tensor a = zeros({17, 19});
    a.edit()[5 * 19 + 7] = odd;
    const Tensor product = matmul(a, zeros({19, 23}));
    for (Size i = 0; i < 17; ++i)
      for (Size j = 0; j < 23; ++j) CHECK(std::isnan(product.at({i, j})) == (i == 5));
  }
}

TEST_CASE("batches share operands that are stretched") {
  const Shape a_shape{2, 1, 5, 7}, b_shape{3, 7, 9};
  const std::vector<real> a = whole_numbers(a_shape.count(), 1), b = whole_numbers(189, 2);
  const Tensor product = matmul(from_values(a, a_shape), from_values(b, b_shape));
  REQUIRE(product.shape() == Shape{2, 3, 5, 9});
  for (Size i = 0; i < 2; ++i)
    for (Size j = 0; j < 3; ++j) {
      std::vector<real> expected(45);
      kernels::matmul_naive(expected.data(), a.data() + i * 35, b.data() + j * 63, {5, 7, 9});
      const real* from = product.data() + (i * 3 + j) * 45;
      CHECK(std::vector<real>(from, from + 45) == expected);
    }
}

TEST_CASE("sums and maxima over the middle axis, at all sizes") {
  for (const Size outer : {1, 3})
    for (const Size n : {1, 2, 3, 4, 5, 11, 12, 15, 16, 17, 20, 23, 100})
      for (const Size inner : {1, 2, 63, 64, 65}) {
        INFO(outer << " " << n << " " << inner);
        const std::vector<real> x = whole_numbers(outer * n * inner, 3);
        std::vector<real> sums(outer * inner), maxima(outer * inner);
        std::vector<real> all(outer * inner, 0), highest(outer * inner, -infinity);
        for (Size i = 0; i < outer * n * inner; ++i) {
          const Size to = i / (n * inner) * inner + i % inner;
          all[to] += x[i];
          highest[to] = std::max(highest[to], x[i]);
        }
        kernels::sum(sums.data(), x.data(), outer, n, inner);
        kernels::max(maxima.data(), x.data(), outer, n, inner);
        CHECK(sums == all);
        CHECK(maxima == highest);
      }
  real nothing = 7;
  kernels::sum(&nothing, nullptr, 1, 0, 1);
  CHECK(nothing == 0);
}

TEST_CASE("rows that are scattered add up where they meet") {
  const std::vector<real> x = whole_numbers(6 * 33, 4);
  const std::vector<int> ids{2, 0, 2, 4, 2, 0};
  std::vector<real> out(5 * 33, 99), expected(5 * 33, 0);
  for (Size i = 0; i < 6; ++i)
    for (Size j = 0; j < 33; ++j) expected[ids[i] * 33 + j] += x[i * 33 + j];
  kernels::scatter_rows(out.data(), x.data(), ids.data(), 6, 5, 33);
  CHECK(out == expected);
}

TEST_CASE("softmax of rows of every length is its definition") {
  const Size rows = 3;
  for (Size n = 1; n <= 40; ++n)
    for (const bool masked : {false, true}) {
      INFO(n << " columns, masked " << masked);
      const Tensor x = drawn({rows, n}, std::uint64_t(n)) * 3;
      Mask::Bytes bytes(rows * n, 1);
      for (Size i = 0; i < rows * n; ++i) bytes[i] = !masked || i % 3 != 1;
      std::vector<double> weights(rows * n), logarithms(rows * n);
      for (Size row = 0; row < rows; ++row) {
        double total = 0;
        for (Size i = row * n; i < (row + 1) * n; ++i)
          total += bytes[i] ? std::exp(double(x.data()[i])) : 0;
        for (Size i = row * n; i < (row + 1) * n; ++i) {
          weights[i] = bytes[i] ? std::exp(double(x.data()[i])) / total : 0;
          logarithms[i] = bytes[i] ? x.data()[i] - std::log(total) : double(-infinity);
        }
      }
      const Mask mask = masked ? Mask(x.shape(), bytes) : Mask();
      check_near(softmax(x, -1, mask), weights, 16 * eps);
      check_near(log_softmax(x, -1, mask), logarithms, 16 * eps);
    }
}

TEST_CASE("the choice between two is made for each element, however they are stretched") {
  const std::vector<Shape> shapes{{3, 5, 37}, {5, 37}, {37}, {3, 1, 37},
                                  {3, 5, 1},  {5, 1},  {1},  {}};
  const auto at = [](const Shape& from, const Shape& to, Size i) {
    return Offsets(from, to, 0)(i);
  };
  for (const Shape& mask_shape : shapes)
    for (const Shape& a_shape : shapes)
      for (const Shape& b_shape : shapes) {
        INFO(to_string(mask_shape) << to_string(a_shape) << to_string(b_shape));
        const Shape shape = broadcast(broadcast(a_shape, b_shape, ""), mask_shape, "");
        const Tensor a = drawn(a_shape, 1), b = drawn(b_shape, 2);
        Mask::Bytes mask(mask_shape.count());
        for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i * i % 5 < 2 ? 200 : 0;
        std::vector<real> out(shape.count() + 1, 77), expected(shape.count());
        for (Size i = 0; i < shape.count(); ++i)
          expected[i] = mask[at(mask_shape, shape, i)] ? a.data()[at(a_shape, shape, i)]
                                                       : b.data()[at(b_shape, shape, i)];
        kernels::where(out.data(), shape, mask.data(), mask_shape, a.data(), a_shape, b.data(),
                       b_shape);
        CHECK(out.back() == 77);
        out.pop_back();
        CHECK((out == expected));
      }
}

TEST_CASE("the choice is the same shared among threads") {
  if (!threads_available()) return;
  const Threads asked(3);
  const Shape shape{61, 1301}, row{1301};
  for (const auto& [mask_shape, b_shape] :
       {std::pair{shape, shape}, {shape, Shape{}}, {Shape{}, shape}, {row, shape}, {shape, row}}) {
    INFO(to_string(mask_shape) << to_string(b_shape));
    const Tensor a = drawn(shape, 1), b = drawn(b_shape, 2), b_wide = broadcast_to(b, shape);
    const Mask mask = greater(drawn(mask_shape, 3), 0), mask_wide = mask.expand(shape);
    std::vector<real> expected(shape.count());
    for (Size i = 0; i < shape.count(); ++i)
      expected[i] = mask_wide.data()[i] ? a.data()[i] : b_wide.data()[i];
    CHECK((values(where(mask, a, b)) == expected));
  }
}

TEST_CASE("what is not chosen leaves no trace") {
  std::vector<real> out(19), odd(19, not_a_number), even(19, 2);
  const Mask::Bytes mask(19, 1);
  kernels::where(out.data(), {19}, mask.data(), {19}, even.data(), {19}, odd.data(), {19});
  CHECK(out == even);
  kernels::where(out.data(), {19}, mask.data(), {19}, even.data(), {19}, odd.data(), {});
  CHECK(out == even);
  kernels::where(nullptr, {0, 3}, nullptr, {0, 3}, nullptr, {0, 3}, even.data(), {3});
}
