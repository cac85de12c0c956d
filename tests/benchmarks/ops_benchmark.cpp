// Every op of tensor/ops.hpp at the sizes of a small model's training step: `forward` records
// nothing, `both` goes forward and back again to every input. An op that has enlisted itself and is
// missing in the table is named at the start.
#include "attention/tensor/ops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/op.hpp"
#include "benchmark.hpp"

using namespace attention;
using namespace attention::benchmarks;

namespace {

struct Case {
  std::string name;
  Example example;
  Size inner = 0;  // of a matrix product: the products that make up an element
};
using Cases = std::vector<Case>;

constexpr Size B = 32, T = 64, C = 128, H = 4, D = C / H, V = 64;  // as in nn/transformer.hpp
const Shape x_shape{B, T, C}, hidden{B, T, 4 * C}, heads{B, H, T, D}, scores{B, H, T, T};

Cases arithmetic() {
  const Tensor x = sample(x_shape), y = sample(x_shape, 2), positive = sample(x_shape, 1, 2);
  const Mask mask = greater(x, y);
  return {{"add", {std::plus<Tensor>(), x, y}},
          {"add/row", {std::plus<Tensor>(), x, sample({C})}},
          {"subtract", {std::minus<Tensor>(), x, y}},
          {"multiply", {std::multiplies<Tensor>(), x, y}},
          {"multiply/number", {[](const Tensor& a) { return a * 2; }, x}},
          {"divide", {std::divides<Tensor>(), x, positive}},
          {"negate", {std::negate<Tensor>(), x}},
          {"pow", {[](const Tensor& a) { return pow(a, real(1.5)); }, positive}},
          {"pow/square", {[](const Tensor& a) { return pow(a, 2); }, x}},
          {"where", {[=](const Tensor& a, const Tensor& b) { return where(mask, a, b); }, x, y}}};
}

Cases functions() {
  const Tensor x = sample(hidden), positive = sample(hidden, 1, 2);
  const auto of = [](const Tensor& at, const char* name, Tensor (*f)(const Tensor&)) {
    return Case{name, {f, at}};
  };
  return {of(x, "exp", exp),   of(positive, "log", log),  of(positive, "sqrt", sqrt),
          of(x, "tanh", tanh), of(x, "sigmoid", sigmoid), of(x, "relu", relu),
          of(x, "erf", erf),   of(x, "gelu", gelu),       of(x, "gelu_tanh", gelu_tanh)};
}

Cases products() {
  const auto times = [](Transpose which) {
    return [=](const Tensor& a, const Tensor& b) { return matmul(a, b, which); };
  };
  return {
      {"matmul/linear", {times(no_transpose), sample(x_shape), sample({C, 4 * C})}, C},
      {"linear", {linear, sample(x_shape), sample({C, 4 * C}), sample({4 * C})}, C},
      {"matmul/scores", {times(transpose_b), sample(heads), sample(heads, 2)}, D},
      {"matmul/values", {times(no_transpose), sample(scores), sample(heads)}, T},
  };
}

Cases attention_cases() {
  const Tensor x = sample(x_shape), y = sample(x_shape, 2), z = sample(x_shape, 3);
  const Mask causal = causal_mask(T);
  return {
      {"attend",
       {[](const Tensor& q, const Tensor& k, const Tensor& v) { return attend_heads(q, k, v, H); },
        x, y, z}},
      {"attend/causal",
       {[=](const Tensor& q, const Tensor& k, const Tensor& v) {
          return attend_heads(q, k, v, H, causal);
        },
        x, y, z}},
      {"attend/causal_by_formula",
       {[=](const Tensor& q, const Tensor& k, const Tensor& v) {
          const AttentionMaps kept;
          return attend_heads(q, k, v, H, causal);
        },
        x, y, z}}};
}

Cases layout() {
  const Tensor x = sample(x_shape), y = sample(x_shape, 2), split = sample({B, T, H, D});
  Random random(1);
  std::vector<int> ids(B * T);
  for (int& id : ids) id = static_cast<int>(random.below(V));
  const Tokens tokens({B, T}, ids);
  return {
      {"reshape",
       {[](const Tensor& a) {
          return reshape(a, {B, T, H, D});
        },
        x}},
      {"permute",
       {[](const Tensor& a) {
          return permute(a, {0, 2, 1, 3});
        },
        split}},
      {"transpose", {[](const Tensor& a) { return transpose(a, 1, 2); }, x}},
      {"broadcast_to", {[](const Tensor& a) { return broadcast_to(a, x_shape); }, sample({C})}},
      {"slice", {[](const Tensor& a) { return slice(a, 1, 0, T / 2); }, x}},
      {"concat", {[](const Tensors& list) { return concat(list, 1); }, x, y}},
      {"stack", {[](const Tensors& list) { return stack(list, 1); }, x, y}},
      {"gather_rows", {[=](const Tensor& a) { return gather_rows(a, tokens); }, sample({V, C})}},
  };
}

using Reduce = Tensor (*)(const Tensor&, const Axes&, Keep);
using ReduceAll = Tensor (*)(const Tensor&);

Cases reductions() {
  const Tensor x = sample(x_shape);
  Cases cases;
  const auto add = [&](const std::string& name, Reduce f, ReduceAll all) {
    cases.push_back({name + "/last", {[=](const Tensor& a) { return f(a, -1, drop); }, x}});
    cases.push_back({name + "/leading", {[=](const Tensor& a) { return f(a, {0, 1}, drop); }, x}});
    cases.push_back({name + "/all", {all, x}});
  };
  add("sum", sum, sum);
  add("mean", mean, mean);
  add("max", max, max);
  add("variance", variance, variance);
  return cases;
}

Cases rows() {
  const Tensor x = sample(x_shape), s = sample(scores), gain = sample({C}), bias = sample({C}, 2);
  const Mask causal = causal_mask(T);
  const Tokens targets({B, T}, std::vector<int>(B * T, 1));
  const auto loss = [=](real smoothing) {
    return [=](const Tensor& a) { return cross_entropy(a, targets, {.smoothing = smoothing}); };
  };
  const auto noise = [](const Tensor& a) {
    static Random random(1);
    return dropout(a, real(0.1), random);
  };
  return {
      {"softmax", {[](const Tensor& a) { return softmax(a, -1); }, s}},
      {"softmax/causal", {[=](const Tensor& a) { return softmax(a, -1, causal); }, s}},
      {"log_softmax", {[](const Tensor& a) { return log_softmax(a, -1); }, s}},
      {"cross_entropy", {loss(0), sample({B, T, V})}},
      {"cross_entropy/smooth", {loss(real(0.1)), sample({B, T, V})}},
      {"normalize", {[](const Tensor& a) { return normalize(a); }, x}},
      {"layer_norm",
       {[](const Tensor& a, const Tensor& g, const Tensor& b) { return layer_norm(a, g, b); }, x,
        gain, bias}},
      {"dropout", {noise, x}},
  };
}

// A loss whose gradient with respect to y is given: so no op but those of y is timed.
Tensor loss_with_gradient(const Tensor& y, const Tensor& gradient) {
  return remember(Tensor(real(0)), "loss", {y}, [=](const Link&) { return Tensors{gradient}; });
}

void add_case(const Case& c) {
  const auto f = c.example.f;
  const Tensors inputs = c.example.inputs;
  const Tensor y = (NoGrad(), f(inputs)), gradient = sample(y.shape());
  Size moved = y.data() == inputs[0].data() ? 0 : y.count();  // none where memory is shared
  for (const Tensor& input : inputs) moved += moved > 0 ? input.count() : 0;
  Amount amount{.flops = 2.0 * static_cast<double>(y.count() * c.inner)};
  if (c.inner == 0) amount.bytes = static_cast<double>(moved) * sizeof(real);

  add(c.name + "/forward", amount, [=] {
    const NoGrad unrecorded;
    f(inputs);
  });
  // Backward reads and writes as much again: a gradient for each; a product has one per operand.
  add(c.name + "/both", {2 * amount.bytes, 3 * amount.flops},
      [=] { gradients(loss_with_gradient(f(inputs), gradient), inputs); });
}

// Ops that have enlisted themselves, but are made neither by a case nor on the way back from it.
std::string not_timed(const Cases& cases) {
  std::string names;
  for (const Listed& op : registry()) {
    const bool timed = std::ranges::any_of(cases, [&](const Case& c) {
      const auto& [f, inputs] = c.example;
      const Tensor y = f(inputs);
      Tensors made = gradients(sum(y * y), inputs, {.record = true});
      made.push_back(y);
      return std::ranges::any_of(
          made, [&](const Tensor& result) { return !made_by(result, op.name).empty(); });
    });
    if (!timed) names += " " + op.name;
  }
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  wait_briefly(argv);
  Cases cases;
  for (const auto& family :
       {arithmetic, functions, products, attention_cases, layout, reductions, rows})
    for (Case& c : family()) {
      for (Tensor& input : c.example.inputs) input = input.clone().require_grad();
      cases.push_back(std::move(c));
    }
  if (const std::string names = not_timed(cases); !names.empty())
    fmt::print(stderr, "not in the table:{}\n", names);
  for (const Case& c : cases) add_case(c);
  const Tensor x = sample(scores);
  add("argmax/forward", {.bytes = static_cast<double>(x.count()) * sizeof(real)},
      [=] { argmax(x, -1); });
  return run_all(argc, argv);
}
