// Translation: the rules of sequences.hpp for sequences of different lengths, as pairs that an
// encoder-decoder learns from. A source is a sequence and the end mark, a target the start mark,
// the answer and the end mark:
//
//   reverse 3 1 4 1:   source 3 1 4 1 end,   input start 1 4 1 3,   targets 1 4 1 3 end
//
// The marks are no symbols of the alphabet: they are the three ids after it (core/marks.hpp).
#pragma once

#include <memory>
#include <vector>

#include "attention/core/marks.hpp"
#include "attention/tasks/sequences.hpp"

namespace attention {

// Filled up with `pad` to the longest on each side; targets there are -1, which is not scored.
struct PairBatch {
  Tokens source;                     // (B, S)
  std::vector<Size> source_lengths;  // with the end mark
  Tokens input, targets;             // (B, T): each target is what follows the input so far
  std::vector<Size> target_lengths;  // with the start mark, or the end mark
};

class Translation {
 public:
  // Sequences of `shortest` to `longest` symbols; throws unless 1 <= shortest <= longest <= 10000.
  explicit Translation(const SequenceRule& rule, int shortest = 4, int longest = 12);

  const Alphabet& alphabet() const { return lengths_[0]->alphabet(); }
  Marks marks() const { return Marks::after(alphabet().size()); }
  int vocabulary() const { return alphabet().size() + Marks::count; }
  int shortest() const { return shortest_; }
  int longest() const { return shortest_ + static_cast<int>(lengths_.size()) - 1; }
  int context() const { return longest() + 1; }  // the largest S and T
  Defaults defaults() const;

  // B training pairs, drawn with `random`: each length with the same chance, then any sequence of
  // it that is not set apart.
  PairBatch batch(int size, Random& random) const;
  // The first `count` unseen pairs of that length, the same every time; fewer when there are no
  // more. Throws on a length that is not among those above.
  PairBatch unseen(int count, int length) const;

  // The source of one sequence of ids: with its end mark. Throws on an id that is no symbol's.
  std::vector<int> source(std::vector<int> sequence) const;

  std::vector<Expectation> expected_loss() const;
  std::vector<Expectation> expected_accuracy() const;

 private:
  PairBatch pairs(const std::vector<Sequence>& inputs, const std::vector<Sequence>& answers) const;

  int shortest_;
  std::vector<std::shared_ptr<const Task>> lengths_;  // a task for each, from the shortest on
};

}  // namespace attention
