// Addition: that the sums are right, each is there once, and what is held out stays out.
#include <catch2/catch.hpp>

#include <cmath>
#include <set>

#include "attention/tasks/sequences.hpp"
#include "attention/tasks/task.hpp"

using namespace attention;
using Catch::Contains;

namespace {

std::unique_ptr<Task> add() { return find_task("add").make({}); }

// "37+58=095" of each row: the first token, then what comes next, be it scored or not.
std::vector<std::string> texts(const Task& task, const Batch& batch) {
  std::vector<std::string> result;
  for (Size row = 0; row < batch.input.shape[0]; ++row) {
    const auto first = batch.input.ids.begin() + 8 * row;
    result.push_back(task.alphabet().decode({first, first + 8}) +
                     task.alphabet().symbol(batch.targets.ids[8 * row + 7]));
  }
  return result;
}

}  // namespace

TEST_CASE("all 10,000 sums are there, once each, and right") {
  const auto task = add();
  const Batch all = task->everything().value();
  CHECK(all.input.shape == Shape{10000, 8});
  CHECK(task->causal());
  int number = 0;
  for (const std::string& text : texts(*task, all)) {
    const int a = number / 100, b = number % 100;
    if (text != fmt::format("{:02}+{:02}={:03}", a, b, a + b))
      FAIL(text << " is number " << number);
    ++number;
  }
}

TEST_CASE("the three digits of the sum are scored, and only they") {
  const auto task = add();
  Random random(1);
  const Batch batch = task->batch(50, random);
  for (Size i = 0; i < batch.targets.shape.count(); ++i) {
    const bool scored = i % 8 >= 5;
    CHECK((batch.targets.ids[i] != -1) == scored);
    if (scored && i % 8 < 7) CHECK(batch.targets.ids[i] == batch.input.ids[i + 1]);
    if (scored) CHECK(batch.targets.ids[i] < 10);
  }
}

TEST_CASE("a tenth of the sums is never trained on, and all of it can be judged by") {
  const auto task = add();
  Random random(2);
  std::set<std::string> trained, unseen;
  for (int i = 0; i < 100; ++i)
    for (const std::string& text : texts(*task, task->batch(1000, random))) trained.insert(text);
  const auto held_out = texts(*task, task->unseen(5000));
  unseen.insert(held_out.begin(), held_out.end());
  CHECK(unseen.size() == held_out.size());
  CHECK(unseen.size() == Approx(1000).margin(100));
  CHECK(trained.size() + unseen.size() == 10000);
  for (const std::string& text : unseen) CHECK_FALSE(trained.contains(text));
  const auto few = texts(*task, task->unseen(7));
  CHECK(few == std::vector<std::string>(held_out.begin(), held_out.begin() + 7));
  CHECK(few[0].substr(0, 1) + few[1].substr(0, 1) + few[2].substr(0, 1) != "000");  // shuffled
  CHECK(task->unseen(0).input.shape == Shape{0, 8});
}

TEST_CASE("who guesses a digit loses ln 10") {
  const auto task = add();
  CHECK(task->expected_loss(task->unseen(1))[0].value == 0);
  CHECK(task->expected_loss(task->unseen(1))[1].value == Approx(std::log(10)));
  CHECK(task->expected_accuracy(true)[0].value == Approx(0.1));
  CHECK_THROWS_WITH(find_task("add").make({.text_file = "x"}), Contains("leave out --text"));
  CHECK_THROWS_WITH(find_task("add").make({.context = 9}), Contains("a context of 9 does not"));
}
