// Shapes: counting, naming axes, broadcasting, and where in memory a stretched operand lies.
#include "attention/core/shape.hpp"

#include <catch2/catch.hpp>

#include "attention/core/error.hpp"
#include "attention/core/memory.hpp"

using namespace attention;

namespace {

constexpr Size huge = Size(1) << 32;

std::vector<Size> offsets(const Offsets& at, Size count) {
  std::vector<Size> all;
  for (Size i = 0; i < count; ++i) all.push_back(at(i));
  return all;
}

}  // namespace

TEST_CASE("a shape knows its sizes and their product") {
  const Shape shape{2, 3, 4};
  CHECK(shape.rank() == 3);
  CHECK(shape.count() == 24);
  CHECK(shape[1] == 3);
  CHECK(Shape{}.rank() == 0);
  CHECK(Shape{}.count() == 1);
  CHECK(Shape{2, 0, 4}.count() == 0);
  CHECK(shape.inner(0) == 12);
  CHECK(shape.inner(2) == 1);
  CHECK(shape.outer(0) == 1);
  CHECK(shape.outer(2) == 6);
  CHECK(shape.with(1, 5) == Shape{2, 5, 4});
  CHECK(shape.without(0) == Shape{3, 4});
  CHECK(shape.with_last(5) == Shape{2, 3, 4, 5});
}

TEST_CASE("shapes are equal when all sizes are, and no axis is missing") {
  CHECK(Shape{2, 3} == Shape{2, 3});
  CHECK_FALSE(Shape{2, 3} == Shape{3, 2});
  CHECK_FALSE(Shape{2} == Shape{2, 1});
  CHECK_FALSE(Shape{} == Shape{1});
  CHECK(Shape{0, 3} == Shape{0, 3});
  CHECK_FALSE(Shape{0, 3} == Shape{3, 0});
}

TEST_CASE("a shape is written as a tuple") {
  CHECK(to_string(Shape{}) == "()");
  CHECK(to_string(Shape{4}) == "(4,)");
  CHECK(to_string(Shape{2, 3}) == "(2, 3)");
  CHECK(fmt::format("{}", Shape{2, 0}) == "(2, 0)");
}

TEST_CASE("counts and offsets do not end at 32 bits") {
  const Shape square{46341, 46341};
  CHECK(square.count() == 2147488281);  // 2^31 is 2147483648
  CHECK(Shape{3, 46341, 46341}.inner(0) == 2147488281);
  CHECK(broadcast_steps(Shape{3, 46341, 46341}, Shape{3, 46341, 46341}) ==
        SizeList{2147488281, 46341, 1});
  // The last row of the third square, by a single step and, stretched along the middle, by two.
  CHECK(Offsets(Shape{3, 46341, 46341}, Shape{3, 46341, 46341}, 1)(3 * 46341 - 1) == 6442418502);
  CHECK(Offsets(Shape{3, 1, 46341, 46341}, Shape{3, 2, 46341, 46341}, 2)(5) == 4294976562);
}

TEST_CASE("what 64 bits cannot count is refused before anything is allocated") {
  CHECK(Shape{2, 3}.with_last(4).count() == 24);  // now the pool has the little that this takes
  const auto before = system_allocations();
  CHECK_THROWS_WITH((Shape{huge, huge}),
                    "shape: (4294967296, 4294967296) has more elements than 64 bits count");
  CHECK_THROWS_AS((Shape{huge, 2, huge / 4, 1}), Error);  // 2^63: one too many
  CHECK(Shape{huge, huge / 4}.count() == Size(1) << 62);
  CHECK_THROWS_AS((Shape{3, huge, huge}), Error);  // 2^64 and 3 · 2^64 are 0 in 64 bits
  CHECK(Shape{huge, huge / 4, 0}.count() == 0);
  CHECK_THROWS_AS((Shape{huge, huge, 0}), Error);  // a zero is no excuse: its inner() would be 2^64
  CHECK_THROWS_AS((Shape{0, huge, huge}), Error);
  CHECK_THROWS_AS((Shape{huge, huge / 4}.with_last(4)), Error);
  CHECK_THROWS_AS(broadcast(Shape{huge, 1}, Shape{1, huge}, "add"), Error);
  CHECK(system_allocations() == before);
}

