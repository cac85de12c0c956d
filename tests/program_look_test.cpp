// eval, generate, show and bench: what they say about a model, for people and for programs.
#include "program.hpp"

using namespace program;
using Catch::Contains;

namespace {

void make_run(const Workshop& shop, const std::string& task, Strings more = {}) {
  more.insert(more.begin(), {"train", task, "--steps", "2", "--out", "run", "--replace"});
  REQUIRE(shop.run(tiny(more)).code == 0);
}

void make_tale(const Workshop& shop) {
  shop.write("text", some_text());
  make_run(shop, "text", {"--text", "text", "--context", "8"});
}

Json one_object(const Result& result) {
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(result.err == "");
  REQUIRE(lines(result.out).size() == 1);
  return Json::parse(result.out);
}

}  // namespace

TEST_CASE("eval sets loss, token accuracy and exact match beside the floor and chance") {
  const Workshop shop;
  make_run(shop, "sort");
  const Result result = shop.run({"eval", "run", "--samples", "30"});
  CHECK(result.code == 0);
  CHECK(result.err == "");
  for (const char* words : {"loss", "floor 0.0000", "guessing 1.0986", "token accuracy",
                            "guessing 33.33 %", "exact match", "30 unseen sequences", "all 729"})
    CHECK_THAT(result.out, Contains(words));

  const Json json = one_object(shop.run({"eval", "run", "--samples", "30", "--json"}));
  CHECK(json.at("sequences") == 30);
  CHECK(json.at("expected").at("loss").at("guessing").get<double>() == Approx(std::log(3.0)));
  CHECK(json.at("expected").at("token_accuracy").at("guessing").get<double>() == Approx(1 / 3.0));
  CHECK(json.at("all").at("sequences") == 729);
}

TEST_CASE("eval of a text has a level to compare each number with") {
  const Workshop shop;
  make_tale(shop);
  const Json json = one_object(shop.run({"eval", "run", "--json"}));
  for (const char* name : {"loss", "token_accuracy"}) {
    CAPTURE(name);
    CHECK(json.at(name) >= 0);
    CHECK(!json.at("expected").at(name).empty());
  }
}

TEST_CASE("eval gives the numbers that train gave at the end") {
  const Workshop shop;
  const Result trained =
      shop.run(tiny({"train", "copy", "--steps", "3", "--out", "run", "--json"}));
  const Json last = Json::parse(lines(trained.out).back());
  const Json again = one_object(shop.run({"eval", "run", "--samples", "20", "--json"}));
  for (const char* name : {"loss", "token_accuracy", "exact_match"})
    CHECK(again.at(name) == last.at("eval").at(name));
}

TEST_CASE("generate answers a sequence, and continues a text by as many tokens as asked for") {
  const Workshop shop;
  make_run(shop, "reverse");
  const std::string prompt = "1234567890123456";
  const Result answer = shop.run({"generate", "run", "--prompt", prompt});
  CHECK(answer.code == 0);
  CHECK(answer.out.size() == prompt.size() + 1);
  CHECK(answer.out.find_first_not_of("0123456789\n") == std::string::npos);
  Json json = one_object(shop.run({"generate", "run", "--prompt", prompt, "--json"}));
  CHECK(json.at("prompt") == prompt);
  CHECK(json.at("text").get<std::string>() + "\n" == answer.out);

  make_tale(shop);
  json =
      one_object(shop.run({"generate", "run", "--prompt", "the cat", "--length", "5", "--json"}));
  CHECK(json.at("text").get<std::string>().starts_with("the cat"));
  CHECK(json.at("text").get<std::string>().size() == 12);
  CHECK(json.at("tokens") == 5);
}

TEST_CASE("a trained model does what it has learned") {
  const Workshop shop;
  // One symbol after the other: a text whose next character is always certain.
  std::string text;
  for (int i = 0; i < 60; ++i) text += "abcdefgh";
  shop.write("text", text);
  const Result trained =
      shop.run({"train",   "text", "--text",     "text", "--context", "8",   "--layers", "1",
                "--heads", "1",    "--channels", "16",   "--steps",   "80",  "--batch",  "8",
                "--rate",  "0.01", "--threads",  "1",    "--out",     "run", "--json"});
  CHECK(Json::parse(lines(trained.out).back()).at("eval").at("exact_match") == 1);
  CHECK(shop.run({"generate", "run", "--prompt", "c", "--length", "7"}).out == "cdefghab\n");
}

TEST_CASE("show draws each head, plain where colour is not wanted, and writes the pictures") {
  const Workshop shop;
  make_run(shop, "reverse");
  std::filesystem::remove(shop.path / "run/attention.png");
  const Result plain = shop.run({"show", "run"});
  CHECK(plain.code == 0);
  CHECK(plain.err == "");
  for (const char* words : {"layer 1 head 1", "layer 1 head 2", "run/attention.png"})
    CHECK_THAT(plain.out, Contains(words));
  CHECK_THAT(plain.out, !Contains("\x1b"));
  CHECK(shop.read("run/attention.png").starts_with("\x89PNG"));

  const auto on_terminal = [&](const Strings& environment) {
    return shop.run({"show", "run"}, {.terminal = true, .environment = environment}).out;
  };
  CHECK_THAT(on_terminal({"TERM=xterm", "NO_COLOR=", "COLORTERM=truecolor"}),
             Contains("\x1b[48;2;"));
  CHECK_THAT(on_terminal({"TERM=xterm", "NO_COLOR=", "COLORTERM="}), Contains("\x1b[48;5;"));
  CHECK_THAT(on_terminal({"TERM=xterm", "NO_COLOR=1"}), !Contains("\x1b"));
  CHECK_THAT(on_terminal({"TERM=dumb", "NO_COLOR="}), !Contains("\x1b"));
}

TEST_CASE("show takes an input of one's own, and one head of one layer") {
  const Workshop shop;
  make_tale(shop);
  const Result result =
      shop.run({"show", "run", "--input", "cat 12", "--layer", "1", "--head", "2"});
  CHECK(result.code == 0);
  CHECK_THAT(result.out, Contains("layer 1 head 2") && !Contains("head 1"));
  CHECK_THAT(result.out, Contains("c |@"));  // causal: the first looks at itself alone
}

TEST_CASE("bench prints a median, its speed and the peak of memory") {
  const Workshop shop;
  const Strings bench = {"bench", "--steps",      "3", "--channels", "8", "--heads",
                         "2",     "--layers",     "1", "--context",  "4", "--batch",
                         "2",     "--vocabulary", "5", "--threads",  "1"};
  const Result result = shop.run(bench);
  CHECK(result.code == 0);
  CHECK(result.err == "");
  for (const char* words : {"ms", "median", "tokens/s", "1 thread,", "MiB"})
    CHECK_THAT(result.out, Contains(words));
  Strings as_json = bench;
  as_json.push_back("--json");
  const Json json = one_object(shop.run(as_json));
  CHECK(json.at("steps") == 3);
  CHECK(json.at("threads") == 1);
  for (const char* name : {"parameters", "ms_per_step", "tokens_per_second", "peak_mib"})
    CHECK(json.at(name) > 0);
  CHECK(json.at("tokens_per_second").get<double>() ==
        Approx(8 / json.at("ms_per_step").get<double>() * 1000));
}
