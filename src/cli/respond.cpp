#include "respond.hpp"

#include <algorithm>

#include "attention/core/error.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

constexpr int sample_length = 200;

// How many tokens may follow the prompt: as many as the task has for an answer, and as fit.
int room(const Run& run, Size prompt, int length) {
  const Writing& writing = run.writing;
  if (writing.tokens == 0) return length;
  const Size context = run.settings.context;
  if (prompt > context)
    fail("the prompt has {}; this model has learned {} with {} at most, such as {}",
         counted(prompt, "symbol"), run.settings.task, context, run.sample);
  return static_cast<int>(
      std::min<Size>({length, writing.tokens, context + 1 - prompt}));  // the last is never input
}

void check_form(const Run& run, const std::string& prompt) {
  const std::string& form = run.writing.form;
  const auto fits = [](char wanted, char given) {
    return wanted == '0' ? given >= '0' && given <= '9' : wanted == given;
  };
  const bool good =
      prompt.size() >= form.size() && std::equal(form.begin(), form.end(), prompt.begin(), fits);
  if (!good)
    fail(
        "--prompt: '{}' does not begin like {}, with a digit for each 0; {} has learned nothing "
        "else",
        prompt, form, run.settings.task);
}

Response go_on(const Transformer& model, const Run& run, const Alphabet& alphabet,
               const std::vector<int>& ids, int length, GenerateOptions options, Random& random) {
  options.end = run.writing.mark;
  const auto begin = static_cast<Size>(ids.size());
  std::vector<int> all = generate(model, ids, room(run, begin, length), options, random);
  const Size made = static_cast<Size>(all.size()) - begin;
  if (run.writing.mark >= 0) std::erase(all, run.writing.mark);
  return {.prompt = {}, .text = alphabet.decode(all), .tokens = made};
}

// The sample without its answer, for a model that is to find it.
std::string sample_prompt(const Run& run) {
  const Alphabet alphabet(run.symbols);
  std::vector<int> ids = alphabet.encode(run.sample);
  const auto answer = static_cast<std::size_t>(std::max(0, run.writing.tokens - 1));
  ids.resize(std::max<std::size_t>(1, ids.size() - std::min(ids.size(), answer)));
  return alphabet.decode(ids);
}

}  // namespace

std::vector<int> encode(const Run& run, const std::string& text, const char* option) {
  try {
    std::vector<int> ids = Alphabet(run.symbols).encode(text);
    const int mark = run.writing.mark;
    if (mark >= 0 && (ids.empty() || ids[0] != mark)) ids.insert(ids.begin(), mark);
    return ids;
  } catch (const Error& error) {
    fail("{}: {}", option, error.what());
  }
}

Response respond(const Transformer& model, const Run& run, const std::string& prompt, int length,
                 const GenerateOptions& options, Random& random) {
  const Alphabet alphabet(run.symbols);
  const std::vector<int> ids = encode(run, prompt, "--prompt");
  const auto count = static_cast<Size>(ids.size());
  if (run.causal) {
    check_form(run, prompt);
    Response response = go_on(model, run, alphabet, ids, length, options, random);
    response.prompt = prompt;
    return response;
  }
  if (count != model.config.context)
    fail("the prompt has {}; this model has learned {} with exactly {}, such as {}",
         counted(count, "symbol"), run.settings.task, model.config.context, run.sample);
  NoGrad no_grad;
  const Tensor logits = model(Tokens(Shape{1, count}, ids));  // (1, T, V)
  return {prompt, alphabet.decode(argmax(logits, -1).ids), count};
}

std::string example(const Transformer& model, const Run& run) {
  Random random(run.settings.seed);
  const GenerateOptions choice{.temperature = static_cast<real>(run.writing.temperature)};
  const Response sample = respond(model, run, sample_prompt(run), sample_length, choice, random);
  return run.causal ? fmt::format("a sample:\n{}\n", printable(sample.text))
                    : fmt::format("for example     {} -> {}\n", sample.prompt, sample.text);
}

}  // namespace attention::cli
