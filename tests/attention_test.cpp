// Scaled dot-product attention and several heads of it: values worked out by hand, plain loops, and
// the mistakes that are usually made here, computed on purpose to show that the result is another.
#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/core/error.hpp"
#include "attention/nn/module.hpp"
#include "attention/nn/multi_head_attention.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/gradcheck.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Matchers::Equals;

namespace {

const double six_digits = 1e-6;

bool finite(const Tensor& x) {
  return std::all_of(x.data(), x.data() + x.count(), [](real v) { return std::isfinite(v); });
}

// Everything of a layer drawn anew, biases too: a fresh layer's zeros would hide what they do.
MultiHeadAttention drawn(Size channels, int heads) {
  Random random(5);
  MultiHeadAttention layer(channels, heads, random);
  for (auto [name, tensor] : parameters(layer))
    for (Size i = 0; i < tensor.count(); ++i) tensor.edit()[i] = real(0.5 * random.normal());
  return layer;
}

// The definition, one number at a time, for (B, H, T, D), (B, H, S, D), (B, H, S, E).
std::vector<double> plain_attend(const Tensor& q, const Tensor& k, const Tensor& v, Mask mask) {
  const Size B = q.size(0), H = q.size(1), T = q.size(2), D = q.size(3), S = k.size(2),
             E = v.size(3);
  mask = mask.expand({B, H, T, S});
  std::vector<double> out;
  for (Size b = 0; b < B; ++b)
    for (Size h = 0; h < H; ++h)
      for (Size t = 0; t < T; ++t) {
        std::vector<double> weight(S), mixed(E);
        double total = 0;
        for (Size s = 0; s < S; ++s) {
          if (!mask.at({b, h, t, s})) continue;
          double score = 0;
          for (Size d = 0; d < D; ++d) score += double(q.at({b, h, t, d})) * k.at({b, h, s, d});
          total += weight[s] = std::exp(score / std::sqrt(double(D)));
        }
        for (Size s = 0; s < S; ++s)
          for (Size e = 0; e < E; ++e) mixed[e] += weight[s] / total * v.at({b, h, s, e});
        out.insert(out.end(), mixed.begin(), mixed.end());
      }
  return out;
}

}  // namespace

TEST_CASE("three scores give the weights, the output and the gradient of the pencil") {
  const Tensor k = from_values({0, std::log(real(2)), std::log(real(3))}, {3, 1});
  const Tensor v = from_values({6, 12, 18}, {3, 1});
  check_near(attend(ones({1, 1}), k, identity(3)), {1 / 6., 1 / 3., 1 / 2.}, 8 * eps);
  check_near(attend(ones({3, 1}), k, v, causal_mask(3)), {6, 10, 14}, 8 * eps);

  const Tensor keys = k.clone().require_grad();
  const Tensor out = attend(ones({1, 1}), keys, v);
  CHECK(out.item() == Approx(14).epsilon(8 * eps));
  backward(sum(out));  // with a query of 1 and D = 1, a key is its score
  check_near(keys.grad(), {-4 / 3., -2 / 3., 2}, 16 * eps);
}

TEST_CASE("projections, scores and scaled output are as worked out by hand") {
  const Tensor x = from_values({1, 0, 1, 0, 0, 2, 0, 2, 1, 1, 1, 1}, {3, 4});
  Random random(1);
  Linear query(4, 3, random, false), key = query, value = query;
  query.weight = from_values({1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 1}, {4, 3});
  key.weight = from_values({0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0}, {4, 3});
  value.weight = from_values({0, 2, 0, 0, 3, 0, 1, 0, 3, 1, 1, 0}, {4, 3});
  check_near(matmul(query(x), key(x), transpose_b), {2, 4, 4, 4, 16, 12, 4, 12, 10}, 0);
  check_near(
      attend(query(x), key(x), value(x)),
      {1.863874, 6.319371, 1.704189, 1.999110, 7.814124, 0.273472, 1.992555, 7.479636, 0.735877},
      six_digits);
}

