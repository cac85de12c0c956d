#include "attention/nn/generate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "attention/core/error.hpp"

namespace attention {

int choose(const real* logits, Size count, const GenerateOptions& options, Random& random) {
  if (!(options.temperature >= 0) || options.top_k < 0)
    fail("generate: temperature {} and top_k {}; neither may be negative", options.temperature,
         options.top_k);
  if (count < 1) fail("generate: there are no logits to choose from");
  for (Size i = 0; i < count; ++i)
    if (std::isnan(logits[i])) fail("generate: logit {} is not a number; the model is broken", i);

  std::vector<int> ids(count);  // likeliest first
  std::iota(ids.begin(), ids.end(), 0);
  std::stable_sort(ids.begin(), ids.end(), [&](int a, int b) { return logits[a] > logits[b]; });
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

std::vector<int> generate(const Transformer& model, std::vector<int> prompt, int count,
                          const GenerateOptions& options, Random& random) {
  if (!model.config.causal)
    fail("generate: this model is not causal, so it cannot continue a text");
  if (prompt.empty()) fail("generate: an empty prompt; give at least one token to go on from");
  if (count < 0) fail("generate: {} new tokens; the number may not be negative", count);
  NoGrad no_grad;
  for (int i = 0; i < count; ++i) {
    const Size length = std::min<Size>(static_cast<Size>(prompt.size()), model.config.context);
    const std::vector<int> seen(prompt.end() - length, prompt.end());
    const Tensor logits = model(Tokens(Shape{1, length}, seen));  // (1, T, V)
    const Size vocabulary = logits.size(-1);
    prompt.push_back(
        choose(logits.data() + (length - 1) * vocabulary, vocabulary, options, random));
  }
  return prompt;
}

}  // namespace attention
