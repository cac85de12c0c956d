// An op that is used is enlisted, once; and so are two that happen to have the same name.
#include "attention/tensor/op.hpp"

#include <algorithm>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

// Right ops, so that gradient_test can check them as it checks every other.
template <int factor>
struct Times {
  static constexpr auto name = "times (of registry_test)";
  Tensor forward(const Tensor& x) const {
    return map(x, 1, [](real v) { return factor * v; });
  }
  Tensors backward(const Link& l) const { return {l.grad * factor}; }
  static Examples examples() {
    return {{[](const Tensor& x) { return apply(Times{}, x); }, sample({2, 3})}};
  }
};

auto times_listed(std::string_view name) {
  return std::ranges::count_if(registry(), [=](const Listed& op) { return op.name == name; });
}

}  // namespace

TEST_CASE("an op that is used anywhere is enlisted once, before anything runs") {
  CHECK(times_listed(Times<3>::name) == 2);  // and not hidden by another of the same name
  const Tensor x = leaf({1, 2}, {2});
  backward(sum(apply(Times<3>{}, x) + apply(Times<5>{}, x)));
  CHECK(values(x.grad()) == std::vector<real>{8, 8});
  CHECK(times_listed(Times<3>::name) == 2);
  CHECK(std::ranges::is_sorted(registry(), {}, &Listed::name));
}

TEST_CASE("samples are the same for the same shape and seed") {
  CHECK(values(sample({2, 3})) == values(sample({2, 3})));
  CHECK_FALSE(values(sample({2, 3}, 1)) == values(sample({2, 3}, 2)));
  for (const real value : values(sample({100}, 2, 3))) CHECK((value >= 2 && value < 3));
}
