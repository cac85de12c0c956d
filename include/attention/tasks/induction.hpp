// Induction: "A B … A -> B". A sequence has `pairs` pairs of letters, all different, in random
// order; then some of the pairs come again, in another order:
//
//   q w  e r  t y  u i  …   t y  q w  …      after the second t, only y can follow
//
// Which letter follows which is new in every sequence, so it cannot be learned by heart; how far
// back it stands varies, so no fixed distance helps. One layer is not enough, for any reasonable
// size: what a position says of itself does not depend on what stood before it, so the second t
// finds the first t, but not the y behind it (Sanford, Hsu and Telgarsky, 2024). In two layers, the
// first can tell each position what stood before it (Elhage et al., 2021).
#pragma once

#include "attention/tasks/sequences.hpp"
#include "attention/tensor/attention_link.hpp"

namespace attention {

struct InductionForm {
  int letters = 26, pairs = 8, asked = 4;  // throws unless 0 < asked < pairs and they fit
};

class Induction final : public Task {
 public:
  explicit Induction(const InductionForm& form = {});

  const Alphabet& alphabet() const override { return alphabet_; }
  int context() const override { return 2 * (form_.pairs + form_.asked) - 1; }
  bool causal() const override { return true; }
  Defaults defaults() const override;
  Writing writing() const override { return {.tokens = 1, .temperature = 0}; }
  Batch batch(int size, Random& random) const override;
  Batch unseen(int count) const override;
  // Of one who knows which letters there are, but not which follows which: a pair that comes again
  // ends with one of the `pairs` - m last letters that have not come again yet, when m have.
  std::vector<Expectation> expected_loss(const Batch& judged) const override;
  std::vector<Expectation> expected_accuracy(bool positions) const override;

  // Where to look when the second A predicts B: at the first B (the answer); and, one layer
  // earlier, from the first B to the first A before it. Both throw on tokens of another form.
  std::vector<AttentionLink> answer_links(const Tokens& input) const;
  std::vector<AttentionLink> previous_links(const Tokens& input) const;

 private:
  Sequence draw(Random& random) const;
  Batch scored(const std::vector<Sequence>& sequences) const;

  InductionForm form_;
  Alphabet alphabet_;
};

}  // namespace attention
