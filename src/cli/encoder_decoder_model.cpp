// An encoder-decoder, which translates sequences of different lengths. It is judged on each length
// by itself, for a mean hides the one that it cannot do.
#include <algorithm>

#include "attention/core/error.hpp"
#include "attention/nn/decode.hpp"
#include "attention/nn/module.hpp"
#include "attention/tasks/translation.hpp"
#include "attention/tensor/autograd.hpp"
#include "model.hpp"
#include "respond.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

struct LengthScores {
  int length;
  Scores scores;
};

Json to_json(const std::vector<LengthScores>& list) {
  Json json = Json::array();
  for (const auto& [length, scores] : list)
    json.push_back({{"length", length},
                    {"exact_match", scores.exact_match},
                    {"token_accuracy", scores.token_accuracy},
                    {"sequences", scores.sequences}});
  return json;
}

std::string to_text(const std::vector<LengthScores>& list) {
  std::string lengths, matches, counts;
  for (const auto& [length, scores] : list) {
    lengths += fmt::format("{:7}", length);
    matches += fmt::format("{:7.1f}", 100 * scores.exact_match);
    counts += fmt::format("{:7}", scores.sequences);
  }
  return fmt::format(
      "  of length   {}\n"
      "  exact, in % {}\n"
      "  sequences   {}\n",
      lengths, matches, counts);
}

Tokens one(const std::vector<int>& ids) {
  return Tokens(Shape{1, static_cast<Size>(ids.size())}, ids);
}

// The task that the commands hand over is the run's, too: its translation is at hand already.
class EncoderDecoderModel final : public Model {
 public:
  explicit EncoderDecoderModel(const Run& run)
      : run_(run), translation_(translation_of(run)), model_(build(run, *translation_)) {}

  NamedTensors weights() const override { return parameters(model_); }
  Size parameter_count() const override { return attention::parameter_count(model_); }

  BatchLoss loss(const Task&, BatchSize size, Random& random,
                 const std::function<void(const Tensor&)>& use) const override {
    const PairBatch batch = translation_->batch(size.sequences, random);
    Training training(random);
    BatchLoss loss;
    for (Size length : batch.target_lengths) loss.tokens += length;
    each_part(size, [&](Size begin, Size end) {
      const auto lengths = batch.source_lengths.begin();
      const Tensor logits = model_(rows(batch.source, begin, end), {lengths + begin, lengths + end},
                                   rows(batch.input, begin, end));
      const Tensor part =
          cross_entropy(logits, rows(batch.targets, begin, end), {.over = scored(batch.targets)});
      loss.mean += part.item();
      use(part);
    });
    return loss;
  }

  Judgement judge(const Task&, int samples) const override {
    const int lengths = translation_->longest() - translation_->shortest() + 1;
    const int each = samples / lengths + (samples % lengths > 0);
    std::vector<LengthScores> by_length;
    Tally all;
    for (int length = translation_->shortest(); length <= translation_->longest(); ++length) {
      const Tally tally = tally_of(translation_->unseen(each, length));
      by_length.push_back({length, tally.scores()});
      all.add(tally);
    }
    const Scores scores = all.scores();
    const Levels levels{translation_->expected_loss(), translation_->expected_accuracy()};
    Json json = cli::to_json(scores, levels);
    json["by_length"] = to_json(by_length);
    return {scores.loss, levels.loss, std::move(json),
            cli::to_text(scores, levels) + to_text(by_length)};
  }
  std::optional<Scores> judge_all(const Task&) const override { return std::nullopt; }

  Response respond(const Request& request, Random&) const override {
    const std::vector<int> source = source_of(request.prompt, "--prompt", "the prompt");
    if (request.beam == 0) return answer(request.prompt, greedy(model_, source, options()));
    const auto found = beam_search(model_, source, options(), {.width = request.beam});
    Response response = answer(request.prompt, found[0].ids);
    response.hypotheses = Json::array();
    for (const Hypothesis& each : found)
      response.hypotheses.push_back({{"text", translation_->alphabet().decode(each.ids)},
                                     {"log_probability", each.log_probability},
                                     {"score", each.score},
                                     {"finished", each.finished}});
    return response;
  }
  std::string example() const override {
    Random unused(0);
    const Response sample = respond({.prompt = run_.sample}, unused);
    return fmt::format("for example     {} -> {}\n", sample.prompt, sample.text);
  }