TEST_CASE("two heads give what the pencil says, and what the usual mistakes do not") {
  const Tensor x = from_values({1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0}, {1, 3, 4});
  Random random(1);
  MultiHeadAttention layer(4, 2, random);
  for (Linear* linear : {&layer.query, &layer.key, &layer.value, &layer.output})
    linear->weight = identity(4);
  const Tensor right = layer(x);
  check_near(right,
             {.802224, .598888, .503490, .248255, .598888, .802224, .248255, .503490, .751745,
              .751745, .333333, .333333},
             six_digits);

  auto first_row = [](const Tensor& out) { return slice(reshape(out, {3, 4}), 0, 0, 1); };
  const Tensor viewed = reshape(x, {1, 2, 3, 2});  // pieces of the sequence, viewed back as well
  check_near(first_row(attend(viewed, viewed, viewed)), {.802224, .197776, .802224, .197776},
             six_digits);
  const Tensor heads = split_heads(x, 2);  // joined as they lie: positions turn into channels
  check_near(first_row(attend(heads, heads, heads)), {.802224, .598888, .598888, .802224},
             six_digits);
  const real twice = std::sqrt(real(2)) / 2;  // scaled by sqrt(C) = 2, not by sqrt(D)
  check_near(first_row(merge_heads(attend(heads * twice, heads, heads))),
             {.767303, .616348, .451863, .274069}, six_digits);
}

TEST_CASE("attention is its definition in plain loops, whatever the sizes") {
  struct Sizes {
    Size B, H, T, S, D, E;
  };
  for (const auto [B, H, T, S, D, E] : {Sizes{2, 4, 3, 5, 7, 6}, Sizes{3, 3, 3, 3, 3, 3}}) {
    const Tensor q = drawn({B, H, T, D}, 1), k = drawn({B, H, S, D}, 2), v = drawn({B, H, S, E}, 3);
    std::vector<Size> lengths;
    for (Size b = 0; b < B; ++b) lengths.push_back(S - b);
    for (const Mask& mask : {Mask(), causal_mask(T, S), padding_mask(lengths, S),
                             causal_mask(T, S) & padding_mask(lengths, S)}) {
      const Tensor out = attend(q, k, v, mask);
      CHECK(out.shape() == Shape{B, H, T, E});
      check_near(out, plain_attend(q, k, v, mask), 64 * eps);
    }
  }
}

TEST_CASE("several heads are as many single ones, each with its part of the weights") {
  struct Sizes {
    Size B, H, T, S, D;
  };
  for (const auto [B, H, T, S, D] : {Sizes{2, 4, 3, 6, 5}, Sizes{3, 3, 3, 3, 3}}) {
    const MultiHeadAttention layer = drawn(H * D, static_cast<int>(H));
    const Tensor x = drawn({B, T, H * D}, 1), memory = drawn({B, S, H * D}, 2);
    const Mask mask = causal_mask(T, S);
    Tensors heads;
    for (Size h = 0; h < H; ++h) {
      auto part = [&, h = h, D = D](const Linear& linear, const Tensor& input) {
        return matmul(input, slice(linear.weight, 1, h * D, (h + 1) * D)) +
               slice(linear.bias, 0, h * D, (h + 1) * D);
      };
      heads.push_back(
          attend(part(layer.query, x), part(layer.key, memory), part(layer.value, memory), mask));
    }
    const Tensor out = layer(x, memory, mask);
    CHECK(out.shape() == Shape{B, T, H * D});
    check_near(out, layer.output(concat(heads, -1)), 256 * eps);
  }
}

TEST_CASE("splitting into heads and merging them again changes nothing") {
  const Tensor x = drawn({2, 3, 20}, 1), heads = split_heads(x, 4);
  CHECK(heads.shape() == Shape{2, 4, 3, 5});
  CHECK(heads.at({1, 3, 2, 4}) == x.at({1, 2, 3 * 5 + 4}));
  CHECK(merge_heads(heads).shape() == x.shape());
  check_near(merge_heads(heads), x, 0);
}

