// AnomalyMode and the forward pass: what is reported, in which words, and what is no anomaly.
// The way back is in anomaly_backward_test.cpp.
#include "attention/tensor/anomaly.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Contains;

namespace {

const std::string forward = "anomaly in the forward pass: ";
const std::string number_type = in_double ? "double" : "float";
const std::string its_end = in_double ? "1.8e+308" : "3.4e+38";
const real big = in_double ? real(1e200) : real(1e30);  // its square is infinite
const std::string big_text = in_double ? "1e+200" : "1e+30";

void check_anomaly(const Tensor& loss, const std::string& text) {
  const AnomalyMode mode;
  CHECK_THROWS_WITH(backward(loss), text);
}

void check_fine(const Tensor& loss) {
  const AnomalyMode mode;
  CHECK_NOTHROW(backward(loss, {.retain = true}));
}

}  // namespace

TEST_CASE("what is not finite is counted, and the first of it is named with its place") {
  CHECK(not_finite(from_values({1, 2, 3})) == "");
  CHECK(not_finite(zeros({0, 3})) == "");
  CHECK(not_finite(from_values({0, -infinity, not_a_number, 3, infinity, 5}, {2, 3})) ==
        "3 of 6 values are not finite, the first is -inf at (0, 1)");
  CHECK(not_finite(from_values({0, 1, 2, 3, 4, 5, 6, infinity}, {2, 2, 2})) ==
        "1 of 8 values is not finite, the first is inf at (1, 1, 1)");
  CHECK(not_finite(from_values({0, not_a_number})) ==
        "1 of 2 values is not finite, the first is NaN at (1)");
  CHECK(not_finite(Tensor(not_a_number)) == "the value is NaN");
  const real largest = std::numeric_limits<real>::max();
  CHECK(all_finite(from_values({largest, -largest, 0, std::numeric_limits<real>::denorm_min()})));
  for (real wrong : {infinity, -infinity, not_a_number})
    for (Size i = 0; i < 37; ++i) {  // in vectors as well as in what is left over
      Tensor x = ones({37});
      x.edit()[i] = wrong;
      CHECK_FALSE(all_finite(x));
    }
}

TEST_CASE("log of 0 is named with its shapes, the place, the cause and the path") {
  const Tensor x = leaf({1, 0, 2, 0, 3, 0}, {2, 3}), w = leaf(drawn({3, 4}));
  check_anomaly(sum(matmul(log(x), w)),
                forward +
                    "log of (2, 3): 3 of 6 values are not finite, the first is -inf at (0, 1); its "
                    "input has 3 values of 0, and log of 0 is -inf; add a small number, or take "
                    "log_softmax of the scores; path to the loss: log (2, 3) > matmul (2, 4) > sum "
                    "(1, 1) > reshape ()");
}

