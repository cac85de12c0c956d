// Random numbers are the same everywhere. The expected first values were worked out apart from this
// library: the 64-bit Mersenne twister of the C++ standard, seeded as src/core/random.cpp says.
#include "attention/core/random.hpp"

#include <cmath>
#include <set>

#include "tensor_test.hpp"

using namespace attention;

TEST_CASE("the engine is the one of the standard") {
  std::mt19937_64 engine;
  engine.discard(9999);
  CHECK(engine() == 9981545732273789042u);  // [rand.predef]: the 10000th value
}

TEST_CASE("the first values of a seed and a stream are pinned") {
  auto first = [](Random random) {
    return std::vector{random.bits(), random.bits(), random.bits()};
  };
  using Bits = std::vector<std::uint64_t>;
  CHECK(first(Random(0)) == Bits{2947667278772165694u, 18301848765998365067u, 729919693006235833u});
  CHECK(first(Random(1)) ==
        Bits{13714578687805132944u, 2905040967520124704u, 9907709056475048320u});
  CHECK(first(Random(1, 0)) == first(Random(1)));
  CHECK(first(Random(1, 1)) ==
        Bits{13630841197185975482u, 841327365169079819u, 730637974787013499u});
}

TEST_CASE("what is made from the bits is pinned") {
  SECTION("uniform") {
    Random random(1);
    for (const double top : {12473336, 2642119, 9011008, 4298056})
      CHECK(random.uniform() == top / 16777216);
  }
  SECTION("normal") {
    Random random(1);
    for (const double expected :
         {0.9057907011690365, -0.048214218045685354, 0.25076543142587626, -0.4055045820443359})
      CHECK(random.normal() == Approx(expected).epsilon(1e-14));
  }
  SECTION("below") {
    Random random(1);
    for (const Size expected : {4, 4, 0, 6, 3, 4, 5, 2, 2, 4}) CHECK(random.below(10) == expected);
  }
  SECTION("shuffle") {
    std::string letters = "abcdefgh";
    Random(1).shuffle(letters);
    CHECK(letters == "hgcdbefa");
  }
}

TEST_CASE("uniform numbers are at least 0, below 1 and evenly spread") {
  Random random(7);
  double sum = 0, squares = 0;
  constexpr int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform();
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    REQUIRE(real(u) == u);  // the same number in float and double
    sum += u;
    squares += u * u;
  }
  CHECK(sum / n == Approx(0.5).margin(0.005));
  CHECK(squares / n == Approx(1 / 3.).margin(0.005));
}

// Streams of seed 1 whose first 24 bits are all ones and all zeros: found by trying them all.
constexpr std::uint64_t all_ones = 6176468, all_zeros = 15952698;

TEST_CASE("the ends of the range are what they should be") {
  CHECK(Random(1, all_ones).uniform() == 1 - 0x1p-24);
  CHECK(Random(1, all_zeros).uniform() == 0);
  CHECK(std::isfinite(Random(1, all_ones).normal()));
  CHECK(std::isfinite(Random(1, all_zeros).normal()));
  Random top(1, all_ones), bottom(1, all_zeros);
  const real highest = uniform({1}, 1, 2, top).item();
  CHECK(highest < 2);  // although 2 - 2^-24 is rounded to 2 in float
  CHECK(highest > 2 - real(1e-6));
  CHECK(uniform({1}, 1, 2, bottom).item() == 1);
}

TEST_CASE("normal numbers have the moments of a normal distribution") {
  Random random(7);
  double sums[5] = {};
  int within = 0;
  constexpr int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    for (int k = 1; k < 5; ++k) sums[k] += std::pow(x, k);
    within += std::abs(x) < 1;
  }
  CHECK(sums[1] / n == Approx(0).margin(0.012));  // five deviations of each estimate
  CHECK(sums[2] / n == Approx(1).margin(0.016));
  CHECK(sums[3] / n == Approx(0).margin(0.044));
  CHECK(sums[4] / n == Approx(3).margin(0.11));
  CHECK(double(within) / n == Approx(0.682689).margin(0.0053));
}

TEST_CASE("below is fair") {
  Random random(7);
  int counts[7] = {};
  for (int i = 0; i < 70000; ++i) {
    const Size draw = random.below(7);
    REQUIRE((draw >= 0 && draw < 7));
    ++counts[draw];
  }
  for (const int count : counts) CHECK(std::abs(count - 10000) < 463);  // five deviations
  CHECK(random.below(1) == 0);
}

TEST_CASE("below draws again rather than favour small numbers") {
  const Size n = (Size(3) << 61) + 1;  // 2^64 / n leaves a quarter of all draws over
  Random random(2);                    // whose first draw is one of those
  CHECK(random.below(n) == 1419934763672495802);
  CHECK(random.below(n) == 6680782620919298898);
}

TEST_CASE("below nothing there is nothing to choose") {
  Random random(1);
  CHECK_THROWS_WITH(random.below(0), "random: below(0) has no numbers to choose from");
  CHECK_THROWS_WITH(random.below(-3), "random: below(-3) has no numbers to choose from");
}

TEST_CASE("shuffling keeps every item, and every order is as likely") {
  Random random(7);
  int counts[3][3] = {};
  for (int i = 0; i < 9000; ++i) {
    std::vector<int> items{0, 1, 2};
    random.shuffle(items);
    REQUIRE(std::set<int>(items.begin(), items.end()).size() == 3);
    for (int place = 0; place < 3; ++place) ++counts[place][items[place]];
  }
  for (const auto& place : counts)
    for (const int count : place) CHECK(std::abs(count - 3000) < 224);  // five deviations
  std::vector<int> nothing, one{5};
  random.shuffle(nothing);
  random.shuffle(one);
  CHECK(nothing.empty());
  CHECK(one == std::vector{5});
}

TEST_CASE("seeds and streams differ") {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (std::uint64_t stream = 0; stream < 30; ++stream)
      firsts.insert(Random(seed, stream).bits());
  CHECK(firsts.size() == 900);

  double sum = 0, products = 0, before = 0;  // neighbours know nothing of each other
  constexpr int n = 5000;
  for (int stream = 0; stream < n; ++stream) {
    const double x = Random(3, stream).normal();
    sum += x;
    products += x * before;
    before = x;
  }
  CHECK(sum / n == Approx(0).margin(0.071));
  CHECK(products / n == Approx(0).margin(0.071));
}

TEST_CASE("tensors are drawn in order, row by row") {
  Random one(5), other(5);
  const Tensor x = normal({2, 3}, 4, 0, one);
  CHECK(values(x) == std::vector<real>(6, 4));
  for (int i = 0; i < 6; ++i) other.normal();
  CHECK(one.bits() == other.bits());
  Random third(1);
  const Tensor u = uniform({2, 2}, -1, 1, third);
  check_near(u, {2 * 12473336 / 16777216. - 1, 2 * 2642119 / 16777216. - 1,
                 2 * 9011008 / 16777216. - 1, 2 * 4298056 / 16777216. - 1});
}
