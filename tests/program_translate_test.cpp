// attention train --encoder-decoder, and what the other commands make of such a run: scores by
// length, answers of any length, three kinds of maps.
#include "program.hpp"

using namespace program;
using Catch::Contains;

namespace {

void make_run(const Workshop& shop, const std::string& task = "reverse", Strings more = {}) {
  more.insert(more.begin(),
              {"train", task, "--encoder-decoder", "--steps", "2", "--out", "run", "--replace"});
  REQUIRE(shop.run(tiny(more)).code == 0);
}

Json one_object(const Result& result) {
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  REQUIRE(lines(result.out).size() == 1);
  return Json::parse(result.out);
}

}  // namespace

TEST_CASE("an encoder-decoder's run has its scores by length, and its pictures") {
  for (const std::string task : {"copy", "reverse", "sort"}) {
    CAPTURE(task);
    const Workshop shop;
    const Result result = shop.run(tiny({"train", task, "--encoder-decoder", "--steps", "3"}));
    REQUIRE(result.code == 0);
    CHECK(result.err == "");
    for (const char* word : {"encoder and decoder of 1 layer", "exact match", "of length",
                             "      4      5      6      7      8      9     10     11     12\n"})
      CHECK_THAT(result.out, Contains(word));
    const std::string folder = "runs/" + task + "-encoder-decoder/";
    for (const char* name :
         {"model.safetensors", "loss.png", "cross.png", "encoder.png", "decoder.png"}) {
      CHECK_THAT(result.out, Contains(folder + name));
      CHECK(shop.has(folder + name));
    }
    const Json settings = Json::parse(shop.read(folder + "run.json")).at("settings");
    CHECK(settings.at("encoder_decoder") == true);
    CHECK(settings.at("context") == 13);
  }
}

TEST_CASE("a run without an encoder-decoder is written as it always was, so old folders load") {
  const Workshop shop;
  REQUIRE(shop.run(tiny({"train", "reverse", "--steps", "2", "--out", "run"})).code == 0);
  CHECK_FALSE(Json::parse(shop.read("run/run.json")).at("settings").contains("encoder_decoder"));
  CHECK_THAT(shop.read("run/model.safetensors"), !Contains("encoder_decoder"));
  check_error(shop.run({"generate", "run", "--prompt", "1234567812345678", "--beam", "2"}), 1,
              {"--beam", "encoder-decoder"});
}

TEST_CASE("eval judges an encoder-decoder at each length, as train did at the end") {
  const Workshop shop;
  const Result trained = shop.run(
      tiny({"train", "copy", "--encoder-decoder", "--steps", "3", "--out", "run", "--json"}));
  const Json last = Json::parse(lines(trained.out).back());
  const Json json = one_object(shop.run({"eval", "run", "--samples", "20", "--json"}));
  CHECK(json == last.at("eval"));
  // 12 pairs, whose targets have 5 to 13 tokens.
  const double tokens =
      last.at("tokens_per_second").get<double>() * last.at("seconds").get<double>();
  CHECK(tokens >= 12 * 5);
  CHECK(tokens <= 12 * 13);
  REQUIRE(json.at("by_length").size() == 9);
  int sequences = 0;
  double exact = 0, first_tokens = json.at("token_accuracy");
  for (int i = 0; i < 9; ++i) {
    const Json& one = json.at("by_length").at(i);
    CHECK(one.at("length") == 4 + i);
    CHECK(one.at("sequences") == 3);  // 20 in all, rounded up
    sequences += one.at("sequences").get<int>();
    exact += one.at("exact_match").get<double>() / 9;
  }
  CHECK(json.at("sequences") == sequences);
  CHECK(json.at("exact_match").get<double>() == Approx(exact));
  CHECK(first_tokens >= 0);
  CHECK(json.at("expected").at("loss").at("guessing").get<double>() == Approx(std::log(11)));
  CHECK_THAT(shop.run({"eval", "run"}).out, Contains("of length") && Contains("for example"));
}

TEST_CASE("an encoder-decoder that has learned answers prompts of any of its lengths") {
  const Workshop shop;
  const Result trained =
      shop.run({"train", "sort", "--encoder-decoder", "--layers", "1", "--heads", "2", "--channels",
                "32", "--steps", "200", "--rate", "0.005", "--threads", "1", "--out", "run"});
  REQUIRE(trained.code == 0);
  CHECK(shop.run({"generate", "run", "--prompt", "2101"}).out == "0112\n");
  CHECK(shop.run({"generate", "run", "--prompt", "21012"}).out == "01122\n");
  const Strings ask{"generate", "run", "--prompt", "12021", "--json"};
  const Json greedy = one_object(shop.run(ask));
  CHECK(greedy.at("text") == "01122");
  CHECK(greedy.at("tokens") == 5);
  CHECK_FALSE(greedy.contains("hypotheses"));
  for (const char* width : {"1", "3"}) {
    Strings with_beam = ask;
    with_beam.insert(with_beam.end(), {"--beam", width});
    const Json json = one_object(shop.run(with_beam));
    CHECK(json.at("text") == "01122");
    const Json& found = json.at("hypotheses");
    REQUIRE(found.size() == std::stoul(width));
    CHECK(found[0].at("text") == "01122");
    CHECK(found[0].at("finished") == true);
    for (std::size_t i = 1; i < found.size(); ++i)
      CHECK(found[i].at("score") <= found[i - 1].at("score"));
  }
}

