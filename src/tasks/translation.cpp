#include "attention/tasks/translation.hpp"

#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"

namespace attention {
namespace {

// The rows of (B, T), one after the other, behind those that are there.
void add_rows(std::vector<Sequence>& rows, const Tokens& tokens) {
  const Size length = tokens.shape[1];
  for (auto row = tokens.ids.begin(); row != tokens.ids.end(); row += length)
    rows.emplace_back(row, row + length);
}

// Sequences as (B, T), filled up with `pad` to the longest.
Tokens padded(const std::vector<Sequence>& rows, int pad) {
  std::size_t longest = 0;
  for (const Sequence& row : rows) longest = std::max(longest, row.size());
  std::vector<int> ids;
  for (Sequence row : rows) {
    row.resize(longest, pad);
    ids.insert(ids.end(), row.begin(), row.end());
  }
  return Tokens(Shape{static_cast<Size>(rows.size()), static_cast<Size>(longest)}, std::move(ids));
}

std::vector<Size> lengths_of(const std::vector<Sequence>& rows) {
  std::vector<Size> lengths;
  for (const Sequence& row : rows) lengths.push_back(static_cast<Size>(row.size()));
  return lengths;
}

}  // namespace

Translation::Translation(const SequenceRule& rule, int shortest, int longest)
    : shortest_(shortest) {
  constexpr int most = 10'000;
  if (shortest < 1 || longest < shortest || longest > most)
    fail("{}: sequences of {} to {} symbols; 1 <= shortest <= longest <= {} is needed", rule.name,
         shortest, longest, most);
  SequenceRule of_length = rule;
  for (of_length.length = shortest; of_length.length <= longest; ++of_length.length)
    lengths_.push_back(make_sequences(of_length));
}

// 1000 steps are enough to copy and to reverse at every length; sorting needs some more at 12.
Defaults Translation::defaults() const { return {.steps = 1500, .rate = 2e-3}; }

PairBatch Translation::batch(int size, Random& random) const {
  refuse_count("translation", size);
  std::vector<Sequence> inputs, answers;
  for (int i = 0; i < size; ++i) {
    const Batch one = lengths_[random.below(lengths_.size())]->batch(1, random);
    add_rows(inputs, one.input);
    add_rows(answers, one.targets);
  }
  return pairs(inputs, answers);
}

PairBatch Translation::unseen(int count, int length) const {
  if (length < shortest() || length > longest())
    fail("translation: sequences of {} symbols; there are {} to {}", length, shortest(), longest());
  const Batch all = lengths_[length - shortest()]->unseen(count);
  std::vector<Sequence> inputs, answers;
  add_rows(inputs, all.input);
  add_rows(answers, all.targets);
  return pairs(inputs, answers);
}

std::vector<int> Translation::source(std::vector<int> sequence) const {
  for (const int id : sequence)
    if (id < 0 || id >= alphabet().size())
      fail("translation: id {} in a source; the symbols have 0 to {}", id, alphabet().size() - 1);
  sequence.push_back(marks().end);
  return sequence;
}

PairBatch Translation::pairs(const std::vector<Sequence>& inputs,
                             const std::vector<Sequence>& answers) const {
  const Marks marks = this->marks();
  std::vector<Sequence> sources, before, after;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    sources.push_back(source(inputs[i]));
    Sequence answer = answers[i];
    answer.push_back(marks.end);
    after.push_back(answer);
    answer.pop_back();
    answer.insert(answer.begin(), marks.start);
    before.push_back(std::move(answer));
  }
  return {.source = padded(sources, marks.pad),
          .source_lengths = lengths_of(sources),
          .input = padded(before, marks.pad),
          .targets = padded(after, -1),
          .target_lengths = lengths_of(after)};
}

// Guessing is between the symbols and the end.
std::vector<Expectation> Translation::expected_loss() const {
  return {{"floor", 0}, {"guessing", std::log(alphabet().size() + 1)}};
}

std::vector<Expectation> Translation::expected_accuracy() const {
  return {{"guessing", 1.0 / (alphabet().size() + 1)}};
}

}  // namespace attention
