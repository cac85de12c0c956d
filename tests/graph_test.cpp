// Looking into a graph: made_by(), and the graph as text and as a picture.
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

TEST_CASE("made_by finds an op's results, oldest first") {
  const Tensor x = leaf(drawn({2, 3}));
  const Tensor first = softmax(x, -1), second = softmax(first * 2, -1), other = exp(x);
  const Tensors made = made_by(sum(second + other + first), "softmax");
  REQUIRE(made.size() == 2);
  CHECK(made[0].same_as(first));
  CHECK(made[1].same_as(second));
  CHECK(made_by(second, "exp").empty());
  CHECK(made_by(x, "softmax").empty());
}

TEST_CASE("what was made under NoGrad cannot be found") {
  const Tensor x = leaf(drawn({2, 3}));
  CHECK(made_by((NoGrad(), softmax(x, -1)), "softmax").empty());
}

TEST_CASE("a graph as text lists results and what they are from") {
  const Tensor a = leaf(Tensor(2)), b = leaf({1, 2, 3}, {3}), constant = Tensor(-0.5);
  const Tensor product = a * b;
  CHECK(graph_text(sum(product * constant, 0, keep) + a) ==
        "   1  leaf () = 2\n"
        "   2  leaf (3,)\n"
        "   3  constant () = -0.5\n"
        "   4  multiply (3,)  from 1, 2\n"
        "   5  multiply (3,)  from 4, 3\n"
        "   6  sum (1,) = -6  from 5\n"
        "   7  add (1,) = -4  from 6, 1\n");
  CHECK(graph_text(Tensor(1)) == "   1  constant () = 1\n");
}

TEST_CASE("a graph as a picture has an arrow to each input") {
  const Tensor a = leaf(Tensor(2)), b = Tensor(3);
  CHECK(graph_dot(a * b * a) ==
        "digraph {\n"
        "  rankdir=BT;\n"
        "  n1 [label=\"leaf () = 2\"];\n"
        "  n2 [label=\"constant () = 3\"];\n"
        "  n3 [label=\"multiply () = 6\"];\n"
        "  n3 -> n1;\n"
        "  n3 -> n2;\n"
        "  n4 [label=\"multiply () = 12\"];\n"
        "  n4 -> n3;\n"
        "  n4 -> n1;\n"
        "}\n");
}

TEST_CASE("a value used twice by one op has two arrows") {
  const Tensor a = leaf(Tensor(3));
  CHECK(graph_text(a * a) ==
        "   1  leaf () = 3\n"
        "   2  multiply () = 9  from 1, 1\n");
}

TEST_CASE("nodes are numbered after what they were made from") {
  const Tensor x = leaf(drawn({2, 3}));
  const Tensor result = sum(gelu(matmul(x, drawn({3, 3}))) + exp(x) * ones({4, 1, 1}));
  Tensors open{result};
  while (!open.empty()) {
    const Tensor next = open.back();
    open.pop_back();
    for (const Tensor& input : next.node().inputs) {
      CHECK(input.node().number < next.node().number);
      open.push_back(input);
    }
  }
}
