// Every op of ops.hpp is in the graph: its result asks for a gradient and passes one on, for each
// operand alone; and sizes 0 and 1 go through it. Values are in the tests of the families.
#include <algorithm>
#include <fstream>
#include <functional>
#include <set>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

struct Use {
  std::string name;  // as ops.hpp declares it
  std::vector<Shape> inputs;
  Shape result;
  std::function<Tensor(const Tensors&)> op;
};

// Every op on an (A, B), and where it takes them on a (B, N) and the like.
std::vector<Use> uses(Size A, Size B, Size N) {
  const Shape ab{A, B}, row{B};
  const bool none = A == 0 || B == 0;  // what cannot be averaged is averaged along N
  const Tokens ids(Shape{A}, std::vector<int>(A, 0)), targets(Shape{A}, std::vector<int>(A, -1));
  const Mask mask(Shape{A, 1}, Mask::Bytes(A, 1));
  auto unary = [&](std::string name, Tensor (*f)(const Tensor&)) {
    return Use{name, {ab}, ab, [f](const Tensors& x) { return f(x[0]); }};
  };
  std::vector<Use> list{
      {"operator+", {ab, row}, ab, [](const Tensors& x) { return x[0] + x[1]; }},
      {"operator-", {ab, row}, ab, [](const Tensors& x) { return x[0] - x[1]; }},
      {"operator*", {row, ab}, ab, [](const Tensors& x) { return x[0] * x[1]; }},
      {"operator/", {ab, ab}, ab, [](const Tensors& x) { return x[0] / x[1]; }},
      {"operator+", {ab, {A, 1}}, ab, [](const Tensors& x) { return x[0] + x[1]; }},
      {"operator*", {{A, 1}, {1, B}}, ab, [](const Tensors& x) { return x[0] * x[1]; }},
      {"operator-", {{}, ab}, ab, [](const Tensors& x) { return x[0] - x[1]; }},
      unary("operator-", [](const Tensor& x) { return -x; }),
      unary("pow", [](const Tensor& x) { return pow(x, 3); }),
      {"where", {ab, row}, ab, [=](const Tensors& x) { return where(mask, x[0], x[1]); }},
      unary("exp", exp),
      unary("log", log),
      unary("sqrt", sqrt),
      unary("tanh", tanh),
      unary("sigmoid", sigmoid),
      unary("relu", relu),
      unary("erf", erf),
      unary("gelu", gelu),
      unary("gelu_tanh", gelu_tanh),
      {"matmul", {ab, {B, N}}, {A, N}, [](const Tensors& x) { return matmul(x[0], x[1]); }},
      {"matmul",
       {{B, A}, {N, B}},
       {A, N},
       [](const Tensors& x) { return matmul(x[0], x[1], transpose_both); }},
      {"matmul",
       {{N, 1, A, B}, {A, N, B}},
       {N, A, A, N},
       [](const Tensors& x) { return matmul(x[0], x[1], transpose_b); }},
      {"matmul",
       {{N, A, B}, {B, N}},
       {N, A, N},
       [](const Tensors& x) { return matmul(x[0], x[1]); }},
      {"linear",
       {{A, B}, {B, N}, {N}},
       {A, N},
       [](const Tensors& x) { return linear(x[0], x[1], x[2]); }},
      {"linear",
       {{N, A, B}, {B, 2}, {2}},
       {N, A, 2},
       [](const Tensors& x) { return linear(x[0], x[1], x[2]); }},
      {"attend",
       {ab, {N, B}, {N, A}},
       {A, A},
       [](const Tensors& x) { return attend(x[0], x[1], x[2]); }},
      {"attend_heads",
       {{N, A, 2 * B}, {N, B, 2 * B}, {N, B, 6}},
       {N, A, 6},
       [](const Tensors& x) { return attend_heads(x[0], x[1], x[2], 2); }},
      {"split_heads",
       {{A, N, 3 * B}},
       {A, 3, N, B},
       [](const Tensors& x) { return split_heads(x[0], 3); }},
      {"merge_heads",
       {{A, 3, N, B}},
       {A, N, 3 * B},
       [](const Tensors& x) { return merge_heads(x[0]); }},
      {"reshape",
       {ab},
       {B, 1, A},
       [=](const Tensors& x) {
         return reshape(x[0], {B, 1, A});
       }},
      {"permute",
       {{A, B, N}},
       {N, A, B},
       [](const Tensors& x) {
         return permute(x[0], {2, 0, 1});
       }},
      {"transpose", {{A, N, B}}, {B, N, A}, [](const Tensors& x) { return transpose(x[0], 0, 2); }},
      {"broadcast_to",
       {row},
       {N, A, B},
       [=](const Tensors& x) {
         return broadcast_to(x[0], {N, A, B});
       }},
      {"slice",
       {ab},
       {A, std::min<Size>(B, 1)},
       [=](const Tensors& x) { return slice(x[0], 1, 0, std::min<Size>(B, 1)); }},
      {"slice", {ab}, {0, B}, [=](const Tensors& x) { return slice(x[0], 0, A, A); }},
      {"concat", {ab, {N, B}}, {A + N, B}, [](const Tensors& x) { return concat(x, 0); }},
      {"concat", {ab, {A, 0}}, ab, [](const Tensors& x) { return concat(x, -1); }},
      {"stack", {ab, ab}, {A, 2, B}, [](const Tensors& x) { return stack(x, 1); }},
      {"gather_rows", {{N, B}}, ab, [=](const Tensors& x) { return gather_rows(x[0], ids); }},
      {"sum", {ab}, {B}, [](const Tensors& x) { return sum(x[0], 0); }},
      {"sum", {ab}, {A}, [](const Tensors& x) { return sum(x[0], 1); }},
      {"sum",
       {ab},
       {1, 1},
       [](const Tensors& x) {
         return sum(x[0], {0, 1}, keep);
       }},
      {"sum", {ab}, ab, [](const Tensors& x) { return sum(x[0], Axes{}); }},
      {"sum", {ab}, {}, [](const Tensors& x) { return sum(x[0]); }},
      {"mean", {{A, N, B}}, ab, [](const Tensors& x) { return mean(x[0], 1); }},
      {"max", {{A, N, B}}, ab, [](const Tensors& x) { return max(x[0], 1); }},
      {"variance", {{A, N, B}}, ab, [](const Tensors& x) { return variance(x[0], 1); }},
      {"softmax", {ab}, ab, [=](const Tensors& x) { return softmax(x[0], 0, mask); }},
      {"softmax", {ab}, ab, [=](const Tensors& x) { return softmax(x[0], 1, mask); }},
      {"log_softmax", {ab}, ab, [=](const Tensors& x) { return log_softmax(x[0], 0, mask); }},
      {"log_softmax", {ab}, ab, [=](const Tensors& x) { return log_softmax(x[0], 1, mask); }},
      {"cross_entropy", {ab}, {}, [=](const Tensors& x) { return cross_entropy(x[0], targets); }},
      {"cross_entropy", {{A, N}}, {}, [=](const Tensors& x) { return cross_entropy(x[0], ids); }},
      {"normalize", {{A, N}}, {A, N}, [](const Tensors& x) { return normalize(x[0]); }},
      {"layer_norm",
       {{A, N}, {N}, {N}},
       {A, N},
       [](const Tensors& x) { return layer_norm(x[0], x[1], x[2]); }},
      {"dropout",
       {ab},
       ab,
       [](const Tensors& x) {
         Random random(1);
         return dropout(x[0], real(0.25), random);
       }},
  };
  if (none) return list;
  list.push_back({"mean", {ab}, {}, [](const Tensors& x) { return mean(x[0]); }});
  list.push_back({"max", {ab}, {}, [](const Tensors& x) { return max(x[0]); }});
  list.push_back({"variance", {ab}, {}, [](const Tensors& x) { return variance(x[0]); }});
  return list;
}

