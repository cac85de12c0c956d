// Why there is a NaN or an infinity: what an op's name and the numbers that went into it suggest.
// An op that is not named here gets the words for numbers that are too large, or, where they are
// not, the advice to look at the op itself.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "watch.hpp"

namespace attention {
namespace {

const char* const number_type = sizeof(real) == sizeof(float) ? "float" : "double";
const real largest_number = std::numeric_limits<real>::max();

// Products of four numbers below this are still numbers: it takes larger ones to overflow.
const real harmless = std::sqrt(std::sqrt(largest_number));

// The finite values of a tensor at a glance; `least` and `most` without their signs, 0 left out.
struct Glance {
  Size zeros = 0, negatives = 0, infinities = 0;
  real least = largest_number, most = 0, highest = -largest_number;
};

Glance glance(const Tensor& x) {
  Glance seen;
  for (Size i = 0; i < x.count(); ++i) {
    const real value = x.data()[i], size = std::abs(value);
    seen.zeros += value == 0;
    seen.negatives += value < 0;
    if (!std::isfinite(value)) {
      ++seen.infinities;
      continue;
    }
    if (value != 0) seen.least = std::min(seen.least, size);
    seen.most = std::max(seen.most, size);
    seen.highest = std::max(seen.highest, value);
  }
  return seen;
}

std::vector<Glance> glances(const Tensors& inputs) {
  std::vector<Glance> all;
  for (const Tensor& input : inputs) all.push_back(glance(input));
  return all;
}

real most_of(const std::vector<Glance>& all) {
  real most = 0;
  for (const Glance& one : all) most = std::max(most, one.most);
  return most;
}

std::string values(Size count) { return fmt::format("{} value{}", count, count == 1 ? "" : "s"); }

// Words where an input holds the -inf of a mask; else none.
std::string infinite_input(const std::vector<Glance>& in) {
  for (std::size_t i = 0; i < in.size(); ++i)
    if (in[i].infinities > 0)
      return fmt::format(
          "input {} has {} of -inf or inf, and 0 times inf and inf - inf are NaN; leave them out "
          "with where() first",
          i, values(in[i].infinities));
  return "";
}

// What pow made its first wrong value of.
real base_of(const Tensor& x, const Tensor& wrong) {
  Size i = 0;
  while (std::isfinite(wrong.data()[i])) ++i;
  return x.data()[i];
}

std::string too_large(const std::vector<Glance>& in, const char* what) {
  std::string most;
  for (std::size_t i = 0; i < in.size() && i < 3; ++i)
    most += fmt::format("{}{:.3g}", i == 0 ? "" : ", ", in[i].most);
  return fmt::format("its input{} up to {}, and {} ends at {:.2g}: {}",
                     in.size() == 1 ? " goes" : "s go", most, number_type, largest_number, what);
}

// What goes wrong in a function of one number, x; "" for others.
std::string cause_in_function(const Node& node, const Tensor& result, const Glance& x) {
  if (node.op == "exp")
    return fmt::format(
        "its largest input is {:.4g}, and exp of more than {:.4g} is infinite in {}; subtract the "
        "largest first, as softmax does",
        x.highest, std::log(largest_number), number_type);
  if (node.op == "log" && x.negatives > 0)
    return fmt::format("its input has {} below 0, where there is no logarithm",
                       values(x.negatives));
  if (node.op == "log" && x.zeros > 0)
    return fmt::format(
        "its input has {} of 0, and log of 0 is -inf; add a small number, or take log_softmax of "
        "the scores",
        values(x.zeros));
  if (node.op == "sqrt" && x.negatives > 0)
    return fmt::format("its input has {} below 0, where there is no square root",
                       values(x.negatives));
  if (node.op == "pow" && base_of(node.inputs[0], result) == 0)
    return fmt::format(
        "its input has {} of 0, and 0 to a negative power is infinite; add a small number first",
        values(x.zeros));
  if (node.op == "pow" && has_nan(result))
    return fmt::format("its input has {} below 0, and a fractional power of one is NaN",
                       values(x.negatives));
  return "";
}

}  // namespace

std::string cause_in_forward(const Tensor& result) {
  const Node& node = result.node();
  const std::vector<Glance> in = glances(node.inputs);
  if (const std::string text = infinite_input(in); !text.empty()) return text;
  if (in.size() == 1)
    if (const std::string text = cause_in_function(node, result, in[0]); !text.empty()) return text;
  if (node.op == "divide" && in[1].zeros > 0)
    return fmt::format("its divisor, input 1, has {} of 0; add a small number to it",
                       values(in[1].zeros));
  if (node.op == "divide" && in[1].least < 1)
    return fmt::format("its divisor, input 1, comes down to {:.3g}; add a small number to it",
                       in[1].least);
  if (node.op == "attend") return too_large(in, "the scores overflow");
  if (node.op == "pow" || most_of(in) >= harmless) return too_large(in, "it overflows");
  return fmt::format("its inputs are finite and go up to {:.3g} only: look at the op's forward",
                     most_of(in));
}

std::string cause_in_backward(const Tensor& result, const Tensor& arrived, std::size_t input,
                              const Tensor& gradient) {
  const Node& node = result.node();
  const std::string_view op = node.op;
  const std::vector<Glance> in = glances(node.inputs);
  if (const std::string text = infinite_input(in); !text.empty()) return text;
  const Glance& x = in[input];
  if ((op == "sqrt" && x.zeros > 0) || (op == "pow" && base_of(node.inputs[0], gradient) == 0))
    return fmt::format(
        "its input has {} of 0, where the slope is infinite; add a small number first",
        values(x.zeros));
  if ((op == "log" || op == "sqrt" || op == "pow") && x.least < 1 / harmless)
    return fmt::format(
        "its input comes down to {:.3g}, where the slope is too steep; add a small number first",
        x.least);
  if (op == "divide" && in[1].least < 1 / harmless)
    return fmt::format(
        "its divisor, input 1, comes down to {:.3g}, where the slope is too steep; add a small "
        "number to it",
        in[1].least);
  const real came = glance(arrived).most, reach = std::max(most_of(in), glance(result).most);
  if (came >= harmless)
    return fmt::format("what arrives goes up to {:.3g} already: it explodes; {}", came,
                       "a lower rate or normalization helps");
  if (reach >= harmless)
    return fmt::format("its numbers go up to {:.3g}, and the slope is more than {} holds", reach,
                       number_type);
  return fmt::format("what arrives is finite and goes up to {:.3g} only: look at the op's rule",
                     came);
}

}  // namespace attention
