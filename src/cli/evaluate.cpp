#include "evaluate.hpp"

#include <algorithm>

namespace attention::cli {
namespace {

std::string beside(const std::vector<Expectation>& expected, const char* format, double factor) {
  std::string text;
  for (const Expectation& item : expected)
    text += fmt::format("{}{} {}", text.empty() ? "   (" : ", ", item.name,
                        fmt::format(fmt::runtime(format), item.value * factor));
  return text.empty() ? text : text + ")";
}

// A line of warning where unseen sequences are known better than they can be.
std::string below_floor(double loss, const std::vector<Expectation>& expected) {
  for (const Expectation& item : expected)
    if (item.name == "floor" && loss < item.value)
      return fmt::format(
          "                {:.4f} below the floor: the unseen sequences have leaked into "
          "training\n",
          item.value - loss);
  return "";
}

Json named(const std::vector<Expectation>& expected) {
  Json json = Json::object();
  for (const Expectation& item : expected) json[item.name] = item.value;
  return json;
}

}  // namespace

void Tally::add(const Tensor& logits, const Tokens& targets) {
  const Tokens answers = argmax(logits, -1);
  const Size sequences = targets.shape[0], length = targets.shape[1];
  loss_ += double(cross_entropy(logits, targets).item()) * static_cast<double>(scored(targets));
  scored_ += scored(targets);
  sequences_ += sequences;
  for (Size i = 0; i < sequences; ++i) {
    bool all = true;
    for (Size t = i * length; t < (i + 1) * length; ++t) {
      if (targets.ids[t] == -1) continue;
      const bool hit = answers.ids[t] == targets.ids[t];
      right_ += hit;
      all = all && hit;
    }
    exact_ += all;
  }
}

void Tally::add(const Tally& other) {
  loss_ += other.loss_;
  scored_ += other.scored_, right_ += other.right_;
  exact_ += other.exact_, sequences_ += other.sequences_;
}

Scores Tally::scores() const {
  auto share = [](auto part, Size whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  };
  return {share(loss_, scored_), share(right_, scored_), share(exact_, sequences_), sequences_};
}

Tokens rows(const Tokens& tokens, Size begin, Size end) {
  const Size length = tokens.shape[1];
  return Tokens(Shape{end - begin, length}, std::vector<int>(tokens.ids.begin() + begin * length,
                                                             tokens.ids.begin() + end * length));
}

Size scored(const Tokens& targets) {
  return static_cast<Size>(targets.ids.size()) -
         std::count(targets.ids.begin(), targets.ids.end(), -1);
}

Scores evaluate(const Transformer& model, const Batch& batch) {
  NoGrad no_grad;
  Tally tally;
  const Size sequences = batch.input.shape[0];
  for (Size begin = 0; begin < sequences; begin += sequences_at_once) {
    const Size end = std::min(sequences, begin + sequences_at_once);
    tally.add(model(rows(batch.input, begin, end)), rows(batch.targets, begin, end));
  }
  return tally.scores();
}

Json to_json(const Scores& scores, const Levels& levels) {
  return {{"loss", scores.loss},
          {"token_accuracy", scores.token_accuracy},
          {"exact_match", scores.exact_match},
          {"sequences", scores.sequences},
          {"expected",
           {{"loss", named(levels.loss)}, {"token_accuracy", named(levels.token_accuracy)}}}};
}

std::string to_text(const Scores& scores, const Levels& levels) {
  return fmt::format(
      "loss            {:.4f} nats a token{}\n"
      "{}"
      "token accuracy  {:.2f} %{}\n"
      "exact match     {:.2f} % of {} unseen sequences\n",
      scores.loss, beside(levels.loss, "{:.4f}", 1), below_floor(scores.loss, levels.loss),
      100 * scores.token_accuracy, beside(levels.token_accuracy, "{:.2f} %", 100),
      100 * scores.exact_match, scores.sequences);
}

}  // namespace attention::cli
