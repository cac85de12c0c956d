// The check of exercise 17. Sides of blocks are compared for several caches; a product is put
// together from the learner's blocks, with room around the matrices, so that going past an edge
// shows and does no harm. No clock is read.
#pragma once

#include <algorithm>

#include "attention/core/kernels.hpp"
#include "exercises/exercise.hpp"

namespace exercise {

using BlockSize = std::function<attention::Size(attention::Size)>;
using MultiplyBlock =
    std::function<void(attention::real* out, const attention::real* a, const attention::real* b,
                       const attention::kernels::Product& n, attention::Size i0, attention::Size k0,
                       attention::Size j0, attention::Size s)>;

// The largest s with s * s <= area.
inline attention::Size side_of(attention::Size area) {
  attention::Size s = 0;
  while ((s + 1) * (s + 1) <= area) ++s;
  return s;
}

// The last cache holds three blocks of 48 x 48 exactly.
inline std::vector<attention::Size> caches_of_17() {
  return {32768, 49152, 1 << 20, 3 * 48 * 48 * attention::Size(sizeof(attention::real))};
}

inline Diagnosis check_block_size(const BlockSize& learner) {
  using namespace attention;
  constexpr Size bytes = sizeof(real);
  bool untouched = true;
  const auto for_all = [](const BlockSize& side) {
    std::vector<real> sides;
    for (const Size cache : caches_of_17()) sides.push_back(static_cast<real>(side(cache)));
    return from_values(sides);
  };
  const Diagnosis diagnosis = diagnose(
      [&] {
        const Tensor sides = for_all(learner);
        for (Size i = 0; i < sides.count(); ++i) untouched = untouched && sides.data()[i] == 0;
        return sides;
      },
      for_all([](Size cache) { return side_of(cache / (3 * bytes)); }),
      {{for_all([](Size cache) { return side_of(cache / 3); }),
        {fmt::format("你把字节当成了数的个数：一个数占 {} 个字节，你的三块有缓存的 {} 倍大。",
                     bytes, bytes),
         fmt::format("You took bytes for numbers: a number takes {} bytes, and your three blocks "
                     "are {} times as large as the cache.",
                     bytes, bytes)}},
       {for_all([](Size cache) { return side_of(cache / bytes); }),
        {"你只放了一块：a、b、out 各要一块，三块要同时在缓存里。",
         "You made room for one block: a, b and out each need one, three at the same time."}},
       {for_all([](Size cache) { return side_of(cache / (2 * bytes)); }),
        {"你放了两块，忘了第三块：out 的那一块每次都要读，也要写。",
         "You made room for two blocks; the third is missing: that of out is read and written "
         "each time."}},
       {for_all([](Size cache) { return side_of(cache); }),
        {"你把字节当成了数的个数，而且只放了一块。先算缓存里放得下几个数。",
         "You took bytes for numbers, and made room for one block only. Begin with how many "
         "numbers the cache holds."}},
       {for_all([](Size cache) { return cache / (3 * bytes); }),
        {"这是一块里数的个数，不是边长：s x s 个数，边长是 s。",
         "This is how many numbers a block has, not its side: s x s numbers have the side s."}},
       {for_all([](Size cache) { return side_of(cache / bytes) / 3; }),
        {"你先开方再除以 3：三块分的是面积，不是边长。",
         "You divided by 3 after the root: what three blocks share is the area, not the side."}},
       {for_all([](Size cache) { return side_of(cache / (3 * bytes)) + 1; }),
        {"你的块大了 1：放不下的时候要往小里取整。",
         "Your blocks are too large by 1: round down, or they do not fit."}},
       {for_all([](Size cache) { return side_of(cache / (3 * bytes) - 1); }),
        {fmt::format("三块 48 x 48 正好放满 {} 个字节，也算放得下；你的小了 1。",
                     caches_of_17().back()),
         fmt::format("Three blocks of 48 x 48 fill {} bytes exactly, and that still fits; yours "
                     "is too small by 1.",
                     caches_of_17().back())}}});
  return untouched && diagnosis.state == State::wrong ? still_to_do({}) : diagnosis;
}

// out of all blocks together; what lies behind the matrices is kept to be looked at.
struct BlockedProduct {
  static constexpr attention::kernels::Product n{7, 10, 13};
  static constexpr attention::Size side = 4, room = 256;
  std::vector<attention::real> a, b, out;

  BlockedProduct() : a(70 + room, 100), b(130 + room, 100), out(91 + room) {
    for (int i = 0; i < 70; ++i) a[i] = attention::real(i % 9 - 3);
    for (int i = 0; i < 130; ++i) b[i] = attention::real(i % 7 - 2);
  }
  template <class Block>
  attention::Tensor of(const Block& block) {
    for (attention::Size i0 = 0; i0 < n.rows; i0 += side)
      for (attention::Size k0 = 0; k0 < n.inner; k0 += side)
        for (attention::Size j0 = 0; j0 < n.columns; j0 += side)
          block(out.data(), a.data(), b.data(), n, i0, k0, j0, side);
    return attention::from_values({out.begin(), out.begin() + 91}, {n.rows, n.columns});
  }
  bool wrote_behind() const {
    return std::any_of(out.begin() + 91, out.end(), [](auto x) { return x != 0; });
  }
};

// A block as it should be, but for what a mistake does: which edges it goes past, where it begins,
// whether it adds to what is there.
struct BlockHabit {
  bool past_rows = false, past_inner = false, past_columns = false;
  bool leaves_edge_out = false, begins_at_zero = false, overwrites = false, turned_b = false;

