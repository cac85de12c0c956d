#include "exercises/checks/17_fast_matmul.hpp"

#include <cmath>

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;
using kernels::Product;

namespace {

constexpr Size bytes = sizeof(real);

Size solution(Size cache) {
  return static_cast<Size>(std::sqrt(static_cast<double>(cache) / (3 * bytes)));
}

// Adds to out the product of the rows [i0, i1), the columns [j0, j1) and what is between.
void add(real* out, const real* a, const real* b, const Product& n, Size i0, Size i1, Size k0,
         Size k1, Size j0, Size j1) {
  for (Size i = i0; i < i1; ++i)
    for (Size k = k0; k < k1; ++k)
      for (Size j = j0; j < j1; ++j)
        out[i * n.columns + j] += a[i * n.inner + k] * b[k * n.columns + j];
}

void multiply(real* out, const real* a, const real* b, const Product& n, Size i0, Size k0, Size j0,
              Size s) {
  add(out, a, b, n, i0, std::min(i0 + s, n.rows), k0, std::min(k0 + s, n.inner), j0,
      std::min(j0 + s, n.columns));
}

Diagnosis with_size(const BlockSize& size) { return check_17(size, multiply); }
Diagnosis with_block(const MultiplyBlock& block) { return check_17(solution, block); }

}  // namespace

TEST_CASE("exercise 17: the block size and the block pass") {
  passes(check_17(solution, multiply));
}

TEST_CASE("exercise 17: untouched, it is still to do") {
  is_to_do(with_size([](Size) { return 0; }));
  is_to_do(
      with_block([](real*, const real*, const real*, const Product&, Size, Size, Size, Size) {}));
}

TEST_CASE("exercise 17: each mistake in the size is told by name") {
  const auto root = [](double area) { return static_cast<Size>(std::sqrt(area)); };
  is_told(with_size([&](Size c) { return root(c / 3.0); }), "当成了数的个数：",
          "bytes for numbers:");
  is_told(with_size([&](Size c) { return root(c / bytes); }), "只放了一块：",
          "room for one block:");
  is_told(with_size([&](Size c) { return root(c / (2 * bytes)); }), "忘了第三块", "the third is");
  is_told(with_size([&](Size c) { return root(c); }), "而且只放了一块", "and made room for one");
  is_told(with_size([&](Size c) { return c / (3 * bytes); }), "不是边长：", "not its side");
  is_told(with_size([&](Size c) { return root(c / bytes) / 3; }), "先开方再除以", "after the root");
  is_told(with_size([&](Size c) { return solution(c) + 1; }), "大了 1", "too large by 1");
  is_told(with_size([](Size c) {
            Size s = 0;
            while (3 * bytes * (s + 1) * (s + 1) < c) ++s;
            return s;
          }),
          "也算放得下", "still fits");
  is_told(with_size([](Size) { return 64; }), "手算", "pencil");
}

TEST_CASE("exercise 17: each mistake in a block is told by name") {
  const auto told = [](const BlockHabit& habit, const char* zh, const char* en) {
    is_told(with_block(habit), zh, en);
  };
  told({.past_inner = true}, "k 走过了", "k goes past");
  told({.past_columns = true}, "j 走过了", "j goes past");
  told({.past_rows = true}, "i 不能走过", "i must not go past");
  told({.turned_b = true}, "读反了", "wrong way round");
  is_told(
      with_block([](real* out, const real* a, const real* b, const Product& n, Size i0, Size k0,
                    Size j0, Size s) { add(out, a, b, n, i0, i0 + s, k0, k0 + s, j0, j0 + s); }),
      "走过了头", "go too far");
  is_told(with_block([](real* out, const real* a, const real* b, const Product& n, Size i0, Size k0,
                        Size j0, Size s) {
            if (i0 + s <= n.rows && k0 + s <= n.inner && j0 + s <= n.columns)
              multiply(out, a, b, n, i0, k0, j0, s);
          }),
          "没有算", "left out");
  is_told(with_block([](real* out, const real* a, const real* b, const Product& n, Size i0, Size k0,
                        Size j0, Size s) {
            for (Size i = i0; i < std::min(i0 + s, n.rows); ++i)
              for (Size j = j0; j < std::min(j0 + s, n.columns); ++j) out[i * n.columns + j] = 0;
            multiply(out, a, b, n, i0, k0, j0, s);
          }),
          "盖掉了", "overwrite");
  is_told(with_block([](real* out, const real* a, const real* b, const Product& n, Size i0, Size k0,
                        Size j0, Size s) {
            add(out, a, b, n, 0, std::min(i0 + s, n.rows), 0, std::min(k0 + s, n.inner), 0,
                std::min(j0 + s, n.columns));
          }),
          "从 0 开始", "begin at 0");
  is_told(with_block([](real* out, const real* a, const real* b, const Product& n, Size i0, Size k0,
                        Size j0, Size s) {
            multiply(out, a, b, n, i0, k0, j0, s);
            out[n.rows * n.columns + 3] = 1;
          }),
          "out 的外面", "behind the end");
  is_told(with_block([](real*, const real*, const real*, const Product&, Size, Size, Size, Size) {
            fail("block: no");
          }),
          "block: no", "block: no");
}
