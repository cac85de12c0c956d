// Bad input of every kind: one line that says what was wrong and what would be right, exit code 1.
#include "program.hpp"

using namespace program;
using Catch::Contains;

namespace {

struct Wrong {
  Strings arguments, words;
};

void check_each(const Workshop& shop, const std::vector<Wrong>& wrongs) {
  for (const Wrong& wrong : wrongs) {
    CAPTURE(wrong.arguments);
    const Result result = shop.run(wrong.arguments);
    check_error(result, 1, wrong.words);
    CHECK(result.out == "");
  }
}

void make_run(const Workshop& shop, const std::string& folder = "run") {
  REQUIRE(shop.run(tiny({"train", "reverse", "--steps", "2", "--out", folder})).code == 0);
}

}  // namespace

TEST_CASE("a task or setting that there is not is answered with those there are") {
  const Workshop shop;
  check_each(shop,
             {{{"train", "juggle"}, {"juggle", "copy", "reverse", "sort", "text"}},
              {{"train", "reverse", "--positions", "diagonal"},
               {"diagonal", "sinusoidal", "learned", "none"}},
              {{"train", "reverse", "--norm", "mid"}, {"mid", "pre", "post"}},
              {{"train", "reverse", "--schedule", "up"}, {"up", "constant", "cosine", "noam"}},
              {{"train", "reverse", "--heads", "3"}, {"3 heads", "64 channels", "divide"}},
              {{"bench", "--heads", "3"}, {"3 heads", "64 channels", "divide"}},
              {{"train", "reverse", "--text", "x"}, {"reverse", "--text"}},
              {{"train", "reverse", "--context", "9"}, {"reverse", "--context", "16"}}});
  CHECK(!shop.has("runs"));  // nothing is made for what cannot work
}

TEST_CASE("a text that cannot be learned is named, with what would be right") {
  const Workshop shop;
  shop.write("empty", "");
  shop.write("latin", "caf\xe9 au lait");
  shop.write("short", "to be or not to be");
  std::filesystem::create_directory(shop.path / "folder");
  const auto text = [](const char* file, const char* context) {
    return Strings{"train", "text", "--text", file, "--context", context};
  };
  check_each(shop, {{text("missing", "8"), {"missing", "No such file"}},
                    {text("folder", "8"), {"folder", "Is a directory"}},
                    {text("empty", "8"), {"empty", "empty", "81 characters"}},
                    {text("latin", "8"), {"latin", "not UTF-8", "byte 3", "iconv"}},
                    {text("short", "8"), {"short", "18 characters", "81", "--context 1"}}});
}

TEST_CASE("a prompt or an input that the model does not know is answered with what it knows") {
  const Workshop shop;
  make_run(shop);
  shop.write("text", some_text());
  REQUIRE(shop.run(tiny({"train", "text", "--text", "text", "--context", "8", "--steps", "1",
                         "--out", "tale"}))
              .code == 0);
  const auto prompt = [](const char* run, const char* text) {
    return Strings{"generate", run, "--prompt", text};
  };
  check_each(shop, {{prompt("run", "12345"), {"5 symbols", "exactly 16"}},
                    {prompt("run", ""), {"exactly 16"}},
                    {prompt("run", "123456789012345x"), {"'x'", "character 16", "'0'", "'9'"}},
                    {prompt("tale", ""), {"empty"}},
                    {prompt("tale", "the Cat"), {"'C'", "character 5"}},
                    {prompt("tale", "caf\xff"), {"not UTF-8", "byte 3"}},
                    {{"show", "run", "--input", "12x"}, {"'x'", "character 3"}},
                    {{"show", "run", "--layer", "2"}, {"layer 2", "has 1"}},
                    {{"show", "run", "--head", "3"}, {"head 3", "has 2"}},
                    {{"show", "tale", "--input", "the cat sat"}, {"11", "8"}}});
}

