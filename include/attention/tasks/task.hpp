// A task: toy data to train on, unseen data to be judged by, and what can be expected of it. Each
// lives in one file under src/tasks/ and enlists itself there; the program finds it by name.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attention/core/random.hpp"
#include "attention/tasks/alphabet.hpp"
#include "attention/tensor/tensor.hpp"

namespace attention {

// Ids of input and targets (B, T). A target of -1 is not scored.
struct Batch {
  Tokens input, targets;
};

// A number that results are set beside: "guessing", 2.302585 nats, say.
struct Expectation {
  std::string name;
  double value;
};

// What a task suggests to whoever trains on it without saying more.
struct Defaults {
  int layers = 2, heads = 4, channels = 64;
  int steps = 1000, batch = 32, warmup = 100;
  double rate = 1e-3, dropout = 0;
};

// What a task may be told when it is made. A task throws on what it has no use for.
struct TaskOptions {
  std::string text_file = {};  // text: the file to learn
  int context = 0;             // text: tokens a model sees at once; 0 is the task's own choice
};

// How a causal model is let write.
struct Writing {
  int tokens = 0;  // at most so many are added, and no more than fit; 0: any number, as to a text
  int mark = -1;   // the symbol that stands before and after every sequence, or -1 for none
  double temperature = 0.8;  // unless another is asked for; 0 always takes the likeliest
  std::string form = {};     // how a prompt has to begin, 0 standing for any digit; empty: anyhow
};

class Translation;  // translation.hpp

class Task {
 public:
  virtual ~Task() = default;

  virtual const Alphabet& alphabet() const = 0;  // its size is V
  virtual int context() const = 0;               // T
  virtual bool causal() const { return false; }  // whether a token may not see later ones
  virtual Defaults defaults() const { return {}; }
  virtual Writing writing() const { return {}; }

  // Stands for the data the task was made from, for a task that reads some: when it differs from
  // what a model was trained with, the data has changed, and with it the split.
  virtual std::string fingerprint() const { return {}; }

  // B training sequences, drawn with `random` from those that are not set apart.
  virtual Batch batch(int size, Random& random) const = 0;

  // The first `count` unseen sequences, the same every time: none of them is ever trained on.
  // Fewer when there are no more.
  virtual Batch unseen(int count) const = 0;

  // Every sequence there is, where they are few enough to be gone through; else nothing.
  virtual std::optional<Batch> everything() const { return std::nullopt; }

  // The same rule for sequences of different lengths, to be learned by an encoder-decoder; or none.
  virtual std::shared_ptr<const Translation> translation() const { return nullptr; }

  // What the loss on these sequences (nats a token) and the share of right tokens can be compared
  // with: the exact floor, guessing, a simple model; and for a model without positions the ceiling,
  // where it is known.
  virtual std::vector<Expectation> expected_loss(const Batch& judged) const = 0;
  virtual std::vector<Expectation> expected_accuracy([[maybe_unused]] bool positions) const {
    return {};
  }
};

struct TaskEntry {
  std::string name;
  std::string summary;  // one line
  std::string example;  // one worked example: "3 1 4 -> 4 1 3"
  std::function<std::unique_ptr<Task>(const TaskOptions&)> make;
  bool translates = false;  // whether it has a translation()
};

// For a task that makes its own data, in sequences of so many tokens: throws when the options ask
// for a text, or for another context.
void refuse_options(std::string_view name, const TaskOptions& options, int context);

void refuse_count(std::string_view name, int sequences);  // throws on a negative number
// Throws, naming the op, on tokens that are not (B, T), each with an id.
void check_rows(std::string_view op, const Tokens& tokens);

const std::vector<TaskEntry>& tasks();  // by name
bool enlist_task(TaskEntry entry);      // throws on a name that is taken
// Throws on an unknown name, listing the known ones.
const TaskEntry& find_task(std::string_view name);

}  // namespace attention
