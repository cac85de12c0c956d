// Same seed, same bits: whatever the number of threads, and whether or not training was stopped on
// the way.
#include <set>

#include "attention/tasks/task.hpp"
#include "program.hpp"

using namespace program;
using Catch::Contains;

namespace {

// Instead of ==, so that a failed check does not print them.
bool same(const std::string& a, const std::string& b) { return a == b; }

// The lines that tell of a step, as against a look at unseen sequences.
Strings steps_in(const std::string& log) {
  Strings steps = lines(log);
  std::erase_if(steps, [](const std::string& line) { return line.find("rate") == line.npos; });
  return steps;
}

// Large enough that several threads share the work.
Strings shared_work(const Strings& task, const std::string& out, int threads,
                    const std::string& seed) {
  Strings arguments = {"train",  "--steps",   "3",         "--layers",
                       "1",      "--heads",   "2",         "--channels",
                       "32",     "--batch",   "16",        "--samples",
                       "20",     "--dropout", "0.3",       "--accumulate",
                       "2",      "--json",    "--threads", some_threads(threads),
                       "--seed", seed,        "--out",     out};
  arguments.insert(arguments.end(), task.begin(), task.end());
  return arguments;
}

const Strings text_task = {"text", "--text", "text", "--context", "16"};

}  // namespace

TEST_CASE("the same seed gives the same bits with 1, 2 and 4 threads, for every task") {
  const Workshop shop;
  shop.write("text", some_text());
  std::vector<Strings> all;
  for (const attention::TaskEntry& task : attention::tasks()) {
    all.push_back(task.name == "text" ? text_task : Strings{task.name});
    if (task.translates) all.push_back({task.name, "--encoder-decoder"});
  }
  REQUIRE(all.size() > 7);
  for (const Strings& task : all) {
    CAPTURE(task);
    const auto files = [&](int threads, const char* seed) {
      const Result result = shop.run(shared_work(task, "run", threads, seed));
      INFO(result.err);
      REQUIRE(result.code == 0);
      std::string bytes;
      for (const char* file : {"model.safetensors", "run.json", "log.jsonl", "loss.png"})
        bytes += shop.read(std::string("run/") + file);
      std::filesystem::remove_all(shop.path / "run");
      return bytes;
    };
    const std::string one = files(1, "1");
    for (int threads : {1, 2, 4}) CHECK(same(one, files(threads, "1")));
    CHECK(!same(one, files(2, "3")));
  }
}

TEST_CASE("a hundred runs give the same bits") {
  const Workshop shop;
  std::set<std::string> models;
  for (int run = 0; run < 100; ++run) {
    REQUIRE(shop.run(shared_work({"sort"}, "run", 1 + run % 4, "1")).code == 0);
    models.insert(shop.read("run/model.safetensors"));
    std::filesystem::remove_all(shop.path / "run");
  }
  CHECK(models.size() == 1);
}

TEST_CASE("generate says the same again with the same seed, and other things with another") {
  const Workshop shop;
  shop.write("text", some_text());
  REQUIRE(shop.run(shared_work(text_task, "run", 1, "1")).code == 0);
  const auto said = [&](const char* seed) {
    return shop.run({"generate", "run", "--prompt", "the ", "--length", "30", "--seed", seed}).out;
  };
  CHECK(said("1") == said("1"));
  CHECK(said("1") != said("2"));
}

TEST_CASE("training that Ctrl-C stopped and --resume continued ends with the same bits") {
  const Workshop shop;
  shop.write("text", some_text());
  const auto check = [&](const std::string& task, const Strings& more) {
    CAPTURE(task, more);
    const auto train = [&](const std::string& out, const std::string& looks,
                           const std::string& interrupt) {
      Strings arguments = {"train",        task,  "--steps", "25", "--json",
                           "--eval-every", looks, "--out",   out};
      arguments.insert(arguments.end(), more.begin(), more.end());
      return shop.run(tiny(arguments), {.interrupt = interrupt});
    };
    REQUIRE(train("whole", "25", "").code == 0);
    // After each step it prints a line, and waits when the pipe is full: it cannot get far.
    const Result stopped = train("parts", "1", "\n");
    INFO(stopped.out << stopped.err);
    REQUIRE(stopped.code == 130);
    CHECK(stopped.err == "");
    const Json last = Json::parse(lines(stopped.out).back());
    CHECK(last.at("stopped") == true);
    CHECK(last.at("resume") == "attention train --resume parts");
    CHECK(last.at("step") < 25);
    CHECK(shop.run({"eval", "parts"}).code == 0);  // as far as it is
    const Result resumed = shop.run({"train", "--resume", "parts", "--eval-every", "25"});
    INFO(resumed.err);
    REQUIRE(resumed.code == 0);
    CHECK(same(shop.read("parts/model.safetensors"), shop.read("whole/model.safetensors")));
    CHECK(steps_in(shop.read("parts/log.jsonl")) == steps_in(shop.read("whole/log.jsonl")));
    for (const char* folder : {"whole", "parts"}) std::filesystem::remove_all(shop.path / folder);
  };
  check("reverse", {});
  check("text", {"--text", "text", "--context", "8", "--dropout", "0.5", "--tie", "--schedule",
                 "noam", "--positions", "learned"});
}

TEST_CASE("after Ctrl-C a person reads at which step it stopped and how to go on") {
  const Workshop shop;
  const Result stopped = shop.run(tiny({"train", "reverse", "--steps", "10000", "--out", "my run"}),
                                  {.interrupt = "steps/s"});
  CHECK(stopped.code == 130);
  CHECK_THAT(lines(stopped.out).back(), Contains("stopped after step ") && Contains(" of 10000;"));
  CHECK_THAT(lines(stopped.out).back(), Contains("attention train --resume 'my run'"));
  CHECK(shop.has("my run/model.safetensors"));
}

TEST_CASE("Ctrl-C while the result is judged does not lose it") {
  const Workshop shop;
  shop.run({"train", "reverse", "--layers", "1", "--heads", "2", "--channels", "8", "--steps", "1",
            "--samples", "50000", "--out", "run"},
           {.interrupt = "100 %", .later = 100'000});
  CHECK(shop.run({"eval", "run", "--samples", "1"}).code == 0);
}

TEST_CASE("a finished run cannot be resumed, nor a cut one, nor a folder that is none") {
  const Workshop shop;
  REQUIRE(shop.run(tiny({"train", "sort", "--steps", "1", "--out", "done"})).code == 0);
  check_error(shop.run({"train", "--resume", "done"}), 1, {"done", "finished"});
  check_error(shop.run({"train", "--resume", "nowhere"}), 1, {"nowhere", "no run folder"});

  REQUIRE(shop.run(tiny({"train", "sort", "--steps", "10000", "--out", "cut"}),
                   {.interrupt = "steps/s"})
              .code == 130);
  const std::string state = shop.read("cut/training.safetensors");
  shop.write("cut/training.safetensors", state.substr(0, state.size() / 2));
  check_error(shop.run({"train", "--resume", "cut"}), 1, {"cut/training.safetensors", "cut short"});
  CHECK(shop.run({"eval", "cut"}).code == 0);
}

TEST_CASE("what a resumed run cannot change is not silently ignored") {
  const Workshop shop;
  REQUIRE(shop.run(tiny({"train", "sort", "--steps", "10000", "--out", "run"}),
                   {.interrupt = "steps/s"})
              .code == 130);
  for (const char* option : {"--steps", "--rate", "--layers", "--seed", "--out"}) {
    CAPTURE(option);
    check_error(shop.run({"train", "--resume", "run", option, "3"}), 2, {option, "--resume"});
  }
}
