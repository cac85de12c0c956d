// Layer normalization in one op: it is normalize(x) * gain + bias, and so are its gradients,
// whether they come from the kernel or from the formula that is recorded. Values by hand are in
// op_values_test.cpp.
#include <cmath>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

constexpr real inside = real(0.1);  // eps: large enough to be seen

struct Layer {
  Tensor x, gain, bias;

  explicit Layer(const Shape& shape)
      : x(leaf(drawn(shape, 1) * 3)),
        gain(leaf(drawn({shape[shape.rank() - 1]}, 2))),
        bias(leaf(drawn({shape[shape.rank() - 1]}, 3))) {}

  Tensor at_once() const { return layer_norm(x, gain, bias, inside); }
  Tensor in_steps() const { return normalize(x, inside) * gain + bias; }
  Tensors slopes(const Tensor& y, bool record = false) const {
    return gradients(sum(y * drawn(y.shape(), 4)), {x, gain, bias}, {.record = record});
  }
};

void check_near(const Tensors& got, const Tensors& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("the gradient of " << (i == 0 ? "x" : i == 1 ? "gain" : "bias"));
    CHECK(distance(got[i], expected[i]) <= 64 * eps);
  }
}

bool nan_everywhere(const Tensor& x) {
  for (const real value : values(x))
    if (!std::isnan(value)) return false;
  return true;
}

bool nan_nowhere(const Tensor& x) {
  for (const real value : values(x))
    if (std::isnan(value)) return false;
  return true;
}

}  // namespace

TEST_CASE("layer norm at once is layer norm in steps, and so are its gradients") {
  // Columns that fill no whole vectors, or several; rows that fill blocks of 32 and parts of one.
  for (const Shape& shape :
       {Shape{2, 5}, Shape{3, 4, 19}, Shape{7, 16}, Shape{32, 3}, Shape{33, 67}, Shape{5, 7, 4},
        Shape{41}, Shape{6, 1}, Shape{3, 3, 3}}) {
    INFO(to_string(shape));
    const Layer layer(shape);
    const Tensor y = layer.at_once();
    CHECK(distance(y, layer.in_steps()) <= 32 * eps);
    const Tensors steps = layer.slopes(layer.in_steps()), fused = layer.slopes(y),
                  formula = layer.slopes(layer.at_once(), true);
    check_near(fused, steps);
    check_near(formula, steps);
    CHECK_FALSE(fused[0].requires_grad());
    CHECK(formula[0].requires_grad());
    CHECK(distance(steps[2], zeros(steps[2].shape())) > 0.01);
  }
}

TEST_CASE("a row of one column has nothing left but the bias") {
  const Layer layer({6, 1});
  const Tensor y = layer.at_once();
  CHECK(values(y) == std::vector<real>(6, layer.bias.item()));
  const Tensors slopes = layer.slopes(y);
  CHECK(distance(slopes[0], zeros({6, 1})) <= 8 * eps);
  CHECK(values(slopes[1]) == std::vector<real>{0});
  CHECK(slopes[2].item() == Approx(sum(drawn({6, 1}, 4)).item()).epsilon(8 * eps));
}

TEST_CASE("layer norm keeps its digits far from zero") {
  const Tensor near = from_values({0, 1, 3, 7}), gain = ones({4}), bias = zeros({4});
  CHECK(distance(layer_norm(near + 1000000, gain, bias), layer_norm(near, gain, bias)) <= 8 * eps);
}

TEST_CASE("layer norm does not hide what is not a number, and keeps it to its row") {
  for (const real odd : {not_a_number, infinity, -infinity})
    for (const Size column : {0, 7, 18}) {
      INFO(odd << " in column " << column);
      const Layer layer({3, 19});
      Tensor(layer.x).edit()[19 + column] = odd;
      const Tensor y = layer.at_once();
      const Tensors slopes = layer.slopes(y);
      for (const Tensor& rows : {y, slopes[0]}) {
        CHECK(nan_everywhere(slice(rows, 0, 1, 2)));
        CHECK(nan_nowhere(slice(rows, 0, 0, 1)));
        CHECK(nan_nowhere(slice(rows, 0, 2, 3)));
      }
      CHECK(nan_everywhere(slopes[1]));
      CHECK(nan_nowhere(slopes[2]));
    }
}

TEST_CASE("a gradient that is not a number is not hidden either") {
  const Layer layer({3, 19});
  Tensor weight = ones({3, 19});
  weight.edit()[19 + 4] = not_a_number;
  const Tensors slopes =
      gradients(sum(layer.at_once() * weight), {layer.x, layer.gain, layer.bias});
  CHECK(nan_everywhere(slice(slopes[0], 0, 1, 2)));
  CHECK(nan_nowhere(slice(slopes[0], 0, 2, 3)));
  for (Size column = 0; column < 19; ++column) {
    CHECK(std::isnan(slopes[1].at({column})) == (column == 4));
    CHECK(std::isnan(slopes[2].at({column})) == (column == 4));
  }
}
