// Moving values about: permuting axes, looking rows up in a table and adding them back to it.
#include <algorithm>

#include "attention/core/kernels.hpp"
#include "attention/core/threads.hpp"

namespace attention::kernels {

// Axes that stay neighbours in order are moved as one, and a last axis that stays last is copied in
// whole rows: splitting and merging heads is that case.
void permute(real* out, const real* x, const Shape& shape, const Axes& axes) {
  const SizeList steps = broadcast_steps(shape, shape);
  SizeList sizes, from;
  for (int axis : axes) {
    sizes.push_back(shape[axis]);
    from.push_back(steps[axis]);
  }
  int row_axes = 0;  // trailing axes of the result that lie behind one another in x, too
  Size row = 1;
  for (int i = shape.rank() - 1; i >= 0 && (sizes[i] == 1 || from[i] == row); --i, ++row_axes)
    row *= sizes[i];
  if (row_axes == 0 && shape.rank() > 0) {  // step along the last axis instead
    row = sizes.back();
    row_axes = 1;
  }
  const Size step = row_axes == 0 || from.back() == 1 || sizes.back() == 1 ? 1 : from.back();
  const std::size_t leading = sizes.size() - row_axes;
  const Offsets at(std::span(sizes.data(), leading), std::span(from.data(), leading));
  const Size rows = row > 0 ? shape.count() / row : 0;
  parallel_for(rows, 1, shape.count() * moving, [&](Size begin, Size end) {
    for (Size r = begin; r < end; ++r) {
      const real* source = x + at(r);
      real* to = out + r * row;
      if (step == 1) {
        std::copy_n(source, row, to);
      } else {
        for (Size i = 0; i < row; ++i) to[i] = source[i * step];
      }
    }
  });
}

void gather_rows(real* out, const real* table, const int* ids, Size count, Size columns) {
  parallel_for(count, 1, count * columns * moving, [&](Size begin, Size end) {
    for (Size i = begin; i < end; ++i)
      std::copy_n(table + ids[i] * columns, columns, out + i * columns);
  });
}

// Two rows may add to the same place, so threads share out the columns, not the rows.
void scatter_rows(real* out, const real* x, const int* ids, Size count, Size table_rows,
                  Size columns) {
  std::fill_n(out, table_rows * columns, real(0));
  parallel_for(columns, 16, count * columns * moving, [&](Size begin, Size end) {
    for (Size i = 0; i < count; ++i) {
      real* to = out + ids[i] * columns;
      const real* row = x + i * columns;
      for (Size j = begin; j < end; ++j) to[j] += row[j];
    }
  });
}

}  // namespace attention::kernels
