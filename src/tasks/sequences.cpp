#include "attention/tasks/sequences.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "attention/core/error.hpp"
#include "attention/tasks/hash.hpp"
#include "attention/tasks/translation.hpp"

namespace attention {
namespace {

constexpr Size few = 4096;  // so many sequences or fewer are gone through, one by one

void check(const SequenceRule& rule) {
  if (rule.symbols.empty() || rule.length < 1 || !rule.answer)
    fail(
        "{}: a rule of {} symbols in sequences of {}{}; at least one of each is needed, and an "
        "answer",
        rule.name, rule.symbols.size(), rule.length, rule.answer ? "" : " without answer");
}

// What the rule says to a sequence: as long, and of the same symbols.
Sequence answer_of(const SequenceRule& rule, const Sequence& sequence) {
  Sequence said = rule.answer(sequence);
  if (said.size() != sequence.size())
    fail("{}: an answer of {} ids to {}; it has to be as long", rule.name, said.size(),
         sequence.size());
  for (const int id : said)
    if (id < 0 || id >= static_cast<int>(rule.symbols.size()))
      fail("{}: id {} in an answer; the symbols have 0 to {}", rule.name, id,
           rule.symbols.size() - 1);
  return said;
}

// Every input of the rule, in rising order; nothing if they are more than `most`.
std::vector<Sequence> all_inputs(const SequenceRule& rule, Size most) {
  const int symbols = static_cast<int>(rule.symbols.size());
  if (std::pow(symbols, rule.length) > static_cast<double>(most)) return {};
  std::vector<Sequence> all{Sequence(rule.length, 0)};
  while (true) {  // count upwards: the last digit goes on, those that are through begin anew
    Sequence next = all.back();
    int place = rule.length - 1;
    while (place >= 0 && next[place] == symbols - 1) next[place--] = 0;
    if (place < 0) return all;
    ++next[place];
    all.push_back(std::move(next));
  }
}

Sequence draw(const SequenceRule& rule, Random& random) {
  Sequence sequence(rule.length);
  for (int& id : sequence) id = static_cast<int>(random.below(rule.symbols.size()));
  return sequence;
}

class Sequences final : public Task {
 public:
  explicit Sequences(const SequenceRule& rule) : rule_(rule), alphabet_(rule.symbols) {
    check(rule);
  }

  const Alphabet& alphabet() const override { return alphabet_; }
  int context() const override { return rule_.length; }
  Defaults defaults() const override { return rule_.defaults; }

  Batch batch(int size, Random& random) const override {
    refuse_count(rule_.name, size);
    std::vector<Sequence> inputs;
    Size draws = 1000 + Size(100) * size;  // nine in ten will do, unless there are next to none
    while (static_cast<int>(inputs.size()) < size)
      if (draws-- == 0)
        fail("{}: all of its few sequences are set apart; take longer ones", rule_.name);
      else if (Sequence input = draw(rule_, random); !is_set_apart(input))
        inputs.push_back(input);
    return answered(inputs);
  }

  Batch unseen(int count) const override {
    refuse_count(rule_.name, count);
    Random random(0);  // the same every time
    std::vector<Sequence> inputs = all_inputs(rule_, few);
    if (inputs.empty()) return answered(distinct_unseen(count, random));
    std::erase_if(inputs, [](const Sequence& input) { return !is_set_apart(input); });
    random.shuffle(inputs);  // or the first ones would all begin with 0
    inputs.resize(std::min<Size>(inputs.size(), std::max(count, 0)));
    return answered(inputs);
  }

  std::optional<Batch> everything() const override {
    const std::vector<Sequence> inputs = all_inputs(rule_, few);
    if (inputs.empty()) return std::nullopt;
    return answered(inputs);
  }

  std::shared_ptr<const Translation> translation() const override {
    return std::make_shared<Translation>(rule_);
  }

  std::vector<Expectation> expected_loss(const Batch&) const override {
    return {{"floor", 0}, {"guessing", std::log(alphabet_.size())}};
  }

  std::vector<Expectation> expected_accuracy(bool positions) const override {
    std::vector<Expectation> expected{{"guessing", 1.0 / alphabet_.size()}};
    if (positions) return expected;
    if (rule_.ceiling)
      expected.push_back({"ceiling without positions", *rule_.ceiling});
    else if (!all_inputs(rule_, few).empty())
      expected.push_back({"ceiling without positions", ceiling_without_positions(rule_)});
    return expected;
  }

