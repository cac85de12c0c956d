// Buffers and the pool behind them: who shares what, and that a steady loop asks for nothing new.
#include "attention/core/memory.hpp"

#include <cstdint>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

TEST_CASE("a buffer is aligned for the widest vectors, whatever its size") {
  for (const Size count : {0, 1, 15, 16, 17, 33, 1000, 4097}) {
    const Buffer buffer(count);
    INFO(count);
    CHECK(buffer.size() == count);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
    std::fill_n(buffer.fill(), count, real(1));
  }
  CHECK(Buffer().size() == 0);
  CHECK(Buffer().data() == nullptr);
  CHECK(Buffer().edit() == nullptr);
}

TEST_CASE("copies of a buffer share, and a change is counted for all of them") {
  Buffer buffer(3), copy = buffer;
  CHECK(copy.data() == buffer.data());
  CHECK(buffer.shared());
  copy.fill()[0] = 5;
  CHECK(buffer.version() == 0);
  copy.edit()[0] = 7;
  CHECK(buffer.version() == 1);
  CHECK(*buffer.data() == 7);
  copy = Buffer(3);
  CHECK_FALSE(buffer.shared());
}

TEST_CASE("two buffers never overlap") {
  std::vector<Buffer> buffers;
  for (int i = 0; i < 200; ++i) {
    buffers.emplace_back(1 + i % 37);
    std::fill_n(buffers.back().fill(), buffers.back().size(), real(i));
    if (i % 3 == 2) buffers.erase(buffers.begin() + i % 50);
  }
  for (const Buffer& buffer : buffers)
    for (Size i = 0; i < buffer.size(); ++i) REQUIRE(buffer.data()[i] == *buffer.data());
}

TEST_CASE("what is given back is used again") {
  const real* where;
  {
    const Buffer first(12345);
    where = first.data();
  }
  const auto before = system_allocations();
  CHECK(Buffer(12345).data() == where);
  CHECK(Buffer(12300).data() == where);  // about as large
  CHECK(system_allocations() == before);
}

TEST_CASE("what no machine holds is refused") {
  const auto huge = [] { zeros({Size(1) << 30, Size(1) << 30}); };
  CHECK_THROWS_AS(huge(), Error);  // once, so that the pool has what an error needs
  const auto before = system_allocations();
  CHECK_THROWS_WITH(
      Buffer((Size(1) << 56) + 1),
      "memory: 72057594037927937 numbers are more than any machine holds; make it smaller");
  CHECK_THROWS_AS(huge(), Error);
  CHECK(system_allocations() == before);
}

TEST_CASE("a steady loop allocates nothing new") {
  const Tensor w = leaf(drawn({17, 13})), gain = leaf(ones({13})), bias = leaf(zeros({13}));
  const Tokens targets(Shape{5}, {0, 12, 3, -1, 7});
  std::uint64_t nodes = 0, allocations = 0;
  for (int step = 0; step < 60; ++step) {
    if (step == 10) allocations = system_allocations();
    if (step == 10) nodes = live_nodes();
    Random random(1, step);
    const Tensor x = normal({5, 17}, 0, 1, random);
    const Tensor hidden = dropout(gelu(matmul(x, w)), real(0.1), random);
    const Tensor weights = softmax(matmul(hidden, hidden, transpose_b), -1, causal_mask(5));
    backward(cross_entropy(layer_norm(matmul(weights, hidden), gain, bias), targets));
    for (Tensor leaf : {w, gain, bias}) leaf.clear_grad();
  }
  CHECK(system_allocations() == allocations);
  CHECK(live_nodes() == nodes);
}
