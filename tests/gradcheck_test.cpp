// The checker checked: it passes what is right, fails planted mistakes and says where, and refuses
// comparisons that prove nothing. Wrong rules are not enlisted, or gradient_test would find them.
#include "attention/tensor/gradcheck.hpp"

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

// forward(x…), said to have been made by `planted` with this rule.
template <class Forward>
Tensor planted(const Tensors& inputs, Forward forward, Rule rule) {
  Tensor out = (NoGrad(), forward());
  return remember(out, "planted", inputs, std::move(rule));
}

Tensor wrong_cube(const Tensor& x) {
  return planted(
      {x}, [&] { return x * x * x; },
      [](const Link& l) { return Tensors{l.grad * l.in[0] * l.in[0] * 2}; });
}

}  // namespace

TEST_CASE("in float a gradient check is refused") {
  if (in_double) return;
  CHECK_THROWS_WITH(
      gradcheck([](const Tensor& x) { return x * x; }, ones({2})),
      "gradcheck: a step of 1e-05 is too fine for this number type (epsilon 1.2e-07); link "
      "attention_double, whose numbers are double");
}

TEST_CASE("without inputs there is nothing to check") {
  CHECK_THROWS_WITH(gradcheck([](const Tensors&) { return Tensor(1); }, Tensors{}, {.step = 0.01}),
                    "gradcheck: no inputs; there is nothing to differentiate by");
}

TEST_CASE("a right function passes, at first and second order") {
  if (!in_double) return;
  const auto before = live_nodes();
  {
    const auto f = [](const Tensors& x) { return softmax(matmul(x[0], x[1]), -1) * x[2]; };
    const Tensors inputs{drawn({2, 3}, 1), drawn({3, 4}, 2), drawn({4}, 3)};
    const GradcheckReport report = gradcheck(f, inputs, {.second_order = true});
    INFO(report.text);
    CHECK(report);
    CHECK(report.passed);
    CHECK(report.error < 1e-6);
    CHECK(report.text.starts_with("second order: gradcheck passed: worst element ("));
    CHECK(gradcheck(f, inputs).text.starts_with("gradcheck passed: worst element ("));
    for (const Tensor& input : inputs) CHECK_FALSE(input.requires_grad());  // left as they were
  }
  CHECK(live_nodes() == before);
}

TEST_CASE("a planted mistake fails, with its place and both numbers") {
  if (!in_double) return;
  const GradcheckReport report = gradcheck(wrong_cube, from_values({0, 2, 0}));
  CHECK_FALSE(report);
  CHECK(report.input == 0);
  CHECK(report.index == "(1,)");
  CHECK(report.analytic / report.numeric == Approx(2 / 3.));
  CHECK(report.error == Approx(1 / 3.));
  CHECK(report.text ==
        fmt::format("gradcheck FAILED: worst element (1,) of input 0: the rule says {:.10g}, "
                    "differences say {:.10g} (error 3.33e-01, limit 1e-06)",
                    report.analytic, report.numeric));
}

TEST_CASE("a mistake in a single element of one of several inputs is found") {
  if (!in_double) return;
  Tensor slip = ones({2, 3});
  slip.edit()[5] = 1 + 1e-4;
  const auto f = [slip](const Tensors& x) {
    return planted(
        x, [&] { return x[0] * x[1]; },
        [slip](const Link& l) {
          return Tensors{l.grad * l.in[1], l.grad * l.in[0] * slip};
        });
  };
  const GradcheckReport report = gradcheck(f, {full({2, 3}, 2), full({2, 3}, 3)});
  CHECK_FALSE(report);
  CHECK(report.input == 1);
  CHECK(report.index == "(1, 2)");
  CHECK(report.analytic / report.numeric == Approx(1 + 1e-4).epsilon(1e-8));
}

TEST_CASE("a softmax rule without its mean is caught, as a plain sum would not") {
  if (!in_double) return;
  const auto f = [](const Tensor& x) {
    return planted(
        {x}, [&] { return softmax(x, -1); },
        [](const Link& l) { return Tensors{l.out * (l.grad - 1)}; });
  };
  const Tensor x = leaf(drawn({2, 3}));
  CHECK(distance(gradients(sum(f(x)), {x})[0], zeros({2, 3})) < 1e-12);  // looks right
  CHECK_FALSE(gradcheck(f, drawn({2, 3})));
}

TEST_CASE("a mistake that only second derivatives show is found at second order") {
  if (!in_double) return;
  const auto f = [](const Tensor& x) {
    return planted(
        {x}, [&] { return x * x; },
        [](const Link& l) { return Tensors{l.grad * l.in[0].detach() * 2}; });
  };
  CHECK(gradcheck(f, drawn({3})));
  const GradcheckReport report = gradcheck(f, drawn({3}), {.second_order = true});
  CHECK_FALSE(report);
  CHECK(report.text.starts_with("second order: gradcheck FAILED: worst element ("));
}

TEST_CASE("an operand that no gradient reaches is found") {
  if (!in_double) return;
  const auto detached = [](const Tensors& x) { return x[0] * x[1].detach(); };
  const GradcheckReport report = gradcheck(detached, {drawn({3}, 1), drawn({3}, 2)});
  CHECK_FALSE(report);
  CHECK(report.input == 1);
  CHECK(report.analytic == 0);
}

TEST_CASE("zero against zero is refused") {
  if (!in_double) return;
  const GradcheckReport report =
      gradcheck([](const Tensors& x) { return x[0] + x[1] * 0; }, {drawn({3}, 1), drawn({3}, 2)});
  CHECK_FALSE(report);
  CHECK(report.text ==
        "gradcheck: input 1 has no effect at all: zero was compared with zero, which proves "
        "nothing; choose other values, or leave the input out");
  CHECK_FALSE(gradcheck(relu, full({3}, -1)));
}

TEST_CASE("a gradient that is not a number fails") {
  if (!in_double) return;
  CHECK_FALSE(gradcheck([](const Tensor& x) { return sqrt(x); }, from_values({4, -1})));
  const auto rule_only = [](const Tensor& x) {
    return planted(
        {x}, [&] { return x * 1; },
        [](const Link& l) {
          return Tensors{l.grad * from_values({1, not_a_number})};
        });
  };
  CHECK_FALSE(gradcheck(rule_only, ones({2})));
}

TEST_CASE("the tolerance and the step are what was asked for") {
  if (!in_double) return;
  const auto nearly = [](const Tensor& x) {
    return planted(
        {x}, [&] { return x * 1; }, [](const Link& l) { return Tensors{l.grad * 1.001}; });
  };
  CHECK_FALSE(gradcheck(nearly, ones({2})));
  CHECK(gradcheck(nearly, ones({2}), {.tolerance = 0.01}));
  const auto e = [](const Tensor& x) { return exp(x); };
  CHECK(gradcheck(e, ones({2}), {.step = 1e-3, .tolerance = 1e-5}));
  CHECK_FALSE(gradcheck(e, ones({2}), {.step = 1, .tolerance = 1e-5}));
  CHECK_THROWS_AS(gradcheck(e, ones({2}), {.step = 1e-9}), Error);
}
