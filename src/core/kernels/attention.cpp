// Attention without its matrix of weights: that of a few queries at a time is computed, used and
// forgotten, and computed again on the way back, from two numbers that are kept of each row. So
// memory grows with the length and not with its square; and what no query of a block may see is
// skipped, which is half of everything where attention is causal.
//
// With S = scale Q Kᵀ, W = softmax(S) and O = W V, for dO arriving:
//   dV = Wᵀ dO,   dS = W (dO Vᵀ - the mean of dO Vᵀ under W),   dQ = scale dS K,   dK = scale dSᵀ Q
// where the mean, Σ_j W_ij (dO Vᵀ)_ij, is the same as Σ_e dO_ie O_ie, which is at hand.
#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/core/kernels.hpp"
#include "attention/core/math.hpp"
#include "attention/core/memory.hpp"
#include "attention/core/threads.hpp"
#include "lanes.hpp"

namespace attention::kernels {
namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();
constexpr Size block_rows = 16;  // queries at a time: fewer skip more, more multiply faster

Size whole_lanes(Size n) { return (n + lanes - 1) / lanes * lanes; }

// out (rows, columns) = a b, and out += aᵀ b for a (inner, rows).
void multiply(real* out, Size out_step, Rows a, Rows b, Size rows, Size inner, Size columns) {
  matmul(out, a.data, b.data, {rows, inner, columns, false, false, out_step, a.step, b.step});
}
void add_product(real* out, Size out_step, Rows a, Rows b, Size rows, Size inner, Size columns) {
  matmul(out, a.data, b.data, {rows, inner, columns, true, false, out_step, a.step, b.step},
         {out, out_step});
}

// One head of one sequence: where its first row of everything is, and what its queries may see.
struct Head {
  Size query, key, value, out, row;  // `row` among the rows of all heads
  const std::uint8_t* mask;
  Size mask_step;

  Head(const AttentionSize& size, const RowMask& rows, Size index) {
    const Size sequence = index / size.heads, head = index % size.heads;
    query = sequence * size.queries * size.depth_step() + head * size.depth;
    key = sequence * size.keys * size.depth_step() + head * size.depth;
    value = sequence * size.keys * size.value_step() + head * size.value_depth;
    out = sequence * size.queries * size.value_step() + head * size.value_depth;
    row = index * size.queries;
    mask = rows.row(row);
    mask_step = mask && size.queries > 1 ? rows.row(row + 1) - mask : 0;
  }

  const std::uint8_t* admits(Size query) const { return mask ? mask + query * mask_step : nullptr; }

  // Beyond this many keys, none of the queries [top, top + count) sees any.
  Size reach(Size top, Size count, Size keys) const {
    for (Size end = keys; mask && end > 0;) {
      const Size begin = (end - 1) / lanes * lanes;
      std::uint8_t any[lanes] = {};
      for (Size r = top; r < top + count; ++r)
        for (Size j = begin; j < end; ++j) any[j - begin] |= admits(r)[j];
      if (std::any_of(any, any + lanes, [](auto byte) { return byte != 0; })) return end;
      end = begin;
    }
    return mask ? 0 : keys;
  }
};

// x = scale x where the mask admits it and -inf elsewhere, also from `end` to `width`. In pieces of
// 16: left to itself, g++ takes 64 at a time, for the bytes' sake, and short rows one by one.
void admit(real* x, real scale, const std::uint8_t* mask, Size end, Size width) {
  const auto one = [=](Size j) {
    const real scaled = scale * x[j];  // computed for all, so that nothing branches
    x[j] = !mask || mask[j] ? scaled : -infinity;
  };
  Size j = 0;
  for (; j + lanes <= end; j += lanes) {
    ATTENTION_KEEP_LOOP
    for (Size k = 0; k < lanes; ++k) one(j + k);
  }
  for (; j < end; ++j) one(j);
  std::fill(x + end, x + width, -infinity);
}

// Calls body(head, scratch) for each head, shared out over the threads; scratch is for `numbers`.
template <class Body>
void each_head(const AttentionSize& size, const RowMask& mask, Size work, Size numbers, Body body) {
  const Size heads = size.batch * size.heads;
  parallel_for(heads, 1, heads * size.queries * size.keys * work, [&](Size begin, Size end) {
    thread_local Buffer scratch;
    if (scratch.size() < numbers) scratch = Buffer(numbers);
    for (Size i = begin; i < end; ++i) body(Head(size, mask, i), scratch.fill());
  });
}

}  // namespace

