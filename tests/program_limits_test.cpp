// What the system refuses: rights, room on the disk, memory. One line says so, and nothing is lost
// that was already saved.
#include <set>

#include "attention/core/machine.hpp"
#include "program.hpp"

using namespace program;
using Catch::Contains;

namespace {

void make_run(const Workshop& shop, const std::string& folder = "run") {
  REQUIRE(shop.run(tiny({"train", "reverse", "--steps", "2", "--out", folder})).code == 0);
}

std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename());
  return names;
}

}  // namespace

TEST_CASE("a folder that may not be written to is refused before training, not after") {
  const Workshop shop;
  make_run(shop);
  std::filesystem::permissions(shop.path / "run", std::filesystem::perms(0555));
  const How nobody{.as_nobody = true};
  for (const std::string out : {"run", "run/in", "new"}) {
    CAPTURE(out);
    if (out == "new" && ::geteuid() != 0) continue;  // then the folder around it is ours
    const Result result = shop.run(tiny({"train", "reverse", "--out", out}), nobody);
    check_error(result, 1, {out, "Permission denied", "--out"});
    CHECK_THAT(result.out, !Contains("steps/s"));
  }
  CHECK(shop.run({"eval", "run"}, nobody).code == 0);  // which only reads
  CHECK(shop.run({"generate", "run", "--prompt", "1234567812345678"}, nobody).code == 0);
  std::filesystem::permissions(shop.path / "run", std::filesystem::perms(0755));
}

TEST_CASE("when the disk is full, the earlier run in the folder still evaluates") {
  const Workshop shop;
  make_run(shop);
  const std::string before = shop.run({"eval", "run", "--json"}).out;
  const std::set<std::string> names = names_in(shop.path / "run");
  const std::uintmax_t size = std::filesystem::file_size(shop.path / "run/model.safetensors");
  const auto train = [&](const char* look_every, std::uintmax_t limit) {
    return shop.run(tiny({"train", "reverse", "--replace", "--steps", "3", "--seed", "2",
                          "--eval-every", look_every, "--out", "run"}),
                    {.largest_file = limit});
  };
  for (const char* look_every : {"1", "3"})  // with the state of training first, or the model
    for (std::uintmax_t limit : {std::uintmax_t(4096), size - 1}) {
      CAPTURE(look_every, limit);
      check_error(train(look_every, limit), 1, {"run/", "File too large"});
      CHECK(shop.run({"eval", "run", "--json"}).out == before);
      CHECK(names_in(shop.path / "run") == names);
    }
}

TEST_CASE("what does not fit into memory is answered with what would, not with a crash") {
  if (sanitized) return;
  const Workshop shop;
  const How small{.memory = 500'000'000};
  const std::vector<Strings> all = {{"train", "reverse", "--layers", "3000"},
                                    {"train", "reverse", "--channels", "100000"},
                                    {"train", "reverse", "--batch", "1000000"},
                                    {"bench", "--vocabulary", "1000000000"},
                                    {"bench", "--context", "100000"}};
  for (const Strings& arguments : all) {
    CAPTURE(arguments);
    check_error(shop.run(arguments, small), 1, {"memory", "smaller"});
  }
}

TEST_CASE("what no memory of this machine could hold is refused before there is a folder") {
  if (attention::machine_memory() > std::uint64_t(1) << 37) return;  // 128 GiB
  const Workshop shop;
  make_run(shop);
  const std::string most = "2147483647";
  const std::vector<Strings> all = {
      {"train", "reverse", "--out", "new", "--batch", most},
      {"train", "reverse", "--out", "new", "--batch", most, "--accumulate", "2"},
      {"train", "reverse", "--out", "new", "--samples", most},
      {"train", "reverse", "--out", "new", "--channels", "2147483644"},
      {"eval", "run", "--samples", most},
      {"bench", "--batch", most}};
  for (const Strings& arguments : all) {
    CAPTURE(arguments);
    const Result result = shop.run(arguments, {.killed_after = 20000});
    check_error(result, 1, {"more than the memory of this machine", " take"});
    CHECK(result.out == "");
    CHECK(!shop.has("new"));
  }
}

TEST_CASE("a batch too large for one step may be taken in parts") {
  const Workshop shop;
  const std::uint64_t kept = 4 * 64 * (4 * 64 + 4 * 64) * 16;  // bytes a sequence: see the options
  const std::uint64_t batch = attention::machine_memory() / kept + 1;
  const auto error = [&](const char* parts) {
    return shop.run({"train", "reverse", "--layers", "64", "--channels", "64", "--batch",
                     std::to_string(batch), "--accumulate", parts, "--samples", "2147483647"},
                    {.killed_after = 20000});
  };
  check_error(error("1"), 1, {"--batch", "keeps for the way back", "--accumulate"});
  check_error(error("2"), 1, {"--samples"});  // which is looked at next
}

TEST_CASE("what cannot be printed is an error, too") {
  if (!std::filesystem::exists("/dev/full")) return;
  const Workshop shop;
  make_run(shop);
  const How full{.output = "/dev/full"};
  const std::vector<Strings> all = {{"tasks"},
                                    {"--help"},
                                    {"eval", "run"},
                                    {"eval", "run", "--json"},
                                    {"generate", "run", "--prompt", "1234567812345678"},
                                    {"show", "run"},
                                    {"bench", "--steps", "1"}};
  for (const Strings& arguments : all) {
    CAPTURE(arguments);
    check_error(shop.run(arguments, full), 1, {"standard output", "No space left"});
  }
}
