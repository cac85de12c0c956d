// The layers around attention: linear, embedding, layer norm, dropout, activations, feed-forward;
// and what weights are drawn from before training.
#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/nn/layers.hpp"
#include "attention/nn/module.hpp"
#include "attention/tensor/autograd.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Matchers::Equals;

namespace {

const double six_digits = 1e-6;

}  // namespace

TEST_CASE("a linear layer is x W + b, for any number of leading axes") {
  Random random(1);
  Linear linear(2, 3, random);
  CHECK(values(linear.bias) == std::vector<real>{0, 0, 0});
  linear.weight = from_values({1, 2, 3, 4, 5, 6}, {2, 3});
  linear.bias = from_values({10, 20, 30});
  check_near(linear(from_values({1, 1})), {15, 27, 39}, 0);
  CHECK(linear(from_values({1, 1})).shape() == Shape{3});
  check_near(linear(from_values({1, 0, 0, 1}, {2, 2})), {11, 22, 33, 14, 25, 36}, 0);
  CHECK(linear(zeros({5, 4, 2})).shape() == Shape{5, 4, 3});
  CHECK(linear(zeros({7, 5, 4, 2})).shape() == Shape{7, 5, 4, 3});
  CHECK_THROWS_WITH(linear(zeros({2, 3})),
                    Equals("linear: an input of shape (2, 3) for a weight of shape (2, 3): the "
                           "last size must be 2"));

  const Linear without(2, 3, random, false);
  CHECK_FALSE(without.bias.defined());
  CHECK(parameters(without).size() == 1);
  check_near(without(zeros({4, 2})), std::vector<double>(12), 0);
}

TEST_CASE("the bias of a linear layer gets the gradients of all rows") {
  Random random(1);
  const Linear linear(3, 4, random);
  backward(sum(linear(ones({5, 3}))));
  CHECK(values(linear.bias.grad()) == std::vector<real>(4, 5));
  CHECK(values(linear.weight.grad()) == std::vector<real>(12, 5));
}

TEST_CASE("an embedding looks up rows, and a repeated id gets all its gradients") {
  Random random(1);
  Embedding embedding(3, 2, random);
  embedding.weight = from_values({1, 2, 3, 4, 5, 6}, {3, 2}).require_grad();
  const Tensor out = embedding(Tokens({2, 2}, {2, 0, 0, 2}));
  CHECK(out.shape() == Shape{2, 2, 2});
  CHECK(values(out) == std::vector<real>{5, 6, 1, 2, 1, 2, 5, 6});

  const Tensor twice = embedding(Tokens({2}, {0, 0}));
  backward(sum(twice * from_values({real(0.2), real(0.2), real(0.3), real(0.3)}, {2, 2})));
  check_near(embedding.weight.grad(), {0.5, 0.5, 0, 0, 0, 0}, 2 * eps);
}

TEST_CASE("layer norm gives the values of the pencil") {
  const LayerNorm norm(4);
  check_near(norm(from_values({1, 0, 0, 0})), {1.73201, -0.57733, -0.57733, -0.57733}, 5e-6);
  check_near(norm(from_values({1, 2, 3, 4})), {-1.341635, -0.447212, 0.447212, 1.341635},
             six_digits);
  CHECK(values(norm(full({4}, 3))) == std::vector<real>(4, 0));
  CHECK_THROWS_AS(norm(zeros({2, 5})), Error);
}

TEST_CASE("layer norm divides by the biased deviation, with eps inside the root") {
  const real small = real(0.25);
  check_near(LayerNorm(2, small)(from_values({-1, 1})), {-1 / std::sqrt(1.25), 1 / std::sqrt(1.25)},
             8 * eps);
}

TEST_CASE("layer norm's gain and bias act on each channel, and learn") {
  LayerNorm norm(3);
  norm.gain = from_values({1, 2, 3}).require_grad();
  norm.bias = from_values({10, 20, 30}).require_grad();
  const double a = std::sqrt(1.5 / (1 + 1.5e-5));  // of -1 0 1, whose variance is 2/3
  const Tensor out = norm(from_values({-1, 0, 1, 7, 8, 9}, {2, 3}));
  check_near(out, {10 - a, 20, 30 + 3 * a, 10 - a, 20, 30 + 3 * a}, 64 * eps);
  backward(sum(out));
  check_near(norm.gain.grad(), {-2 * a, 0, 2 * a}, 64 * eps);
  check_near(norm.bias.grad(), {2, 2, 2}, 0);
}

TEST_CASE("the gradient through a constant row is made of numbers") {
  const LayerNorm norm(4);
  const Tensor x = full({4}, 3).require_grad();
  backward(sum(norm(x) * from_values({1, 2, 3, 4})));
  const double r = 1 / std::sqrt(1e-5);  // the slope where only eps is left
  check_near(x.grad(), {-1.5 * r, -0.5 * r, 0.5 * r, 1.5 * r}, 64 * eps);
}