 private:
  Batch answered(const std::vector<Sequence>& inputs) const {
    const Shape shape{static_cast<Size>(inputs.size()), rule_.length};
    Sequence input, targets;
    for (const Sequence& sequence : inputs) {
      input.insert(input.end(), sequence.begin(), sequence.end());
      const Sequence said = answer_of(rule_, sequence);
      targets.insert(targets.end(), said.begin(), said.end());
    }
    return {Tokens(shape, std::move(input)), Tokens(shape, std::move(targets))};
  }

  std::vector<Sequence> distinct_unseen(int count, Random& random) const {
    std::vector<Sequence> inputs;
    std::set<Sequence> known;
    Size draws = Size(100) * count;  // ten times what it takes: ends even where there are too few
    while (static_cast<int>(inputs.size()) < count && draws-- > 0)
      if (Sequence input = draw(rule_, random); is_set_apart(input) && known.insert(input).second)
        inputs.push_back(std::move(input));
    return inputs;
  }

  SequenceRule rule_;
  Alphabet alphabet_;
};

// "314" as "3 1 4".
std::string spaced(const Alphabet& alphabet, const Sequence& ids) {
  std::string text;
  for (int id : ids) text += (text.empty() ? "" : " ") + alphabet.symbol(id);
  return text;
}

}  // namespace

bool enlist_sequences(const SequenceRule& rule) {
  check(rule);
  const Alphabet alphabet(rule.symbols);
  const Sequence input = alphabet.encode(rule.example);
  return enlist_task(
      {.name = rule.name,
       .summary = rule.summary,
       .example = spaced(alphabet, input) + " -> " + spaced(alphabet, answer_of(rule, input)),
       .make = [rule](const TaskOptions& options) { return make_sequences(rule, options); },
       .translates = true});
}

std::unique_ptr<Task> make_sequences(const SequenceRule& rule, const TaskOptions& options) {
  refuse_options(rule.name, options, rule.length);
  return std::make_unique<Sequences>(rule);
}

bool is_set_apart(const Sequence& sequence) { return hash_of(sequence) < UINT64_MAX / 10; }

double ceiling_without_positions(const SequenceRule& rule) {
  check(rule);
  using Known = std::pair<Sequence, int>;        // the symbols of a sequence sorted; the one here
  std::map<Known, std::map<int, Size>> targets;  // how often each is the target then
  Size places = 0, right = 0;
  const std::vector<Sequence> inputs = all_inputs(rule, 1 << 20);
  if (inputs.empty())
    fail(
        "{}: {} symbols in sequences of {} make too many inputs to count the ceiling; set it in "
        "the rule",
        rule.name, rule.symbols.size(), rule.length);
  for (const Sequence& input : inputs) {
    Sequence sorted = input;
    std::sort(sorted.begin(), sorted.end());
    const Sequence said = answer_of(rule, input);
    for (int i = 0; i < rule.length; ++i, ++places) ++targets[{sorted, input[i]}][said[i]];
  }
  for (const auto& [known, counts] : targets) {
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    right += std::max_element(counts.begin(), counts.end(), fewer)->second;
  }
  return static_cast<double>(right) / static_cast<double>(places);
}

double most_frequent_share(int symbols, int draws) {
  if (symbols < 1 || draws < 1 || draws > 170)  // 171! is beyond double
    fail(
        "most_frequent_share: {} draws from {} symbols; 1 to 170 draws are possible, from 1 or "
        "more",
        draws, symbols);
  // The chance that no symbol comes more than m times is draws! times the coefficient of x^draws in
  // (sum over k <= m of (x / symbols)^k / k!)^symbols: each factor says how often one symbol comes.
  const auto no_more_than = [&](int m) {
    std::vector<double> product(draws + 1, 0);
    product[0] = 1;
    for (int symbol = 0; symbol < symbols; ++symbol)
      for (int j = draws; j >= 0; --j) {
        double term = 1, sum = product[j];
        for (int k = 1; k <= std::min(m, j); ++k) {
          term /= static_cast<double>(symbols) * k;
          sum += product[j - k] * term;
        }
        product[j] = sum;
      }
    return product[draws] * std::tgamma(draws + 1);
  };
  double expected = 0;  // E[max] = sum over m of P(max > m)
  for (int m = 0; m < draws; ++m) expected += 1 - no_more_than(m);
  return expected / draws;
}

}  // namespace attention
