// Greedy decoding and beam search, against the logits one by one and against going through every
// answer there is.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"
#include "attention/nn/decode.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "models.hpp"

using namespace models;
using Catch::Matchers::Equals;

namespace {

constexpr Marks marks{.start = 8, .end = 9, .pad = 10};
const DecodeOptions up_to_six{.marks = marks, .most = 6};

// Large weights make it certain of different things for different sources.
EncoderDecoder drawn_model() { return make<EncoderDecoder>(small(), 0.7); }

std::vector<int> some_source(Random& random) {
  std::vector<int> source(1 + random.below(7));
  for (int& id : source) id = static_cast<int>(random.below(8));
  return source;
}

// One that has learned, a little, to say its source again.
EncoderDecoder trained_model() {
  Random random(1);
  TransformerConfig config = small();
  config.channels = 24;
  config.hidden = 24;
  EncoderDecoder model(config, random);
  const NamedTensors weights = parameters(model);
  Adam adam(weights);
  for (int step = 0; step < 300; ++step) {
    const Size length = 1 + step % 5;
    std::vector<int> source, target, next;
    for (int b = 0; b < 16; ++b) {
      target.push_back(marks.start);
      for (Size i = 0; i < length; ++i) {
        source.push_back(static_cast<int>(random.below(8)));
        target.push_back(source.back()), next.push_back(source.back());
      }
      next.push_back(marks.end);
    }
    const Shape with_mark{16, length + 1};
    backward(cross_entropy(model(Tokens({16, length}, source), {}, Tokens(with_mark, target)),
                           Tokens(with_mark, next)));
    adam.step(real(0.01));
    clear_gradients(weights);
  }
  return model;
}

// log P(token | beginning), from the model without its cache.
std::vector<double> log_probabilities(const EncoderDecoder& model, const std::vector<int>& source,
                                      const std::vector<int>& said) {
  std::vector<int> target{marks.start};
  target.insert(target.end(), said.begin(), said.end());
  const Tensor logits = log_softmax(
      model(Tokens({1, Size(source.size())}, source), {}, Tokens({1, Size(target.size())}, target)),
      -1);
  const real* last = logits.data() + logits.count() - 11;
  return {last, last + 11};
}

// Every answer of up to `most` tokens that begins with what is in `so_far`.
void enumerate(const EncoderDecoder& model, const std::vector<int>& source,
               const Hypothesis& so_far, Size most, double alpha, std::vector<Hypothesis>& all) {
  if (so_far.finished || Size(so_far.ids.size()) == most) {
    all.push_back(so_far);
    return;
  }
  const std::vector<double> log_p = log_probabilities(model, source, so_far.ids);
  for (int id = 0; id < 11; ++id) {
    if (id == marks.start || id == marks.pad) continue;
    Hypothesis longer = so_far;
    longer.log_probability += log_p[id];
    const double tokens = 1 + double(so_far.ids.size());
    longer.score = longer.log_probability / std::pow((5 + tokens) / 6, alpha);
    longer.finished = id == marks.end;
    if (!longer.finished) longer.ids.push_back(id);
    enumerate(model, source, longer, most, alpha, all);
  }
}

}  // namespace

TEST_CASE("greedy decoding says the likeliest token each time, and no mark") {
  int ended = 0;
  for (const EncoderDecoder& model : {drawn_model(), trained_model()}) {
    Random random(2);
    for (int i = 0; i < 20; ++i) {
      const std::vector<int> source = some_source(random);
      std::vector<int> expected;
      while (Size(expected.size()) < up_to_six.most) {
        std::vector<double> log_p = log_probabilities(model, source, expected);
        log_p[marks.start] = log_p[marks.pad] = -INFINITY;
        const int best = int(std::max_element(log_p.begin(), log_p.end()) - log_p.begin());
        ended += best == marks.end;
        if (best == marks.end) break;
        expected.push_back(best);
      }
      CHECK(greedy(model, source, up_to_six) == expected);
    }
  }
  CHECK(ended > 0);
}

TEST_CASE("several sources at once get the answers that each gets alone") {
  const EncoderDecoder model = trained_model();
  const Tokens sources = some_tokens(5, 6);
  const std::vector<Size> lengths{4, 6, 1, 3, 4};
  Tokens symbols = sources;
  for (int& id : symbols.ids) id %= 8;
  const auto answers = greedy(model, symbols, lengths, up_to_six);
  REQUIRE(answers.size() == 5);
  CHECK(answers[2].size() != answers[0].size());  // one ends before another
  for (Size b = 0; b < 5; ++b)
    CHECK(answers[b] == greedy(model, part(symbols, b, 0, lengths[b]).ids, up_to_six));
}

