// An op: compute a result, and remember how. Whoever writes an op gives a name, a forward, a
// backward and examples; using it through apply() also enlists it, and everything enlisted has its
// gradient checked by the tests. Next: ops.hpp, the ops there are.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <utility>

#include "attention/core/elementwise.hpp"
#include "attention/tensor/tensor.hpp"

namespace attention {

// Token ids that an op keeps for its rule.
using Ids = std::vector<int, Pooled<int>>;
inline Ids ids_of(const Tokens& tokens) { return Ids(tokens.ids.begin(), tokens.ids.end()); }

// A function to differentiate and where: "softmax" at three random vectors, say.
struct Example {
  template <class Function, std::same_as<Tensor>... Inputs>
  Example(Function function, Inputs... inputs) : inputs{std::move(inputs)...} {
    if constexpr (std::invocable<Function, const Tensors&>) {
      f = function;
    } else {
      f = [function]<std::size_t... I>(std::index_sequence<I...>) {
        return [function](const Tensors& x) -> Tensor { return function(x[I]...); };
      }
      (std::index_sequence_for<Inputs...>{});
    }
  }
  std::function<Tensor(const Tensors&)> f;
  Tensors inputs;
};
using Examples = std::vector<Example>;

// A tensor of normally distributed values for an example: the same for the same shape. With
// `low` and `high`, uniform between them.
Tensor sample(const Shape& shape, std::uint64_t seed = 1);
Tensor sample(const Shape& shape, real low, real high, std::uint64_t seed = 1);

template <class Op>
concept Operator = requires(const Op& op, const Link& link) {
  { Op::name } -> std::convertible_to<std::string_view>;
  { op.backward(link) } -> std::same_as<Tensors>;
  { Op::examples() } -> std::same_as<Examples>;
};  // … and forward(const Tensor&, …), which apply() calls

struct Listed {
  std::string name;
  Examples (*examples)();
};
const std::vector<Listed>& registry();  // every op that the program can use, by name

bool enlist(std::string_view name, Examples (*examples)());
template <Operator Op>
inline const bool listed = enlist(Op::name, &Op::examples);

// Throws, naming the op and the first of its inputs that is undefined, if any is.
void refuse_undefined(std::string_view op, std::initializer_list<bool> defined);
template <std::same_as<Tensor>... Inputs>
void check_defined(std::string_view op, const Inputs&... inputs) {
  if (!(inputs.defined() && ...)) refuse_undefined(op, {inputs.defined()...});
}
void check_defined(std::string_view op, const Tensors& inputs);

// Makes `out` remember that `name` made it from `inputs`, and the rule to go back.
Tensor remember(Tensor out, std::string_view name, Tensors inputs, Rule rule);

// The same from the op itself. One that gives infinities by definition has may_be_infinite(), and
// says there whether it does; of others they are a fault, which AnomalyMode (anomaly.hpp) reports.
template <Operator Op>
Tensor remember(Tensor out, const Op& op, Tensors inputs) {
  out = remember(std::move(out), Op::name, std::move(inputs),
                 [op](const Link& link) { return op.backward(link); });
  if constexpr (requires { op.may_be_infinite(); })
    out.node().may_be_infinite = op.may_be_infinite();
  return out;
}

// The result of op.forward(inputs…), connected to the inputs if one of them wants a gradient.
template <Operator Op, std::same_as<Tensor>... Inputs>
Tensor apply(const Op& op, const Inputs&... inputs) {
  static_cast<void>(&listed<Op>);
  check_defined(Op::name, inputs...);
  Tensor out = (NoGrad(), op.forward(inputs...));
  if (!recording() || !(inputs.requires_grad() || ...)) return out;
  return remember(std::move(out), op, {inputs...});
}

// The same for an op that takes any number of inputs.
template <Operator Op>
Tensor apply(const Op& op, const Tensors& inputs) {
  static_cast<void>(&listed<Op>);
  check_defined(Op::name, inputs);
  Tensor out = (NoGrad(), op.forward(inputs));
  bool wanted = false;
  for (const Tensor& input : inputs) wanted = wanted || input.requires_grad();
  if (!recording() || !wanted) return out;
  return remember(std::move(out), op, inputs);
}

// f of each element, and f of each pair of elements (stretched to a common shape). `cost`: about
// how many multiply-adds a call of f is worth.
template <class F>
Tensor map(const Tensor& x, Size cost, F f) {
  check_defined("map", x);
  Buffer out(x.count());
  kernels::map(out.fill(), x.data(), x.count(), cost, f);
  return Tensor(x.shape(), std::move(out));
}

template <class F>
Tensor zip(const Tensor& a, const Tensor& b, std::string_view op, Size cost, F f) {
  check_defined(op, a, b);
  const Shape shape = broadcast(a.shape(), b.shape(), op);
  Buffer out(shape.count());
  kernels::zip(out.fill(), shape, a.data(), a.shape(), b.data(), b.shape(), cost, f);
  return Tensor(shape, std::move(out));
}

}  // namespace attention
