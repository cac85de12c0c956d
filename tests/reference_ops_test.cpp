// Each op against PyTorch: values, and the gradients of sum(out * weight) for a random weight.
// A table with an op that is unknown here fails, and so does one that lacks an op known here.
#include <catch2/catch.hpp>

#include <functional>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "reference.hpp"

using namespace attention;

namespace {

// A case with its inputs, the tensors that it has a gradient for, as leaves.
struct Given : reference::Case {
  NamedTensors inputs;

  explicit Given(const reference::Case& c) : Case(c) {
    for (const auto& [name, numbers] : tensors)
      if (has_tensor("grad." + name)) inputs.push_back({name, tensor(name).require_grad()});
  }

  const Tensor& operator[](std::string_view wanted) const {
    for (const auto& input : inputs)
      if (input.name == wanted) return input.tensor;
    fail("reference: {}, case {}: no input {}", file, name, wanted);
  }

  int axis() const { return integer("axis"); }
  Keep kept() const { return Keep(integer("keep") == 1); }
  Shape shape() const { return Shape(list<Size>("shape")); }
  real eps() const { return real(number("eps")); }
  Axes axes() const {
    Axes axes;
    for (const int axis : list("axes")) axes.push_back(axis);
    return axes;
  }
  Transpose transposed() const {
    const auto operands = list("transpose");
    return Transpose(operands.at(0) * transpose_a + operands.at(1) * transpose_b);
  }
  CrossEntropyOptions cross_entropy_options() const {
    return {integer("ignore"), real(number("smoothing")), integer("over")};
  }
};

const std::map<std::string, std::function<Tensor(const Given&)>> ops = {
    {"add", [](const Given& g) { return g["a"] + g["b"]; }},
    {"sub", [](const Given& g) { return g["a"] - g["b"]; }},
    {"mul", [](const Given& g) { return g["a"] * g["b"]; }},
    {"div", [](const Given& g) { return g["a"] / g["b"]; }},
    {"neg", [](const Given& g) { return -g["x"]; }},
    {"pow", [](const Given& g) { return pow(g["x"], real(g.number("exponent"))); }},
    {"where", [](const Given& g) { return where(g.mask("mask"), g["a"], g["b"]); }},

    {"exp", [](const Given& g) { return exp(g["x"]); }},
    {"log", [](const Given& g) { return log(g["x"]); }},
    {"sqrt", [](const Given& g) { return sqrt(g["x"]); }},
    {"tanh", [](const Given& g) { return tanh(g["x"]); }},
    {"sigmoid", [](const Given& g) { return sigmoid(g["x"]); }},
    {"relu", [](const Given& g) { return relu(g["x"]); }},
    {"erf", [](const Given& g) { return erf(g["x"]); }},
    {"gelu", [](const Given& g) { return gelu(g["x"]); }},
    {"gelu_tanh", [](const Given& g) { return gelu_tanh(g["x"]); }},

    {"matmul", [](const Given& g) { return matmul(g["a"], g["b"], g.transposed()); }},

    {"reshape", [](const Given& g) { return reshape(g["x"], g.shape()); }},
    {"permute", [](const Given& g) { return permute(g["x"], g.axes()); }},
    {"transpose", [](const Given& g) { return transpose(g["x"], g.axes()[0], g.axes()[1]); }},
    {"broadcast_to", [](const Given& g) { return broadcast_to(g["x"], g.shape()); }},
    {"slice",
     [](const Given& g) { return slice(g["x"], g.axis(), g.integer("begin"), g.integer("end")); }},
    {"concat",
     [](const Given& g) {
       return concat({g["a"], g["b"], g["c"]}, g.axis());
     }},
    {"stack",
     [](const Given& g) {
       return stack({g["a"], g["b"], g["c"]}, g.axis());
     }},
    {"gather_rows", [](const Given& g) { return gather_rows(g["table"], g.tokens("ids")); }},

    {"sum", [](const Given& g) { return sum(g["x"], g.axes(), g.kept()); }},
    {"mean", [](const Given& g) { return mean(g["x"], g.axes(), g.kept()); }},
    {"max", [](const Given& g) { return max(g["x"], g.axes(), g.kept()); }},
    {"variance", [](const Given& g) { return variance(g["x"], g.axes(), g.kept()); }},

    {"softmax", [](const Given& g) { return softmax(g["x"], g.axis()); }},
    {"log_softmax", [](const Given& g) { return log_softmax(g["x"], g.axis()); }},
    {"masked_softmax", [](const Given& g) { return softmax(g["x"], g.axis(), g.mask("mask")); }},
    {"cross_entropy",
     [](const Given& g) {
       return cross_entropy(g["logits"], g.tokens("targets"), g.cross_entropy_options());
     }},

    {"normalize", [](const Given& g) { return normalize(g["x"], g.eps()); }},
    {"layer_norm",
     [](const Given& g) { return layer_norm(g["x"], g["gain"], g["bias"], g.eps()); }},
};

}  // namespace

TEST_CASE("every op agrees with PyTorch") {
  const auto cases = reference::load("ops.txt");
  std::set<std::string> known, asked;
  for (const auto& [name, op] : ops) known.insert(name);
  for (const auto& c : cases) asked.insert(c.text("op"));
  REQUIRE(known == asked);

  for (const auto& c : cases) {
    INFO("case " << c.name);
    const Given given(c);
    const Tensor out = ops.at(c.text("op"))(given), weight = c.tensor("weight");
    backward(sum(out * weight));
    NamedTensors ours = reference::with_gradients(given.inputs);
    ours.push_back({"out", out});
    ours.push_back({"weight", weight});
    reference::check(c, ours);
  }
}
