#include "attention/tensor/gradcheck.hpp"

#include <cmath>
#include <limits>

#include "attention/core/error.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

using Function = std::function<Tensor(const Tensors&)>;

Tensors as_leaves(const Tensors& inputs) {
  Tensors leaves;
  for (const Tensor& input : inputs) leaves.push_back(input.clone().require_grad());
  return leaves;
}

// The weighting of the output: fixed, so that both sides of the comparison use the same.
Tensor weights_like(const Tensor& x, std::uint64_t seed) {
  Random random(seed);
  return uniform(x.shape(), real(0.5), real(1.5), random) *
         where(greater(normal(x.shape(), 0, 1, random), 0), 1, -1);
}

double weighted(const Function& f, const Tensors& inputs) {
  const Tensor y = f(inputs);
  const Tensor w = weights_like(y, 11);
  double total = 0;  // in double, whatever real is
  for (Size i = 0; i < y.count(); ++i) total += double(y.data()[i]) * double(w.data()[i]);
  return total;
}

std::string index_text(const Shape& shape, Size offset) {
  std::vector<Size> index(shape.rank());
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index[axis] = offset % shape[axis];
    offset /= shape[axis];
  }
  return to_string(Shape(index));
}

double central_difference(const Function& f, const Tensors& inputs, std::size_t which, Size offset,
                          double step) {
  auto moved = [&](double by) {
    Tensors points = inputs;
    points[which] = inputs[which].clone();
    points[which].edit()[offset] += static_cast<real>(by);
    return weighted(f, as_leaves(points));
  };
  return (moved(step) - moved(-step)) / (2 * step);
}

// `each_input`: whether a gradient of zeros everywhere is refused input by input, or only when no
// input has any other.
GradcheckReport compare(const Function& f, const Tensors& inputs, const GradcheckOptions& options,
                        bool each_input) {
  const Tensors leaves = as_leaves(inputs);
  const Tensor y = f(leaves);
  if (!y.defined()) fail("gradcheck: the function returned an undefined tensor");
  const Tensors analytic = gradients(sum(y * weights_like(y, 11)), leaves);

  GradcheckReport worst;
  bool any = false;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    bool proved = false;
    for (Size i = 0; i < inputs[k].count(); ++i) {
      const double a = analytic[k].data()[i];
      const double n = central_difference(f, inputs, k, i, options.step);
      proved = proved || a != 0 || std::abs(n) > options.tolerance;
      const double difference = std::abs(a - n) / std::max({1.0, std::abs(a), std::abs(n)});
      const double error =
          std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
      if (worst.input < 0 || error > worst.error)
        worst = {.error = error,
                 .input = static_cast<int>(k),
                 .index = index_text(inputs[k].shape(), i),
                 .analytic = a,
                 .numeric = n};
    }
    any = any || proved;
    if (each_input && !proved && inputs[k].count() > 0) {
      worst.text = fmt::format(
          "gradcheck: input {} has no effect at all: zero was compared with zero, which proves "
          "nothing; choose other values, or leave the input out",
          k);
      return worst;
    }
  }
  if (!any) {
    worst.text =
        "gradcheck: every gradient is zero: zero was compared with zero, which proves "
        "nothing; choose other values";
    return worst;
  }
  worst.passed = worst.error <= options.tolerance;
  worst.text = fmt::format(
      "gradcheck {}: worst element {} of input {}: the rule says {:.10g}, differences say {:.10g} "
      "(error {:.2e}, limit {:.0e})",
      worst.passed ? "passed" : "FAILED", worst.index, worst.input, worst.analytic, worst.numeric,
      worst.error, options.tolerance);
  return worst;
}

// The gradient of f as a function of its inputs and of the gradient that arrives: linear in the
// latter, so it is not zero even where f itself is linear.
Function gradient_of(const Function& f) {
  return [f](const Tensors& inputs_and_grad) {
    Tensors inputs(inputs_and_grad.begin(), inputs_and_grad.end() - 1);
    const Tensor loss = sum(f(inputs) * inputs_and_grad.back());
    Tensors flat;
    for (const Tensor& grad : gradients(loss, inputs, {.record = true}))
      flat.push_back(reshape(grad, {grad.count()}));
    return concat(flat, 0);
  };
}

}  // namespace

GradcheckReport gradcheck(const Function& f, const Tensors& inputs, GradcheckOptions options) {
  if (!f) fail("gradcheck: there is no function to check");
  check_defined("gradcheck", inputs);
  if (!(options.step > 0) || !(options.tolerance > 0) || std::isinf(options.step) ||
      std::isinf(options.tolerance))
    fail("gradcheck: a step of {} and a tolerance of {}; both have to be positive and finite",
         options.step, options.tolerance);
  const double finest = std::cbrt(std::numeric_limits<real>::epsilon());
  if (options.step < finest / 10)
    fail(
        "gradcheck: a step of {} is too fine for this number type (epsilon {:.1e}); link "
        "attention_double, whose numbers are double",
        options.step, double(std::numeric_limits<real>::epsilon()));
  if (inputs.empty()) fail("gradcheck: no inputs; there is nothing to differentiate by");
  GradcheckReport report = compare(f, inputs, options, true);
  if (!report || !options.second_order) return report;

  Tensors with_grad = inputs;
  with_grad.push_back(weights_like(f(as_leaves(inputs)), 12));
  GradcheckReport second = compare(gradient_of(f), with_grad, options, false);
  second.text = "second order: " + second.text;
  return second;
}

GradcheckReport gradcheck(const std::function<Tensor(const Tensor&)>& f, const Tensor& input,
                          GradcheckOptions options) {
  if (!f) fail("gradcheck: there is no function to check");
  return gradcheck([&f](const Tensors& inputs) { return f(inputs[0]); }, Tensors{input}, options);
}

}  // namespace attention