  // While it says its own answer: where the answer looks in the source, and what each looks at in
  // itself.
  std::vector<Maps> maps(const std::string& input) const override {
    const std::vector<int> source = source_of(input, "--input", "--input");
    std::vector<int> target = greedy(model_, source, options());
    target.insert(target.begin(), translation_->marks().start);
    target.resize(std::min<std::size_t>(target.size(), translation_->context()));
    const AttentionMaps kept;
    const Tensor logits = model_(one(source), {}, one(target));
    const Tensors all = made_by(logits, "softmax");
    Tensors encoder, decoder, cross;  // in the graph the encoder's layers, then pairs
    for (std::size_t i = 0, layers = model_.encoder.size(); i < all.size(); ++i) {
      Tensors& list = i < layers ? encoder : (i - layers) % 2 == 0 ? decoder : cross;
      const Shape& shape = all[i].shape();  // (1, H, T, S)
      list.push_back(reshape(all[i].detach(), {shape[1], shape[2], shape[3]}));
    }
    return {sheet("cross", cross, target, source), sheet("encoder", encoder, source, source),
            sheet("decoder", decoder, target, target)};
  }
  Tensor positions() const override { return model_.source_positions.table; }

 private:
  static std::shared_ptr<const Translation> translation_of(const Run& run) {
    auto translation = make_task(run.settings)->translation();
    if (!translation) fail("{} is no task for an encoder-decoder", run.settings.task);
    return translation;
  }
  static EncoderDecoder build(const Run& run, const Translation& translation) {
    Random random(run.settings.seed);
    return EncoderDecoder(model_config(run, translation.vocabulary()), random);
  }

  DecodeOptions options() const {
    return {.marks = translation_->marks(), .most = translation_->context()};
  }

  // Each token after the right ones before it: so an answer counts as right as a whole only where
  // greedy decoding finds it.
  Tally tally_of(const PairBatch& pairs) const {  // all of one length: nothing is padded
    NoGrad no_grad;
    Tally tally;
    const Size count = pairs.source.shape[0];
    for (Size begin = 0; begin < count; begin += sequences_at_once) {
      const Size end = std::min(count, begin + sequences_at_once);
      tally.add(model_(rows(pairs.source, begin, end), {}, rows(pairs.input, begin, end)),
                rows(pairs.targets, begin, end));
    }
    return tally;
  }

  std::vector<int> source_of(const std::string& text, const char* option, const char* name) const {
    const std::vector<int> ids = encode(run_, text, option);
    const auto count = static_cast<Size>(ids.size());
    if (count < translation_->shortest() || count > translation_->longest())
      fail("{} has {}; this model has learned {} with {} to {}, such as {}", name,
           counted(count, "symbol"), run_.settings.task, translation_->shortest(),
           translation_->longest(), run_.sample);
    return translation_->source(ids);
  }

  Response answer(const std::string& prompt, const std::vector<int>& ids) const {
    return {prompt, translation_->alphabet().decode(ids), static_cast<Size>(ids.size())};
  }

  std::vector<std::string> labels(const std::vector<int>& ids) const {
    std::vector<std::string> list;
    for (int id : ids)
      list.push_back(id == translation_->marks().start ? "^"
                     : id == translation_->marks().end ? "$"
                                                       : translation_->alphabet().symbol(id));
    return list;
  }
  Maps sheet(const std::string& name, const Tensors& layers, const std::vector<int>& queries,
             const std::vector<int>& keys) const {
    return {name,
            {.layers = layers,
             .queries = labels(queries),
             .keys = labels(keys),
             .title = fmt::format("{}: {} attention (^ start, $ end)", run_.settings.task, name)}};
  }

  Run run_;
  std::shared_ptr<const Translation> translation_;
  EncoderDecoder model_;
};

}  // namespace

std::unique_ptr<Model> make_encoder_decoder(const Run& run) {
  return std::make_unique<EncoderDecoderModel>(run);
}

}  // namespace attention::cli