TEST_CASE("a folder that is no run, or cannot become one, is named") {
  const Workshop shop;
  shop.write("file", "x");
  std::filesystem::create_directory(shop.path / "folder");
  for (const std::string command : {"eval", "show", "generate"})
    for (const std::string folder : {"nowhere", "folder", "file"}) {
      Strings arguments = {command, folder};
      if (command == "generate") arguments.insert(arguments.end(), {"--prompt", "1"});
      check_each(shop,
                 {{arguments, {folder + " is no run folder", "run.json", "attention train"}}});
    }
  for (const std::string out : {"file", "file/in", "/dev/null", "/proc/run"})
    check_each(shop, {{{"train", "reverse", "--out", out}, {out, "--out"}}});
}

TEST_CASE("a model file that is cut, changed, missing or another's is named with what is wrong") {
  const Workshop shop;
  make_run(shop);
  REQUIRE(shop.run(tiny({"train", "sort", "--steps", "1", "--out", "other"})).code == 0);
  const std::string model = shop.read("run/model.safetensors");
  const auto check = [&](const std::string& bytes, const Strings& words) {
    shop.write("run/model.safetensors", bytes);
    check_each(shop, {{{"eval", "run"}, words}});
  };
  for (std::size_t size : {std::size_t(0), std::size_t(7), std::size_t(8), std::size_t(1000),
                           model.size() / 2, model.size() - 1})
    check(model.substr(0, size), {"run/model.safetensors"});
  check(model + "x", {"run/model.safetensors", "1 bytes too many"});
  check("{" + model, {"run/model.safetensors"});
  std::string broken = model;
  broken[20] = '\xff';
  check(broken, {"run/model.safetensors", "header"});
  check(shop.read("other/model.safetensors"), {"run/model.safetensors", "does not fit"});
  std::filesystem::remove(shop.path / "run/model.safetensors");
  check_each(shop, {{{"show", "run"}, {"run/model.safetensors", "No such file"}}});
}

TEST_CASE("a run.json that is cut, lacks a key or holds nonsense is named with what is wrong") {
  const Workshop shop;
  make_run(shop);
  const std::string text = shop.read("run/run.json");
  const Json json = Json::parse(text);
  const auto check = [&](const std::string& bytes, const Strings& words) {
    shop.write("run/run.json", bytes);
    CAPTURE(bytes);
    check_each(shop, {{{"eval", "run"}, words}});
  };
  for (std::size_t size : {std::size_t(0), std::size_t(1), text.size() / 2, text.size() - 3})
    check(text.substr(0, size), {"run/run.json"});
  for (const char* other : {"[]", "3", "\xff\xfe", "{\"format\": 2}", "hello"})
    check(other, {"run/run.json"});
  for (const auto& [key, value] : json.items()) {
    Json less = json;
    less.erase(key);
    check(less.dump(), {"run/run.json", key});
  }
  for (const auto& [key, value] : json.at("settings").items()) {
    Json less = json;
    less["settings"].erase(key);
    check(less.dump(), {"run/run.json", key});
  }
  const auto nonsense = [&](const std::string& key, const Json& value) {
    Json changed = json;
    (changed["settings"].contains(key) ? changed["settings"] : changed)[key] = value;
    check(changed.dump(), {"run/run.json"});
  };
  for (const char* count : {"layers", "heads", "channels", "hidden", "context"})
    for (const Json& value : {Json(-1), Json("two"), Json(nullptr), Json(1e300)})
      nonsense(count, value);
  for (const char* name : {"positions", "norm", "task"}) nonsense(name, "unheard of");
  nonsense("heads", 3);
  nonsense("dropout", 1);
  nonsense("symbols", "0012345678");
  nonsense("symbols", "");
  nonsense("sample", "unknown");
}

TEST_CASE("a model judged on a text that is gone or has changed says so, and still writes") {
  const Workshop shop;
  shop.write("text", some_text());
  REQUIRE(shop.run(tiny({"train", "text", "--text", "text", "--context", "8", "--steps", "1",
                         "--out", "run"}))
              .code == 0);
  shop.write("text", some_text() + "more");
  check_each(shop, {{{"eval", "run"}, {"text", "changed"}}});
  std::filesystem::remove(shop.path / "text");
  check_each(shop, {{{"eval", "run"}, {"text", "No such file", "trained on"}}});
  CHECK(shop.run({"generate", "run", "--prompt", "the "}).code == 0);
  CHECK(shop.run({"show", "run"}).code == 0);
}
