// A single stack: an encoder that answers position by position, or a language model.
#include "attention/core/error.hpp"
#include "attention/nn/module.hpp"
#include "model.hpp"
#include "pictures.hpp"
#include "respond.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

class TransformerModel final : public Model {
 public:
  explicit TransformerModel(const Run& run) : run_(run), model_(build(run)) {}

  NamedTensors weights() const override { return parameters(model_); }
  Size parameter_count() const override { return attention::parameter_count(model_); }

  BatchLoss loss(const Task& task, BatchSize size, Random& random,
                 const std::function<void(const Tensor&)>& use) const override {
    const Batch batch = task.batch(size.sequences, random);
    Training training(random);
    BatchLoss loss{.tokens = batch.input.shape.count()};
    each_part(size, [&](Size begin, Size end) {
      const Tensor part =
          cross_entropy(model_(rows(batch.input, begin, end)), rows(batch.targets, begin, end),
                        {.over = scored(batch.targets)});
      loss.mean += part.item();
      use(part);
    });
    return loss;
  }

  Judgement judge(const Task& task, int samples) const override {
    const Batch judged = task.unseen(samples);
    const Levels levels{task.expected_loss(judged), task.expected_accuracy(has_positions())};
    const Scores scores = evaluate(model_, judged);
    return {scores.loss, levels.loss, to_json(scores, levels), to_text(scores, levels)};
  }

  std::optional<Scores> judge_all(const Task& task) const override {
    const auto everything = task.everything();
    return everything ? std::optional(evaluate(model_, *everything)) : std::nullopt;
  }

  Response respond(const Request& request, Random& random) const override {
    if (request.beam > 0)
      fail(
          "--beam is for an encoder-decoder; this model has been trained without "
          "--encoder-decoder");
    return cli::respond(model_, run_, request.prompt, request.length, request.choice, random);
  }
  std::string example() const override { return cli::example(model_, run_); }

  std::vector<Maps> maps(const std::string& input) const override {
    const Alphabet alphabet(run_.symbols);
    const std::vector<int> ids = encode(run_, input, "--input");
    const auto count = static_cast<Size>(ids.size());
    if (count > model_.config.context)
      fail("--input has {}; the model sees {} at once", counted(count, "symbol"),
           model_.config.context);
    const std::string title = run_.settings.task + ": attention weights";
    return {{"attention", attention_sheet(model_, alphabet, ids, title)}};
  }
  Tensor positions() const override { return model_.positions.table; }

 private:
  static Transformer build(const Run& run) {
    Random random(run.settings.seed);
    return Transformer(model_config(run, static_cast<Size>(run.symbols.size())), random);
  }
  bool has_positions() const { return model_.config.positions != PositionKind::none; }

  Run run_;
  Transformer model_;
};

}  // namespace

std::unique_ptr<Model> make_transformer(const Run& run) {
  return std::make_unique<TransformerModel>(run);
}

}  // namespace attention::cli
