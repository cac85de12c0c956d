// attention train: what it prints, on a terminal and elsewhere, and what it leaves.
#include <set>

#include "program.hpp"

#include <regex>

using namespace program;
using Catch::Contains;

namespace {

constexpr const char* pictures[] = {"loss.png", "attention.png"};

bool is_png(const std::string& bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n"); }

Strings pieces(std::string text, const std::string& between) {
  Strings result;
  for (std::size_t end; (end = text.find(between)) != text.npos;
       text.erase(0, end + between.size()))
    result.push_back(text.substr(0, end));
  result.push_back(text);
  return result;
}

// What can be read in the end, when all that was to be cleared is.
Strings left_on_screen(const std::string& out) {
  Strings result;
  for (const std::string& line : lines(out)) {
    const std::size_t cleared = line.rfind("\x1b[K");
    result.push_back(cleared == line.npos ? line : line.substr(cleared + 3));
  }
  return result;
}

}  // namespace

TEST_CASE("train leaves a model, its settings, a log and two pictures, and says where") {
  const Workshop shop;
  const Result result = shop.run(tiny({"train", "reverse", "--steps", "5", "--out", "a/b"}));
  REQUIRE(result.code == 0);
  CHECK(result.err == "");
  for (const char* name : {"a/b/model.safetensors", "a/b/loss.png", "a/b/attention.png"})
    CHECK_THAT(result.out, Contains(name));
  for (const char* word : {"loss", "floor", "guessing 2.3026", "token accuracy", "10.00 %",
                           "exact match", "20 unseen sequences"})
    CHECK_THAT(result.out, Contains(word));
  CHECK_THAT(result.out, !Contains("\x1b"));

  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(shop.path / "a/b"))
    names.insert(entry.path().filename());
  CHECK(names == std::set<std::string>{"attention.png", "log.jsonl", "loss.png",
                                       "model.safetensors", "run.json"});
  for (const std::string name : pictures) CHECK(is_png(shop.read("a/b/" + name)));

  const Json settings = Json::parse(shop.read("a/b/run.json")).at("settings");
  const Json expected = {{"task", "reverse"}, {"layers", 1},   {"heads", 2},   {"channels", 8},
                         {"hidden", 32},      {"batch", 4},    {"steps", 5},   {"seed", 1},
                         {"dropout", 0.0},    {"context", 16}, {"norm", "pre"}};
  for (const auto& [name, value] : expected.items()) CHECK(settings.at(name) == value);
  for (const char* name : {"positions", "tie", "rate", "warmup", "schedule", "clip", "decay"})
    CHECK(settings.contains(name));

  int steps = 0;
  for (const std::string& line : lines(shop.read("a/b/log.jsonl")))
    steps += Json::parse(line).contains("rate");
  CHECK(steps == 5);
}

TEST_CASE("every option of train reaches the settings, and the model they build evaluates") {
  const Workshop shop;
  const std::string two = some_threads(2);
  Strings options = {"train",      "sort",        "--out",
                     "run",        "--json",      "--layers",
                     "2",          "--heads",     "1",
                     "--channels", "6",           "--hidden",
                     "5",          "--positions", "learned",
                     "--norm",     "post",        "--dropout",
                     "0.25",       "--tie",       "--steps",
                     "3",          "--batch",     "2",
                     "--rate",     "0.5",         "--warmup",
                     "2",          "--schedule",  "noam",
                     "--clip",     "0",           "--decay",
                     "0.125",      "--seed",      "18446744073709551615",
                     "--threads",  two,           "--eval-every",
                     "1"};
  REQUIRE(shop.run(options).code == 0);
  const Json settings = Json::parse(shop.read("run/run.json")).at("settings");
  const Json expected = {{"task", "sort"},
                         {"layers", 2},
                         {"heads", 1},
                         {"channels", 6},
                         {"hidden", 5},
                         {"positions", "learned"},
                         {"norm", "post"},
                         {"dropout", 0.25},
                         {"tie", true},
                         {"steps", 3},
                         {"batch", 2},
                         {"rate", 0.5},
                         {"warmup", 2},
                         {"schedule", "noam"},
                         {"clip", 0.0},
                         {"decay", 0.125},
                         {"seed", 18446744073709551615u}};
  for (const auto& [name, value] : expected.items()) {
    CAPTURE(name);
    CHECK(settings.at(name) == value);
  }
  CHECK(shop.run({"eval", "run"}).code == 0);
  CHECK(shop.run({"generate", "run", "--prompt", "210210"}).code == 0);
  CHECK(shop.run({"show", "run"}).code == 0);
}

