// Training that is killed, or whose disk fails, at any moment: what was saved is whole, nothing
// lies about, and going on ends with the same bits as never having been stopped.
#include "program.hpp"

#include <fmt/format.h>

#include "attention/core/random.hpp"
#include "attention/tasks/task.hpp"

using namespace program;
using Catch::Contains;

namespace {

// What a run amounts to in the end.
struct Outcome {
  std::string weights, picture;
  Strings steps;  // the log's lines that tell of a step
  bool operator==(const Outcome&) const = default;
};

class Training {
 public:
  explicit Training(const Strings& arguments, const Workshop& shop) : shop_(shop) {
    arguments_ = {"train",
                  "--layers",
                  "1",
                  "--heads",
                  "2",
                  "--channels",
                  "8",
                  "--batch",
                  "4",
                  "--samples",
                  "4",
                  "--dropout",
                  "0.2",
                  "--accumulate",
                  "2",
                  "--json",
                  "--eval-every",
                  "1",
                  "--positions",
                  "learned"};
    arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  }

  Result start(const std::string& out, const How& how = {}) const {
    Strings all = arguments_;
    all.insert(all.end(), {"--out", out});
    return shop_.run(all, how);
  }
  // As a person would: on from the last save, or where there was none yet, once more.
  Result go_on(const std::string& out, const How& how = {}) const {
    return shop_.has(out + "/run.json") ? shop_.run({"train", "--resume", out, "--json"}, how)
                                        : start(out, how);
  }
  Outcome outcome(const std::string& out) const {
    Outcome outcome{shop_.read(out + "/model.safetensors"), shop_.read(out + "/loss.png"), {}};
    for (const std::string& line : lines(shop_.read(out + "/log.jsonl")))
      if (line.find("rate") != line.npos) outcome.steps.push_back(line);
    return outcome;
  }

 private:
  const Workshop& shop_;
  Strings arguments_;
};

// `error` 0 is a kill.
How disk_fails_at(int number, int error = 0, const std::string& call = "") {
  return {.environment = {
              std::string("LD_PRELOAD=") + failing_disk, "ASAN_OPTIONS=verify_asan_link_order=0",
              fmt::format("DISK_CALL={}", call), fmt::format("DISK_FAILS_AT={}", number),
              fmt::format("DISK_ERROR={}", error)}};
}

Strings unfinished_in(const std::filesystem::path& folder) {
  Strings names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".tmp") names.push_back(entry.path().filename());
  return names;
}

void check_whole(const Workshop& shop, const std::string& out) {
  CHECK(unfinished_in(shop.path / out) == Strings{});
  CHECK(!shop.has(out + "/training.safetensors"));
}

}  // namespace

TEST_CASE("training killed at any call that changes a file goes on to the same bits") {
  const Workshop shop;
  const Training training({"reverse", "--steps", "2"}, shop);
  REQUIRE(training.start("whole").code == 0);
  const Outcome whole = training.outcome("whole");
  int number = 1;
  for (;; ++number) {
    CAPTURE(number);
    std::filesystem::remove_all(shop.path / "parts");
    const Result killed = training.start("parts", disk_fails_at(number));
    if (killed.code == 0) break;
    REQUIRE(killed.code == -SIGKILL);
    const Result resumed = training.go_on("parts");
    INFO(resumed.err);
    REQUIRE(resumed.code == 0);
    CHECK((training.outcome("parts") == whole));
    check_whole(shop, "parts");
  }
  CHECK(number > 40);  // four files of four calls, three times, and the pictures
}

