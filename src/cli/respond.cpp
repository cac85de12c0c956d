#include "respond.hpp"

#include "attention/core/error.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

constexpr int sample_length = 200;

}  // namespace

std::vector<int> encode(const Alphabet& alphabet, const std::string& text, const char* option) {
  try {
    return alphabet.encode(text);
  } catch (const Error& error) {
    fail("{}: {}", option, error.what());
  }
}

Response respond(const Transformer& model, const Run& run, const std::string& prompt, int length,
                 const GenerateOptions& options, Random& random) {
  const Alphabet alphabet(run.symbols);
  const std::vector<int> ids = encode(alphabet, prompt, "--prompt");
  const auto count = static_cast<Size>(ids.size());
  if (run.causal) {
    const std::vector<int> all = generate(model, ids, length, options, random);
    return {prompt, alphabet.decode(all), length};
  }
  if (count != model.config.context)
    fail("the prompt has {}; this model has learned {} with exactly {}, such as {}",
         counted(count, "symbol"), run.settings.task, model.config.context, run.sample);
  NoGrad no_grad;
  const Tensor logits = model(Tokens(Shape{1, count}, ids));  // (1, T, V)
  return {prompt, alphabet.decode(argmax(logits, -1).ids), count};
}

std::string report(const Transformer& model, const Run& run, const Task& task, const Batch& judged,
                   const Scores& scores) {
  std::string text = to_text(scores, task, judged, run.settings.positions != "none");
  if (const auto everything = task.everything()) {
    const Scores all = evaluate(model, *everything);
    text += fmt::format("                {:.2f} % of all {} sequences there are\n",
                        100 * all.exact_match, all.sequences);
  }
  Random random(run.settings.seed);
  const Response sample =
      respond(model, run, run.sample, sample_length, {.temperature = real(0.8)}, random);
  return text + (run.causal
                     ? fmt::format("a sample:\n{}\n", printable(sample.text))
                     : fmt::format("for example     {} -> {}\n", sample.prompt, sample.text));
}

}  // namespace attention::cli
