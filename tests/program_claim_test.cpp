// Whose a folder is: no second training in it at the same time, no other run over one that is
// there.
#include <map>

#include "program.hpp"

using namespace program;

namespace {

Strings train(const std::string& out, const Strings& more = {}) {
  Strings arguments = tiny({"train", "sort", "--steps", "2", "--out", out});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string everything_in(const Workshop& shop, const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(shop.path / folder))
    files[entry.path().filename()] = attention::read_file(entry.path());
  std::string all;
  for (const auto& [name, bytes] : files) all += name + '\0' + bytes + '\0';
  return all;
}

}  // namespace

TEST_CASE("a second training in a folder is refused while the first one lasts, and only then") {
  const Workshop shop;
  Strings endless = train("run", {"--json", "--eval-every", "1"});
  endless[3] = "100000";
  std::vector<Result> second;
  const Result first =
      shop.run(endless, {.interrupt = "\n",
                         .act =
                             [&] {
                               second.push_back(shop.run(train("run")));
                               second.push_back(shop.run(train("run", {"--replace"})));
                               second.push_back(shop.run({"train", "--resume", "run"}));
                               second.push_back(shop.run(train("run/../run")));
                               second.push_back(shop.run({"eval", "run"}));
                             },
                         .killed_after = 5000});
  REQUIRE(first.code == -SIGKILL);
  REQUIRE(second.size() == 5);
  for (int i = 0; i < 4; ++i)
    check_error(second[i], 1, {"another attention train is at work in it", "--out"});
  CHECK(second[4].code == 0);  // which only reads
  CHECK(shop.run(train("run", {"--replace"})).code == 0);
}

TEST_CASE("a run is not written over another one, or over what is none") {
  const Workshop shop;
  REQUIRE(shop.run(train("run")).code == 0);
  const std::string before = everything_in(shop, "run");
  check_error(shop.run(train("run", {"--seed", "2"})), 1,
              {"run: another run is in it (sort, 2 steps, seed 1)", "--out", "--replace"});
  check_error(shop.run(tiny({"train", "reverse", "--steps", "2", "--out", "run"})), 1,
              {"another run is in it (sort"});
  CHECK(everything_in(shop, "run") == before);
  CHECK(shop.run(train("run")).code == 0);  // the same run: the same bits
  CHECK(everything_in(shop, "run") == before);
  CHECK(shop.run(train("run", {"--seed", "2", "--replace"})).code == 0);
  CHECK(everything_in(shop, "run") != before);

  shop.write("run/run.json", "{}");
  check_error(shop.run(train("run")), 1, {"run/run.json", "--out", "--replace"});
  std::filesystem::create_directory(shop.path / "mine");
  shop.write("mine/model.safetensors", "precious");
  check_error(shop.run(train("mine")), 1, {"mine: there is a model.safetensors of something else"});
  CHECK(shop.read("mine/model.safetensors") == "precious");
}

TEST_CASE("a run that was stopped on the way is not started anew by mistake") {
  const Workshop shop;
  Strings arguments = tiny({"train", "sort", "--steps", "10000", "--out", "a run"});
  REQUIRE(shop.run(arguments, {.interrupt = "steps/s"}).code == 130);
  check_error(shop.run(arguments), 1,
              {"stopped on the way", "attention train --resume 'a run'", "--replace"});
  arguments.push_back("--replace");
  CHECK(shop.run(arguments, {.interrupt = "steps/s"}).code == 130);
}

TEST_CASE("what a killed save has left goes with the next training, and other files stay") {
  const Workshop shop;
  REQUIRE(shop.run(train("run")).code == 0);
  shop.write("run/model.safetensors.123-0.tmp", "half");
  shop.write("run/loss.png.77-1.tmp", "half");
  for (const char* mine :
       {"run/a.old.tmp", "run/a.1-.tmp", "run/a.-1.tmp", "run/a.1-2", "run/1-2.tmp"})
    shop.write(mine, "mine");
  REQUIRE(shop.run(train("run")).code == 0);
  CHECK(!shop.has("run/model.safetensors.123-0.tmp"));
  CHECK(!shop.has("run/loss.png.77-1.tmp"));
  for (const char* mine :
       {"run/a.old.tmp", "run/a.1-.tmp", "run/a.-1.tmp", "run/a.1-2", "run/1-2.tmp"})
    CHECK(shop.has(mine));
}

TEST_CASE("a polite kill and a closed terminal stop training as Ctrl-C does") {
  const Workshop shop;
  for (const int signal : {SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    Strings endless = train("run", {"--json", "--eval-every", "1", "--replace"});
    endless[3] = "100000";
    const Result result = shop.run(endless, {.interrupt = "\n", .signal = signal});
    CHECK(result.code == 128 + signal);
    CHECK(Json::parse(lines(result.out).back()).at("resume") == "attention train --resume run");
  }
}
