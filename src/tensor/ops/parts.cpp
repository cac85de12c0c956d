// Ops that take parts of tensors and put parts together. Each comes with its mirror image: what
// slice takes out, pad puts back into zeros; what gather reads, scatter adds to.
#include <algorithm>

#include "attention/core/error.hpp"
#include "attention/core/kernels.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

// Copies between a whole (outer, n, inner) and a part of its middle axis.
void copy_part(real* part, Size part_n, real* whole, Size whole_n, Size begin, Size outer,
               Size inner, bool into_part) {
  for (Size o = 0; o < outer; ++o) {
    real* p = part + o * part_n * inner;
    real* w = whole + (o * whole_n + begin) * inner;
    into_part ? std::copy_n(w, part_n * inner, p) : std::copy_n(p, part_n * inner, w);
  }
}

Tensor pad(const Tensor& x, int axis, Size before, Size total);

struct Slice {
  int axis;
  Size begin, end;
  static constexpr auto name = "slice";
  Tensor forward(const Tensor& x) const {
    const Shape& from = x.shape();
    const Shape shape = from.with(axis, end - begin);
    Buffer out(shape.count());
    copy_part(out.fill(), end - begin, const_cast<real*>(x.data()), from[axis], begin,
              from.outer(axis), from.inner(axis), true);
    return Tensor(shape, std::move(out));
  }
  Tensors backward(const Link& l) const {
    return {pad(l.grad, axis, begin, l.in[0].shape()[axis])};
  }
  static Examples examples() {
    Examples list;
    for (int axis = 0; axis < 3; ++axis) {
      auto f = [axis](const Tensor& x) { return slice(x, axis, 1, 3); };
      list.push_back({f, sample({3, 4, 5})});
      list.push_back({f, sample({3, 3, 3})});
    }
    return list;
  }
};

// x between zeros: `before` of them in front, `total` elements in all, along one axis.
struct Pad {
  int axis;
  Size before, total;
  static constexpr auto name = "pad";
  Tensor forward(const Tensor& x) const {
    const Shape& from = x.shape();
    Tensor out = zeros(from.with(axis, total));
    copy_part(const_cast<real*>(x.data()), from[axis], out.edit(), total, before, from.outer(axis),
              from.inner(axis), false);
    return out;
  }
  Tensors backward(const Link& l) const {
    return {slice(l.grad, axis, before, before + l.in[0].shape()[axis])};
  }
  static Examples examples() {
    return {{[](const Tensor& x) { return pad(x, 1, 2, 6); }, sample({2, 3, 4})},
            {[](const Tensor& x) { return pad(x, 0, 0, 4); }, sample({3, 3})}};
  }
};

Tensor pad(const Tensor& x, int axis, Size before, Size total) {
  return apply(Pad{axis, before, total}, x);
}

struct Concat {
  int axis;
  static constexpr auto name = "concat";
  Tensor forward(const Tensors& list) const {
    Size total = 0;
    for (const Tensor& x : list) total += x.shape()[axis];
    const Shape shape = list[0].shape().with(axis, total);
    Buffer out(shape.count());
    Size begin = 0;
    for (const Tensor& x : list) {
      const Size n = x.shape()[axis];
      copy_part(const_cast<real*>(x.data()), n, out.fill(), total, begin, shape.outer(axis),
                shape.inner(axis), false);
      begin += n;
    }
    return Tensor(shape, std::move(out));
  }
  Tensors backward(const Link& l) const {
    Tensors gradients;
    Size begin = 0;
    for (const Tensor& x : l.in) {
      const Size end = begin + x.shape()[axis];
      gradients.push_back(slice(l.grad, axis, begin, end));
      begin = end;
    }
    return gradients;
  }
  static Examples examples() {
    Examples list;
    for (int axis = 0; axis < 3; ++axis) {
      auto f = [axis](const Tensor& a, const Tensor& b) { return concat({a, b, a}, axis); };
      const Shape shape{2, 3, 4};
      list.push_back({f, sample(shape), sample(shape.with(axis, 5), 2)});
      list.push_back({f, sample({3, 3, 3}), sample({3, 3, 3}, 2)});
    }
    return list;
  }
};

Tensor scatter_rows(const Tensor& x, const Shape& places, const Ids& ids, Size table_rows);
Tensor gather(const Tensor& table, const Shape& places, const Ids& ids);