TEST_CASE("prompts of other lengths or symbols are refused, with the numbers") {
  const Workshop shop;
  make_run(shop);
  check_error(shop.run({"generate", "run", "--prompt", "314"}), 1,
              {"3 symbols", "4 to 12", "reverse"});
  check_error(shop.run({"generate", "run", "--prompt", "1234567890123"}), 1,
              {"13 symbols", "4 to 12"});
  check_error(shop.run({"generate", "run", "--prompt", ""}), 1, {"0 symbols", "4 to 12"});
  check_error(shop.run({"generate", "run", "--prompt", "31x15"}), 1, {"--prompt", "'x'"});
  check_error(shop.run({"show", "run", "--input", "314"}), 1, {"--input", "3 symbols", "4 to 12"});
  check_error(shop.run({"generate", "run", "--prompt", "31415", "--beam", "0"}), 2, {"--beam"});
}

TEST_CASE("show draws where an answer looks in its source, and both halves") {
  const Workshop shop;
  make_run(shop);
  for (const char* name : {"cross", "encoder", "decoder"})
    std::filesystem::remove(shop.path / ("run/" + std::string(name) + ".png"));
  const Result result = shop.run({"show", "run", "--input", "31415"});
  CHECK(result.code == 0);
  for (const char* words : {"cross layer 1 head 1", "encoder layer 1 head 2",
                            "decoder layer 1 head 2", "3 1 4 1 5 $", "positions.png"})
    CHECK_THAT(result.out, Contains(words));
  for (const char* name : {"run/cross.png", "run/encoder.png", "run/decoder.png"}) {
    CHECK_THAT(result.out, Contains(name));
    CHECK(shop.read(name).starts_with("\x89PNG"));
  }
  CHECK_THAT(shop.run({"show", "run", "--layer", "1", "--head", "2"}).out,
             Contains("cross layer 1 head 2") && !Contains("head 1"));
  check_error(shop.run({"show", "run", "--layer", "2"}), 1, {"layer 2", "has 1"});
}

TEST_CASE("a stopped run of an encoder-decoder goes on to the same weights") {
  const Workshop shop;
  const Strings train = {"train",        "reverse", "--encoder-decoder", "--steps", "60",
                         "--eval-every", "10",      "--dropout",         "0.1",     "--json"};
  Strings whole = train, part = train;
  whole.insert(whole.end(), {"--out", "whole"});
  part.insert(part.end(), {"--out", "part"});
  REQUIRE(shop.run(tiny(whole)).code == 0);
  const Result stopped = shop.run(tiny(part), {.interrupt = "\"step\":20"});
  REQUIRE(stopped.code == 130);
  REQUIRE(shop.run({"train", "--resume", "part", "--threads", "1", "--json"}).code == 0);
  CHECK(shop.read("part/model.safetensors") == shop.read("whole/model.safetensors"));
  CHECK(shop.read("part/log.jsonl") == shop.read("whole/log.jsonl"));
}

TEST_CASE("every option builds an encoder-decoder that evaluates") {
  const Workshop shop;
  for (const Strings& more : std::vector<Strings>{{"--tie", "--norm", "post"},
                                                  {"--positions", "learned", "--dropout", "0.2"},
                                                  {"--positions", "none", "--tie"}}) {
    make_run(shop, "copy", more);
    CHECK(shop.run({"eval", "run"}).code == 0);
    CHECK(shop.run({"generate", "run", "--prompt", "27182", "--beam", "2"}).code == 0);
    CHECK(shop.run({"show", "run"}).code == 0);
  }
}

TEST_CASE("a task that has no pairs is refused, naming those that have") {
  const Workshop shop;
  check_error(shop.run({"train", "text", "--encoder-decoder"}), 2,
              {"--encoder-decoder", "text", "copy, reverse, sort"});
  check_error(shop.run({"train", "copy", "--encoder-decoder", "--context", "16"}), 2,
              {"--context", "leave it out"});
  make_run(shop);
  check_error(shop.run({"train", "--resume", "run", "--encoder-decoder"}), 2,
              {"--encoder-decoder", "--resume"});
}
