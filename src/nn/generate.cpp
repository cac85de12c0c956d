#include "attention/nn/generate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "attention/core/error.hpp"

namespace attention {

int choose(const real* logits, Size count, const GenerateOptions& options, Random& random) {
  if (!(options.temperature >= 0) || std::isinf(options.temperature) || options.top_k < 0)
    fail("generate: temperature {} and top_k {}; both need finite numbers, at least 0",
         options.temperature, options.top_k);
  if (count < 1 || !logits) fail("generate: there are no logits to choose from");
  for (Size i = 0; i < count; ++i)
    if (std::isnan(logits[i])) fail("generate: logit {} is not a number; the model is broken", i);

  std::vector<int> ids(count);  // likeliest first
  std::iota(ids.begin(), ids.end(), 0);
  std::stable_sort(ids.begin(), ids.end(), [&](int a, int b) { return logits[a] > logits[b]; });
  if (std::isinf(logits[ids[0]]))
    fail("generate: the highest logit is {}; the model is broken", logits[ids[0]]);
  if (options.temperature == 0) return ids[0];
  if (options.top_k > 0 && options.top_k < count) ids.resize(options.top_k);

  std::vector<double> weights;
  for (int id : ids)
    weights.push_back(std::exp((double(logits[id]) - logits[ids[0]]) / options.temperature));
  double left = random.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    left -= weights[i];
    if (left < 0) return ids[i];
  }
  return ids[0];  // rounding left a crumb
}

namespace {

// The logits after the text's last tokens. While all of it fits the context, only what is new goes
// through the model. Later each step moves every token to another position, and nothing that was
// computed before can be used again.
Tensor after(const Transformer& model, const std::vector<int>& text, KeyValueCache& cache) {
  const Size length = static_cast<Size>(text.size()), context = model.config.context;
  const auto last = [&](Size count) {
    return Tokens(Shape{1, count}, std::vector<int>(text.end() - count, text.end()));
  };
  return length > context ? model(last(context)) : model.next(last(length - cache.length()), cache);
}

}  // namespace

std::vector<int> generate(const Transformer& model, std::vector<int> prompt, int count,
                          const GenerateOptions& options, Random& random) {
  if (!model.config.causal)
    fail("generate: this model is not causal, so it cannot continue a text");
  if (prompt.empty()) fail("generate: an empty prompt; give at least one token to go on from");
  if (options.end < -1 || options.end >= model.config.vocabulary)
    fail("generate: end = {}, but the model's ids are 0 to {}; -1 is for never", options.end,
         model.config.vocabulary - 1);
  if (count < 0) fail("generate: {} new tokens; the number may not be negative", count);
  NoGrad no_grad;
  KeyValueCache cache;
  for (int i = 0; i < count; ++i) {
    const Tensor logits = after(model, prompt, cache);  // (1, n, V)
    const Size vocabulary = logits.size(-1);
    const real* last = logits.data() + logits.count() - vocabulary;
    prompt.push_back(choose(last, vocabulary, options, random));
    if (prompt.back() == options.end) break;
  }
  return prompt;
}

}  // namespace attention