TEST_CASE("a disk that fails at any call is told in one line, and nothing is lost") {
  const Workshop shop;
  const Training training({"reverse", "--steps", "2"}, shop);
  REQUIRE(training.start("whole").code == 0);
  const Outcome whole = training.outcome("whole");
  const std::vector<std::pair<int, std::string>> errors = {
      {ENOSPC, "No space left on device"}, {EIO, "Input/output error"}, {EROFS, "Read-only file"}};
  int number = 1;
  for (;; ++number) {
    const auto& [error, words] = errors[number % 3];
    CAPTURE(number, words);
    std::filesystem::remove_all(shop.path / "parts");
    const Result failed = training.start("parts", disk_fails_at(number, error));
    if (failed.code == 0) break;
    check_error(failed, 1, {words, "parts"});
    CHECK(unfinished_in(shop.path / "parts") == Strings{});
    if (shop.has("parts/run.json")) CHECK(shop.run({"eval", "parts"}).code == 0);
    const Result resumed = training.go_on("parts");
    INFO(resumed.err);
    REQUIRE(resumed.code == 0);
    CHECK((training.outcome("parts") == whole));
  }
  CHECK(number > 40);
}

TEST_CASE("every task, stopped after each step, goes on to the same bits") {
  const Workshop shop;
  shop.write("text", some_text());
  const int steps = 4;
  std::vector<Strings> all;
  for (const attention::TaskEntry& task : attention::tasks()) {
    all.push_back({task.name, "--steps", std::to_string(steps)});
    if (task.name == "text") all.back().insert(all.back().end(), {"--text", "text"});
    if (task.translates)
      all.push_back({task.name, "--steps", std::to_string(steps), "--encoder-decoder"});
  }
  REQUIRE(all.size() > 7);
  for (const Strings& task : all) {
    CAPTURE(task);
    const Training training(task, shop);
    REQUIRE(training.start("whole").code == 0);
    for (int step = 0; step < steps; ++step) {
      CAPTURE(step);
      // A save renames four files; it dies at the first of the next.
      const Result killed = training.start("parts", disk_fails_at(4 * step + 5, 0, "rename"));
      REQUIRE(killed.code == -SIGKILL);
      REQUIRE(Json::parse(lines(shop.read("parts/log.jsonl")).empty()
                              ? "{\"step\": 0}"
                              : lines(shop.read("parts/log.jsonl")).back())
                  .at("step") == step);
      REQUIRE(training.go_on("parts").code == 0);
      CHECK((training.outcome("parts") == training.outcome("whole")));
      std::filesystem::remove_all(shop.path / "parts");
    }
    std::filesystem::remove_all(shop.path / "whole");
  }
}

TEST_CASE("killed fifty times at random moments, training still ends with the same bits") {
  const Workshop shop;
  const Training training({"sort", "--steps", "60"}, shop);
  const auto start = std::chrono::steady_clock::now();
  REQUIRE(training.start("whole").code == 0);
  const auto whole_run = std::chrono::steady_clock::now() - start;
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(whole_run).count() + 1;
  attention::Random random(5);
  int kills = 0;
  for (int attempt = 0; kills < 50; ++attempt) {
    CAPTURE(attempt, kills);
    REQUIRE(attempt < 1000);
    const int moment = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(milliseconds)));
    const Result result = training.go_on("parts", {.killed_after = moment});
    INFO(result.err);
    if (result.code != 0) {
      REQUIRE(result.code == -SIGKILL);
      ++kills;
    }
    const auto finished = [&] {
      return shop.has("parts/run.json") && !shop.has("parts/training.safetensors");
    };
    if (kills == 50 && !finished()) REQUIRE(training.go_on("parts").code == 0);
    if (finished()) {  // perhaps a moment before it was killed: a new one
      CHECK((training.outcome("parts") == training.outcome("whole")));
      check_whole(shop, "parts");
      std::filesystem::remove_all(shop.path / "parts");
    }
  }
}

TEST_CASE("a folder that vanishes while a model is trained into it is told in one line") {
  const Workshop shop;
  const Training training({"reverse", "--steps", "100000"}, shop);
  check_error(
      training.start(
          "run",
          {.interrupt = "\n",
           .act = [&] { std::filesystem::rename(shop.path / "run", shop.path / "elsewhere"); }}),
      1, {"write_file: run/", "there is no folder run", "--resume run"});
  CHECK(shop.run({"eval", "elsewhere"}).code == 0);
}
