// attention generate: a trained model answers a prompt, or goes on from it.
#include <optional>

#include "commands.hpp"
#include "model.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

struct GenerateArguments {
  std::string folder, prompt;
  int length = 200, top_k = 0, beam = 0;
  std::optional<double> temperature;
  std::uint64_t seed = 1;
  bool json = false;
};

int generate_text(const GenerateArguments& options) {
  const Folder folder{options.folder};
  const Run run = load_run(folder);
  const auto model = load_model(folder, run);
  Random random(options.seed);
  const GenerateOptions choice{
      .temperature = static_cast<real>(options.temperature.value_or(run.writing.temperature)),
      .top_k = options.top_k};
  const Response response = model->respond(
      {.prompt = options.prompt, .length = options.length, .choice = choice, .beam = options.beam},
      random);
  if (!options.json) {
    fmt::print("{}\n", printable(response.text));
    return 0;
  }
  Json json{{"prompt", response.prompt}, {"text", response.text}, {"tokens", response.tokens}};
  if (!response.hypotheses.is_null()) json["hypotheses"] = response.hypotheses;
  fmt::print("{}\n", json.dump());
  return 0;
}

}  // namespace

Command add_generate(CLI::App& app) {
  auto options = std::make_shared<GenerateArguments>();
  add_folder(app, options->folder);
  app.add_option("--prompt", options->prompt, "what to answer, or to go on from")
      ->type_name("TEXT")
      ->required();
  add_count(app, "--length", options->length, "most tokens to add")->capture_default_str();
  add_amount(app, "--temperature", options->temperature,
             "0 always takes the likeliest (text, grammar 0.8; else 0)");
  add_count(app, "--top-k", options->top_k, "choose among the k likeliest; 0 for all", 0)
      ->capture_default_str();
  add_count(app, "--beam", options->beam, "answers to pursue at once (encoder-decoder: 1)");
  add_seed(app, options->seed, "the same seed gives the same text");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return generate_text(*options); };
}

}  // namespace attention::cli
