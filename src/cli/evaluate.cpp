#include "evaluate.hpp"

#include <algorithm>

namespace attention::cli {
namespace {

constexpr Size sequences_at_once = 64;

Tokens rows(const Tokens& tokens, Size begin, Size end) {
  const Size length = tokens.shape[1];
  return Tokens(Shape{end - begin, length}, std::vector<int>(tokens.ids.begin() + begin * length,
                                                             tokens.ids.begin() + end * length));
}

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

Scores evaluate(const Transformer& model, const Batch& batch) {
  NoGrad no_grad;
  const Size sequences = batch.input.shape[0], length = batch.input.shape[1];
  Size scored = 0, right = 0, exact = 0;
  double loss = 0;
  for (Size begin = 0; begin < sequences; begin += sequences_at_once) {
    const Size end = std::min(sequences, begin + sequences_at_once);
    const Tokens targets = rows(batch.targets, begin, end);
    const Tensor logits = model(rows(batch.input, begin, end));
    const Tokens answers = argmax(logits, -1);
    const auto counted = static_cast<Size>(targets.ids.size()) -
                         std::count(targets.ids.begin(), targets.ids.end(), -1);
    loss += double(cross_entropy(logits, targets).item()) * static_cast<double>(counted);
    scored += counted;
    for (Size i = 0; i < end - begin; ++i) {
      bool all = true;
      for (Size t = i * length; t < (i + 1) * length; ++t) {
        if (targets.ids[t] == -1) continue;
        const bool hit = answers.ids[t] == targets.ids[t];
        right += hit;
        all = all && hit;
      }
      exact += all;
    }
  }
  auto share = [](auto part, Size whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  };
  return {share(loss, scored), share(right, scored), share(exact, sequences), sequences};
}

Json to_json(const Scores& scores, const Task& task, const Batch& batch, bool positions) {
  return {{"loss", scores.loss},
          {"token_accuracy", scores.token_accuracy},
          {"exact_match", scores.exact_match},
          {"sequences", scores.sequences},
          {"expected",
           {{"loss", named(task.expected_loss(batch))},
            {"token_accuracy", named(task.expected_accuracy(positions))}}}};
}

std::string to_text(const Scores& scores, const Task& task, const Batch& batch, bool positions) {
  const std::vector<Expectation> levels = task.expected_loss(batch);
  return fmt::format(
      "loss            {:.4f} nats a token{}\n"
      "{}"
      "token accuracy  {:.2f} %{}\n"
      "exact match     {:.2f} % of {} unseen sequences\n",
      scores.loss, beside(levels, "{:.4f}", 1), below_floor(scores.loss, levels),
      100 * scores.token_accuracy, beside(task.expected_accuracy(positions), "{:.2f} %", 100),
      100 * scores.exact_match, scores.sequences);
}

}  // namespace attention::cli
