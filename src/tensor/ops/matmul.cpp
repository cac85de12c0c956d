// The matrix product and its two gradients, which are matrix products too: no operand is ever
// transposed in memory, a flag tells the kernel to read it the other way round. And the same with a
// bias, which the kernel adds while the sums are still in registers.
#include "attention/core/error.hpp"
#include "attention/core/kernels.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

Transpose flags(bool a, bool b) {
  return static_cast<Transpose>(a * transpose_a + b * transpose_b);
}

// With C = A B: dA = dC Bᵀ and dB = Aᵀ dC. With a flag set, A or B stands for the transpose of what
// is stored, and the gradient of what is stored is the transpose of that.
struct Matmul {
  bool a_flipped, b_flipped;
  static constexpr auto name = "matmul";

  Tensor forward(const Tensor& a, const Tensor& b) const {
    const Shape &x = a.shape(), &y = b.shape();
    const kernels::Product size{x[x.rank() - (a_flipped ? 1 : 2)],
                                x[x.rank() - (a_flipped ? 2 : 1)],
                                y[y.rank() - (b_flipped ? 2 : 1)], a_flipped, b_flipped};

    const Shape batch = batches(x, y);
    const Shape shape = batch.with_last(size.rows).with_last(size.columns);
    Buffer out(shape.count());
    kernels::matmul_batched(out.fill(), a.data(), matrices(x, batch), b.data(), matrices(y, batch),
                            batch.count(), size);
    return Tensor(shape, std::move(out));
  }

  Tensors backward(const Link& l) const {
    const Tensor &a = l.in[0], &b = l.in[1];
    Tensor to_a, to_b;
    if (l.wants(0))
      to_a = a_flipped ? matmul(b, l.grad, flags(b_flipped, true))
                       : matmul(l.grad, b, flags(false, !b_flipped));
    if (l.wants(1))
      to_b = b_flipped ? matmul(l.grad, a, flags(true, a_flipped))
                       : matmul(a, l.grad, flags(!a_flipped, false));
    return {to_a, to_b};
  }

  // The axes before the last two, and where in memory the matrix of each batch index begins.
  static Shape leading(const Shape& shape) {
    return Shape(std::span(shape.begin(), shape.end() - 2));
  }
  static Shape batches(const Shape& x, const Shape& y) {
    try {
      return broadcast(leading(x), leading(y), name);
    } catch (const Error&) {
      fail(
          "matmul: the batches of {} x {} do not broadcast: {} and {}; all but the last two axes "
          "have to be equal, 1 or missing",
          x, y, leading(x), leading(y));
    }
  }
  static Offsets matrices(const Shape& shape, const Shape& batch) {
    SizeList steps = broadcast_steps(leading(shape), batch);
    for (Size& step : steps) step *= shape[shape.rank() - 1] * shape[shape.rank() - 2];
    return Offsets(std::span(batch.begin(), batch.end()), steps);
  }

  static Examples examples() {
    Examples list;
    for (int flip = 0; flip < 4; ++flip) {
      auto f = [flip](const Tensor& a, const Tensor& b) {
        return matmul(a, b, static_cast<Transpose>(flip));
      };
      auto shape = [](SizeList batch, Size rows, Size columns, bool flipped) {
        batch.push_back(flipped ? columns : rows);
        batch.push_back(flipped ? rows : columns);
        return Shape(batch);
      };
      const bool a = flip & transpose_a, b = flip & transpose_b;
      auto add = [&](SizeList a_batch, SizeList b_batch) {
        list.push_back({f, sample(shape(a_batch, 3, 4, a)), sample(shape(b_batch, 4, 5, b), 2)});
      };
      add({}, {});
      add({2}, {2});
      add({2, 1}, {3});
      add({2}, {});
      add({}, {2});
      list.push_back({f, sample({3, 3, 3}), sample({3, 3, 3}, 2)});
    }
    return list;
  }
};

// y = x W + b, so dx = g Wᵀ, dW = xᵀ g, and db is the sum of g over all rows: backward() takes it,
// as of every operand that was stretched.
struct Linear {
  static constexpr auto name = "linear";

  Tensor forward(const Tensor& x, const Tensor& weight, const Tensor& bias) const {
    const Size in = weight.size(0), out = weight.size(1);
    const Shape shape = x.shape().with(x.rank() - 1, out);
    Buffer y(shape.count());
    kernels::matmul(y.fill(), x.data(), weight.data(), {x.shape().outer(x.rank() - 1), in, out},
                    {bias.data(), 0});
    return Tensor(shape, std::move(y));
  }
  Tensors backward(const Link& l) const {
    const Tensor g = rows(l.grad);
    return {l.wants(0) ? reshape(matmul(g, l.in[1], transpose_b), l.in[0].shape()) : Tensor(),
            l.wants(1) ? matmul(rows(l.in[0]), g, transpose_a) : Tensor(), l.grad};
  }

  static Tensor rows(const Tensor& x) {
    return reshape(x, {x.shape().outer(x.rank() - 1), x.size(-1)});
  }
  static Examples examples() {
    auto with = [](const Shape& x, Size out) {
      return Example{linear, sample(x), sample({x[x.rank() - 1], out}, 2), sample({out}, 3)};
    };
    return {with({2, 3, 4}, 5), with({3, 4}, 2), with({4}, 3), with({3, 3, 3}, 3)};
  }
};

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  check_defined("linear", x, weight, bias);
  if (x.rank() < 1 || weight.rank() != 2 || x.size(-1) != weight.size(0) ||
      !(bias.shape() == Shape{weight.size(1)}))
    fail("linear: {} x {} + {}; (…, in) x (in, out) + (out,) is needed", x.shape(), weight.shape(),
         bias.shape());
  return apply(Linear{}, x, weight, bias);
}

Tensor matmul(const Tensor& a, const Tensor& b, Transpose transpose) {
  check_defined("matmul", a, b);
  if (a.rank() < 2 || b.rank() < 2)
    fail("matmul: {} x {}: both need at least two axes; reshape a vector to (1, n) or (n, 1)",
         a.shape(), b.shape());
  const bool flip_a = transpose & transpose_a, flip_b = transpose & transpose_b;
  const Size a_inner = a.size(flip_a ? -2 : -1), b_inner = b.size(flip_b ? -1 : -2);
  if (a_inner != b_inner)
    fail("matmul: inner sizes differ: {}{} x {}{} ({} and {}); transpose one, or check the order",
         a.shape(), flip_a ? " transposed" : "", b.shape(), flip_b ? " transposed" : "", a_inner,
         b_inner);
  // One matrix for a whole batch, as in a linear layer: the batch is just more rows.
  if (a.rank() > 2 && b.rank() == 2 && !flip_a) {
    const Size rows = a.shape().outer(a.rank() - 1);
    const Tensor product = matmul(reshape(a, {rows, a_inner}), b, transpose);
    return reshape(product, a.shape().with(a.rank() - 1, product.size(-1)));
  }
  return apply(Matmul{flip_a, flip_b}, a, b);
}

}  // namespace attention