TEST_CASE("each op that can leave the numbers has its likely cause in words") {
  const auto check = [](const Tensor& y, const std::string& words) {
    CAPTURE(words);
    const AnomalyMode mode;
    CHECK_THROWS_WITH(backward(sum(y)), Contains(forward + words));
  };
  const Tensor x = leaf({1, -2, 3, 0, -5, 0}, {2, 3});
  check(log(x),
        "log of (2, 3): 4 of 6 values are not finite, the first is NaN at (0, 1); its input has 2 "
        "values below 0, where there is no logarithm; ");
  check(sqrt(x),
        "sqrt of (2, 3): 2 of 6 values are not finite, the first is NaN at (0, 1); its input has 2 "
        "values below 0, where there is no square root; ");
  check(pow(x, real(1.5)),
        "pow of (2, 3): 2 of 6 values are not finite, the first is NaN at (0, 1); its input has 2 "
        "values below 0, and a fractional power of one is NaN; ");
  check(pow(x, -2),
        "pow of (2, 3): 2 of 6 values are not finite, the first is inf at (1, 0); its input has 2 "
        "values of 0, and 0 to a negative power is infinite; add a small number first; ");
  check(pow(x, 2000),
        "pow of (2, 3): 3 of 6 values are not finite, the first is inf at (0, 1); its input goes "
        "up to 5, and " +
            number_type + " ends at " + its_end + ": it overflows; ");
  check(ones({3}) / x,
        "divide of (3,), (2, 3): 2 of 6 values are not finite, the first is inf at (1, 0); its "
        "divisor, input 1, has 2 values of 0; add a small number to it; ");
  check(full({3}, big) / leaf(full({3}, 1 / big)),
        "divide of (3,), (3,): 3 of 3 values are not finite, the first is inf at (0); its divisor, "
        "input 1, comes down to ");
  check(exp(x + 1000),
        std::string("exp of (2, 3): 6 of 6 values are not finite, the first is inf at (0, 0); its "
                    "largest input is 1003, and exp of more than ") +
            (in_double ? "709.8 is infinite in double" : "88.72 is infinite in float") +
            "; subtract the largest first, as softmax does; ");
  const Tensor y = leaf(full({2, 3}, big));
  check(matmul(y, full({4, 3}, -big), transpose_b),
        "matmul of (2, 3), (4, 3): 8 of 8 values are not finite, the first is -inf at (0, 0); its "
        "inputs go up to " +
            big_text + ", " + big_text + ", and " + number_type + " ends at " + its_end +
            ": it overflows; ");
  check(attend(y, y, y),
        "attend of (2, 3), (2, 3), (2, 3): 6 of 6 values are not finite, the first is NaN at (0, "
        "0); its inputs go up to " +
            big_text + ", " + big_text + ", " + big_text + ", and " + number_type + " ends at " +
            its_end + ": the scores overflow; ");
}

TEST_CASE("the oldest anomaly is named, not what came of it nor what came later") {
  const Tensor x = leaf({0, 1}, {2}), y = leaf({-1, 1, 2}, {3});
  const Tensor first = log(x), second = sqrt(y);
  const Tensor spread = tanh(first * 0);  // NaN as well
  check_anomaly(sum(second) + sum(spread),
                forward +
                    "log of (2,): 1 of 2 values is not finite, the first is -inf at (0); its input "
                    "has 1 value of 0, and log of 0 is -inf; add a small number, or take "
                    "log_softmax of the scores; path to the loss: log (2,) > multiply (2,) > tanh "
                    "(2,) > sum (1,) > reshape () > add ()");
}

