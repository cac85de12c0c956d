#include "exercises/checks/10_multi_head.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

Tensor attended(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask) {
  const real root = std::sqrt(real(q.size(-1)));
  return matmul(softmax(matmul(q, k, transpose_b) / root, -1, mask), v);
}

// (B, T, C) -> (B, H, T, D), as it should be.
Tensor cut(const Tensor& x, int heads) {
  return permute(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
}

Tensor joined(const Tensor& x) {
  return reshape(permute(x, {0, 2, 1, 3}), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

Tensor solution(const Tensor& q, const Tensor& k, const Tensor& v, int heads, const Mask& mask) {
  return joined(attended(cut(q, heads), cut(k, heads), cut(v, heads), mask));
}

Tensor view(const Tensor& x, int heads) {
  return reshape(x, {x.size(0), heads, x.size(1), x.size(2) / heads});
}

}  // namespace

TEST_CASE("exercise 10: multi-head attention in full passes") { passes(check_10(solution)); }

TEST_CASE("exercise 10: untouched, it is still to do") {
  is_to_do(check_10([](auto&&...) -> Tensor { return todo; }));
}

TEST_CASE("exercise 10: a missing transpose is told by where it is missing") {
  is_told(check_10([](const Tensor& q, const Tensor& k, const Tensor& v, int h, const Mask& m) {
            return reshape(attended(view(q, h), view(k, h), view(v, h), m), q.shape());
          }),
          ".802 .198 .802 .198", "on either side");
  is_told(check_10([](const Tensor& q, const Tensor& k, const Tensor& v, int h, const Mask& m) {
            return joined(attended(view(q, h), view(k, h), view(v, h), m));
          }),
          "看切开那一步", "the step that cuts");
  is_told(check_10([](const Tensor& q, const Tensor& k, const Tensor& v, int h, const Mask& m) {
            return reshape(attended(cut(q, h), cut(k, h), cut(v, h), m), q.shape());
          }),
          ".802 .599 .599 .802", "end up in one row");
}

TEST_CASE("exercise 10: a wrong scale is told by its size") {
  is_told(check_10([](const Tensor& q, const Tensor& k, const Tensor& v, int h, const Mask& m) {
            return solution(q / std::sqrt(real(h)), k, v, h, m);
          }),
          "√d_model", ".767 .616 .452 .274");
  is_told(check_10([](const Tensor& q, const Tensor& k, const Tensor& v, int h, const Mask& m) {
            return solution(q * std::sqrt(real(q.size(2) / h)), k, v, h, m);
          }),
          "没有缩放", "not scaled");
}

TEST_CASE("exercise 10: channels taken by turns, swapped q and k, a mask that is not used") {
  is_told(check_10([](const Tensor& q, const Tensor& k, const Tensor& v, int h, const Mask& m) {
            const Size B = q.size(0), T = q.size(1), D = q.size(2) / h;
            const auto by_turns = [&](const Tensor& x) {
              return permute(reshape(x, {B, T, D, h}), {0, 3, 1, 2});
            };
            return reshape(
                permute(attended(by_turns(q), by_turns(k), by_turns(v), m), {0, 2, 3, 1}),
                q.shape());
          }),
          "通道切错了", "side by side");
  is_told(check_10([](const Tensor& q, const Tensor& k, const Tensor& v, int h, const Mask& m) {
            return solution(k, q, v, h, m);
          }),
          "对调", "swapped");
  is_told(check_10([](const Tensor& q, const Tensor& k, const Tensor& v, int h, const Mask&) {
            return solution(q, k, v, h, {});
          }),
          "没有用上", "not used");
}

TEST_CASE("exercise 10: heads in front of the sentences meet the other sentence's mask") {
  is_told(check_10([](const Tensor& q, const Tensor& k, const Tensor& v, int h, const Mask& m) {
            const Size B = q.size(0), T = q.size(1), D = q.size(2) / h;
            const auto heads_first = [&](const Tensor& x) {
              return reshape(permute(cut(x, h), {1, 0, 2, 3}), {B, h, T, D});
            };
            const Tensor out = attended(heads_first(q), heads_first(k), heads_first(v), m);
            return joined(permute(reshape(out, {h, B, T, D}), {1, 0, 2, 3}));
          }),
          "头排到了句子前面", "before the sentences");
}

TEST_CASE("exercise 10: what throws, and what has another shape, is told as it is") {
  is_told(check_10([](const Tensor& q, auto&&...) { return matmul(q, q); }), "停在这里",
          "Your code stopped");
  is_told(check_10([](const Tensor& q, const Tensor& k, const Tensor& v, int h, const Mask& m) {
            return attended(cut(q, h), cut(k, h), cut(v, h), m);
          }),
          "形状是 (1, 2, 3, 2)", "the shape (1, 2, 3, 2)");
}
