// Pairs of sequences of different lengths: that they are what the rule says, with their marks,
// drawn evenly, none of them unseen; and that an encoder-decoder learns from them.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "attention/core/error.hpp"
#include "attention/nn/decode.hpp"
#include "attention/nn/module.hpp"
#include "attention/tasks/translation.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "attention/train/schedule.hpp"

using namespace attention;

namespace {

SequenceRule reversing() {
  return {.name = "backwards",
          .summary = "",
          .symbols = U"abcde",
          .length = 3,
          .answer = [](Sequence s) { return Sequence(s.rbegin(), s.rend()); },
          .example = "abc"};
}

Sequence row(const Tokens& tokens, Size b, Size length) {
  const auto first = tokens.ids.begin() + b * tokens.shape[1];
  return Sequence(first, first + length);
}

// The b-th pair's sequence, once everything around it is what it has to be.
Sequence checked(const Translation& translation, const PairBatch& pairs, Size b,
                 Sequence (*answer)(Sequence)) {
  const Marks marks = translation.marks();
  const Size length = pairs.source_lengths[b];
  Sequence source = row(pairs.source, b, length);
  REQUIRE(source.back() == marks.end);
  source.pop_back();
  for (int id : source) CHECK((id >= 0 && id < translation.alphabet().size()));

  const Sequence expected = answer(source);
  const Size target = pairs.target_lengths[b];
  REQUIRE(target == Size(expected.size()) + 1);
  Sequence before = expected, after = expected;
  before.insert(before.begin(), marks.start);
  after.push_back(marks.end);
  CHECK(row(pairs.input, b, target) == before);
  CHECK(row(pairs.targets, b, target) == after);
  for (Size s = length; s < pairs.source.shape[1]; ++s)
    CHECK(row(pairs.source, b, s + 1).back() == marks.pad);
  for (Size t = target; t < pairs.input.shape[1]; ++t) {
    CHECK(row(pairs.input, b, t + 1).back() == marks.pad);
    CHECK(row(pairs.targets, b, t + 1).back() == -1);
  }
  return source;
}

Sequence copied(Sequence s) { return s; }
Sequence reversed(Sequence s) { return {s.rbegin(), s.rend()}; }
Sequence sorted(Sequence s) {
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t j = i + 1; j < s.size(); ++j)
      if (s[j] < s[i]) std::swap(s[i], s[j]);
  return s;
}

}  // namespace

TEST_CASE("a pair by hand: reverse 3 1 4 1") {
  const auto translation = find_task("reverse").make({})->translation();
  CHECK(translation->source({3, 1, 4, 1}) == std::vector<int>{3, 1, 4, 1, 11});
  const PairBatch pairs = translation->unseen(2, 4);
  CHECK(pairs.source.shape == Shape{2, 5});
  const Sequence s = row(pairs.source, 0, 4);
  CHECK(row(pairs.source, 0, 5) == Sequence{s[0], s[1], s[2], s[3], 11});
  CHECK(row(pairs.input, 0, 5) == Sequence{10, s[3], s[2], s[1], s[0]});
  CHECK(row(pairs.targets, 0, 5) == Sequence{s[3], s[2], s[1], s[0], 11});
}