TEST_CASE("the path to the loss is a shortest one, and long ones lose their middle") {
  const Tensor x = leaf({0, 1}, {2}), y = log(x);
  const auto path = [](const Tensor& loss) {
    const AnomalyMode mode;
    std::string text;
    try {
      backward(loss);
    } catch (const Anomaly& anomaly) {
      text = anomaly.what();
    }
    return text.substr(text.find("path to the loss: ") + 18);
  };
  CHECK(path(sum(tanh(exp(tanh(y))) + y, 0, keep) * 2) ==
        "log (2,) > add (2,) > sum (1,) > multiply (1,)");
  const std::string two_more = "log (2,) > exp (2,) > sum (1,) > reshape () > add ()";
  CHECK(path(sum(exp(y)) + sum(tanh(tanh(y * 2)))) == two_more);
  CHECK(path(sum(tanh(tanh(y * 2))) + sum(exp(y))) == two_more);
  Tensor chain = y;
  for (int i = 0; i < 100'000; ++i) chain = chain + 1;
  CHECK(path(sum(chain)) ==
        "log (2,) > add (2,) > add (2,) > add (2,) > add (2,) > … 99997 more … > "
        "reshape ()");
}

TEST_CASE("a leaf that came in wrong is called by its name, a constant by where it went") {
  const Tensor w = leaf({1, not_a_number, 3, infinity}, {2, 2}), other = leaf(ones({2, 2}));
  const std::string left =
      "2 of 4 values are not finite, the first is NaN at (0, 1); it came in like that: ";
  const std::string step = "the optimizer's last step was too large; a lower rate helps; ";
  const std::string data = "look at the data, and at what was made of it before the graph; ";
  const Tensor loss = sum(matmul(other, w));
  check_anomaly(loss,
                forward + "leaf (2, 2): " + left + step +
                    "path to the loss: leaf (2, 2) > matmul (2, 2) > sum (1, 1) > reshape ()");
  {
    const AnomalyMode named({{"blocks.0.weight", w}, {"other", other}});
    const std::string text =
        forward + "blocks.0.weight (2, 2): " + left + step +
        "path to the loss: blocks.0.weight (2, 2) > matmul (2, 2) > sum (1, 1) > reshape ()";
    CHECK_THROWS_WITH(backward(loss), text);
    const AnomalyMode inner;  // the outer scope's names still count
    CHECK_THROWS_WITH(backward(loss), text);
  }
  // An op whose inputs asked for no gradient is outside the graph.
  check_anomaly(sum(matmul(other, log(from_values({1, -1, 3, 0}, {2, 2})))),
                forward + "constant (2, 2), input 1 of matmul (2, 2): " + left + data +
                    "path to the loss: constant (2, 2) > matmul (2, 2) > sum (1, 1) > reshape ()");
}

TEST_CASE("an infinity that an op gives by definition is no anomaly, until the loss is one") {
  const Tensor x = leaf({1, 2, 3, 4, 5, 6}, {2, 3});
  const Mask mask(Shape{2, 3}, {1, 0, 1, 1, 1, 0});
  const Tensor y = log_softmax(x, -1, mask);
  check_fine(-sum(exp(y) * where(mask, y, 0)));             // an entropy
  check_fine(sum(where(mask, reshape(y * 2, {2, 3}), 0)));  // and what is made of it
  check_fine(sum(where(mask, log_softmax(x, 0, mask), 0)));
  check_fine(sum(max(where(mask, x, -infinity), -1)));
  check_fine(sum(softmax(x + from_values({0, -infinity, 0}), -1) * x));
  const std::string there =
      "log_softmax of (2, 3): 2 of 6 values are not finite, the first is -inf at (0, 1); ";
  check_anomaly(sum(y),
                forward + there +
                    "what is masked may be -inf, but here it reaches the loss; leave it out of the "
                    "sum with where(); path to the loss: log_softmax (2, 3) > sum (1, 1) > reshape "
                    "()");
  check_anomaly(sum(y * from_values({1, 0, 1, 1, 1, 0}, {2, 3})),
                forward +
                    "multiply of (2, 3), (2, 3): 2 of 6 values are not finite, the first is NaN at "
                    "(0, 1); input 0 has 2 values of -inf or inf, and 0 times inf and inf - inf "
                    "are NaN; leave them out with where() first; path to the loss: multiply (2, 3) "
                    "> sum (1, 1) > reshape ()");
}

TEST_CASE("an infinity by definition excuses no other") {
  const Tensor x = leaf({0, 0, -infinity}, {3});
  const AnomalyMode mode;
  CHECK_THROWS_WITH(backward(sum(softmax(x, -1))), Contains("leaf (3,): 1 of 3 values"));
  const Tensor y = leaf(ones({3}));
  for (real wrong : {infinity, real(1)})  // of a constant, only -inf among zeros is a mask
    CHECK_THROWS_WITH(backward(sum(softmax(y + from_values({wrong, -infinity, 0}), -1))),
                      Contains("constant (3,), input 1 of add (3,): "));
  const real largest = std::numeric_limits<real>::max();
  const Tensor apart = leaf({-largest, largest}, {2});
  CHECK_THROWS_WITH(backward(sum(exp(log_softmax(apart, -1)))),
                    Contains("log_softmax of (2,): 1 of 2 values is not finite"));
}

TEST_CASE("a custom op that makes something wrong of harmless numbers is pointed at") {
  const auto broken = [](const Tensor& x) {
    return remember(full(x.shape(), not_a_number), "broken", {x},
                    [](const Link& l) { return Tensors{l.grad}; });
  };
  check_anomaly(broken(leaf({0.5}, {1})),
                forward +
                    "broken of (1,): the value is NaN; its inputs are finite and go up to 0.5 "
                    "only: look at the op's forward; path to the loss: broken (1,)");
}
