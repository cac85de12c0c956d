// Learning rates: the values of the formulas on paper, where each phase begins and ends, and what
// is refused.
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/train/schedule.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Matchers::Equals;

namespace {

void check_near(real got, double expected, double tolerance = 4 * eps) {
  CHECK(got == Approx(expected).epsilon(tolerance));
}

}  // namespace

TEST_CASE("warm-up rises in equal steps to the rate") {
  const Schedule schedule{.rate = 1, .warmup = 4};
  for (int step = 1; step <= 4; ++step) CHECK(schedule(step) == real(step) / 4);
  CHECK(schedule(5) == 1);
  CHECK(schedule(1000000) == 1);
}

TEST_CASE("without warm-up the first step has the whole rate") {
  CHECK(Schedule{.rate = real(0.3)}(1) == real(0.3));
  CHECK(Schedule{.kind = ScheduleKind::cosine, .rate = real(0.3), .steps = 10}(1) == real(0.3));
  check_near(Schedule{.kind = ScheduleKind::noam, .rate = 1, .channels = 16}(1), 0.25);
}

TEST_CASE("noam has the values of the paper's formula") {
  const Schedule schedule{.kind = ScheduleKind::noam, .rate = 1, .warmup = 4000, .channels = 512};
  check_near(schedule(1), 1.7469e-7, 1e-4);
  check_near(schedule(4000), 6.9877e-4, 1e-4);
  for (Size step : {1, 17, 3999, 4000, 4001, 100000}) {
    const double falling = 1 / std::sqrt(double(step)), rising = step / (4000 * std::sqrt(4000.0));
    check_near(schedule(step), std::min(falling, rising) / std::sqrt(512.0));
  }
}

TEST_CASE("noam without warm-up falls with the root of the step, times the factor") {
  const Schedule schedule{.kind = ScheduleKind::noam, .rate = 2, .channels = 4};
  check_near(schedule(1), 1);
  check_near(schedule(4), 0.5);
  check_near(schedule(100), 0.1);
}

TEST_CASE("cosine falls along half a wave to its final share and stays there") {
  const Schedule schedule{
      .kind = ScheduleKind::cosine, .rate = 1, .warmup = 4, .steps = 12, .final = real(0.2)};
  check_near(schedule(1), 0.25);
  check_near(schedule(4), 1);
  check_near(schedule(6), 0.2 + 0.8 * (1 + std::sqrt(0.5)) / 2);
  check_near(schedule(8), 0.6);
  check_near(schedule(12), 0.2);
  check_near(schedule(13), 0.2);
  for (Size step = 5; step <= 12; ++step) CHECK(schedule(step) < schedule(step - 1));
}

TEST_CASE("cosine works at the edges: all warm-up, and a single step") {
  const Schedule rising{.kind = ScheduleKind::cosine, .rate = 1, .warmup = 4, .steps = 4};
  check_near(rising(2), 0.5);
  check_near(rising(4), 1);
  check_near(rising(5), 0.1);
  CHECK(Schedule{.kind = ScheduleKind::cosine, .rate = 1, .steps = 1}(1) == 1);
}

TEST_CASE("a schedule's name and kind belong together") {
  for (ScheduleKind kind : {ScheduleKind::constant, ScheduleKind::cosine, ScheduleKind::noam})
    CHECK(schedule_kind(to_string(kind)) == kind);
  CHECK(to_string(ScheduleKind::cosine) == "cosine");
  CHECK_THROWS_WITH(
      schedule_kind("linear"),
      Equals("schedule: there is no kind linear; constant, cosine, noam are possible"));
}