TEST_CASE("a batch of two with different padding equals each of them alone") {
  const MultiHeadAttention layer = drawn(6, 3);
  const Tensor x = drawn({2, 4, 6}, 1);
  const std::vector<Size> lengths{2, 3};
  const Tensor together = layer(x, padding_mask(lengths, 4));
  for (Size b = 0; b < 2; ++b) {
    auto own = [&](const Tensor& all) { return slice(slice(all, 0, b, b + 1), 1, 0, lengths[b]); };
    check_near(own(together), layer(own(x)));
  }
}

TEST_CASE("a causal output is the same bit for bit when a later position changes") {
  const MultiHeadAttention layer = drawn(6, 2);
  const Tensor x = drawn({2, 5, 6}, 1), before = layer(x, causal_mask(5));
  for (Size t = 0; t < 4; ++t) {
    Tensor changed = x.clone();
    for (Size i = (t + 1) * 6; i < 5 * 6; ++i) changed.edit()[i] = 100;
    const Tensor after = layer(changed, causal_mask(5));
    check_near(slice(slice(after, 0, 0, 1), 1, 0, t + 1),
               slice(slice(before, 0, 0, 1), 1, 0, t + 1), 0);
    CHECK(after.at({0, t + 1, 0}) != before.at({0, t + 1, 0}));
  }
}

TEST_CASE("without positions, attention moves with its inputs") {
  const MultiHeadAttention layer = drawn(6, 2);
  const Tensor x = drawn({1, 4, 6}, 1);
  auto shuffled = [](const Tensor& a) {
    return reshape(gather_rows(reshape(a, {4, 6}), Tokens({4}, {2, 0, 3, 1})), {1, 4, 6});
  };
  check_near(layer(shuffled(x)), shuffled(layer(x)));
}

TEST_CASE("a query that may look at nothing gets zeros, and gradients that are numbers") {
  const Tensor q = drawn({3, 2}, 1).require_grad(), k = drawn({4, 2}, 2).require_grad(),
               v = drawn({4, 5}, 3).require_grad();
  const Mask mask({3, 4}, {1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1});
  const Tensor out = attend(q, k, v, mask);
  check_near(slice(out, 0, 1, 2), zeros({1, 5}), 0);
  backward(sum(out * drawn({3, 5}, 4)));
  for (const Tensor& leaf : {q, k, v}) CHECK(finite(leaf.grad()));
  check_near(slice(q.grad(), 0, 1, 2), zeros({1, 2}), 0);
}

TEST_CASE("attention has 4 C^2 + 4 C parameters, however many heads") {
  for (int heads : {1, 2, 3, 6}) CHECK(parameter_count(drawn(6, heads)) == 4 * 36 + 4 * 6);
}

TEST_CASE("heads that do not divide the channels, and shapes that do not fit, are refused") {
  CHECK_THROWS_WITH(drawn(10, 4), Equals("attention: 4 heads do not divide 10 channels; each head "
                                         "needs the same whole number"));
  CHECK_THROWS_AS(drawn(10, 0), Error);
  CHECK_THROWS_AS(drawn(6, 2)(zeros({2, 3, 7})), Error);
}

TEST_CASE("the gradient of attention is right, masked or not") {
  if (std::numeric_limits<real>::digits < 50) return;
  for (const Mask& mask : {Mask(), causal_mask(3, 4), padding_mask({2, 4}, 4)}) {
    const auto report =
        gradcheck([&](const Tensors& in) { return attend(in[0], in[1], in[2], mask); },
                  {drawn({2, 2, 3, 5}, 1), drawn({2, 2, 4, 5}, 2), drawn({2, 2, 4, 6}, 3)});
    INFO(report.text);
    CHECK(report.passed);
  }
}
