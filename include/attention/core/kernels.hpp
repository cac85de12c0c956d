// Loops over raw numbers: no Tensor, no calculus. The output comes first, the sizes last, and
// nothing is allocated for the caller. Arrays are row-major and outputs do not overlap inputs.
// Next: tensor/tensor.hpp, the first floor that knows what the numbers belong to.
#pragma once

#include <cstdint>

#include "attention/core/shape.hpp"

namespace attention::kernels {

// The sizes of a matrix product: out (rows, columns) = A (rows, inner) times B (inner, columns).
// A transposed operand is stored the other way round: A as (inner, rows), B as (columns, inner).
struct Product {
  Size rows, inner, columns;
  bool transpose_a = false, transpose_b = false;
  // For parts of larger matrices: how far apart their rows are in memory; 0 stands for no gaps.
  Size out_step = 0, a_step = 0, b_step = 0;
};

// Rows of numbers, `step` apart in memory; with step 0, one row that stands for all.
struct Rows {
  const real* data = nullptr;
  Size step = 0;
  Rows from(Size row, Size column) const {
    return data ? Rows{data + row * step + column, step} : *this;
  }
};

// With `plus`, out = plus + A B: a bias, a matrix, or `out` itself as it was.
void matmul(real* out, const real* a, const real* b, const Product& size, Rows plus = {});
void matmul_naive(real* out, const real* a, const real* b, const Product& size,
                  Rows plus = {});  // the oracle

// `batch` products one after another in out; the k-th takes its operands at a + a_at(k) and
// b + b_at(k), so that operands can be shared between products.
void matmul_batched(real* out, const real* a, const Offsets& a_at, const real* b,
                    const Offsets& b_at, Size batch, const Product& size);

// out (outer, inner): over the middle axis of x (outer, n, inner). An empty sum is 0; a maximum
// wants n > 0.
void sum(real* out, const real* x, Size outer, Size n, Size inner);
void max(real* out, const real* x, Size outer, Size n, Size inner);

// out (columns, rows) is x (rows, columns) turned over its diagonal; their rows are out_step and
// x_step apart. Rows of out are written in whole vectors: out_step must leave room for that.
void transpose(real* out, Size out_step, const real* x, Size x_step, Size rows, Size columns);

// out (shape) is a where the mask is not 0, else b; all three are stretched to the shape.
void where(real* out, const Shape& shape, const std::uint8_t* mask, const Shape& mask_shape,
           const real* a, const Shape& a_shape, const real* b, const Shape& b_shape);

// out is x (shape) with its axes in the order `axes`.
void permute(real* out, const real* x, const Shape& shape, const Axes& axes);

// Row i of out is row ids[i] of the table; scatter adds row i of x to row ids[i] of out.
void gather_rows(real* out, const real* table, const int* ids, Size count, Size columns);
void scatter_rows(real* out, const real* x, const int* ids, Size count, Size table_rows,
                  Size columns);

// A mask for the rows of a matrix: row r may use column j where bytes[at(r) + j] is not 0. Without
// bytes, every column.
struct RowMask {
  const std::uint8_t* bytes = nullptr;
  Offsets at;
  const std::uint8_t* row(Size r) const { return bytes ? bytes + at(r) : nullptr; }
};

// Each row: out = exp(x - max) / sum exp(x - max), over the columns the mask admits; the others get
// exactly 0, and a row with none is all 0.
void softmax(real* out, const real* x, const RowMask& mask, Size rows, Size columns);
// Each row: dx = y (dy - sum(y dy)), for y = softmax(x).
void softmax_backward(real* dx, const real* y, const real* dy, Size rows, Size columns);
// Each row: out = x - max - log(sum(exp(x - max))) over the admitted columns, -inf in the others.
void log_softmax(real* out, const real* x, const RowMask& mask, Size rows, Size columns);

// The sizes of multi-head attention: q (batch, queries, heads * depth), k (batch, keys, heads *
// depth), v (batch, keys, heads * value_depth) and out (batch, queries, heads * value_depth) have
// their heads side by side. A mask has a row for each query of each head of each sequence.
struct AttentionSize {
  Size batch, heads, queries, keys, depth, value_depth;
  real scale;
  Size depth_step() const { return heads * depth; }  // from row to row of q and k
  Size value_step() const { return heads * value_depth; }
};

// In each head out = softmax(scale q kᵀ) v, over the keys the mask admits; a query with none gets
// 0. `highest` and `share` (batch, heads, queries) keep the maximum of each row of scale q kᵀ, and
// 1 / the sum of exp(scale q kᵀ - maximum).
void attention(real* out, real* highest, real* share, const real* q, const real* k, const real* v,
               const RowMask& mask, const AttentionSize& size);
void attention_backward(real* dq, real* dk, real* dv, const real* dout, const real* out,
                        const real* highest, const real* share, const real* q, const real* k,
                        const real* v, const RowMask& mask, const AttentionSize& size);

// Each row: out = (x - mean) / sqrt(variance + eps) with the biased variance; rstd (rows) keeps
// 1 / sqrt(variance + eps).
void normalize(real* out, real* rstd, const real* x, real eps, Size rows, Size columns);
// Each row: dx = rstd (g - mean(g) - y mean(g y)), for y = normalize(x).
void normalize_backward(real* dx, const real* y, const real* rstd, const real* g, Size rows,
                        Size columns);

// Each row: out = (x - mean) rstd gain + bias; mean (rows) and rstd (rows) are kept.
void layer_norm(real* out, real* mean, real* rstd, const real* x, const real* gain,
                const real* bias, real eps, Size rows, Size columns);
// With y = (x - mean) rstd and h = g gain, each row: dx = rstd (h - mean(h) - y mean(h y)); and
// over all rows: dgain (columns) = sum(g y), dbias (columns) = sum(g).
void layer_norm_backward(real* dx, real* dgain, real* dbias, const real* x, const real* mean,
                         const real* rstd, const real* gain, const real* g, Size rows,
                         Size columns);

// What a row of logits is to answer: the column with probability 1 - smoothing + smoothing /
// columns, every other with smoothing / columns. Rows whose target is `ignore` do not count.
struct Targets {
  const int* ids;
  int ignore;
  real smoothing;
};

// loss[row] = -sum over columns of target probability times log_softmax(x); 0 where ignored.
void cross_entropy(real* loss, const real* x, const Targets& targets, Size rows, Size columns);
// Each row: dx = scale (softmax(x) - target probabilities); 0 where ignored.
void cross_entropy_backward(real* dx, const real* x, const Targets& targets, real scale, Size rows,
                            Size columns);

}  // namespace attention::kernels
