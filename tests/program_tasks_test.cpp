// The tasks that a causal model writes to an end: grammar, add, induction. What train, eval,
// generate and show make of them.
#include "attention/core/real.hpp"
#include "program.hpp"

using namespace program;
using Catch::Contains;

namespace {

void make_run(const Workshop& shop, const std::string& task, const std::string& out) {
  const Result result = shop.run(tiny({"train", task, "--steps", "2", "--out", out}));
  INFO(result.err);
  REQUIRE(result.code == 0);
}

Result generate(const Workshop& shop, const std::string& run, const std::string& prompt,
                Strings more = {}) {
  more.insert(more.begin(), {"generate", run, "--prompt", prompt});
  return shop.run(more);
}

attention::Size tokens(const Result& result) { return Json::parse(result.out).at("tokens"); }

}  // namespace

TEST_CASE("train, eval and show know the words of the grammar, and the floor") {
  const Workshop shop;
  make_run(shop, "grammar", "run");
  const Json run = Json::parse(shop.read("run/run.json"));
  CHECK(run.at("symbols").is_array());
  CHECK(run.at("symbols").size() == 33);
  CHECK(run.at("symbols")[20] == "苹果");
  CHECK(run.at("writing").at("mark") == "|");
  CHECK(run.at("sample").get<std::string>().ends_with("。"));  // without what fills up the row
  const Result judged = shop.run({"eval", "run", "--samples", "30"});
  CHECK(judged.code == 0);
  CHECK_THAT(judged.out, Contains("(floor 0.") && Contains("entropy of the grammar 0.58") &&
                             Contains("guessing 3.4965") && Contains("a sample:"));
  CHECK_THAT(judged.out, !Contains("leaked"));

  const Result seen = shop.run({"show", "run", "--input", "小明 喜欢 吃 苹果", "--head", "1"});
  CHECK(seen.code == 0);
  for (const char* word : {"小明 |", "喜欢 |", "苹果 |", "1 head 1"})
    CHECK_THAT(seen.out, Contains(word));
}

TEST_CASE("generate goes on with a sentence, whether or not it is typed with spaces and a mark") {
  const Workshop shop;
  make_run(shop, "grammar", "run");
  const Result bare = generate(shop, "run", "小明喜欢吃");
  CHECK(bare.code == 0);
  CHECK(bare.out.starts_with("小明喜欢吃"));
  CHECK_THAT(bare.out, !Contains("|"));
  CHECK(generate(shop, "run", "小明 喜欢 吃").out == bare.out);
  CHECK(generate(shop, "run", "|小明喜欢吃").out == bare.out);
  CHECK(generate(shop, "run", "").code == 0);
  CHECK(tokens(generate(shop, "run", "小明喜欢吃", {"--length", "2", "--json"})) <= 2);
  CHECK(tokens(generate(shop, "run", "小明喜欢吃", {"--json"})) <= 24 - 4);
  check_error(generate(shop, "run", "小明爱吃"), 1, {"'爱'", "character 3", "'小红'"});
}

TEST_CASE("a sum is answered with three digits, and a repeated letter with one") {
  const Workshop shop;
  make_run(shop, "add", "add");
  const Result sum = generate(shop, "add", "37+58=");
  CHECK(sum.out.size() == std::string("37+58=095\n").size());
  CHECK(sum.out.starts_with("37+58="));
  CHECK(generate(shop, "add", "37+58=", {"--seed", "2"}).out == sum.out);  // the likeliest
  CHECK(tokens(generate(shop, "add", "37+58=", {"--json"})) == 3);
  CHECK(tokens(generate(shop, "add", "37+58=09", {"--json"})) == 1);  // one more fits
  CHECK(tokens(generate(shop, "add", "37+58=", {"--length", "1", "--json"})) == 1);
  for (const char* prompt : {"3+5=", "3+5=12", "37+58", "137+58="})
    check_error(generate(shop, "add", prompt), 1, {"begin like 00+00=", prompt});
  check_error(generate(shop, "add", "37+58=095"), 1, {"9 symbols", "8 at most", "such as"});
  check_error(generate(shop, "add", "37-58="), 1, {"'-'", "character 3"});
  CHECK_THAT(shop.run({"eval", "add", "--samples", "9"}).out, Contains("all 10000 sequences"));

  make_run(shop, "induction", "induction");
  CHECK(tokens(generate(shop, "induction", "qwertye", {"--json"})) == 1);
  CHECK_THAT(shop.run({"eval", "induction", "--samples", "9"}).out,
             Contains("guessing among what is there 1.8566") && Contains("15.86 %"));
}

TEST_CASE("what has no target cannot be wrong") {
  const Workshop shop;
  // Of the 8 positions of a sum 3 are scored. Who has learned a little, and guesses two digits of
  // the answer, is right once in a hundred times.
  const Strings training = {"train", "add", "--steps", "20", "--rate", "0.01", "--out", "run"};
  REQUIRE(shop.run(tiny(training)).code == 0);
  const Result judged = shop.run({"eval", "run", "--samples", "9", "--json"});
  CHECK(Json::parse(judged.out).at("all").at("exact_match").get<double>() > 0.001);
}

TEST_CASE("a run folder whose words or way of writing make no sense is refused") {
  const Workshop shop;
  make_run(shop, "grammar", "run");
  const Json json = Json::parse(shop.read("run/run.json"));
  const auto check = [&](const char* what, auto change) {
    INFO(what);
    Json changed = json;
    change(changed);
    shop.write("run/run.json", changed.dump());
    check_error(generate(shop, "run", "小明"), 1, {"run/run.json", what});
  };
  check("comes twice", [](Json& j) { j["symbols"][3] = "吃"; });
  check("where a word is needed", [](Json& j) { j["symbols"][3] = 3; });
  check("is empty", [](Json& j) { j["symbols"][3] = ""; });
  check("one symbol is needed", [](Json& j) { j["writing"]["mark"] = "||"; });
  check("known symbols", [](Json& j) { j["writing"]["mark"] = "%"; });
  check("tokens", [](Json& j) { j["writing"]["tokens"] = -1; });
  check("temperature", [](Json& j) { j["writing"].erase("temperature"); });
}

TEST_CASE("a folder from before there were words still writes") {
  const Workshop shop;
  shop.write("text", some_text());
  REQUIRE(shop.run(tiny({"train", "text", "--text", "text", "--context", "8", "--steps", "1",
                         "--out", "run"}))
              .code == 0);
  const Json json = Json::parse(shop.read("run/run.json"));
  CHECK(json.at("symbols").is_string());
  CHECK_FALSE(json.contains("writing"));
  CHECK(tokens(generate(shop, "run", "the ", {"--json"})) == 200);  // beyond the context of 8
}