  void operator()(attention::real* out, const attention::real* a, const attention::real* b,
                  const attention::kernels::Product& n, attention::Size i0, attention::Size k0,
                  attention::Size j0, attention::Size s) const {
    using attention::Size;
    const auto end = [&](Size begin, Size size, bool past) {
      if (leaves_edge_out && begin + s > size) return begin;
      return past ? begin + s : std::min(begin + s, size);
    };
    const Size first = begins_at_zero ? 0 : 1;
    for (Size i = i0 * first; i < end(i0, n.rows, past_rows); ++i)
      for (Size j = j0 * first; j < end(j0, n.columns, past_columns); ++j) {
        attention::real sum = 0;
        for (Size k = k0 * first; k < end(k0, n.inner, past_inner); ++k)
          sum += a[i * n.inner + k] * b[turned_b ? j * n.inner + k : k * n.columns + j];
        out[i * n.columns + j] = overwrites ? sum : out[i * n.columns + j] + sum;
      }
  }
};

inline Diagnosis check_multiply_block(const MultiplyBlock& learner) {
  using namespace attention;
  const auto with = [](const BlockHabit& habit) { return BlockedProduct().of(habit); };
  BlockedProduct theirs;
  bool untouched = false;
  const Diagnosis diagnosis = diagnose(
      [&] {
        const Tensor product = theirs.of(learner);
        untouched = max(product * product).item() == 0;
        return product;
      },
      matmul(from_values({theirs.a.begin(), theirs.a.begin() + 70}, {7, 10}),
             from_values({theirs.b.begin(), theirs.b.begin() + 130}, {10, 13})),
      {{with({.past_rows = true, .past_inner = true, .past_columns = true}),
        {"边上的块走过了头：7、10、13 都不是 4 的整数倍，最后一块要在矩阵的边上停住。走出一行的末"
         "尾，就走进了下一行。",
         "Blocks at the edge go too far: 7, 10 and 13 are no multiples of 4, and the last block "
         "has to stop at the matrix's edge. Past the end of a row the next row begins."}},
       {with({.past_inner = true}),
        {"k 走过了 n.inner：a 的一行读完，读进了下一行。另外两个方向的边是对的。",
         "k goes past n.inner: where a row of a ends, you read on in the next one. The other two "
         "edges are right."}},
       {with({.past_columns = true}),
        {"j 走过了 n.columns：加到下一行的开头去了。看 out 每一行的头几个数。",
         "j goes past n.columns, and adds to the beginning of the next row. Look at the first "
         "numbers of each row of out."}},
       {with({.leaves_edge_out = true}),
        {"边上不满 4 的块没有算：out 的最后几行几列是 0，k 的最后几项也没有加进来。",
         "Blocks of less than 4 at the edge are left out: the last rows and columns of out are 0, "
         "and the last terms along k are missing."}},
       {with({.overwrites = true}),
        {"后来的块盖掉了先前的：沿着 k 有三块，每块只是和的一部分，要往 out 上加。",
         "Later blocks overwrite earlier ones: there are three along k, each a part of the sum, "
         "to be added to out."}},
       {with({.begins_at_zero = true}),
        {"你的循环从 0 开始，先前的块又算了一遍：i、k、j 要从 i0、k0、j0 开始。",
         "Your loops begin at 0 and go through earlier blocks again: i, k and j begin at i0, k0 "
         "and j0."}},
       {with({.turned_b = true}),
        {"b 读反了：第 k 行第 j 列在 b[k * n.columns + j]。",
         "b is read the wrong way round: row k, column j is at b[k * n.columns + j]."}}});
  if (untouched && diagnosis.state == State::wrong) return still_to_do({});
  if (diagnosis.state == State::right && theirs.wrote_behind())
    return wrong({"积是对的，可是你写到了 out 的外面：i 不能走过 n.rows，最后一行之后是别人的数。",
                  "The product is right, but you wrote behind the end of out: i must not go past "
                  "n.rows, what lies behind the last row is not yours."});
  return diagnosis;
}

inline Diagnosis check_17(const BlockSize& block_size, const MultiplyBlock& multiply_block) {
  return first_of(
      {[&] { return check_block_size(block_size); },
       [&] {
         Diagnosis diagnosis = check_multiply_block(multiply_block);
         if (diagnosis.state != State::right) return diagnosis;
         return right(
             {fmt::format(
                  "32 KiB 的缓存放得下三个 {0} x {0} 的块：搬一个数进来，用 {0} 次才搬走。把第 17 "
                  "课里的 64 换成你的数，看看条形图。",
                  block_size(32768)),
              fmt::format(
                  "A cache of 32 KiB holds three blocks of {0} x {0}: a number fetched once is "
                  "used {0} times before it leaves. Put your number in place of the 64 of lesson "
                  "17 and look at the bars.",
                  block_size(32768))});
       }});
}

}  // namespace exercise
