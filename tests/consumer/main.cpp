// The smallest user of the installed library: b = a + a and c = b + b, so dc/da = 4, by pencil.
#include <attention/attention.hpp>
#include <cstdio>

int main() {
  using namespace attention;
  Tensor a = from_values({1, 2, 3});
  a.require_grad();
  Tensor b = a + a;
  Tensor c = b + b;
  backward(sum(c));

  for (Size i = 0; i < a.count(); ++i) {
    if (c.at({i}) != 4 * a.at({i}) || a.grad().at({i}) != 4) {
      std::puts("wrong: 4 a and a gradient of 4 were expected");
      return 1;
    }
  }
  std::puts("4 a, and a gradient of 4");
}
