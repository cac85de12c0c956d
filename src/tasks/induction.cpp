#include "attention/tasks/induction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "attention/core/error.hpp"

namespace attention {
namespace {

std::u32string some_letters(int count) {
  constexpr std::u32string_view letters = U"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (count < 1 || count > static_cast<int>(letters.size()))
    fail("induction: {} letters; there are 1 to {}", count, letters.size());
  return std::u32string(letters.substr(0, count));
}

}  // namespace

Induction::Induction(const InductionForm& form)
    : form_(form), alphabet_(some_letters(form.letters)) {
  if (form.asked < 1 || form.asked >= form.pairs || 2 * form.pairs > form.letters)
    fail(
        "induction: {} of {} pairs come again, of {} letters; 1 or more have to, but not all, and "
        "each pair takes two letters",
        form.asked, form.pairs, form.letters);
}

Defaults Induction::defaults() const {
  return {.layers = 2, .heads = 2, .steps = 1000, .batch = 64, .rate = 2e-3};
}

Sequence Induction::draw(Random& random) const {
  Sequence letters(form_.letters), order(form_.pairs);
  std::iota(letters.begin(), letters.end(), 0);
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(letters);
  random.shuffle(order);
  Sequence sequence(letters.begin(), letters.begin() + 2 * form_.pairs);
  for (int i = 0; i < form_.asked; ++i)
    sequence.insert(sequence.end(), {letters[2 * order[i]], letters[2 * order[i] + 1]});
  return sequence;
}

// The last letter of each pair that comes again is a target.
Batch Induction::scored(const std::vector<Sequence>& sequences) const {
  const Shape shape{static_cast<Size>(sequences.size()), context()};
  Sequence input, targets;
  for (const Sequence& sequence : sequences) {
    input.insert(input.end(), sequence.begin(), sequence.end() - 1);
    for (int t = 0; t < context(); ++t)
      targets.push_back(t >= 2 * form_.pairs && t % 2 == 0 ? sequence[t + 1] : -1);
  }
  return {Tokens(shape, std::move(input)), Tokens(shape, std::move(targets))};
}

Batch Induction::batch(int size, Random& random) const {
  refuse_count("induction", size);
  std::vector<Sequence> drawn;
  while (static_cast<int>(drawn.size()) < size)
    if (Sequence sequence = draw(random); !is_set_apart(sequence)) drawn.push_back(sequence);
  return scored(drawn);
}

Batch Induction::unseen(int count) const {
  refuse_count("induction", count);
  Random random(0);  // the same every time
  std::vector<Sequence> drawn;
  while (static_cast<int>(drawn.size()) < count)
    if (Sequence sequence = draw(random); is_set_apart(sequence)) drawn.push_back(sequence);
  return scored(drawn);
}

std::vector<Expectation> Induction::expected_loss(const Batch&) const {
  double nats = 0;
  for (int m = 0; m < form_.asked; ++m) nats += std::log(form_.pairs - m);
  return {{"floor", 0},
          {"guessing among what is there", nats / form_.asked},
          {"guessing", std::log(form_.letters)}};
}

std::vector<Expectation> Induction::expected_accuracy(bool) const {
  double right = 0;
  for (int m = 0; m < form_.asked; ++m) right += 1.0 / (form_.pairs - m);
  return {{"guessing among what is there", right / form_.asked}, {"guessing", 1.0 / form_.letters}};
}

std::vector<AttentionLink> Induction::answer_links(const Tokens& input) const {
  check_rows("induction", input);
  if (input.shape[1] < 2 * form_.pairs)
    fail("induction: tokens of shape {}; the first {} positions are the pairs", input.shape,
         2 * form_.pairs);
  std::vector<AttentionLink> links;
  const Size length = input.shape[1], first_part = 2 * form_.pairs;
  for (Size row = 0; row < input.shape[0]; ++row) {
    const int* ids = input.ids.data() + row * length;
    for (Size t = first_part; t < length; t += 2) {
      const Size at = std::find(ids, ids + first_part, ids[t]) - ids;
      if (at + 1 >= first_part)
        fail("induction: id {} at position {} of sequence {} begins none of the pairs", ids[t], t,
             row);
      links.push_back({row, t, at + 1});
    }
  }
  return links;
}

std::vector<AttentionLink> Induction::previous_links(const Tokens& input) const {
  std::vector<AttentionLink> links = answer_links(input);
  for (AttentionLink& link : links) link = {link.row, link.key, link.key - 1};
  return links;
}

namespace {

const bool induction_enlisted = enlist_task({
    .name = "induction",
    .summary = "go on as it went before: A B … A -> B; takes two layers",
    .example = "q w e r t y e -> r",
    .make = [](const TaskOptions& options) -> std::unique_ptr<Task> {
      auto task = std::make_unique<Induction>();
      refuse_options("induction", options, task->context());
      return task;
    },
});

}  // namespace
}  // namespace attention
