// Large and long graphs: no recursion, no second visit, no node that outlives its graph.
#include <chrono>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

TEST_CASE("a million steps are followed back without overflowing the stack") {
  const auto before = live_nodes();
  for (const int steps : {200000, 1000000}) {
    const Tensor start = leaf(Tensor(0)), one = 1;
    Tensor x = start;
    for (int i = 0; i < steps; ++i) x = x + one;
    CHECK(x.item() == steps);
    backward(x);
    CHECK(start.grad().item() == 1);
  }
  CHECK(live_nodes() == before);
}

TEST_CASE("a graph of a million steps is destroyed without overflowing the stack") {
  const auto before = live_nodes();
  for (const int steps : {200000, 1000000}) {
    const Tensor one = 1;
    Tensor x = leaf(Tensor(0));
    for (int i = 0; i < steps; ++i) x = x + one;
    x = {};
    CHECK(live_nodes() == before + 1);
  }
}

TEST_CASE("retained and recorded, a long chain is destroyed all the same") {
  const auto before = live_nodes();
  {
    const Tensor start = leaf(Tensor(1)), factor = leaf(Tensor(1));
    Tensor x = start;
    for (int i = 0; i < 100000; ++i) x = x * factor;
    backward(x, {.retain = true});
    CHECK(factor.grad().item() == 100000);
    const Tensors recorded = gradients(x, {start, factor}, {.record = true});
    CHECK(recorded[1].item() == 100000);
    x = {};
    CHECK(gradients(recorded[0], {factor})[0].item() == 100000);
  }
  CHECK(live_nodes() == before);
}

TEST_CASE("a leaf that holds the last handle to a long chain lets go of it") {
  const auto before = live_nodes();
  {
    Tensor x = leaf(Tensor(0)), holder = leaf(Tensor(0));
    for (int i = 0; i < 200000; ++i) x = x + 1;
    holder.set_grad(x);
  }
  CHECK(live_nodes() == before);
}

TEST_CASE("sixty diamonds on top of one another take no time") {
  const auto start = std::chrono::steady_clock::now();
  const Tensor x = leaf(Tensor(1));
  Tensor y = x;
  for (int i = 0; i < 60; ++i) y = y + y;
  backward(y, {.retain = true});
  CHECK(y.item() == 0x1p60);
  CHECK(x.grad().item() == 0x1p60);  // 2^60 paths lead there
  CHECK(made_by(y, "add").size() == 60);
  CHECK(graph_text(y).size() < 10000);
  CHECK(gradients(y, {x}, {.record = true})[0].item() == 0x1p60);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
}

TEST_CASE("ten thousand steps leave no node behind") {
  Tensor w = leaf(drawn({3, 2}));
  const Tensor x = drawn({4, 3}, 2);
  const auto before = live_nodes();
  for (int step = 0; step < 10000; ++step) {
    const Tensor y = exp(tanh(matmul(x, w)));
    const Tensor loss = mean(softmax(y, -1) * sqrt(y) / (1 + y * y));
    if (step % 2) backward(loss);  // and a graph that nobody follows back goes, too
    w.clear_grad();
    if (step % 1000 == 0) REQUIRE(live_nodes() < before + 40);
  }
  CHECK(live_nodes() == before);
}

TEST_CASE("backward lets go of the graph while the loss is still held") {
  const Tensor x = leaf(ones({3}));
  const auto before = live_nodes();
  const Tensor loss = sum(exp(exp(exp(x))));
  backward(loss);
  CHECK(live_nodes() == before + 2);  // the loss and the gradient of x
}