TEST_CASE("a shape can have eight axes") { CHECK(Shape{1, 1, 1, 1, 1, 1, 1, 1}.rank() == 8); }

TEST_CASE("axes count from the front or, negative, from the back") {
  const Shape shape{2, 3, 4};
  CHECK(axis_of(shape, 0, "sum") == 0);
  CHECK(axis_of(shape, 2, "sum") == 2);
  CHECK(axis_of(shape, -1, "sum") == 2);
  CHECK(axis_of(shape, -3, "sum") == 0);
}

TEST_CASE("a set of axes is sorted, and no axis is named twice") {
  const Shape shape{2, 3, 4};
  CHECK(axes_of(shape, {-1, 0}, "sum") == Axes{0, 2});
  CHECK(axes_of(shape, Axes{}, "sum").empty());
  CHECK(axes_of(shape, 1, "sum") == Axes{1});
}

TEST_CASE("two shapes broadcast where sizes are equal, 1 or missing") {
  CHECK(broadcast(Shape{2, 3}, Shape{2, 3}, "add") == Shape{2, 3});
  CHECK(broadcast(Shape{3, 1}, Shape{1, 2}, "add") == Shape{3, 2});
  CHECK(broadcast(Shape{5, 4}, Shape{4}, "add") == Shape{5, 4});
  CHECK(broadcast(Shape{}, Shape{2, 3}, "add") == Shape{2, 3});
  CHECK(broadcast(Shape{2, 1, 4}, Shape{3, 1}, "add") == Shape{2, 3, 4});
  CHECK(broadcast(Shape{0, 3}, Shape{1, 3}, "add") == Shape{0, 3});
  CHECK(broadcast(Shape{1}, Shape{0}, "add") == Shape{0});
}

TEST_CASE("one shape stretches to another, never the other way round") {
  CHECK(broadcasts_to(Shape{3, 1}, Shape{2, 3, 4}));
  CHECK(broadcasts_to(Shape{}, Shape{2, 3}));
  CHECK(broadcasts_to(Shape{1}, Shape{0}));
  CHECK_FALSE(broadcasts_to(Shape{2, 3}, Shape{3}));
  CHECK_FALSE(broadcasts_to(Shape{2, 3}, Shape{1, 3}));
  CHECK_FALSE(broadcasts_to(Shape{1, 3}, Shape{3}));
  CHECK_FALSE(broadcasts_to(Shape{2}, Shape{3, 4}));
}

TEST_CASE("along a stretched axis an operand stands still") {
  CHECK(broadcast_steps(Shape{2, 3, 4}, Shape{2, 3, 4}) == SizeList{12, 4, 1});
  CHECK(broadcast_steps(Shape{3, 1}, Shape{2, 3, 4}) == SizeList{0, 1, 0});
  CHECK(broadcast_steps(Shape{2, 1, 4}, Shape{2, 3, 4}) == SizeList{4, 0, 1});
  CHECK(broadcast_steps(Shape{}, Shape{2, 3}) == SizeList{0, 0});
}

TEST_CASE("offsets find the rows of a stretched operand") {
  CHECK(offsets(Offsets(), 3) == std::vector<Size>{0, 0, 0});
  CHECK(offsets(Offsets(Shape{2, 3, 4}, Shape{2, 3, 4}, 1), 6) ==
        std::vector<Size>{0, 4, 8, 12, 16, 20});
  CHECK(offsets(Offsets(Shape{2, 1, 4}, Shape{2, 3, 4}, 1), 6) ==
        std::vector<Size>{0, 0, 0, 4, 4, 4});
  CHECK(offsets(Offsets(Shape{3, 4}, Shape{2, 3, 4}, 1), 6) == std::vector<Size>{0, 4, 8, 0, 4, 8});
  CHECK(offsets(Offsets(Shape{2, 1, 1}, Shape{2, 3, 4}, 2), 2) == std::vector<Size>{0, 1});
  CHECK(offsets(Offsets(Shape{2, 1, 2}, Shape{2, 2, 2}, 0), 8) ==
        std::vector<Size>{0, 1, 0, 1, 2, 3, 2, 3});
}
