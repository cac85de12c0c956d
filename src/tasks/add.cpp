// Add: two numbers of two digits, written as a text that the model goes on with: after 37+58= come
// 0, 9 and 5. Only these three are scored. There are 10,000 pairs, a tenth of them set apart, and a
// model can be asked about every one.
//
// By hand: 7 + 8 = 15, so the last digit is 5 and 1 is carried; 3 + 5 + 1 = 9, nothing is carried.
// The answer starts with its first digit, for which all carries have to be known at once.
#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/tasks/sequences.hpp"

namespace attention {
namespace {

constexpr int pairs = 100 * 100, question = 6, answer = 3, context_length = question + answer - 1;
constexpr int plus = 10, equals = 11;

// 37+58=095 of the pair with the number 3758.
Sequence sum_of(int pair) {
  const int a = pair / 100, b = pair % 100, sum = a + b;
  return {a / 10, a % 10, plus, b / 10, b % 10, equals, sum / 100, sum / 10 % 10, sum % 10};
}

bool kept_back(int pair) { return is_set_apart(sum_of(pair)); }

Batch scored(const std::vector<int>& chosen) {
  const Shape shape{static_cast<Size>(chosen.size()), context_length};
  Sequence input, targets;
  for (int pair : chosen) {
    const Sequence text = sum_of(pair);
    input.insert(input.end(), text.begin(), text.end() - 1);
    for (int t = 0; t < context_length; ++t) targets.push_back(t + 1 < question ? -1 : text[t + 1]);
  }
  return {Tokens(shape, std::move(input)), Tokens(shape, std::move(targets))};
}

class Add final : public Task {
 public:
  const Alphabet& alphabet() const override { return alphabet_; }
  int context() const override { return context_length; }
  bool causal() const override { return true; }
  Writing writing() const override {
    return {.tokens = answer, .temperature = 0, .form = "00+00="};
  }
  Defaults defaults() const override { return {.steps = 3000, .batch = 128, .rate = 2e-3}; }

  Batch batch(int size, Random& random) const override {
    refuse_count("add", size);
    std::vector<int> chosen;
    while (static_cast<int>(chosen.size()) < size)
      if (const int pair = static_cast<int>(random.below(pairs)); !kept_back(pair))
        chosen.push_back(pair);
    return scored(chosen);
  }

  Batch unseen(int count) const override {
    refuse_count("add", count);
    std::vector<int> chosen;
    for (int pair = 0; pair < pairs; ++pair)
      if (kept_back(pair)) chosen.push_back(pair);
    Random random(0);  // the same every time
    random.shuffle(chosen);
    chosen.resize(
        std::min<std::size_t>(chosen.size(), static_cast<std::size_t>(std::max(count, 0))));
    return scored(chosen);
  }

  std::optional<Batch> everything() const override {
    std::vector<int> all(pairs);
    for (int pair = 0; pair < pairs; ++pair) all[pair] = pair;
    return scored(all);
  }

  std::vector<Expectation> expected_loss(const Batch&) const override {
    return {{"floor", 0}, {"guessing", std::log(10)}};
  }
  std::vector<Expectation> expected_accuracy(bool) const override { return {{"guessing", 0.1}}; }

 private:
  Alphabet alphabet_{U"0123456789+="};
};

const bool add_enlisted = enlist_task({
    .name = "add",
    .summary = "add two numbers of two digits; all 10,000 sums can be tried",
    .example = "3 7 + 5 8 = -> 0 9 5",
    .make = [](const TaskOptions& options) -> std::unique_ptr<Task> {
      refuse_options("add", options, context_length);
      return std::make_unique<Add>();
    },
});

}  // namespace
}  // namespace attention
