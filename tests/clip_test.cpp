// Clipping and clearing gradients. That shared gradients and tied weights fare well is in
// optimizer_test.cpp.
#include <cmath>
#include <limits>

#include "attention/train/optimizer.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

void set_gradient(Tensor w, std::vector<real> g) { w.set_grad(from_values(g, w.shape())); }

}  // namespace

TEST_CASE("clipping scales what is too long and nothing else") {
  const Tensor w = leaf(ones({2})), unused = leaf(ones({2}));
  const NamedTensors parameters{{"w", w}, {"unused", unused}};
  set_gradient(w, {3, 4});
  SECTION("down to the limit") {
    CHECK(clip_gradients(parameters, 1) == 5);
    check_near(w.grad(), {0.6, 0.8});
  }
  SECTION("not when it is short enough") {
    CHECK(clip_gradients(parameters, 5) == 5);
    check_near(w.grad(), {3, 4}, 0);
  }
  SECTION("not with a limit of 0") {
    CHECK(clip_gradients(parameters, 0) == 5);
    check_near(w.grad(), {3, 4}, 0);
  }
  SECTION("zeros stay zeros") {
    set_gradient(w, {0, 0});
    CHECK(clip_gradients(parameters, 1) == 0);
    check_near(w.grad(), {0, 0}, 0);
  }
  SECTION("infinity stays, and is told") {
    set_gradient(w, {infinity, 4});
    CHECK(clip_gradients(parameters, 1) == infinity);
    CHECK(values(w.grad()) == std::vector<real>{infinity, 4});
  }
  SECTION("NaN stays, and is told") {
    set_gradient(w, {std::numeric_limits<real>::quiet_NaN(), 4});
    CHECK(std::isnan(clip_gradients(parameters, 1)));
    CHECK(w.grad().data()[1] == 4);
  }
  SECTION("squares that a float cannot hold are no infinity") {
    set_gradient(w, {real(3e30), real(4e30)});
    CHECK(clip_gradients(parameters, 1) == Approx(5e30).epsilon(8 * eps));
    check_near(w.grad(), {0.6, 0.8});
  }
  SECTION("nor is a norm that a float cannot hold, of gradients that it can") {
    set_gradient(w, {real(3e38), real(-3e38)});
    CHECK(std::isfinite(clip_gradients(parameters, 1)));
    check_near(w.grad(), {std::sqrt(0.5), -std::sqrt(0.5)});
  }
  CHECK_FALSE(unused.grad().defined());
}

TEST_CASE("clearing leaves no gradient") {
  const Tensor w = leaf(ones({2}));
  set_gradient(w, {3, 4});
  clear_gradients({{"w", w}});
  CHECK_FALSE(w.grad().defined());
}
