// Ordered pairs, and what one look of one head or several can tell of them.
#include <catch2/catch.hpp>

#include <set>

#include "attention/tasks/pairs.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Contains;

namespace {

Tensor heads(const std::vector<std::vector<real>>& rows) {
  std::vector<real> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return from_values(all, {Size(rows.size()), Size(rows[0].size())});
}

void check_shares(int symbols, const Tensor& weights, const std::vector<double>& expected) {
  const std::vector<double> shares = shares_right(symbols, weights);
  REQUIRE(shares.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("place " << i);
    CHECK(shares[i] == Approx(expected[i]).margin(1e-9));
  }
}

}  // namespace

TEST_CASE("ordered tuples are all rows of different symbols, once each") {
  CHECK(ordered_tuples(3, 2).ids == std::vector<int>{0, 1, 0, 2, 1, 0, 1, 2, 2, 0, 2, 1});
  CHECK(ordered_tuples(3, 2).shape == Shape{6, 2});
  CHECK(ordered_tuples(7, 1).shape == Shape{7, 1});
  const Tokens triples = ordered_tuples(6, 3);
  CHECK(triples.shape == Shape{6 * 5 * 4, 3});
  std::set<std::vector<int>> different;
  for (auto row = triples.ids.begin(); row != triples.ids.end(); row += 3) {
    CHECK(std::set<int>(row, row + 3).size() == 3);
    different.insert({row, row + 3});
  }
  CHECK(different.size() == 120);
}

TEST_CASE("heads mix one-hot vectors by their weights, side by side") {
  const Tokens pairs({2, 2}, {2, 0, 1, 2});
  check_near(mixed(pairs, 3, heads({{0.75, 0.25}, {0, 1}})),
             {0.25, 0, 0.75, 1, 0, 0, 0, 0.75, 0.25, 0, 0, 1});
}

TEST_CASE("one head with even weights cannot tell the order of a pair, with uneven ones only one") {
  check_shares(8, heads({{0.5, 0.5}}), {0.5, 0.5});
  check_shares(8, heads({{0.75, 0.25}}), {1, 0});
  check_shares(8, heads({{0.25, 0.75}}), {0, 1});
  check_shares(8, heads({{1, 0}, {0, 1}}), {1, 1});
  check_shares(8, heads({{0.5, 0.5}, {0.5, 0.5}}), {0.5, 0.5});  // two that look alike are one
}

TEST_CASE("three places need three heads") {
  check_shares(7, heads({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), {1, 1, 1});
  check_shares(7, heads({{1, 0, 0}, {0, 0.5, 0.5}}), {1, 0.5, 0.5});
  const real third = real(1) / 3;
  check_shares(7, heads({{third, third, third}}), {1 / 3.0, 1 / 3.0, 1 / 3.0});
}

TEST_CASE("a share is counted as it is: ties are divided, a wrong readout scores nothing") {
  const Tokens pairs({2, 2}, {0, 1, 1, 0});
  const Tensor first = mixed(pairs, 3, heads({{1, 0}}));
  CHECK(share_right(first, identity(3), pairs, 0) == 1);
  CHECK(share_right(first, identity(3), pairs, 1) == 0);
  CHECK(share_right(first, zeros({3, 3}), pairs, 0) == Approx(1 / 3.0));
}

TEST_CASE("the best readout is that of the pencil where a pair has its own mix") {
  // One symbol in one place, V = 3: the softmax of each row goes to the answer; by symmetry the
  // readout is a multiple of identity less a constant.
  const Tokens ones = ordered_tuples(3, 1);
  const Tensor readout = best_readout(mixed(ones, 3, heads({{1}})), ones, 0);
  for (Size i = 0; i < 3; ++i)
    for (Size j = 0; j < 3; ++j) {
      CHECK(readout.at({i, j}) == Approx(readout.at({0, i == j ? 0 : 1})).epsilon(1e-3));
      if (i != j) CHECK(readout.at({i, i}) > readout.at({i, j}) + 4);
    }
}

TEST_CASE("what cannot be ordered or mixed is refused") {
  CHECK_THROWS_WITH(ordered_tuples(3, 4), Contains("4 places for 3 different symbols"));
  CHECK_THROWS_WITH(ordered_tuples(3, 0), Contains("0 places"));
  CHECK_THROWS_WITH(ordered_tuples(100, 4), Contains("more than 1000000 rows"));
  const Tokens pairs = ordered_tuples(3, 2);
  CHECK_THROWS_WITH(mixed(pairs, 3, heads({{1, 0, 0}})), Contains("(heads, 2) is needed"));
  CHECK_THROWS_WITH(shares_right(3, ones({2})), Contains("(heads, places) is needed"));
  CHECK_THROWS_WITH(share_right(ones({6, 3}), identity(3), pairs, 2), Contains("place 2"));
}