TEST_CASE("settings that no training can work with are refused before there is a folder") {
  const Workshop shop;
  const std::vector<std::pair<Strings, Strings>> all = {
      {{"--warmup", "30", "--steps", "20"}, {"warm-up of 30 steps", "20"}},
      {{"--rate", "1e99"}, {"rate is 1e+99", "1.2e-38 to 3.4e+38"}},
      {{"--rate", "1e-50"}, {"rate is 1e-50", "1.2e-38 to 3.4e+38"}},  // would be 0 in float, …
      {{"--clip", "1e-60"}, {"clip is 1e-60", "1.2e-38 to 3.4e+38"}},  // … and 0 is no clipping
      {{"--decay", "1e40"}, {"decay is 1e+40", "1.2e-38 to 3.4e+38"}},
      {{"--dropout", "0.9999999999"}, {"dropout is 0.9999999999", "below 1"}},
      {{"--batch", "4", "--accumulate", "5"}, {"accumulate is 5", "batch of 4"}}};
  for (const auto& [options, words] : all) {
    CAPTURE(options);
    Strings arguments = {"train", "reverse", "--channels", "8", "--out", "run"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    check_error(shop.run(arguments), 1, words);
    CHECK(!shop.has("run"));
  }
}

TEST_CASE("train --json prints one object a line and nothing else, the result last") {
  const Workshop shop;
  const auto check = [&](const std::string& task, Strings more) {
    CAPTURE(task);
    Strings arguments = {"train", task, "--steps", "4", "--eval-every", "2", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = shop.run(tiny(arguments));
    CHECK(result.code == 0);
    CHECK(result.err == "");
    const Strings list = lines(result.out);
    REQUIRE(list.size() == 2);  // after step 2, and at the end
    CHECK(Json::parse(list[0]).at("step") == 2);
    const Json last = Json::parse(list[1]);
    CHECK(last.at("task") == task);
    CHECK(last.at("steps") == 4);
    for (const char* name : {"parameters", "seconds", "ms_per_step", "tokens_per_second", "loss"})
      CHECK(last.at(name) > 0);
    for (const char* name : {"loss", "token_accuracy", "exact_match"})
      CHECK(last.at("eval").at(name) >= 0);
    CHECK(shop.has("runs/" + task + "/model.safetensors"));  // the folder when none is named
  };
  shop.write("text", some_text());
  for (const char* task : {"add", "copy", "grammar", "induction", "reverse", "sort"})
    check(task, {});
  check("text", {"--text", "text", "--context", "8"});
}

TEST_CASE("without a terminal there is a plain line now and then") {
  const Workshop shop;
  const Result result = shop.run(tiny({"train", "copy", "--steps", "200", "--out", "run"}));
  CHECK_THAT(result.out, !Contains("\x1b") && !Contains("\r"));
  int plain = 0;
  for (const std::string& line : lines(result.out)) plain += line.find("steps/s") != line.npos;
  CHECK(plain >= 5);
  CHECK(plain <= 20);
}

TEST_CASE("on a terminal one live line shows bar, percent, loss, speed and time left") {
  const Workshop shop;
  const How how{.terminal = true, .environment = {"TERM=xterm", "NO_COLOR="}};
  const Result result = shop.run(tiny({"train", "copy", "--steps", "30", "--out", "run"}), how);
  REQUIRE(result.code == 0);
  const std::regex live(R"(\[=* *\] +\d+ %.*loss \d+\.\d+  [\d.]+ steps/s  .*\d s left)");
  for (const std::string& line : lines(result.out))
    if (line.find("steps/s") != line.npos) CHECK(std::regex_search(line, live));
  CHECK_THAT(result.out, Contains("steps/s"));
  for (const std::string& line : left_on_screen(result.out)) CHECK_THAT(line, !Contains("steps/s"));
}

TEST_CASE("the live line is never wider than the terminal, where it would be two") {
  const Workshop shop;
  for (unsigned short columns : {100, 60}) {
    const Result result = shop.run(tiny({"train", "copy", "--steps", "30", "--out", "run"}),
                                   {.terminal = true, .columns = columns});
    REQUIRE(result.code == 0);
    for (const std::string& state : pieces(result.out, "\r\x1b[K"))
      if (state.find('\n') == state.npos) {
        CAPTURE(columns, state);
        CHECK(state.size() <= columns);
      }
  }
}

TEST_CASE("an error on a terminal does not stand behind the live line") {
  const Workshop shop;
  const Result result = shop.run(
      tiny({"train", "copy", "--steps", "500", "--rate", "1e20", "--clip", "0", "--out", "run"}),
      {.terminal = true, .environment = {"TERM=xterm"}});
  CHECK(result.code == 1);
  const Strings screen = left_on_screen(result.out);
  REQUIRE(!screen.empty());
  CHECK_THAT(screen.back(), Catch::StartsWith("attention: the loss is"));
}

TEST_CASE("a loss that is no number ends training with a hint, and the folder still evaluates") {
  const Workshop shop;
  const Result result = shop.run(tiny({"train", "copy", "--steps", "500", "--eval-every", "500",
                                       "--rate", "1e20", "--clip", "0", "--out", "run"}));
  check_error(result, 1, {"loss", "step", "--rate"});
  CHECK(shop.run({"eval", "run"}).code == 0);
}
