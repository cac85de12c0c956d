// Masks: true means may attend. Making them, joining them, stretching and turning them.
#include "attention/tensor/mask.hpp"

#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

using Bytes = Mask::Bytes;

Bytes bytes(const Mask& mask) { return {mask.data(), mask.data() + mask.shape().count()}; }

}  // namespace

TEST_CASE("a mask has as many values as its shape") {
  const Mask mask(Shape{2, 3}, {1, 0, 1, 0, 0, 1});
  CHECK(mask.defined());
  CHECK(mask.at({0, 2}));
  CHECK_FALSE(mask.at({1, 1}));
}

TEST_CASE("no mask admits everything") {
  const Mask none;
  CHECK_FALSE(none.defined());
  CHECK(none.at({3, 4}));
  CHECK_FALSE(none.expand({2, 3}).defined());
  CHECK_FALSE(none.transpose(0, 1).defined());
  CHECK_FALSE((none & none).defined());
}

TEST_CASE("a causal mask admits a position and what came before it") {
  CHECK(bytes(causal_mask(3)) == Bytes{1, 0, 0, 1, 1, 0, 1, 1, 1});
  CHECK(causal_mask(3).shape() == Shape{3, 3});
  CHECK(causal_mask(0).shape() == Shape{0, 0});
  CHECK(bytes(causal_mask(1)) == Bytes{1});
}

TEST_CASE("with more keys than queries, the queries are the last positions") {
  CHECK(bytes(causal_mask(2, 5)) == Bytes{1, 1, 1, 1, 0, 1, 1, 1, 1, 1});
  CHECK(causal_mask(2, 5).shape() == Shape{2, 5});
}

TEST_CASE("a padding mask admits the first positions of each sequence") {
  const Mask mask = padding_mask({2, 0, 3}, 3);
  CHECK(mask.shape() == Shape{3, 1, 1, 3});
  CHECK(bytes(mask) == Bytes{1, 1, 0, 0, 0, 0, 1, 1, 1});
}

TEST_CASE("two masks admit what both admit") {
  const Mask both = causal_mask(3) & padding_mask({3, 2}, 3);
  CHECK(both.shape() == Shape{2, 1, 3, 3});
  CHECK(bytes(both) == Bytes{1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0});
  CHECK(bytes(Mask() & causal_mask(2)) == bytes(causal_mask(2)));
  CHECK(bytes(causal_mask(2) & Mask()) == bytes(causal_mask(2)));
}

TEST_CASE("the opposite of a mask admits the others") {
  CHECK(bytes(!causal_mask(2)) == Bytes{0, 1, 0, 0});
}

TEST_CASE("masks are stretched and turned like tensors") {
  const Mask mask(Shape{2, 1}, {1, 0});
  CHECK(bytes(mask.expand({2, 3})) == Bytes{1, 1, 1, 0, 0, 0});
  CHECK(bytes(mask.expand({2, 2, 1})) == Bytes{1, 0, 1, 0});
  const Mask wide(Shape{2, 3}, {1, 0, 1, 0, 0, 1});
  CHECK(wide.transpose(0, 1).shape() == Shape{3, 2});
  CHECK(bytes(wide.transpose(0, -1)) == Bytes{1, 0, 0, 0, 1, 1});
  const Mask single(Shape{1, 2, 1}, {1, 0});
  CHECK(bytes(single.transpose(1, 2)) == Bytes{1, 0});
}

TEST_CASE("comparisons of tensors are masks") {
  const Tensor column = from_values({1, 2}, {2, 1}), row = from_values({1, 2, 3});
  CHECK(bytes(equal(column, row)) == Bytes{1, 0, 0, 0, 1, 0});
  CHECK(bytes(greater(column, row)) == Bytes{0, 0, 0, 1, 0, 0});
  CHECK(equal(column, row).shape() == Shape{2, 3});
  CHECK(bytes(greater(row, 2)) == Bytes{0, 0, 1});
  CHECK(bytes(equal(from_values({not_a_number}), not_a_number)) == Bytes{0});
}
