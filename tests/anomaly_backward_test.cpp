// AnomalyMode on the way back, and the scope itself: it changes no bit, and ends where it ends.
#include <optional>
#include <thread>

#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tensor/anomaly.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"
#include "attention/train/optimizer.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Contains;

namespace {

const std::string back = "anomaly in the backward pass: ";
const real largest = std::numeric_limits<real>::max();
const real big = in_double ? real(1e200) : real(1e30);  // its square is infinite
const std::string big_text = in_double ? "1e+200" : "1e+30";

void check_anomaly(const Tensor& loss, const std::string& text) {
  const AnomalyMode mode;
  CHECK_THROWS_WITH(backward(loss), text);
}

void check_words(const Tensor& loss, const std::string& words) {
  const AnomalyMode mode;
  CHECK_THROWS_WITH(backward(loss), Contains(back + words));
}

}  // namespace

TEST_CASE("an infinite slope is named with the input it is for, the place and the cause") {
  const Tensor x = leaf({1, 4, 0, 9, 0, 16}, {2, 3});
  check_anomaly(sum(sqrt(x) * 2),
                back +
                    "sqrt of (2, 3): of the gradient for its input, 2 of 6 values are not finite, "
                    "the first is inf at (0, 2); its input has 2 values of 0, where the slope is "
                    "infinite; add a small number first; path to the loss: sqrt (2, 3) > multiply "
                    "(2, 3) > sum (1, 1) > reshape ()");
  check_words(sum(pow(x, real(0.5))),
              "pow of (2, 3): of the gradient for its input, 2 of 6 values are not finite, the "
              "first is inf at (0, 2); its input has 2 values of 0, where the slope is infinite");
  // The well-known trap: where() drops the value, but 0 times the infinite slope is NaN.
  check_words(sum(where(greater(x, 0), sqrt(x), 0)),
              "sqrt of (2, 3): of the gradient for its input, 2 of 6 values are not finite, the "
              "first is NaN at (0, 2); ");
}

TEST_CASE("slopes that are too steep and gradients that grew too large have words of their own") {
  const Tensor small = leaf({1, 1 / big, 3}, {3});
  check_words(sum(2 / small),
              "divide of (), (3,): of the gradient for input 1, 1 of 3 values is not finite, the "
              "first is -inf at (1); its divisor, input 1, comes down to ");
  check_words(sum(log(small)) * (in_double ? real(1e150) : real(1e10)),
              "log of (3,): of the gradient for its input, 1 of 3 values is not finite, the first "
              "is inf at (1); its input comes down to ");
  const Tensor x = leaf(full({2, 3}, 1 / big));
  check_words(sum(x * big * big),
              "multiply of (2, 3), (): of the gradient for input 0, 6 of 6 values are not finite, "
              "the first is inf at (0, 0); what arrives goes up to " +
                  big_text + " already: it explodes; a lower rate or normalization helps; ");
}

TEST_CASE("gradients that are finite one by one but not together are named where they meet") {
  const Tensor x = leaf(full({2, 3}, real(1e-3)));
  const AnomalyMode mode({{"x", x}});
  const std::string after =
      "of the sum of the gradients that arrive, 6 of 6 values are not finite, the first is inf at "
      "(0, 0); each of them is finite, but together they are too large; path to the loss: ";
  CHECK_THROWS_WITH(backward(sum(x * largest) + sum(x * largest)),
                    back + "x (2, 3): " + after +
                        "x (2, 3) > multiply (2, 3) > sum (1, 1) > reshape () > add ()");
  const Tensor y = tanh(x);
  CHECK_THROWS_WITH(backward(sum(y * largest) + sum(y * largest)),
                    back + "tanh (2, 3): " + after +
                        "tanh (2, 3) > multiply (2, 3) > sum (1, 1) > reshape () > add ()");
  // A stretched operand's gradient is summed by the engine, for the op that stretched it.
  const Tensor bias = leaf(zeros({3}));
  CHECK_THROWS_WITH(backward(sum((full({2, 3}, real(1e-3)) + bias) * (largest * real(0.75)))),
                    Contains(back + "add of (2, 3), (3,): of the gradient for input 1, 3 of 3 "
                                    "values are not finite, the first is inf at (0); "));
}

