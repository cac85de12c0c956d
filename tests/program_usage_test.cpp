// What the program says before it does anything: its help, its tasks, and how it answers a command
// line that makes no sense.
#include "program.hpp"

using namespace program;
using Catch::Contains;

namespace {

struct Wrong {
  Strings arguments, words;
};

}  // namespace

TEST_CASE("the program's help lists every command, and a command's help every option") {
  const Workshop shop;
  const auto help = [&](const Strings& arguments, const Strings& words) {
    const Result result = shop.run(arguments);
    CHECK(result.code == 0);
    CHECK(result.err == "");
    for (const std::string& word : words) CHECK_THAT(result.out, Contains(word));
  };
  help({"--help"}, {"train", "eval", "generate", "show", "tasks", "bench"});
  help({"train", "--help"},
       {"--layers",  "--heads",    "--channels", "--hidden", "--positions", "--norm",
        "--dropout", "--tie",      "--steps",    "--batch",  "--rate",      "--warmup",
        "--clip",    "--schedule", "--decay",    "--seed",   "--threads",   "--eval-every",
        "--out",     "--text",     "--context",  "--resume", "--json"});
  help({"eval", "--help"}, {"--samples", "--json"});
  help({"generate", "--help"}, {"--prompt", "--json"});
  help({"show", "--help"}, {"--input"});
  help({"bench", "--help"}, {"--channels", "--heads", "--layers", "--context", "--batch",
                             "--vocabulary", "--threads", "--steps", "--json"});
}

TEST_CASE("every line of help fits a terminal of 100 columns") {
  const Workshop shop;
  for (const std::string command : {"train", "eval", "generate", "show", "tasks", "bench"})
    for (const std::string& line : lines(shop.run({command, "--help"}).out)) {
      INFO(command << ": " << line);
      CHECK(line.size() <= 100);
    }
}

TEST_CASE("attention tasks lists every task with an example") {
  const Result result = Workshop().run({"tasks"});
  CHECK(result.code == 0);
  CHECK(result.err == "");
  const Strings list = lines(result.out);
  const Strings names = {"add", "copy", "grammar", "induction", "reverse", "sort", "text"};
  REQUIRE(list.size() == 2 * names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(list[2 * i].starts_with(names[i] + " "));
    CHECK_THAT(list[2 * i + 1], Contains(" -> "));
  }
}

TEST_CASE("a command line that makes no sense ends with code 2 and names the culprit") {
  const Workshop shop;
  const std::vector<Wrong> wrongs = {
      {{}, {"command", "--help"}},
      {{"learn"}, {"learn", "--help"}},
      {{"--bogus"}, {"--bogus"}},
      {{"tasks", "reverse"}, {"reverse", "attention tasks --help"}},
      {{"train"}, {"TASK", "attention tasks", "--resume"}},
      {{"train", "text"}, {"--text"}},
      {{"train", "reverse", "--bogus"}, {"--bogus", "attention train --help"}},
      {{"train", "reverse", "sort"}, {"sort"}},
      {{"train", "reverse", "--out"}, {"--out"}},
      {{"train", "reverse", "--resume", "x"}, {"--resume"}},
      {{"eval"}, {"attention eval --help"}},
      {{"eval", "x", "--samples", "0"}, {"--samples", "0"}},
      {{"eval", "x", "--samples", "some"}, {"--samples", "some"}},
      {{"generate", "x"}, {"--prompt"}},
      {{"generate", "--prompt", "x"}, {"attention generate --help"}},
      {{"generate", "x", "--prompt", "x", "--temperature", "-1"}, {"--temperature", "-1"}},
      {{"generate", "x", "--prompt", "x", "--temperature", "nan"}, {"--temperature", "nan"}},
      {{"generate", "x", "--prompt", "x", "--top-k", "-1"}, {"--top-k", "-1"}},
      {{"generate", "x", "--prompt", "x", "--length", "1.5"}, {"--length", "1.5"}},
      {{"generate", "x", "--prompt", "x", "--seed", "-1"}, {"--seed", "-1"}},
      {{"show"}, {"attention show --help"}},
      {{"show", "x", "--layer", "0"}, {"--layer", "0"}},
      {{"bench", "--steps", "0"}, {"--steps", "0"}},
      {{"bench", "--context", "long"}, {"--context", "long"}},
  };
  for (const Wrong& wrong : wrongs) {
    CAPTURE(wrong.arguments);
    const Result result = shop.run(wrong.arguments);
    check_error(result, 2, wrong.words);
    CHECK(result.out == "");
  }
}

TEST_CASE("a number that is none or out of range is refused with the option's name, code 2") {
  const Workshop shop;
  const auto refused = [&](const std::string& option, const Strings& values) {
    for (const std::string& value : values) {
      CAPTURE(option, value);
      // The folder cannot be made: what is not refused does not begin to train, either.
      const Result result =
          shop.run({"train", "reverse", "--steps", "1", "--out", "/dev/null/x", option, value});
      check_error(result, 2, {option, value});
      CHECK(result.out == "");
    }
  };
  for (const char* count :
       {"--layers", "--heads", "--channels", "--hidden", "--batch", "--threads", "--eval-every"})
    refused(count, {"0", "-1", "two", "1.5", "99999999999", ""});
  refused("--warmup", {"-1", "some"});
  refused("--rate", {"-1", "nan", "inf", "1e999", "fast", ""});
  refused("--clip", {"-1", "nan"});
  refused("--decay", {"-1", "nan"});
  refused("--dropout", {"-0.1", "1", "1.5", "nan", "half"});
  refused("--seed", {"-1", "1.5", "x", "99999999999999999999"});
  CHECK(!shop.has("runs"));
}