struct GatherRows {
  Shape places;  // of the ids
  Ids ids;
  static constexpr auto name = "gather_rows";
  Tensor forward(const Tensor& table) const {
    const Size columns = table.shape()[1];
    const Shape shape = places.with_last(columns);
    Buffer out(shape.count());
    kernels::gather_rows(out.fill(), table.data(), ids.data(), places.count(), columns);
    return Tensor(shape, std::move(out));
  }
  Tensors backward(const Link& l) const {
    return {scatter_rows(l.grad, places, ids, l.in[0].shape()[0])};
  }
  static Examples examples() {
    const Tokens ids(Shape{2, 3}, {4, 0, 4, 1, 4, 2});
    return {{[ids](const Tensor& table) { return gather_rows(table, ids); }, sample({5, 4})}};
  }
};

struct ScatterRows {
  Shape places;
  Ids ids;
  Size table_rows;
  static constexpr auto name = "scatter_rows";
  Tensor forward(const Tensor& x) const {
    const Size columns = x.size(-1);
    const Shape shape{table_rows, columns};
    Buffer out(shape.count());
    kernels::scatter_rows(out.fill(), x.data(), ids.data(), places.count(), table_rows, columns);
    return Tensor(shape, std::move(out));
  }
  Tensors backward(const Link& l) const { return {gather(l.grad, places, ids)}; }
  static Examples examples() {
    const Ids ids{4, 0, 4, 1, 4, 2};
    return {{[ids](const Tensor& x) {
               return scatter_rows(x, {2, 3}, ids, 5);
             },
             sample({2, 3, 4})}};
  }
};

Tensor scatter_rows(const Tensor& x, const Shape& places, const Ids& ids, Size table_rows) {
  return apply(ScatterRows{places, ids, table_rows}, x);
}
Tensor gather(const Tensor& table, const Shape& places, const Ids& ids) {
  return apply(GatherRows{places, ids}, table);
}

}  // namespace

Tensor slice(const Tensor& x, int axis, Size begin, Size end) {
  check_defined("slice", x);
  axis = axis_of(x.shape(), axis, "slice");
  const Size size = x.shape()[axis];
  if (begin < 0 || begin > end || end > size)
    fail("slice: [{}, {}) of axis {} of {}: 0 <= begin <= end <= {} is needed", begin, end, axis,
         x.shape(), size);
  return apply(Slice{axis, begin, end}, x);
}

Tensor concat(const Tensors& list, int axis) {
  if (list.empty()) fail("concat: nothing to put together; at least one tensor is needed");
  check_defined("concat", list);
  const Shape& first = list[0].shape();
  axis = axis_of(first, axis, "concat");
  for (const Tensor& x : list)
    if (x.rank() != first.rank() || !(x.shape().with(axis, 0) == first.with(axis, 0)))
      fail("concat: {} and {} differ in more than axis {}", first, x.shape(), axis);
  return attention::apply(Concat{axis}, list);  // not std::apply
}

Tensor stack(const Tensors& list, int axis) {
  if (list.empty()) fail("stack: nothing to put together; at least one tensor is needed");
  check_defined("stack", list);
  const Shape& first = list[0].shape();
  std::vector<Size> sizes(first.begin(), first.end());
  const int rank = first.rank() + 1;
  if (axis < -rank || axis >= rank)
    fail("stack: new axis {} for tensors of shape {}: {} to {} are possible", axis, first, -rank,
         rank - 1);
  if (rank > Shape::max_rank)
    fail("stack: one more axis for {}, but {} are the most; concat along one it has", first,
         Shape::max_rank);
  axis = axis < 0 ? axis + rank : axis;
  sizes.insert(sizes.begin() + axis, 1);
  Tensors raised;
  for (const Tensor& x : list) {
    if (!(x.shape() == first))
      fail("stack: shapes differ: {} and {}; concat takes different sizes of one axis", first,
           x.shape());
    raised.push_back(reshape(x, Shape(sizes)));
  }
  return concat(raised, axis);
}

Tensor gather_rows(const Tensor& table, const Tokens& ids) {
  check_defined("gather_rows", table);
  ids.check("gather_rows");
  if (table.rank() != 2)
    fail("gather_rows: a table of shape {}; (rows, columns) is needed", table.shape());
  if (table.size(0) == 0 && !ids.ids.empty())
    fail("gather_rows: {} ids for a table of shape {}, which has no rows", ids.ids.size(),
         table.shape());
  if (ids.shape.rank() == Shape::max_rank)
    fail("gather_rows: ids of shape {}: a row for each would be one axis more than {}", ids.shape,
         Shape::max_rank);
  for (std::size_t i = 0; i < ids.ids.size(); ++i)
    if (ids.ids[i] < 0 || ids.ids[i] >= table.size(0))
      fail("gather_rows: id {} at position {}: the table has ids 0 to {} (V = {})", ids.ids[i], i,
           table.size(0) - 1, table.size(0));
  return gather(table, ids.shape, ids_of(ids));
}

}  // namespace attention
