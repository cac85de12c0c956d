// The grammar of 小明: sentences of a small language whose probabilities, and with them the lowest
// loss there is, are known exactly, and of which it is known where a model has to look. Symbols are
// words, the model is causal.
//
//   小明 喜欢 吃 苹果 ， 因为 苹果 很 甜 。
//   老王 从小 不喜欢 吃 柠檬 ， 喜欢 吃 辣椒 ， 因为 听说 柠檬 总是 很 酸 ， 辣椒 很 辣 。
//
// By hand, for the plain form with one polarity: the person is one of 5, the food one of 8, and all
// that follows is determined: ln 5 + ln 8 nats in 11 tokens, the end mark being one of them, are
// 0.33535 nats a token.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "attention/tasks/sequences.hpp"
#include "attention/tensor/attention_link.hpp"

namespace attention {

struct GrammarForm {
  bool polarity = true;     // 喜欢 or 不喜欢, one as often as the other; else 喜欢
  bool adverbs = true;      // words that may come in between, and so vary the distances
  bool two_clauses = true;  // half of the sentences speak of two foods, and like one of them
};

// Links to look along, from the position that predicts a word to the one where it is found.
struct GrammarLinks {
  std::vector<AttentionLink> food;   // the food of a reason, where it was named first
  std::vector<AttentionLink> taste;  // the taste of a food, where the reason names the food
};

// Every choice is made with equal chances. A tenth of the sentences is set apart by their hash.
class Grammar final : public Task {
 public:
  explicit Grammar(const GrammarForm& form = {});

  const Alphabet& alphabet() const override { return alphabet_; }
  int context() const override { return context_; }  // the longest sentence, without its end mark
  bool causal() const override { return true; }
  Defaults defaults() const override;
  Writing writing() const override;
  Batch batch(int size, Random& random) const override;
  Batch unseen(int count) const override;  // drawn, so frequent ones come more than once
  // The floor of the judged sentences: the exact mean of -log p. Next to it the entropy. Held-out
  // sentences below their floor are no success: some of them have been trained on.
  std::vector<Expectation> expected_loss(const Batch& judged) const override;

  double entropy() const { return entropy_; }  // of the sentences as they are drawn: nats a token
  // -log p of a sentence with both marks, in nats. Throws on what is no sentence of this form.
  double surprise(const Sequence& sentence) const;
  double floor(const Batch& judged) const;  // nats a scored token
  std::vector<Sequence> sentences() const;  // every one there is, with both marks
  Batch padded(const std::vector<Sequence>& sentences) const;  // no target for what fills up a row

  // Read off the words alone: of any rows of this alphabet. Tokens (B, T).
  static GrammarLinks links(const Tokens& input);

 private:
  template <class Choose>
  Sequence write(Choose choose) const;
  std::vector<Sequence> draw(int count, bool apart, Random& random) const;

  GrammarForm form_;
  Alphabet alphabet_;
  int context_ = 0;
  double entropy_ = 0;
};

}  // namespace attention
