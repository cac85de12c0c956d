// Tasks that are a function of a short sequence: every sequence of the symbols is a possible input,
// and its answer is as long as it is. A task of this kind is one SequenceRule in one file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attention/tasks/task.hpp"

namespace attention {

using Sequence = std::vector<int>;  // of ids

struct SequenceRule {
  std::string name, summary;
  std::u32string symbols;
  int length;
  std::function<Sequence(Sequence)> answer;
  std::string example;  // an input; its answer is worked out
  Defaults defaults = {};
  // The best share of right tokens without positions, see below. Where the sequences are few it
  // need not be given: it is counted.
  std::optional<double> ceiling = {};
};

bool enlist_sequences(const SequenceRule& rule);
// The task itself, enlisted or not. Throws when the options ask for a text or another length, and
// on a rule without symbols, length or answer. An answer of another length or other symbols throws
// when it is asked for.
std::unique_ptr<Task> make_sequences(const SequenceRule& rule, const TaskOptions& options = {});

// Whether a sequence is one of the tenth or so that is never trained on. The sequence itself
// decides, by its hash; so no number of random draws brings one into training.
bool is_set_apart(const Sequence& sequence);

// The best share of right tokens that a model without positions can reach. All it knows at a place
// is the symbol there and how often each symbol comes in the sequence; so all places where these
// are the same get one answer, and the most frequent target is the best one. Goes through every
// input; throws where they are more than a million or so.
double ceiling_without_positions(const SequenceRule& rule);

// Of `draws` symbols, each drawn from `symbols` equally likely ones: the expected share of the one
// that comes most often. 1 draw: 1. 2 draws from 2: (1 + 1/2) / 2 = 3/4.
// Throws unless there are symbols, and 1 to 170 draws.
double most_frequent_share(int symbols, int draws);

}  // namespace attention
