// What tensors, tokens, masks and whoever makes them refuse.
#include <climits>

#include "attention/tensor/anomaly.hpp"
#include "attention/tensor/op.hpp"
#include "misuse.hpp"

using namespace attention;

namespace {

const Tensor matrix = ones({2, 3});
const std::string no_value = "tensor: used before it was given a value (it is undefined)";
const Size countable = Size(1) << std::numeric_limits<real>::digits;  // whole numbers

Tensor made() { return exp(leaf(ones({2}))); }

}  // namespace

TEST_CASE("misuse: a tensor without a value") {
  refuse({
      {"Tensor::shape", "undefined", [] { Tensor().shape(); }, no_value},
      {"Tensor::rank", "undefined", [] { Tensor().rank(); }, no_value},
      {"Tensor::count", "undefined", [] { Tensor().count(); }, no_value},
      {"Tensor::size", "undefined", [] { Tensor().size(0); }, no_value},
      {"Tensor::data", "undefined", [] { Tensor().data(); }, no_value},
      {"all_finite", "undefined", [] { all_finite(Tensor()); }, no_value},
      {"not_finite", "undefined", [] { not_finite(Tensor()); }, no_value},
      {"Tensor::item", "undefined", [] { Tensor().item(); }, no_value},
      {"Tensor::at", "undefined", [] { Tensor().at({0}); }, no_value},
      {"Tensor::edit", "undefined", [] { Tensor().edit(); }, no_value},
      {"Tensor::require_grad", "undefined", [] { Tensor().require_grad(); }, no_value},
      {"Tensor::requires_grad", "undefined", [] { Tensor().requires_grad(); }, no_value},
      {"Tensor::grad", "undefined", [] { Tensor().grad(); }, no_value},
      {"Tensor::set_grad", "undefined", [] { Tensor().set_grad(matrix); }, no_value},
      {"Tensor::clear_grad", "undefined", [] { Tensor().clear_grad(); }, no_value},
      {"Tensor::detach", "undefined", [] { Tensor().detach(); }, no_value},
      {"Tensor::clone", "undefined", [] { Tensor().clone(); }, no_value},
      {"Tensor::node", "undefined", [] { Tensor().node(); }, no_value},
      {"Tensor::item", "moved from",
       [] {
         Tensor x(1);
         const Tensor y = std::move(x);
         x.item();
       },
       no_value},
  });
}

TEST_CASE("misuse: values, sizes and indices of a tensor") {
  refuse({
      {"Tensor::Tensor", "values of another count",
       [] {
         Tensor(Shape{2, 3}, Buffer(5));
       },
       "tensor: 5 values for shape (2, 3), which has 6"},
      {"Tensor::Tensor", "no values",
       [] {
         Tensor(Shape{2, 3}, Buffer());
       },
       "tensor: 0 values for shape (2, 3), which has 6"},
      {"Node::Node", "values of another count",
       [] {
         Node(Shape{2, 3}, Buffer(5));
       },
       "tensor: 5 values for shape (2, 3), which has 6"},
      {"Tensor::size", "an axis it does not have", [] { matrix.size(2); },
       "size: axis 2 of (2, 3): there are 2 axes, so -2 to 1 are possible"},
      {"Tensor::size", "far before the first", [] { matrix.size(INT_MIN); },
       "size: axis -2147483648 of (2, 3): there are 2 axes, so -2 to 1 are possible"},
      {"Tensor::size", "of a scalar", [] { Tensor(1).size(-1); },
       "size: axis -1 of a scalar, which has no axes"},
      {"Tensor::item", "several values", [] { matrix.item(); },
       "item: (2, 3) has 6 values; sum or index it first"},
      {"Tensor::item", "no value", [] { zeros({0}).item(); },
       "item: (0,) has 0 values; sum or index it first"},
      {"Tensor::at", "too few indices", [] { matrix.at({1}); },
       "at: 1 indices for shape (2, 3); give one for each of its 2 axes"},
      {"Tensor::at", "an index of a scalar", [] { Tensor(1).at({0}); },
       "at: 1 indices for shape (); give one for each of its 0 axes"},
      {"Tensor::at", "beyond the last",
       [] {
         matrix.at({1, 3});
       },
       "at: index 3 on axis 1 of (2, 3): 0 to 2 are possible"},
      {"Tensor::at", "before the first",
       [] {
         matrix.at({-1, 0});
       },
       "at: index -1 on axis 0 of (2, 3): 0 to 1 are possible"},
      {"Tensor::at", "of nothing",
       [] {
         zeros({0, 2}).at({0, 0});
       },
       "at: axis 0 of (0, 2) is empty: there is no value"},
  });
}

