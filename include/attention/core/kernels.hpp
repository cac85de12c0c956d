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
};

void matmul(real* out, const real* a, const real* b, const Product& size);
void matmul_naive(real* out, const real* a, const real* b, const Product& size);  // the oracle

// `batch` products one after another in out; the k-th takes its operands at a + a_at(k) and
// b + b_at(k), so that operands can be shared between products.
void matmul_batched(real* out, const real* a, const Offsets& a_at, const real* b,
                    const Offsets& b_at, Size batch, const Product& size);

// out (outer, inner): over the middle axis of x (outer, n, inner). An empty sum is 0; a maximum
// wants n > 0.
void sum(real* out, const real* x, Size outer, Size n, Size inner);
void max(real* out, const real* x, Size outer, Size n, Size inner);

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

// Each row: out = (x - mean) / sqrt(variance + eps) with the biased variance; rstd (rows) keeps
// 1 / sqrt(variance + eps).
void normalize(real* out, real* rstd, const real* x, real eps, Size rows, Size columns);
// Each row: dx = rstd (g - mean(g) - y mean(g y)), for y = normalize(x).
void normalize_backward(real* dx, const real* y, const real* rstd, const real* g, Size rows,
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