TEST_CASE("a beam of one is greedy decoding") {
  for (const EncoderDecoder& model : {drawn_model(), trained_model()}) {
    Random random(3);
    for (int i = 0; i < 50; ++i) {
      const std::vector<int> source = some_source(random);
      for (double alpha : {0., 1.}) {
        const auto found = beam_search(model, source, up_to_six, {.width = 1, .alpha = alpha});
        REQUIRE(found.size() == 1);
        CHECK(found[0].ids == greedy(model, source, up_to_six));
      }
    }
  }
}

TEST_CASE("a beam that leaves nothing out finds every answer there is, the best first") {
  const EncoderDecoder model = drawn_model();
  const DecodeOptions up_to_three{.marks = marks, .most = 3};
  for (const std::vector<int>& source : {std::vector{3}, std::vector{5, 1, 2, 7}})
    for (double alpha : {0., 0.6, 2.}) {
      std::vector<Hypothesis> all;
      enumerate(model, source, {}, 3, alpha, all);
      CHECK(all.size() == 1 + 8 + 8 * 8 * 9);  // ended at once, after one, or three tokens long
      const auto better = [](const Hypothesis& a, const Hypothesis& b) {
        return a.score > b.score;
      };
      std::stable_sort(all.begin(), all.end(), better);
      const auto found = beam_search(model, source, up_to_three, {.width = 1000, .alpha = alpha});
      REQUIRE(found.size() == all.size());
      CHECK(std::is_sorted(found.begin(), found.end(), better));
      for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(found[i].score == Approx(all[i].score).epsilon(1e-4));
        CHECK(found[i].log_probability <= 0);
      }
      for (std::size_t i = 0; i < 10; ++i) {
        CHECK(found[i].ids == all[i].ids);
        CHECK(found[i].finished == all[i].finished);
        CHECK(found[i].log_probability == Approx(all[i].log_probability).epsilon(1e-4));
      }
      double best = all[0].score;
      for (int width : {1, 2, 5, 30}) {  // what a narrower beam finds is one of them
        const auto few = beam_search(model, source, up_to_three, {.width = width, .alpha = alpha});
        CHECK(few.size() == std::size_t(width));
        CHECK(few[0].score <= best + 1e-5);
      }
    }
}

TEST_CASE("the length penalty favours longer answers") {
  const EncoderDecoder model = drawn_model();
  Random random(4);
  Size plain = 0, favoured = 0;
  for (int i = 0; i < 20; ++i) {
    const std::vector<int> source = some_source(random);
    plain += Size(beam_search(model, source, up_to_six, {.width = 8})[0].ids.size());
    favoured += Size(beam_search(model, source, up_to_six, {.width = 8, .alpha = 3})[0].ids.size());
  }
  CHECK(favoured > plain);
}

TEST_CASE("among equals the lowest ids go first") {
  EncoderDecoder model = drawn_model();
  for (Tensor x : {model.output->weight, model.output->bias})
    for (Size i = 0; i < x.count(); ++i) x.edit()[i] = 0;
  const DecodeOptions up_to_two{.marks = marks, .most = 2};
  CHECK(greedy(model, std::vector{1, 2}, up_to_two) == std::vector<int>{0, 0});
  const auto found = beam_search(model, {1, 2}, up_to_two, {.width = 3});
  REQUIRE(found.size() == 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(found[i].ids == std::vector<int>{0, i});
    CHECK_FALSE(found[i].finished);
    CHECK(found[i].log_probability == Approx(-2 * std::log(11)));
    CHECK(found[i].score == found[i].log_probability);
  }
  const auto longer = beam_search(model, {1, 2}, up_to_two, {.width = 1, .alpha = 1});
  CHECK(longer[0].score == Approx(-2 * std::log(11) * 6 / 7));
  model.output->bias.edit()[marks.end] = 5;  // the end at once, and then nothing is added any more
  const auto ended = beam_search(model, {1, 2}, up_to_six, {.width = 2});
  CHECK(ended[0].ids.empty());
  CHECK(ended[0].finished);
  CHECK(ended[0].log_probability == Approx(-std::log(1 + 10 * std::exp(-5))));
  CHECK(greedy(model, std::vector{1, 2}, up_to_six).empty());
}

TEST_CASE("an answer takes no more room than the context has") {
  EncoderDecoder model = drawn_model();
  model.output->bias.edit()[marks.end] = -1000;
  CHECK(greedy(model, std::vector{1, 2}, {.marks = marks}).size() == 7);
  CHECK(greedy(model, std::vector{1, 2}, {.marks = marks, .most = 4}).size() == 4);
  CHECK(beam_search(model, {1, 2}, {.marks = marks}, {.width = 3})[0].ids.size() == 7);
}