TEST_CASE("misuse: leaves and gradients") {
  refuse({
      {"Tensor::edit", "what an op made", [] { made().edit(); },
       "edit: this tensor was made by exp; only leaves can be changed. detach() or clone() it"},
      {"Tensor::require_grad", "what an op made", [] { made().require_grad(); },
       "require_grad: this tensor was made by exp; only leaves keep a gradient. detach() it first"},
      {"Tensor::require_grad", "a constant in a graph",
       [] {
         Tensor constant = ones({3});
         const Tensor y = leaf(ones({3})) * constant;
         constant.require_grad();
       },
       "require_grad: this tensor, shape (3,), is a constant in a graph already; ask before its "
       "first use, or take clone().require_grad()"},
      {"Tensor::grad", "what an op made", [] { made().grad(); },
       "grad: this tensor was made by exp; only leaves keep a gradient; gradients() returns it"},
      {"Tensor::set_grad", "what an op made", [] { made().set_grad(ones({2})); },
       "set_grad: this tensor was made by exp; only leaves keep a gradient"},
      {"Tensor::set_grad", "another shape",
       [] {
         leaf(ones({2, 3})).set_grad(ones({3, 2}));
       },
       "set_grad: a gradient of shape (3, 2) for a tensor of shape (2, 3); they have to be equal"},
      {"Tensor::set_grad", "itself",
       [] {
         Tensor x = leaf(ones({2}));
         x.set_grad(x);
       },
       "set_grad: a tensor of shape (2,) cannot be its own gradient; clone() it"},
  });
}

TEST_CASE("misuse: making tensors") {
  refuse({
      {"zeros", "a negative size", [] { zeros({-1}); },
       "shape: a size is negative: (-1,); each has to be given, none is worked out"},
      {"zeros", "more than any machine holds",
       [] {
         zeros({Size(1) << 31, Size(1) << 31});
       },
       "memory: 4611686018427387904 numbers are more than any machine holds; make it smaller"},
      {"ones", "a negative size",
       [] {
         ones({2, -3});
       },
       "shape: a size is negative: (2, -3); each has to be given, none is worked out"},
      {"full", "a negative size",
       [] {
         full({-2, 0}, 1);
       },
       "shape: a size is negative: (-2, 0); each has to be given, none is worked out"},
      {"from_values", "too few values",
       [] {
         from_values({1, 2, 3}, {2, 2});
       },
       "from_values: 3 values for shape (2, 2), which has 4"},
      {"from_values", "several for a scalar",
       [] {
         from_values({1, 2}, {});
       },
       "from_values: 2 values for shape (), which has 1"},
      {"from_values", "none for a scalar", [] { from_values({}, {}); },
       "from_values: 0 values for shape (), which has 1"},
      {"uniform", "from high to low",
       [] {
         Random random(1);
         uniform({2}, 2, 1, random);
       },
       "uniform: from 2 to 1; both have to be finite, and the lower one comes first"},
      {"uniform", "to NaN",
       [] {
         Random random(1);
         uniform({2}, 0, not_a_number, random);
       },
       "uniform: from 0 to nan; both have to be finite, and the lower one comes first"},
      {"uniform", "to infinity",
       [] {
         Random random(1);
         uniform({2}, 0, infinity, random);
       },
       "uniform: from 0 to inf; both have to be finite, and the lower one comes first"},
      {"normal", "a negative deviation",
       [] {
         Random random(1);
         normal({2}, 0, -1, random);
       },
       "normal: a mean of 0 and a deviation of -1; finite numbers are needed, and a deviation of "
       "at least 0"},
      {"normal", "a mean of NaN",
       [] {
         Random random(1);
         normal({2}, not_a_number, 1, random);
       },
       "normal: a mean of nan and a deviation of 1; finite numbers are needed, and a deviation of "
       "at least 0"},
      {"arange", "a negative count", [] { arange(-1); },
       fmt::format("arange: -1 numbers; 0 to {} are possible: beyond, `real` skips whole numbers",
                   countable)},
      {"arange", "more than real counts", [] { arange(countable + 1); },
       fmt::format("arange: {} numbers; 0 to {} are possible: beyond, `real` skips whole numbers",
                   countable + 1, countable)},
      {"arange", "no step", [] { arange(0, 3, 0); },
       "arange: from 0 to 3 in steps of 0 never arrives; check the step"},
      {"arange", "a step of NaN", [] { arange(0, 3, not_a_number); },
       "arange: from 0 to 3 in steps of nan never arrives; check the step"},
      {"arange", "to infinity", [] { arange(0, infinity, 1); },
       "arange: from 0 to inf in steps of 1 never arrives; check the step"},
      {"arange", "steps without end", [] { arange(0, real(1e30), 1); },
       "arange: from 0 to 1e+30 in steps of 1 are 1e+30 numbers, more than `real` counts; take "
       "larger steps"},
      {"identity", "a negative size", [] { identity(-1); },
       "identity: -1 rows and columns; their number cannot be negative"},
      {"identity", "2^64 elements", [] { identity(Size(1) << 32); },
       "shape: (4294967296, 4294967296) has more elements than 64 bits count"},
      {"sample", "a negative size", [] { sample({-1}); },
       "shape: a size is negative: (-1,); each has to be given, none is worked out"},
      {"sample", "from high to low", [] { sample({2}, 1, 0); },
       "uniform: from 1 to 0; both have to be finite, and the lower one comes first"},
  });
}
