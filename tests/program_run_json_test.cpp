// A run.json that was edited, by somebody or by an accident: each member that asks for what cannot
// be is named, in one line, before anything is made of it. Broken JSON is in
// program_broken_test.cpp.
#include "program.hpp"

using namespace program;
using Catch::Contains;

namespace {

struct Edit {
  std::string member;  // of the settings, or of the run, or of how it writes
  Json value;
  Strings words;
};

// Tries one edit after the other, each on the run.json as it was.
void check_each(const Workshop& shop, const std::string& folder, const std::vector<Edit>& edits) {
  const std::string file = folder + "/run.json", text = shop.read(file);
  for (const Edit& edit : edits) {
    CAPTURE(edit.member, edit.value.dump());
    Json json = Json::parse(text);
    const bool writing = json.contains("writing") && json["writing"].contains(edit.member);
    Json& where = writing                                  ? json["writing"]
                  : json["settings"].contains(edit.member) ? json["settings"]
                                                           : json;
    where[edit.member] = edit.value;
    shop.write(file, json.dump());
    Strings words = {file, "is not what attention train writes"};
    words.insert(words.end(), edit.words.begin(), edit.words.end());
    check_error(shop.run({"eval", folder}), 1, words);
  }
  shop.write(file, text);
  CHECK(shop.run({"eval", folder}).code == 0);
}

void train(const Workshop& shop, Strings arguments, const std::string& folder) {
  arguments.insert(arguments.begin(), "train");
  arguments.insert(arguments.end(), {"--steps", "2", "--out", folder});
  REQUIRE(shop.run(tiny(arguments)).code == 0);
}

const Json large = 2147483647;

}  // namespace

TEST_CASE("sizes that no model can have are refused before one is made") {
  const Workshop shop;
  train(shop, {"reverse"}, "run");
  check_each(shop, "run",
             {{"heads", 3, {"3 heads do not divide 8 channels"}},
              {"heads", 0, {"heads is 0", "whole number from 1"}},
              {"layers", large, {"layers = 2147483647", "memory", "smaller"}},
              {"channels", large, {"channels = 2147483647", "memory", "smaller"}},
              {"hidden", large, {"hidden = 2147483647", "memory", "smaller"}},
              {"layers", 2147483648, {"layers is 2147483648", "whole number"}},
              {"layers", 1.5, {"layers is 1.5", "whole number"}},
              {"seed", -1, {"seed is -1", "whole number"}},
              {"context", 17, {"context", "17", "16"}}});
}

TEST_CASE("settings that training would stumble over are refused when they are read") {
  const Workshop shop;
  train(shop, {"reverse"}, "run");
  check_each(shop, "run",
             {{"positions", "x\ny", {"'x\\ny' is unknown", "sinusoidal"}},
              {"norm", "mid", {"'mid' is unknown", "pre"}},
              {"schedule", "up", {"no kind up", "cosine"}},
              {"warmup", 3, {"warm-up of 3 steps", "2"}},
              {"rate", 0, {"rate is 0", "above 0"}},
              {"rate", 1e-50, {"rate is 1e-50", "1.2e-38 to 3.4e+38"}},
              {"clip", -1, {"clip is -1", "from 0"}},
              {"clip", 1e-60, {"clip is 1e-60", "1.2e-38"}},
              {"decay", -0.5, {"decay is -0.5", "from 0"}},
              {"decay", 1e40, {"decay is 1e+40", "3.4e+38"}},
              {"dropout", 1, {"dropout is 1", "below 1"}},
              {"dropout", 0.9999999999, {"dropout is 0.9999999999", "below 1"}},
              {"text", "poems.txt", {"poems.txt", "reverse makes its own data"}},
              {"text", std::string(1000, 'x'), {"text is 'xxx", "makes its own data"}},
              {"task", "juggle", {"there is no \"juggle\"", "reverse"}}});
}

TEST_CASE("a run that is not one of its task is refused") {
  const Workshop shop;
  train(shop, {"reverse"}, "run");
  check_each(shop, "run",
             {{"causal", true, {"causal is true", "reverse is false"}},
              {"symbols", "1023456789", {"symbols are not those of reverse"}},
              {"symbols", "012345678", {"symbols are not those of reverse"}},
              {"encoder_decoder", "yes", {"encoder_decoder"}},
              {"sample", "", {"sample has 0 symbols", "1 to 16"}},
              {"sample", "12345678123456781", {"sample has 17 symbols", "1 to 16"}},
              {"sample", "12x", {"'x'", "character 3"}},
              {"comment", "mine", {"comment is nothing that this version knows"}}});
  train(shop, {"grammar"}, "tale");
  check_each(shop, "tale",
             {{"tokens", 0, {"tokens is 0", "from 1"}},
              {"temperature", -1, {"temperature is -1", "from 0"}},
              {"mark", "||", {"mark is '||'", "one symbol"}},
              {"causal", false, {"causal is false", "grammar is true"}}});
}

TEST_CASE("a run of a text is held to what holds for any text") {
  const Workshop shop;
  shop.write("text", some_text());
  train(shop, {"text", "--text", "text", "--context", "8"}, "run");
  const Json symbols = Json::parse(shop.read("run/run.json"))["symbols"];
  std::string turned = symbols.get<std::string>(), other = turned;
  std::reverse(turned.begin(), turned.end());
  check_each(shop, "run",
             {{"symbols", turned, {"symbols are not in the rising order"}},
              {"symbols", Json{"a", "the"}, {"symbols are words"}},
              {"text", "", {"text is empty"}},
              {"text", std::string("te\0xt", 5), {"zero byte"}},
              {"causal", false, {"causal is false"}},
              {"context", large, {"context", "memory", "smaller"}}});
  // In order, but of another text: the model would read one letter as another.
  other.back() = '~';
  Json json = Json::parse(shop.read("run/run.json"));
  json["symbols"] = other, json["sample"] = "on";
  shop.write("run/run.json", json.dump());
  check_error(shop.run({"eval", "run"}), 1, {"symbols in run.json", "text"});
}

TEST_CASE("a name that stands twice in a run.json, or a level too deep, is refused") {
  const Workshop shop;
  train(shop, {"reverse"}, "run");
  std::string text = shop.read("run/run.json");
  const auto check = [&](const std::string& bytes, const Strings& words) {
    shop.write("run/run.json", bytes);
    check_error(shop.run({"eval", "run"}), 1, words);
  };
  check("{\"causal\": true, " + text.substr(1), {"it has causal twice"});
  check("{\"format\": " + std::string(1000000, '['), {"nested deeper"});
  check("", {"it is empty"});
  check(text + '\0', {"byte " + std::to_string(text.size()) + " of it is 0"});
  check(text + "}", {"goes wrong at byte"});
  check("{\"a\\u0000\": 1}", {"zero byte"});
  check("{\"a\": 1e999}", {"number too large"});
}

TEST_CASE("settings that the weights do not have are found before a model is made of them") {
  if (sanitized) return;
  const Workshop shop;
  train(shop, {"reverse"}, "run");
  Json json = Json::parse(shop.read("run/run.json"));
  json["settings"]["layers"] = 1000000;  // each of 872 numbers, or 3488 bytes
  shop.write("run/run.json", json.dump());
  check_error(shop.run({"eval", "run"}, {.memory = 500'000'000}), 1,
              {"model.safetensors", "does not fit the run.json"});
}
