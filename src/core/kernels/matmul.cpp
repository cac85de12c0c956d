// The matrix product, where a training step spends most of its time. Three ideas, outermost last:
//
// 1. Tile. A product of `inner` numbers per element needs two loads for each multiply-add; a
//    processor can do two multiply-adds, but not four loads, in a cycle. So a tile of the output is
//    held in registers: 14 rows by 2 vectors, say. A step along `inner` loads 14 numbers of A and 2
//    vectors of B, and gets 28 vector multiply-adds out of them. See tile().
// 2. Pack. A tile reads a column of A and a row of B per step. In memory one of these may be far
//    apart, so the strips that tiles read are first copied into the order in which they are read;
//    a transposed operand is merely packed differently. See pack().
// 3. Block. A packed strip is of use only while it stays in the cache: B is cut into blocks that
// fit
//    the second-level cache, A into panels that fit the first. See multiply().
//
// Whatever the tile, an element of the output is the same sum: blocks of `inner` in rising order,
// in each one the products in rising order. So any split of the output among threads, and any
// height of tile, gives the same bits.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "attention/core/kernels.hpp"
#include "attention/core/memory.hpp"
#include "attention/core/threads.hpp"

namespace attention::kernels {
namespace {

// The widest vector of this processor, as a type that has + and * like a number. A compiler without
// such types takes vectors of one number: the same code, slower.
#if defined(__AVX512F__)
constexpr Size vector_bytes = 64, registers = 32;
#elif defined(__AVX__)
constexpr Size vector_bytes = 32, registers = 16;
#else
constexpr Size vector_bytes = 16, registers = 16;
#endif
#if defined(__GNUC__)
typedef real Vector __attribute__((vector_size(vector_bytes)));
#else
using Vector = real;
#endif
constexpr Size lanes = sizeof(Vector) / sizeof(real);

// A tile's sums fill the registers, but for 2 vectors of B, one number of A and one to spare.
constexpr Size tile_vectors = 2, tile_rows = (registers - 4) / tile_vectors;
constexpr Size tile_columns = tile_vectors * lanes;
constexpr Size panel_width =
    (tile_rows + lanes - 1) / lanes * lanes;  // A's strip, in whole vectors

constexpr Size block_inner = 256, block_columns = 512;

Vector load(const real* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
void store(real* to, Vector v) { std::memcpy(to, &v, sizeof v); }

Size pieces(Size n, Size at_most) { return (n + at_most - 1) / at_most; }
// The size of pieces of about the same size.
Size even(Size n, Size at_most) { return n > at_most ? pieces(n, pieces(n, at_most)) : n; }
#ifndef PA
#define PA 256
#define PB 64
#endif

// What a tile reads as it walks along `inner`: packed, or where it lies.
struct Strip {
  const real* data;
  Size step;
};

// out (rows, columns) = or += a strip of A times a strip of B. Step k takes a vector or two of B at
// k * step and a number of A for each row: side by side at k * step or, if `apart`, in lines that
// are `step` apart.
template <bool apart, Size rows, Size vectors>
void tile(real* out, Size out_step, Strip a, Strip b, Size depth, bool add) {
  Vector sums[rows][vectors] = {};
  for (Size k = 0; k < depth; ++k, a.data += apart ? 1 : a.step, b.data += b.step) {
    Vector row_of_b[vectors];
#pragma GCC unroll 16
    for (Size v = 0; v < vectors; ++v) row_of_b[v] = load(b.data + v * lanes);
#pragma GCC unroll 16
    for (Size r = 0; r < rows; ++r)
#pragma GCC unroll 16
      for (Size v = 0; v < vectors; ++v) sums[r][v] += a.data[apart ? r * a.step : r] * row_of_b[v];
  }
#pragma GCC unroll 16
  for (Size r = 0; r < rows; ++r, out += out_step)
#pragma GCC unroll 16
    for (Size v = 0; v < vectors; ++v)
      store(out + v * lanes, add ? load(out + v * lanes) + sums[r][v] : sums[r][v]);
}

// tiles[apart][r - 1][v - 1] is the tile of r rows and v vectors.
using Tile = decltype(&tile<false, 1, 1>);
using Tiles = std::array<std::array<Tile, tile_vectors>, tile_rows>;

template <bool apart, std::size_t... r>
constexpr Tiles make_tiles(std::index_sequence<r...>) {
  return {{{tile<apart, r + 1, 1>, tile<apart, r + 1, 2>}...}};
}
constexpr auto all_rows = std::make_index_sequence<tile_rows>();
constexpr Tiles tiles[] = {make_tiles<false>(all_rows), make_tiles<true>(all_rows)};

// An operand as a tile sees it: lines along `inner`, which are the rows of A or the columns of B.
struct Operand {
  const real* data;
  Size line_step, inner_step;  // in memory, to the next line and to the next number of a line
  Operand from(Size line, Size inner) const {
    return {data + line * line_step + inner * inner_step, line_step, inner_step};
  }
};

// The vectors a and b dealt out alternately, a0 b0 a1 b1 ...: from their first halves, or the last.
template <Size half, std::size_t... i>
Vector interleave(Vector a, Vector b, std::index_sequence<i...>) {
  return __builtin_shufflevector(a, b, (half * lanes / 2 + i / 2 + i % 2 * lanes)...);
}

// A square of numbers turned over its diagonal: a perfect shuffle, log2(lanes) times.
void transpose(Vector (&square)[lanes]) {
  constexpr auto all = std::make_index_sequence<lanes>();
  for (Size step = 1; step < lanes; step *= 2) {
    Vector next[lanes];
    for (Size i = 0; i < lanes / 2; ++i) {
      next[2 * i] = interleave<0>(square[i], square[i + lanes / 2], all);
      next[2 * i + 1] = interleave<1>(square[i], square[i + lanes / 2], all);
    }
    for (Size i = 0; i < lanes; ++i) square[i] = next[i];
  }
}

// strip (depth, width) takes `lines` lines of x, side by side. The rest of its width is never
// looked at by anybody who keeps the result: it holds whatever came along.
void pack(real* strip, Size width, Operand x, Size lines, Size depth) {
  if (x.inner_step == 1 && depth >= lanes) {  // lines lie along memory: square by square
    for (Size l = 0; l < lines; l += lanes)
      for (Size k = 0; k < depth; k += lanes) {
        const Size first = std::min(k, depth - lanes);  // the last square overlaps another
        Vector square[lanes];
        for (Size i = 0; i < lanes; ++i)
          square[i] = load(x.data + std::min(l + i, lines - 1) * x.line_step + first);
        transpose(square);
        for (Size i = 0; i < lanes; ++i) store(strip + (first + i) * width + l, square[i]);
      }
    return;
  }
  const real* end = x.data + (depth - 1) * x.inner_step + (lines - 1) * x.line_step + 1;
  for (Size k = 0; k < depth; ++k, strip += width) {
    const real* from = x.data + k * x.inner_step;
    if (x.line_step == 1 && from + width <= end)
      for (Size l = 0; l < width; l += lanes) store(strip + l, load(from + l));
    else
      for (Size l = 0; l < lines; ++l) strip[l] = from[l * x.line_step];
  }
}

// out (rows, columns), in lines that are out_step apart: what one thread is to make.
void multiply(real* out, Size out_step, const Operand& a, const Operand& b, Size rows, Size inner,
              Size columns) {
  thread_local Buffer scratch(block_inner * (block_columns + panel_width));
  real* const block_of_b = scratch.fill();
  real* const panel_of_a = block_of_b + block_inner * block_columns;
  const bool pack_a = columns > PA, pack_b = b.line_step != 1 || rows > PB;
  const Size panel = even(rows, tile_rows), block = std::max<Size>(1, even(inner, block_inner));

  for (Size left = 0; left < columns; left += block_columns) {
    const Size right = std::min(columns, left + block_columns);
    for (Size start = 0; start == 0 || start < inner; start += block) {
      const Size depth = std::min(block, inner - start);
      const auto strip_of_b = [&](Size c, Size width) -> Strip {
        if (!pack_b && width % lanes == 0) return {b.from(c, start).data, b.inner_step};
        return {block_of_b + (c - left) * depth, pieces(width, lanes) * lanes};
      };
      for (Size c = left; c < right; c += tile_columns) {
        const Size width = std::min(tile_columns, right - c);
        if (pack_b || width % lanes != 0)
          pack(block_of_b + (c - left) * depth, pieces(width, lanes) * lanes, b.from(c, start),
               width, depth);
      }
      for (Size top = 0; top < rows; top += panel) {
        const Size height = std::min(panel, rows - top);
        const Operand from = a.from(top, start);
        if (pack_a) pack(panel_of_a, panel_width, from, height, depth);
        const bool apart = !pack_a && a.line_step != 1;
        const Strip strip = pack_a ? Strip{panel_of_a, panel_width}
                                   : Strip{from.data, apart ? a.line_step : a.inner_step};
        for (Size c = left; c < right; c += tile_columns) {
          const Size width = std::min(tile_columns, right - c);
          const Tile make = tiles[apart][height - 1][pieces(width, lanes) - 1];
          real* const to = out + top * out_step + c;
          if (width % lanes == 0) {
            make(to, out_step, strip, strip_of_b(c, width), depth, start > 0);
          } else {  // the right edge: part of the tile hangs over
            real whole[tile_rows * tile_columns];
            make(whole, tile_columns, strip, strip_of_b(c, width), depth, false);
            for (Size r = 0; r < height; ++r)
              for (Size l = 0; l < width; ++l)
                to[r * out_step + l] =
                    whole[r * tile_columns + l] + (start > 0 ? to[r * out_step + l] : 0);
          }
        }
      }
    }
  }
}

Operand lines_of_a(const real* a, const Product& size) {
  if (size.transpose_a) return {a, 1, size.rows};
  return {a, size.inner, 1};
}
Operand lines_of_b(const real* b, const Product& size) {
  if (size.transpose_b) return {b, size.inner, 1};
  return {b, 1, size.columns};
}

}  // namespace

void matmul_naive(real* out, const real* a, const real* b, const Product& size) {
  for (Size i = 0; i < size.rows; ++i)
    for (Size j = 0; j < size.columns; ++j) {
      real sum = 0;
      for (Size k = 0; k < size.inner; ++k)
        sum += (size.transpose_a ? a[k * size.rows + i] : a[i * size.inner + k]) *
               (size.transpose_b ? b[j * size.inner + k] : b[k * size.columns + j]);
      out[i * size.columns + j] = sum;
    }
}

// Threads share the longer side of the output: what each of them packs for itself is the smaller
// operand.
void matmul(real* out, const real* a, const real* b, const Product& size) {
  const Operand x = lines_of_a(a, size), y = lines_of_b(b, size);
  const Size work = size.rows * size.inner * size.columns;
  if (size.rows >= size.columns)
    parallel_for(size.rows, 1, work, [&](Size begin, Size end) {
      multiply(out + begin * size.columns, size.columns, x.from(begin, 0), y, end - begin,
               size.inner, size.columns);
    });
  else
    parallel_for(size.columns, tile_columns, work, [&](Size begin, Size end) {
      multiply(out + begin, size.columns, x, y.from(begin, 0), size.rows, size.inner, end - begin);
    });
}

void matmul_batched(real* out, const real* a, const Offsets& a_at, const real* b,
                    const Offsets& b_at, Size batch, const Product& size) {
  const Size area = size.rows * size.columns, work = area * size.inner;
  if (batch < threads() && work >= parallel_threshold) {  // few and large: share each of them
    for (Size k = 0; k < batch; ++k) matmul(out + k * area, a + a_at(k), b + b_at(k), size);
    return;
  }
  parallel_for(batch, 1, batch * work, [&](Size begin, Size end) {
    for (Size k = begin; k < end; ++k)
      multiply(out + k * area, size.columns, lines_of_a(a + a_at(k), size),
               lines_of_b(b + b_at(k), size), size.rows, size.inner, size.columns);
  });
}

}  // namespace attention::kernels