TEST_CASE("of a rule, only what somebody wants is looked at") {
  const auto twice = [](const Tensor& x, const Tensor& y, Tensor to_x, Tensor to_y) {
    return remember((NoGrad(), x * 2 + y), "twice", {x, y}, [to_x, to_y](const Link&) {
      return Tensors{to_x, to_y};
    });
  };
  const Tensor x = leaf({0.5}, {1}), constant = ones({1});
  const Tensor good = ones({1}), bad = full({1}, not_a_number);
  const AnomalyMode mode;
  CHECK_NOTHROW(backward(twice(x, constant, good, bad)));
  CHECK_NOTHROW(backward(twice(x, constant, good, Tensor())));
  CHECK_THROWS_WITH(backward(twice(x, leaf(ones({1})), good, bad)),
                    back +
                        "twice of (1,), (1,): of the gradient for input 1, the value is NaN; what "
                        "arrives is finite and goes up to 1 only: look at the op's rule; path to "
                        "the loss: twice (1,)");
}

TEST_CASE("gradients() and derivatives of derivatives are watched, too") {
  const Tensor x = leaf({0, 4}, {2});
  const AnomalyMode mode;
  CHECK_THROWS_WITH(gradients(sum(sqrt(x)), {x}), Contains(back + "sqrt of (2,)"));
  // x^1.5 has a slope everywhere, 1.5 sqrt(x); at 0 that one has none.
  const Tensor slope = gradients(sum(pow(x, real(1.5))), {x}, {.record = true})[0];
  CHECK(values(slope) == std::vector<real>{0, 3});
  CHECK_THROWS_WITH(backward(sum(slope)),
                    Contains(back + "pow of (2,): of the gradient for its input, 1 of 2 values is "
                                    "not finite, the first is inf at (0); "));
}

TEST_CASE("watched or not, a model's gradients have the same bits, also with retain and record") {
  Random random(1);
  const Transformer model({.vocabulary = 11, .context = 7, .channels = 6, .heads = 3, .layers = 2},
                          random);
  const NamedTensors named = parameters(model);
  const Tokens ids({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const auto gradients_of = [&](BackwardOptions options, bool watched) {
    std::optional<AnomalyMode> mode;
    if (watched) mode.emplace(named);
    clear_gradients(named);
    const Tensor loss = cross_entropy(model(ids), ids);
    backward(loss, options);
    if (options.retain) backward(loss);
    std::vector<real> all;
    for (const auto& [name, tensor] : named)
      for (real value : values(tensor.grad())) all.push_back(value);
    return all;
  };
  for (BackwardOptions options :
       {BackwardOptions{}, BackwardOptions{.retain = true}, BackwardOptions{.record = true}})
    CHECK(gradients_of(options, true) == gradients_of(options, false));
  clear_gradients(named);
  const std::uint64_t before = live_nodes();
  gradients_of({}, true);
  clear_gradients(named);
  CHECK(live_nodes() == before);
}

TEST_CASE("outside the scope, and on other threads, nothing is watched") {
  const auto infinite_slope = [] {
    const Tensor x = leaf({0}, {1});
    backward(sqrt(x));
    return x.grad().item();
  };
  CHECK(infinite_slope() == infinity);
  {
    const AnomalyMode mode;
    { const AnomalyMode inner; }
    CHECK_THROWS_AS(infinite_slope(), Anomaly);
    real elsewhere = 0;
    std::thread([&] { elsewhere = infinite_slope(); }).join();
    CHECK(elsewhere == infinity);
  }
  CHECK(infinite_slope() == infinity);
}

TEST_CASE("what backward() refuses anyway, it refuses in the same words") {
  const AnomalyMode mode;
  Tensor x = leaf({1, 2}, {2});
  const Tensor y = exp(x), loss = sum(y);
  backward(loss);
  CHECK_THROWS_WITH(backward(loss), Contains("was freed by an earlier backward"));
  CHECK_THROWS_WITH(backward(mean(y)), Contains("was freed by an earlier backward"));
  const Mask mask(Shape{2, 1}, {1, 0});
  const Tensor masked = log_softmax(leaf(ones({2, 1})), 0, mask);  // -inf, and no more known why
  backward(sum(where(mask, masked, 0)));
  CHECK_THROWS_WITH(backward(sum(where(mask, masked, 0))), Contains("was freed by an earlier"));
  const Tensor changed = sum(exp(x));
  x.edit()[0] = not_a_number;  // no anomaly of that forward pass
  CHECK_THROWS_WITH(backward(changed), Contains("input 0 of exp, shape (2,), was changed"));
  CHECK_THROWS_WITH(backward(x * 2), Contains("it must be one number"));
}
