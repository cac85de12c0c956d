// The fused attention against its formula, which runs where the maps are asked for: values and all
// three gradients, for every kind of mask, across the borders of the kernel's blocks.
#include <cmath>
#include <optional>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

struct Sizes {
  Size B, H, T, S, D, E;
};

// The output, and the gradients of q, k and v.
Tensors all_of(const Sizes& sizes, const Mask& mask, bool by_formula) {
  const auto& [B, H, T, S, D, E] = sizes;
  const Tensor q = leaf(drawn({B, T, H * D}, 1)), k = leaf(drawn({B, S, H * D}, 2));
  const Tensor v = leaf(drawn({B, S, H * E}, 3)), g = drawn({B, T, H * E}, 4);
  std::optional<AttentionMaps> maps;
  if (by_formula) maps.emplace();
  const Tensor out = attend_heads(q, k, v, static_cast<int>(H), mask);
  CHECK(made_by(out, "attend").empty() == by_formula);
  CHECK(made_by(out, "softmax").empty() != by_formula);
  backward(sum(out * g));
  return {out, q.grad(), k.grad(), v.grad()};
}

void check_fused(const Sizes& sizes, const Mask& mask) {
  const Tensors formula = all_of(sizes, mask, true), fused = all_of(sizes, mask, false);
  for (std::size_t i = 0; i < formula.size(); ++i) {
    INFO(i << ": T " << sizes.T << ", S " << sizes.S);
    CHECK(distance(fused[i], formula[i]) <= 64 * eps);
  }
}

Mask random_mask(const Shape& shape, real share, std::uint64_t seed) {
  Random random(seed);
  return greater(uniform(shape, 0, 1, random), 1 - share);
}

}  // namespace

TEST_CASE("fused attention is its formula, whatever the sizes and the mask") {
  // Around one and two of the kernel's blocks of queries, one and several of its vectors of keys.
  for (const Sizes& sizes :
       {Sizes{2, 3, 5, 7, 4, 6}, Sizes{1, 2, 16, 32, 20, 9}, Sizes{3, 1, 17, 31, 3, 2},
        Sizes{1, 2, 61, 47, 17, 33}, Sizes{2, 2, 1, 40, 8, 5}, Sizes{1, 3, 40, 1, 2, 4}}) {
    const auto& [B, H, T, S, D, E] = sizes;
    std::vector<Size> lengths;
    for (Size b = 0; b < B; ++b) lengths.push_back(std::max<Size>(0, S - 3 * b));
    check_fused(sizes, {});
    if (T <= S) check_fused(sizes, causal_mask(T, S));
    check_fused(sizes, padding_mask(lengths, S));
    check_fused(sizes, random_mask({B, H, T, S}, real(0.5), 5));
    check_fused(sizes, random_mask({H, 1, S}, real(0.3), 6) & random_mask({H, T, 1}, real(0.7), 7));
    check_fused(sizes, random_mask({B, 1, T, 1}, real(0.5), 8));
  }
}

TEST_CASE("fused attention without an axis for heads is its formula, too") {
  const Tensor q = drawn({2, 3, 31, 5}, 1), k = drawn({2, 3, 37, 5}, 2),
               v = drawn({2, 3, 37, 4}, 3);
  for (const Mask& mask : {Mask(), causal_mask(31, 37), padding_mask({33, 0}, 37)}) {
    const Tensor fused = attend(q, k, v, mask);
    CHECK(distance(fused, (AttentionMaps(), attend(q, k, v, mask))) <= 64 * eps);
  }
  const Tensor one_for_all = attend(drawn({31, 5}, 1), k, v);  // stretched: by its formula
  CHECK(distance(one_for_all, (AttentionMaps(), attend(drawn({31, 5}, 1), k, v))) == 0);
  CHECK(one_for_all.shape() == Shape{2, 3, 31, 4});
}

TEST_CASE("keys that no query of a block may see are not looked at") {
  const Size n = 80;
  Tensor q = drawn({n, 3}, 1), k = drawn({n, 3}, 2), v = drawn({n, 2}, 3);
  for (Tensor* x : {&k, &v}) x->edit()[x->count() - 1] = not_a_number;
  const Tensor out = attend(q, k, v, causal_mask(n));
  for (Size t = 0; t < 16; ++t) CHECK(std::isfinite(out.at({t, 1})));
  CHECK(std::isnan(out.at({n - 1, 1})));
}

TEST_CASE("what is not a number stays in sight") {
  for (const real odd : {not_a_number, infinity}) {
    Tensor q = drawn({40, 3}, 1);
    q.edit()[7 * 3] = odd;
    const Tensor out = attend(q, drawn({50, 3}, 2), drawn({50, 2}, 3));
    for (Size t = 0; t < 40; ++t) CHECK(std::isnan(out.at({t, 0})) == (t == 7));
  }
}

TEST_CASE("large scores do not overflow") {
  const Tensor q = drawn({30, 4}, 1) * 300, k = drawn({33, 4}, 2) * 300, v = drawn({33, 5}, 3);
  const Tensor out = attend(q, k, v, causal_mask(30, 33));
  CHECK(distance(out, (AttentionMaps(), attend(q, k, v, causal_mask(30, 33)))) <= 1e-2);
  for (const real x : values(out)) CHECK(std::isfinite(x));
}
