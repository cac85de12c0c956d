// Training that leaves the numbers: it stops at once, saves nothing of it, and --anomaly says where
// it began.
#include <fmt/format.h>

#include <map>

#include "attention/tensor/anomaly.hpp"
#include "attention/train/checkpoint.hpp"
#include "program.hpp"

using namespace program;
using Catch::Contains;

namespace {

const Strings pointer = {"the last checkpoint is kept: attention train --resume run --anomaly"};

Strings with(Strings arguments, const Strings& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Strings train(const Strings& more) {
  return tiny(with({"train", "reverse", "--out", "run", "--replace"}, more));
}

// A run in a folder `run` that was stopped early, at a rate that does no harm.
void make_stopped(const Workshop& shop) {
  REQUIRE(shop.run(train({"--steps", "1000", "--eval-every", "1", "--json", "--clip", "0"}),
                   {.interrupt = "\n"})
              .code == 130);
}

// Fills weights of that run, by name, before it goes on.
void fill(const Workshop& shop, const std::vector<std::pair<std::string, attention::real>>& all) {
  const auto path = shop.path / "run/training.safetensors";
  attention::Checkpoint checkpoint = attention::read_checkpoint(path);
  for (const auto& [wanted, value] : all) {
    bool found = false;
    for (auto& [name, tensor] : checkpoint.tensors)
      if (name == wanted) tensor = attention::full(tensor.shape(), value), found = true;
    REQUIRE(found);
  }
  attention::save_checkpoint(path, checkpoint.tensors, checkpoint.metadata);
}

// All files of the run: what must not change when training fails.
std::map<std::string, std::string> bytes_of(const Workshop& shop) {
  std::map<std::string, std::string> bytes;
  for (const auto& entry : std::filesystem::directory_iterator(shop.path / "run"))
    bytes[entry.path().filename()] = shop.read("run/" + entry.path().filename().string());
  return bytes;
}

// What the run says when it goes on: the same each time, and no file changes.
void check_stuck(const Workshop& shop, const Strings& words, const Strings& anomaly_words) {
  const auto before = bytes_of(shop);
  const Strings go_on = {"train", "--resume", "run", "--eval-every", "1000"};
  for (int time = 0; time < 2; ++time) check_error(shop.run(go_on), 1, words);
  const Result found = shop.run(with(go_on, {"--anomaly"}));
  check_error(found, 1, anomaly_words);
  CHECK_THAT(found.err, !Contains("--anomaly"));
  CHECK(bytes_of(shop) == before);
}

}  // namespace

TEST_CASE(
    "a rate that is too high stops training, keeps the last checkpoint, and --anomaly says why") {
  const Workshop shop;
  // Of weights near 1e9, queries and keys near 1e19, whose products a float cannot hold.
  const Result failed =
      shop.run(train({"--rate", "1e9", "--steps", "30", "--warmup", "0", "--eval-every", "1"}));
  check_error(failed, 1,
              with(pointer, {"the loss on unseen sequences is not finite at step ",
                             "a lower --rate or a --clip of 1 usually helps"}));
  const auto good = bytes_of(shop);
  const auto checkpoint = attention::read_checkpoint(shop.path / "run/training.safetensors");
  for (const auto& [name, tensor] : checkpoint.tensors) CHECK(attention::all_finite(tensor));
  CHECK_THAT(failed.err,
             Contains(fmt::format("at step {};", std::stoi(checkpoint.metadata.at("step")) + 1)));
  CHECK(shop.run({"eval", "run"}).code == 0);

  CHECK(shop.run({"train", "--resume", "run"}).err == failed.err);
  check_error(
      shop.run({"train", "--resume", "run", "--anomaly"}), 1,
      {"attention: step ", ": anomaly in the forward pass: attend of (4, 16, 8), ",
       "is NaN at (0, ", "and float ends at 3.4e+38: the scores overflow; ",
       "path to the loss: attend (4, 16, 8) > linear (4, 16, 8) > ", " > cross_entropy ()"});
  CHECK(bytes_of(shop) == good);
}

TEST_CASE("a loss that is no number, or infinite, stops training at its step") {
  const Workshop shop;
  const Strings blown = {"--rate", "1e9", "--steps", "30", "--warmup", "0", "--eval-every", "30"};
  const Result failed = shop.run(train(blown));
  check_error(failed, 1, with(pointer, {"the loss is not a number at step "}));
  const Result found = shop.run(train(with(blown, {"--anomaly"})));
  check_error(found, 1, {"anomaly in the forward pass: attend of "});
  const std::string step = found.err.substr(0, found.err.find(": anomaly")).substr(11);
  CHECK_THAT(failed.err, Contains(" at " + step + ";"));  // the same one

  make_stopped(shop);
  fill(shop, {{"output.weight", 0}, {"output.bias", 0}});
  fill(shop, {{"output.weight", attention::real(3e38)}});
  check_stuck(shop, with(pointer, {"the loss is ", " at step "}),
              {"anomaly in the forward pass: linear of (4, 16, 8), (8, 10), (10,): "});
}

TEST_CASE("gradients that are no numbers stop training before a weight is touched") {
  const Workshop shop;
  make_stopped(shop);
  // Nothing comes through the feed-forward layer; but on the way back, 1e30 meets 1e20.
  const std::string layer = "blocks.0.feed_forward.";
  fill(shop, {{layer + "up.weight", 0},
              {layer + "up.bias", 0},
              {layer + "down.weight", 1e20f},
              {"output.weight", 0}});
  auto checkpoint = attention::read_checkpoint(shop.path / "run/training.safetensors");
  for (auto& [name, tensor] : checkpoint.tensors)
    if (name == "output.weight") tensor.edit()[0] = 1e30f;
  attention::save_checkpoint(shop.path / "run/training.safetensors", checkpoint.tensors,
                             checkpoint.metadata);
  check_stuck(shop, with(pointer, {"the gradients are not finite (the loss is ", " at step "}),
              {"anomaly in the backward pass: linear of (4, 16, 32), (32, 8), (8,): of the "
               "gradient for input 0, ",
               "what arrives goes up to ", " already: it explodes; ",
               "path to the loss: linear (4, 16, 8) > add (4, 16, 8) > "});
}

TEST_CASE("gradients too large for Adam to square stop training, too") {
  const Workshop shop;
  make_stopped(shop);
  fill(shop, {{"output.weight", 0}});
  auto checkpoint = attention::read_checkpoint(shop.path / "run/training.safetensors");
  for (auto& [name, tensor] : checkpoint.tensors)
    if (name == "output.weight") tensor.edit()[0] = 1e25f;
  attention::save_checkpoint(shop.path / "run/training.safetensors", checkpoint.tensors,
                             checkpoint.metadata);
  const Strings words = {"the gradients have a norm of ", " at step ",
                         "and Adam cannot square them in float; a --clip of 1 helps"};
  check_stuck(shop, words, words);
}

TEST_CASE("weights that the optimizer made infinite are never saved, and --anomaly names them") {
  const Workshop shop;
  REQUIRE(shop.run(train({"--steps", "2"})).code == 0);
  const Strings blown = {"--rate", "3.4e38", "--warmup", "0", "--steps", "3", "--eval-every", "1"};
  check_error(shop.run(train(blown)), 1,
              with(pointer, {"the optimizer has made weights that are not finite at step 1; "}));
  check_error(shop.run(train(with(blown, {"--anomaly"}))), 1,
              {"attention: step 1: anomaly in the optimizer's step: embedding.weight (10, 8): ",
               "of 80 values are not finite, the first is ",
               "the rate, 3.4e+38, or the weight decay, 0.01, is too high"});
  for (const auto& entry : std::filesystem::directory_iterator(shop.path / "run"))
    if (entry.path().extension() == ".safetensors")
      for (const auto& [name, tensor] : attention::read_checkpoint(entry.path()).tensors)
        CHECK(attention::all_finite(tensor));
}

TEST_CASE("a weight that came in as no number is called by its name") {
  const Workshop shop;
  make_stopped(shop);
  fill(shop,
       {{"blocks.0.attention.query.bias", std::numeric_limits<attention::real>::quiet_NaN()}});
  check_stuck(shop, with(pointer, {"the loss is not a number at step "}),
              {"anomaly in the forward pass: blocks.0.attention.query.bias (8,): 8 of 8 values are "
               "not finite, the first is NaN at (0); it came in like that: the optimizer's last "
               "step was too large",
               "path to the loss: blocks.0.attention.query.bias (8,) > "});
}

TEST_CASE("a last look that is no number leaves the run unfinished") {
  const Workshop shop;
  const Strings blown = {"--rate", "1e12", "--steps", "1", "--warmup", "0"};
  for (const Strings& more : {blown, with(blown, {"--anomaly"})}) {
    check_error(shop.run(train(more)), 1,
                {"the loss on unseen sequences is not finite at step 1; "});
    CHECK(!shop.has("run/loss.png"));
  }
}

TEST_CASE("with --anomaly training ends with the same bits, and it is no setting") {
  const Workshop shop;
  const auto files = [&](const Strings& more) {
    const Result result = shop.run(train(with({"--steps", "6", "--dropout", "0.2"}, more)));
    INFO(result.err);
    REQUIRE(result.code == 0);
    auto bytes = bytes_of(shop);
    std::filesystem::remove_all(shop.path / "run");
    return bytes;
  };
  for (const Strings& kind : {Strings{}, Strings{"--encoder-decoder"}})
    CHECK(files(with(kind, {"--anomaly"})) == files(kind));
  CHECK_THAT(shop.run({"train", "--help"}).out, Contains("--anomaly"));
}