void attention(real* out, real* highest, real* share, const real* q, const real* k, const real* v,
               const RowMask& mask, const AttentionSize& size) {
  const Size depth = size.depth, value_depth = size.value_depth;
  const Size step = size.depth_step(), v_step = size.value_step(), width = whole_lanes(size.keys);
  const Size numbers = (depth + block_rows) * width, work = depth + value_depth + exp_cost;
  each_head(size, mask, work, numbers, [&](const Head& head, real* scratch) {
    real *const keys = scratch, *const weights = keys + depth * width;
    transpose(keys, width, k + head.key, step, size.keys, depth);
    for (Size top = 0; top < size.queries; top += block_rows) {
      const Size rows = std::min(block_rows, size.queries - top);
      const Size end = head.reach(top, rows, size.keys), wide = whole_lanes(end);
      real* const o = out + head.out + top * v_step;
      multiply(weights, width, {q + head.query + top * step, step}, {keys, width}, rows, depth,
               wide);
      for (Size r = 0; r < rows; ++r) {
        real* const w = weights + r * width;
        admit(w, size.scale, head.admits(top + r), end, wide);
        const real shift = shift_of([=](Size j) { return w[j]; }, wide);
        for (Size j = 0; j < wide; ++j) w[j] = math::exp(w[j] - shift);
        const real total = sum_row(wide, [&](Size j) { return w[j]; });
        highest[head.row + top + r] = shift;
        share[head.row + top + r] = total == 0 ? 0 : 1 / total;  // nothing admitted, or only -inf
      }
      multiply(o, v_step, {weights, width}, {v + head.value, v_step}, rows, end, value_depth);
      for (Size r = 0; r < rows; ++r)
        for (Size e = 0; e < value_depth; ++e) o[r * v_step + e] *= share[head.row + top + r];
    }
  });
}

void attention_backward(real* dq, real* dk, real* dv, const real* dout, const real* out,
                        const real* highest, const real* share, const real* q, const real* k,
                        const real* v, const RowMask& mask, const AttentionSize& size) {
  const Size depth = size.depth, value_depth = size.value_depth;
  const Size step = size.depth_step(), v_step = size.value_step(), width = whole_lanes(size.keys);
  const Size numbers = (depth + value_depth + 2 * block_rows) * width;
  const Size work = 3 * depth + 2 * value_depth + exp_cost;
  each_head(size, mask, work, numbers, [&](const Head& head, real* scratch) {
    real *const keys = scratch, *const values = keys + depth * width;
    real* const weights = values + value_depth * width;
    real* const slopes = weights + block_rows * width;
    real *const to_k = dk + head.key, *const to_v = dv + head.value;
    transpose(keys, width, k + head.key, step, size.keys, depth);
    transpose(values, width, v + head.value, v_step, size.keys, value_depth);
    for (Size j = 0; j < size.keys; ++j) {
      std::fill_n(to_k + j * step, depth, real(0));
      std::fill_n(to_v + j * v_step, value_depth, real(0));
    }
    for (Size top = 0; top < size.queries; top += block_rows) {
      const Size rows = std::min(block_rows, size.queries - top), at = head.out + top * v_step;
      const Size end = head.reach(top, rows, size.keys), wide = whole_lanes(end);
      const Rows queries{q + head.query + top * step, step}, arrived{dout + at, v_step};
      multiply(weights, width, queries, {keys, width}, rows, depth, wide);
      multiply(slopes, width, arrived, {values, width}, rows, value_depth, wide);
      for (Size r = 0; r < rows; ++r) {
        const real *const g = dout + at + r * v_step, *const o = out + at + r * v_step;
        const real mean = sum_row(value_depth, [&](Size e) { return g[e] * o[e]; });
        const real shift = highest[head.row + top + r], part = share[head.row + top + r];
        real *const w = weights + r * width, *const s = slopes + r * width;
        admit(w, size.scale, head.admits(top + r), end, wide);
        for (Size j = 0; j < wide; ++j) {
          w[j] = math::exp(w[j] - shift) * part;
          s[j] = w[j] * (s[j] - mean) * size.scale;
        }
      }
      multiply(dq + head.query + top * step, step, {slopes, width}, {k + head.key, step}, rows, end,
               depth);
      add_product(to_k, step, {slopes, width}, queries, end, rows, depth);
      add_product(to_v, v_step, {weights, width}, arrived, end, rows, value_depth);
    }
  });
}

}  // namespace attention::kernels
