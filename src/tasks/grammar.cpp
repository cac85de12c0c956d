// The sentences are written down once, in write(), as a row of choices of what comes next. Drawing
// makes them at random, counting makes all of them in turn, and judging makes those that lead to a
// given sentence.
#include "attention/tasks/grammar.hpp"

#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"
#include "grammar_words.hpp"

namespace attention {

using namespace grammar;

namespace {

Options foods_without(int other) {
  Options foods;
  for (int food = first_food; food < first_taste; ++food)
    if (food != other) foods.push_back(food);
  return foods;
}

// The choices that make every sentence in turn: like a counter, whose last digit goes on first.
class Counter {
 public:
  int operator()(const Options& options, const Sequence&) {
    if (place_ == digits_.size()) digits_.push_back({0, static_cast<int>(options.size())});
    probability *= 1.0 / digits_[place_].options;
    return options[digits_[place_++].chosen];
  }
  bool next() {  // whether there is another sentence
    while (!digits_.empty() && digits_.back().chosen + 1 == digits_.back().options)
      digits_.pop_back();
    if (!digits_.empty()) ++digits_.back().chosen;
    place_ = 0, probability = 1;
    return !digits_.empty();
  }
  double probability = 1;

 private:
  struct Digit {
    int chosen, options;
  };
  std::vector<Digit> digits_;
  std::size_t place_ = 0;
};

}  // namespace

template <class Choose>
Sequence Grammar::write(Choose choose) const {
  Sequence sentence{mark};
  const auto say = [&](auto... ids) { (sentence.push_back(ids), ...); };
  const auto pick = [&](const Options& options) {
    const int chosen = choose(options, sentence);
    if (chosen != nothing) say(chosen);
    return chosen;
  };
  const auto adverb = [&](const Options& options) {
    if (form_.adverbs) pick(options);
  };
  const auto reason = [&](int food) {
    say(food);
    adverb(how_often);
    say(very, first_taste + tastes[food - first_food]);
  };

  pick(persons);
  adverb(how_long);
  const int feeling = pick(form_.polarity ? Options{like, dislike} : Options{like});
  const int opposite = feeling == like ? dislike : like;
  say(eat);
  const int food = pick(foods_without(nothing));
  say(comma);
  int second = nothing;
  if (pick(form_.two_clauses ? Options{because, opposite} : Options{because}) == opposite) {
    say(eat);
    second = pick(foods_without(food));
    say(comma, because);
  }
  adverb(why);
  reason(food);
  if (second != nothing) {
    say(comma);
    reason(second);
  }
  say(stop, mark);
  return sentence;
}

Grammar::Grammar(const GrammarForm& form) : form_(form), alphabet_(words) {
  // H = sum of p (-log p), over the mean number of tokens that are predicted: all but the first.
  Counter counter;
  double surprise = 0, tokens = 0;
  do {
    const auto predicted = static_cast<int>(write(std::ref(counter)).size()) - 1;
    surprise -= counter.probability * std::log(counter.probability);
    tokens += counter.probability * predicted;
    context_ = std::max(context_, predicted);
  } while (counter.next());
  entropy_ = surprise / tokens;
}

Defaults Grammar::defaults() const { return {.steps = 1000, .batch = 32, .rate = 2e-3}; }

Writing Grammar::writing() const { return {.tokens = context_, .mark = mark}; }

std::vector<Sequence> Grammar::sentences() const {
  std::vector<Sequence> all;
  Counter counter;
  do all.push_back(write(std::ref(counter)));
  while (counter.next());
  return all;
}

Batch Grammar::padded(const std::vector<Sequence>& sentences) const {
  const Shape shape{static_cast<Size>(sentences.size()), context_};
  Sequence input(shape.count(), mark), targets(shape.count(), -1);
  for (std::size_t row = 0; row < sentences.size(); ++row) {
    const Sequence& sentence = sentences[row];
    if (sentence.size() < 2 || static_cast<int>(sentence.size()) > context_ + 1)
      fail("grammar: a sentence of {} tokens; with both marks it has 2 to {}", sentence.size(),
           context_ + 1);
    const auto begin = static_cast<std::ptrdiff_t>(row) * context_;
    std::copy(sentence.begin(), sentence.end() - 1, input.begin() + begin);
    std::copy(sentence.begin() + 1, sentence.end(), targets.begin() + begin);
  }
  return {Tokens(shape, std::move(input)), Tokens(shape, std::move(targets))};
}

std::vector<Sequence> Grammar::draw(int count, bool apart, Random& random) const {
  refuse_count("grammar", count);
  std::vector<Sequence> drawn;
  const auto choose = [&](const Options& options, const Sequence&) {
    return options[random.below(static_cast<Size>(options.size()))];
  };
  while (static_cast<int>(drawn.size()) < count)
    if (Sequence sentence = write(choose); is_set_apart(sentence) == apart)
      drawn.push_back(std::move(sentence));
  return drawn;
}

Batch Grammar::batch(int size, Random& random) const { return padded(draw(size, false, random)); }

Batch Grammar::unseen(int count) const {
  Random random(0);  // the same every time
  return padded(draw(count, true, random));
}

double Grammar::surprise(const Sequence& sentence) const {
  double nats = 0;
  const auto follow = [&](const Options& options, const Sequence& written) {
    const int next = written.size() < sentence.size() ? sentence[written.size()] : mark;
    nats += std::log(static_cast<double>(options.size()));
    const bool there = std::find(options.begin(), options.end(), next) != options.end();
    return there ? next : options[0];  // nothing, or what cannot be right
  };
  if (write(follow) != sentence)
    fail("grammar: \"{}\" is no sentence of this form", alphabet_.decode(sentence));
  return nats;
}

double Grammar::floor(const Batch& judged) const {
  check_rows("grammar", judged.input);
  check_rows("grammar", judged.targets);
  if (!(judged.input.shape == judged.targets.shape) || judged.input.shape[1] == 0)
    fail("grammar: input {} and targets {}; both need one shape, with a position at least",
         judged.input.shape, judged.targets.shape);
  const Size rows = judged.input.shape[0], length = judged.input.shape[1];
  double nats = 0;
  Size tokens = 0;
  for (Size row = 0; row < rows; ++row) {
    Sequence sentence{judged.input.ids[row * length]};
    for (Size t = row * length; t < (row + 1) * length; ++t)
      if (judged.targets.ids[t] != -1) sentence.push_back(judged.targets.ids[t]);
    nats += surprise(sentence);
    tokens += static_cast<Size>(sentence.size()) - 1;
  }
  return tokens > 0 ? nats / static_cast<double>(tokens) : 0;
}

std::vector<Expectation> Grammar::expected_loss(const Batch& judged) const {
  return {{"floor", floor(judged)},
          {"entropy of the grammar", entropy_},
          {"guessing", std::log(alphabet_.size())}};
}

GrammarLinks Grammar::links(const Tokens& input) {
  check_rows("grammar", input);
  GrammarLinks links;
  const Size rows = input.shape[0], length = input.shape[1];
  for (Size row = 0; row < rows; ++row) {
    const int* ids = input.ids.data() + row * length;
    for (Size t = 0; t < length; ++t) {
      const int* first = std::find(ids, ids + t, ids[t]);
      if (is_food(ids[t]) && first != ids + t) links.food.push_back({row, t - 1, first - ids});
      if (ids[t] != very) continue;
      Size food = t;
      while (food > 0 && !is_food(ids[food])) --food;
      if (is_food(ids[food])) links.taste.push_back({row, t, food});
    }
  }
  return links;
}

namespace {

const bool grammar_enlisted = enlist_task({
    .name = "grammar",
    .summary = "write sentences of 小明's grammar, word by word; its floor is known exactly",
    .example = "小明 喜欢 吃 苹果 ， 因为 苹果 很 -> 甜",
    .make = [](const TaskOptions& options) -> std::unique_ptr<Task> {
      auto task = std::make_unique<Grammar>();
      refuse_options("grammar", options, task->context());
      return task;
    },
});

}  // namespace
}  // namespace attention
