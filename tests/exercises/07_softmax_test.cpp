#include "exercises/checks/07_softmax.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

double largest(const Tensor& scores, double t) {
  return double(max(softmax(scores / real(t), -1)).item());
}

// The share falls as t grows.
double bisect(const Tensor& scores, const std::function<bool(double)>& too_large) {
  double low = 1e-3, high = 1e3;
  for (int i = 0; i < 200; ++i) {
    const double t = (low + high) / 2;
    (too_large(t) ? high : low) = t;
  }
  return low;
}

double solution(const Tensor& scores) {
  return bisect(scores, [&](double t) { return largest(scores, t) < 0.9; });
}

}  // namespace

TEST_CASE("exercise 07: the temperature for nine tenths passes") { passes(check_07(solution)); }

TEST_CASE("exercise 07: untouched, it is still to do") {
  is_to_do(check_07([](const Tensor&) -> double { return todo; }));
}

TEST_CASE("exercise 07: each mistake is told by name") {
  is_told(check_07([](const Tensor& s) { return 1 / solution(s); }), "倒数", "one over");
  is_told(check_07([](const Tensor& s) {
            return bisect(s, [&](double t) { return largest(s, t) > 0.9; });
          }),
          "方向反了", "wrong way");
  is_told(check_07([](const Tensor& s) { return solution(best_two(s)); }), "第二名",
          "against the second");
  is_told(check_07([](const Tensor& s) { return -solution(s); }), "大于 0", "above 0");
  is_told(check_07([](const Tensor&) { return 1.0; }), "太平均了", "Too even");
}