TEST_CASE("copy, reverse and sort translate sequences of 4 to 12 symbols") {
  const std::map<std::string, Sequence (*)(Sequence)> rules{
      {"copy", copied}, {"reverse", reversed}, {"sort", sorted}};
  for (const auto& [name, answer] : rules) {
    INFO(name);
    CHECK(find_task(name).translates);
    const auto translation = find_task(name).make({})->translation();
    REQUIRE(translation);
    const int symbols = name == "sort" ? 3 : 10;
    CHECK(translation->alphabet().size() == symbols);
    CHECK(translation->vocabulary() == symbols + 3);
    CHECK(translation->shortest() == 4);
    CHECK(translation->longest() == 12);
    CHECK(translation->context() == 13);
    Random random(1);
    std::set<Sequence> trained;
    std::map<std::size_t, int> lengths;
    for (int i = 0; i < 60; ++i) {
      const PairBatch pairs = translation->batch(50, random);
      for (Size b = 0; b < 50; ++b) {
        const Sequence sequence = checked(*translation, pairs, b, answer);
        CHECK_FALSE(is_set_apart(sequence));
        ++lengths[sequence.size()];
      }
    }
    CHECK(lengths.size() == 9);
    for (const auto& [length, count] : lengths)  // 3000 draws: 333, give or take five deviations
      CHECK(std::abs(count - 3000 / 9.) < 5 * std::sqrt(3000 * 8 / 81.));
    for (int length = 4; length <= 12; ++length) {
      const PairBatch unseen = translation->unseen(40, length);
      CHECK(unseen.source.shape[0] == Size(unseen.source_lengths.size()));
      CHECK(unseen.source.shape[0] <= 40);
      CHECK(unseen.source.shape[0] > (name == "sort" && length == 4 ? 0 : 10));
      std::set<Sequence> different;
      for (Size b = 0; b < unseen.source.shape[0]; ++b) {
        const Sequence sequence = checked(*translation, unseen, b, answer);
        CHECK(sequence.size() == std::size_t(length));
        CHECK(is_set_apart(sequence));
        CHECK(different.insert(sequence).second);
      }
      CHECK(translation->unseen(40, length).source == unseen.source);  // the same every time
    }
  }
}

TEST_CASE("other tasks translate nothing, and impossible lengths are refused") {
  CHECK_FALSE(find_task("text").translates);
  for (const TaskEntry& entry : tasks())
    if (entry.translates) CHECK(entry.make({})->translation());
  const Translation translation(reversing(), 2, 3);
  CHECK_THROWS_WITH(translation.unseen(5, 4),
                    "translation: sequences of 4 symbols; there are 2 to 3");
  CHECK_THROWS_AS(translation.unseen(5, 1), Error);
  CHECK_THROWS_WITH(
      Translation(reversing(), 3, 2),
      "backwards: sequences of 3 to 2 symbols; 1 <= shortest <= longest <= 10000 is needed");
  CHECK_THROWS_AS(Translation(reversing(), 0, 2), Error);
}

TEST_CASE("an encoder-decoder learns to reverse short sequences that it has not seen") {
  const Translation translation(reversing(), 3, 5);
  Random random(1);
  const EncoderDecoder model({.vocabulary = translation.vocabulary(),
                              .context = translation.context(),
                              .channels = 32,
                              .heads = 2,
                              .layers = 2},
                             random);
  const NamedTensors weights = parameters(model);
  Adam adam(weights);
  const Schedule rate{
      .kind = ScheduleKind::cosine, .rate = real(3e-3), .steps = 300, .final = real(0.01)};
  double first = 0, loss = 0;
  for (Size step = 1; step <= rate.steps; ++step) {
    const PairBatch batch = translation.batch(32, random);
    const Tensor mean =
        cross_entropy(model(batch.source, batch.source_lengths, batch.input), batch.targets);
    loss = mean.item();
    if (step == 1) first = loss;
    backward(mean);
    clip_gradients(weights, 1);
    adam.step(rate(step));
    clear_gradients(weights);
  }
  CHECK(first == Approx(std::log(8)).margin(0.1));
  CHECK(loss < 0.1);
  int right = 0, all = 0;
  for (int length = 3; length <= 5; ++length) {
    const PairBatch unseen = translation.unseen(30, length);
    const auto answers = greedy(model, unseen.source, {}, {.marks = translation.marks()});
    for (std::size_t b = 0; b < answers.size(); ++b, ++all) {
      const Sequence source = row(unseen.source, Size(b), length);
      right += answers[b] == reversed(source);
    }
  }
  CHECK(all > 40);
  CHECK(right > 0.9 * all);
}