Tensor positive(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  return uniform(shape, real(0.5), 2, random);
}

// The op on leaves, of which only `wanted` asks for a gradient (-1: all do).
void check_use(const Use& use, int wanted) {
  INFO(use.name << ", asked by " << wanted);
  Tensors inputs;
  for (std::size_t i = 0; i < use.inputs.size(); ++i) {
    inputs.push_back(positive(use.inputs[i], i + 1));
    if (wanted < 0 || wanted == int(i)) inputs.back().require_grad();
  }
  const Tensor result = use.op(inputs);
  CHECK(result.shape() == use.result);
  REQUIRE(result.requires_grad());
  backward(sum(result * positive(use.result, 9)));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    INFO("input " << i);
    REQUIRE(inputs[i].grad().defined() == inputs[i].requires_grad());
    if (inputs[i].requires_grad()) CHECK(inputs[i].grad().shape() == inputs[i].shape());
  }
}

}  // namespace

TEST_CASE("every op is in the graph, for each operand alone") {
  for (const auto& [A, B, N] : {std::array<Size, 3>{2, 3, 4}, {4, 3, 2}, {3, 3, 3}})
    for (const Use& use : uses(A, B, N))
      for (int wanted = -1; wanted < int(use.inputs.size()); ++wanted) check_use(use, wanted);
}

TEST_CASE("sizes 0 and 1 go through every op and back") {
  for (const auto& [A, B, N] : {std::array<Size, 3>{0, 3, 4},
                                {2, 0, 4},
                                {0, 0, 4},
                                {0, 0, 1},
                                {0, 1, 2},
                                {1, 0, 2},
                                {1, 1, 1},
                                {1, 3, 1},
                                {3, 1, 1},
                                {1, 1, 3},
                                {1, 3, 4},
                                {3, 1, 4}}) {
    INFO("A " << A << ", B " << B << ", N " << N);
    for (const Use& use : uses(A, B, N)) check_use(use, -1);
  }
}

TEST_CASE("under NoGrad, and of constants, nothing is in the graph") {
  for (const Use& use : uses(2, 3, 4)) {
    INFO(use.name);
    Tensors constants, leaves;
    for (const Shape& shape : use.inputs) {
      constants.push_back(positive(shape, 1));
      leaves.push_back(leaf(positive(shape, 1)));
    }
    CHECK_FALSE(use.op(constants).requires_grad());
    const NoGrad off;
    CHECK_FALSE(use.op(leaves).requires_grad());
  }
}

#ifdef ATTENTION_DATA_DIR
TEST_CASE("every op that ops.hpp declares is among those tested here") {
  std::ifstream header(ATTENTION_DATA_DIR "/../include/attention/tensor/ops.hpp");
  std::set<std::string> declared, tested;
  for (std::string line; std::getline(header, line);)
    if (line.starts_with("Tensor ")) declared.insert(line.substr(7, line.find('(') - 7));
  for (const Use& use : uses(2, 3, 4)) tested.insert(use.name);
  CHECK(declared.size() > 30);
  CHECK(declared == tested);
}
#endif
