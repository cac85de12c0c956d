// A tensor as text: whole rows in aligned columns, long axes elided in the middle, the shape below.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "attention/tensor/tensor.hpp"

namespace attention {
namespace {

constexpr Size longest_axis = 10;  // a longer one shows its first and last `edge` indices
constexpr Size edge = 4;

// The indices of an axis that are shown; -1 stands for what is left out.
std::vector<Size> shown(Size size) {
  std::vector<Size> indices;
  for (Size i = 0; i < size; ++i) {
    if (size <= longest_axis || i < edge || i >= size - edge) {
      indices.push_back(i);
    } else if (i == edge) {
      indices.push_back(-1);
    }
  }
  return indices;
}

// How every value of one tensor is written, so that the columns line up: whole numbers as such,
// others with 4 digits behind the point, very large or small ones with an exponent.
struct Style {
  bool whole = true, exponent = false;

  explicit Style(const Tensor& x) {
    real largest = 0;
    for (Size i = 0; i < x.count(); ++i) {
      const real value = x.data()[i];
      if (!std::isfinite(value)) continue;
      whole = whole && value == std::round(value);
      largest = std::max(largest, std::abs(value));
    }
    exponent = largest >= real(1e6) || (largest > 0 && largest < real(1e-3));
  }
  std::string operator()(real value) const {
    if (!std::isfinite(value)) return fmt::format("{}", value);
    if (exponent) return fmt::format("{:.3e}", value);
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4f}", value);
  }
};

struct Printer {
  const Tensor& x;
  Style style;
  std::size_t width = 1;
  std::string text;

  explicit Printer(const Tensor& tensor) : x(tensor), style(tensor) {
    if (x.rank() > 0 && x.size(-1) > longest_axis) width = 3;  // as wide as "..."
    visit(0, 0, [&](Size offset) { width = std::max(width, style(x.data()[offset]).size()); });
  }

  template <class F>
  void visit(int axis, Size offset, F f) const {
    if (axis == x.rank()) return f(offset);
    for (Size i : shown(x.shape()[axis]))
      if (i >= 0) visit(axis + 1, offset * x.shape()[axis] + i, f);
  }

  void print(int axis, Size offset) {
    if (axis == x.rank()) {
      text += fmt::format("{:>{}}", style(x.data()[offset]), width);
      return;
    }
    const bool last = axis == x.rank() - 1;
    text += '[';
    bool first = true;
    for (Size i : shown(x.shape()[axis])) {
      if (!first)
        text += last ? " "
                     : ",\n" + std::string(x.rank() > axis + 2 ? "\n" : "") +
                           std::string(axis + 1, ' ');
      first = false;
      if (i < 0) {
        text += last ? fmt::format("{:>{}}", "...", width) : "...";
      } else {
        print(axis + 1, offset * x.shape()[axis] + i);
      }
    }
    text += ']';
  }
};

}  // namespace

std::string to_string(const Tensor& tensor) {
  if (!tensor.defined()) return "undefined tensor";
  Printer printer(tensor);
  printer.print(0, 0);
  return fmt::format("{}\nshape {}", printer.text, tensor.shape());
}

std::ostream& operator<<(std::ostream& stream, const Tensor& tensor) {
  return stream << to_string(tensor);
}

}  // namespace attention
