// The matrix product, where training spends most of its time. The definition is matmul_naive, at
// the end of the file; the rest is the same sum, made fast by three ideas:
//
// 1. Tile. Each multiply-add loads two numbers, and a processor adds faster than it loads. So a
//    tile of the output, say 14 rows by 2 vectors, is summed in registers: a step along `inner`
//    loads 14 numbers of A and 2 vectors of B for 28 vector multiply-adds. See tile().
// 2. Pack. What a tile reads may lie far apart in memory, so it is first copied into a strip in
//    the order of reading. A transposed operand differs here only. See pack().
// 3. Block. A strip is read many times, each time from a cache: A is cut so that one strip of it
//    stays in the first level, B so that all strips of a block stay in the second. See multiply().
//
// An element is always the same sum in the same order: blocks of `inner` one after another, in each
// one product after another; and in all tiles alike multiply and add are one instruction, or two
// (CMakeLists.txt sees to that). So threads may split the output anywhere: the bits are the same.
#include <algorithm>
#include <array>

#include "attention/core/kernels.hpp"
#include "attention/core/memory.hpp"
#include "attention/core/threads.hpp"
#include "vector.hpp"

namespace attention::kernels {
namespace {

constexpr Size lanes = vector_lanes;
constexpr Size pieces(Size n, Size max) { return (n + max - 1) / max; }
Size round_up(Size n, Size unit) { return pieces(n, unit) * unit; }
// The size of a piece, when n is cut into as few as can be and these are about equal; at least 1.
Size even(Size n, Size max) { return n > max ? pieces(n, pieces(n, max)) : std::max<Size>(n, 1); }

// The sums take all registers but four: two vectors of B, a number of A, and one to spare.
constexpr Size tile_vectors = 2, tile_rows = (registers - 4) / tile_vectors;
constexpr Size tile_columns = tile_vectors * lanes;

// How a tile finds its numbers: at each step along `inner`, `step` further on.
struct Strip {
  const real* data;
  Size step;
};

// out (rows, vectors * lanes) = plus + a strip of A times a strip of B. The numbers of A for one
// step are neighbours; in rows of A that were not packed, though, the steps are, and the rows are
// a.step apart. The pragmas keep the sums in registers: without them they would be an array.
template <bool rows_apart, Size rows, Size vectors>
void tile(real* out, Size out_step, Strip a, Strip b, Size depth, Rows plus) {
  Vector sums[rows][vectors] = {};
  if (depth >= 64) {  // else they would not come in time to be worth the call
#pragma GCC unroll 16
    for (Size r = 0; r < rows; ++r)
      for (Size v = 0; v < vectors; ++v) prefetch(out + r * out_step + v * lanes);
  }
  for (Size k = 0; k < depth; ++k, a.data += rows_apart ? 1 : a.step, b.data += b.step) {
    Vector b_row[vectors];
    for (Size v = 0; v < vectors; ++v) b_row[v] = load(b.data + v * lanes);
#pragma GCC unroll 16
    for (Size r = 0; r < rows; ++r)
      for (Size v = 0; v < vectors; ++v)
        sums[r][v] += a.data[rows_apart ? r * a.step : r] * b_row[v];
  }
#pragma GCC unroll 16
  for (Size r = 0; r < rows; ++r, out += out_step, plus.data += plus.step)
    for (Size v = 0; v < vectors; ++v)
      store(out + v * lanes, plus.data ? load(plus.data + v * lanes) + sums[r][v] : sums[r][v]);
}

using Tile = decltype(&tile<false, 1, 1>);  // tiles[rows_apart][rows - 1][vectors - 1]
template <bool rows_apart, std::size_t... r>
constexpr auto make_tiles(std::index_sequence<r...>) {
  return std::array{std::array{tile<rows_apart, r + 1, 1>, tile<rows_apart, r + 1, 2>}...};
}
constexpr std::make_index_sequence<tile_rows> heights;
constexpr std::array tiles = {make_tiles<false>(heights), make_tiles<true>(heights)};

// At the right edge whole vectors would go over: the tile is made elsewhere, and its part copied.
[[gnu::noinline]] void edge_tile(Tile make, real* out, Size out_step, Strip a, Strip b, Size depth,
                                 Rows plus, Size rows, Size columns) {
  real whole[tile_rows * tile_columns], *from = whole;
  make(whole, tile_columns, a, b, depth, {});
  for (Size r = 0; r < rows; ++r, out += out_step, from += tile_columns, plus.data += plus.step)
    for (Size c = 0; c < columns; ++c) out[c] = plus.data ? plus.data[c] + from[c] : from[c];
}

// An operand as a set of lines along `inner`: the rows of A, or the columns of B.
struct Lines {
  const real* data;
  Size line_step, inner_step;  // in memory, to the next line and to the next number of a line
  Lines from(Size line, Size inner) const {
    return {data + line * line_step + inner * inner_step, line_step, inner_step};
  }
};

Lines rows_of(const real* a, const Product& size) {
  const Size step = size.a_step > 0 ? size.a_step : size.transpose_a ? size.rows : size.inner;
  return size.transpose_a ? Lines{a, 1, step} : Lines{a, step, 1};
}
Lines columns_of(const real* b, const Product& size) {
  const Size step = size.b_step > 0 ? size.b_step : size.transpose_b ? size.inner : size.columns;
  return size.transpose_b ? Lines{b, step, 1} : Lines{b, 1, step};
}

// Copies `count` lines of x side by side into space (depth, width), where width is in whole
// vectors. What is there beyond `count` has no meaning, and nobody keeps what comes of it. Numbers
// at the distance of a line come late from memory, so those for the next strip are called for
// early.
[[gnu::noinline]] Strip pack(real* space, Size width, Lines x, Size count, Size depth) {
  const Size readable = (depth - 1) * x.inner_step + (count - 1) * x.line_step + 1;
  if (x.inner_step == 1 && depth >= lanes) {  // steps are neighbours: turn it, square by square
    for (Size l = 0; l < count; l += lanes)
      for (Size k = 0; k < depth; k += lanes) {
        const Size first = std::min(k, depth - lanes);  // the last square overlaps the one before
        Vector square[lanes];
        for (Size i = 0; i < lanes; ++i) {
          const Lines line = x.from(std::min(l + i, count - 1), first);
          square[i] = load(line.data);
          prefetch(line.from(count, 0).data);
        }
        transpose(square);
        for (Size i = 0; i < lanes; ++i) store(space + (first + i) * width + l, square[i]);
      }
  } else {
    for (Size k = 0; k < depth; ++k)
      if (x.line_step == 1 && k * x.inner_step + width <= readable)  // lines are neighbours
        for (Size l = 0; l < width; l += lanes) {
          store(space + k * width + l, load(x.from(l, k).data));
          prefetch(x.from(l + count, k).data);
        }
      else
        for (Size l = 0; l < count; ++l) space[k * width + l] = *x.from(l, k).data;
  }
  return {space, width};
}

constexpr Size block_inner = 256, block_columns = 768;  // a block of B: 3/4 of a megabyte of floats
constexpr Size packed_rows = pieces(tile_rows, lanes) * lanes;

// Packing costs little beside many uses and much beside few. A strip of A is used once per tile
// across, a strip of B once per tile down: up to this many, they are read where they lie.
constexpr Size few_columns = 6 * tile_columns, few_rows = 5 * tile_rows;

// out (rows, columns), whose rows are out_step apart = plus + A times B: the share of one thread.
void multiply(real* out, Size out_step, Lines a, Lines b, Size rows, Size inner, Size columns,
              Rows plus) {
  thread_local Buffer scratch(block_inner * (block_columns + packed_rows));
  real *const packed_b = scratch.fill(), *const packed_a = packed_b + block_inner * block_columns;
  const bool pack_a = columns > few_columns, rows_apart = !pack_a && a.line_step != 1;
  const bool pack_b = b.line_step != 1 || rows > few_rows;
  const Size height = even(rows, tile_rows), deep = even(inner, block_inner);
  const Size wide = round_up(even(columns, block_columns), tile_columns);

  for (Size left = 0; left < columns; left += wide)
    for (Size start = 0; start == 0 || start < inner; start += deep) {  // once even if inner is 0
      const Size right = std::min(columns, left + wide), depth = std::min(deep, inner - start);
      std::array<Strip, block_columns / tile_columns> b_strips;
      for (Size c = left, s = 0; c < right; c += tile_columns, ++s) {
        const Size count = std::min(tile_columns, right - c), width = round_up(count, lanes);
        const Lines lines = b.from(c, start);
        b_strips[s] = pack_b || count < width
                          ? pack(packed_b + (c - left) * depth, width, lines, count, depth)
                          : Strip{lines.data, b.inner_step};
      }
      for (Size top = 0; top < rows; top += height) {
        const Size tall = std::min(height, rows - top);
        const Lines lines = a.from(top, start);
        const Strip a_strip = pack_a ? pack(packed_a, packed_rows, lines, tall, depth)
                                     : Strip{lines.data, rows_apart ? a.line_step : a.inner_step};
        for (Size c = left, s = 0; c < right; c += tile_columns, ++s) {
          const Size count = std::min(tile_columns, right - c), vectors = pieces(count, lanes);
          const Tile make = tiles[rows_apart][tall - 1][vectors - 1];
          real* const to = out + top * out_step + c;
          const Rows before = start > 0 ? Rows{to, out_step} : plus.from(top, c);
          if (count == vectors * lanes)
            make(to, out_step, a_strip, b_strips[s], depth, before);
          else
            edge_tile(make, to, out_step, a_strip, b_strips[s], depth, before, tall, count);
        }
      }
    }
}

}  // namespace

// The longer side of the output is shared out, since each thread packs all of the other operand.
void matmul(real* out, const real* a, const real* b, const Product& size, Rows plus) {
  const Size rows = size.rows, inner = size.inner, columns = size.columns;
  const Size step = size.out_step > 0 ? size.out_step : columns, work = rows * inner * columns;
  const Lines x = rows_of(a, size), y = columns_of(b, size);
  if (rows >= columns)
    parallel_for(rows, 1, work, [&](Size top, Size end) {
      multiply(out + top * step, step, x.from(top, 0), y, end - top, inner, columns,
               plus.from(top, 0));
    });
  else
    parallel_for(columns, tile_columns, work, [&](Size left, Size end) {
      multiply(out + left, step, x, y.from(left, 0), rows, inner, end - left, plus.from(0, left));
    });
}

void matmul_batched(real* out, const real* a, const Offsets& a_at, const real* b,
                    const Offsets& b_at, Size batch, const Product& size) {
  const Size area = size.rows * size.columns, work = area * size.inner;
  if (batch < threads() && work >= parallel_threshold) {  // few and large: each of them is shared
    for (Size k = 0; k < batch; ++k) matmul(out + k * area, a + a_at(k), b + b_at(k), size);
    return;
  }
  parallel_for(batch, 1, batch * work, [&](Size begin, Size end) {
    for (Size k = begin; k < end; ++k)
      multiply(out + k * area, size.columns, rows_of(a + a_at(k), size),
               columns_of(b + b_at(k), size), size.rows, size.inner, size.columns, {});
  });
}

void matmul_naive(real* out, const real* a, const real* b, const Product& size, Rows plus) {
  const Size step = size.out_step > 0 ? size.out_step : size.columns;
  const Lines x = rows_of(a, size), y = columns_of(b, size);
  for (Size i = 0; i < size.rows; ++i)
    for (Size j = 0; j < size.columns; ++j) {
      real sum = 0;
      for (Size k = 0; k < size.inner; ++k) sum += *x.from(i, k).data * *y.from(j, k).data;
      out[i * step + j] = plus.data ? *plus.from(i, j).data + sum : sum;
    }
}

void transpose(real* out, Size out_step, const real* x, Size x_step, Size rows, Size columns) {
  if (rows > 0 && columns > 0) pack(out, out_step, {x, x_step, 1}, rows, columns);
}

}  // namespace attention::kernels