TEST_CASE("dropout keeps a share of the values, divided by it, and the mean") {
  const Dropout dropout(real(0.25));
  Random random(2);
  const Training training(random);
  const Tensor out = dropout(ones({100, 100}));
  const real kept = 1 / (1 - real(0.25));
  for (real v : values(out)) REQUIRE((v == 0 || v == kept));
  CHECK(double(kept) == Approx(4 / 3.).epsilon(2 * eps));
  CHECK(mean(out).item() == Approx(1).margin(0.03));  // five deviations of sqrt(1/3) / 100
  CHECK(values(dropout(ones({100}))) != values(dropout(ones({100}))));
}

TEST_CASE("dropout is off outside training, bit for bit, and on again afterwards") {
  const Dropout dropout(real(0.25));
  const Tensor x = from_values({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  Random random(3);
  CHECK(dropout(x).same_as(x));
  {
    const Training training(random);
    CHECK(values(dropout(x)) != values(x));
    CHECK(Dropout(0)(x).same_as(x));
  }
  CHECK(dropout(x).same_as(x));
  const Training training(random);
  CHECK(values(dropout(x)) != values(x));
}

TEST_CASE("a scope of training inside another hands back to it") {
  const Dropout dropout(real(0.5));
  const Tensor x = ones({64});
  Random outer(1), inner(2), same(1);
  const Training training(outer);
  { const Training nested(inner); }
  CHECK(values(dropout(x)) == values(attention::dropout(x, real(0.5), same)));
}

TEST_CASE("dropout's gradient goes through the same mask") {
  Random random(4);
  const Training training(random);
  const Tensor x = ones({40}).require_grad(), out = Dropout(real(0.25))(x);
  backward(sum(out));
  CHECK(values(x.grad()) == values(out));
}

TEST_CASE("activations are found by name, and do what it says") {
  const Tensor x = from_values({-1, 1});
  check_near(activate(activation_kind("relu"), x), {0, 1}, 0);
  check_near(activate(activation_kind("gelu"), x), {-0.158655, 0.841345}, six_digits);
  check_near(activate(activation_kind("gelu_tanh"), x), {-0.158808, 0.841192}, six_digits);
  for (const char* name : {"relu", "gelu", "gelu_tanh"})
    CHECK(to_string(activation_kind(name)) == name);
  CHECK_THROWS_WITH(activation_kind("swish"),
                    Equals("activation: 'swish' is unknown; relu, gelu and gelu_tanh are known"));
}

TEST_CASE("a feed-forward layer is linear, activation, linear") {
  Random random(1);
  FeedForward layer(2, 3, Activation::relu, random);
  CHECK(layer.up.weight.shape() == Shape{2, 3});
  CHECK(layer.down.weight.shape() == Shape{3, 2});
  layer.up.weight = from_values({1, -1, 0, 0, 1, 1}, {2, 3});
  layer.up.bias = from_values({0, 0, 1});
  layer.down.weight = from_values({1, 10, 2, 20, 3, 30}, {3, 2});
  layer.down.bias = from_values({100, 1000});
  check_near(layer(from_values({1, 2}, {1, 2})), {1 + 2 + 9 + 100, 10 + 20 + 90 + 1000}, 0);
  check_near(layer(from_values({2, 1}, {1, 2})), {2 + 0 + 6 + 100, 20 + 0 + 60 + 1000}, 0);
}

TEST_CASE("each way to draw weights has its variance") {
  const Size in = 200, out = 100;
  Random random(6);
  auto check_deviation = [](const Tensor& weight, double deviation) {
    CHECK(weight.requires_grad());
    CHECK(std::abs(mean(weight).item()) < 0.05 * deviation);
    CHECK(std::sqrt(double(variance(weight).item())) == Approx(deviation).epsilon(0.03));
  };
  check_deviation(init::normal({in, out}, real(0.3), random), 0.3);
  check_deviation(init::xavier_uniform(in, out, random), std::sqrt(2 / 300.));
  check_deviation(init::xavier_normal(in, out, random), std::sqrt(2 / 300.));
  check_deviation(init::kaiming_normal(in, out, random), std::sqrt(2 / 200.));
  check_deviation(Linear(in, out, random).weight, std::sqrt(2 / 300.));
  check_deviation(Embedding(in, out, random).weight, std::sqrt(1 / 100.));

  const std::vector<real> flat = values(init::xavier_uniform(in, out, random));
  const double limit = std::sqrt(6 / 300.);
  const auto [low, high] = std::minmax_element(flat.begin(), flat.end());
  CHECK(*low == Approx(-limit).epsilon(0.01));
  CHECK(*high == Approx(limit).epsilon(0.01));
  CHECK(std::max(-*low, *high) <= limit * (1 + eps));
}

TEST_CASE("zeros and ones are leaves to learn, and an impossible weight is refused") {
  CHECK(values(init::zeros({2})) == std::vector<real>{0, 0});
  CHECK(values(init::ones({2})) == std::vector<real>{1, 1});
  CHECK((init::zeros({2}).requires_grad() && init::ones({2}).requires_grad()));
  Random random(1);
  for (auto make : {init::xavier_uniform, init::xavier_normal, init::kaiming_normal})
    CHECK_THROWS_WITH(make(3, 0, random),
                      Equals("init: a weight of 3 by 0; both sizes must be positive"));
}
