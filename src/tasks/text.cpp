// Text: continue a text, one character at a time. The target at each position is the next
// character, and the model is causal: it may look back only. Any UTF-8 file will do, in any
// language. The first nine tenths train; the last tenth is held out.
//
// By hand: the window "to be or" of 8 characters, with a context of 7, is the input "to be o" and
// the targets "o be or": after t comes o, after o a space, after the space b, …
#include <cmath>
#include <span>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "attention/core/utf8.hpp"
#include "attention/tasks/hash.hpp"
#include "attention/tasks/task.hpp"

namespace attention {
namespace {

// The simplest model that looks at all: how often did b come after a? Every pair starts from 1, so
// that none is impossible: P(b | a) = (n(a, b) + 1) / (n(a) + V).
class Bigram {
 public:
  Bigram(std::span<const int> ids, int symbols) : symbols_(symbols), firsts_(symbols) {
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      ++firsts_[ids[i]];
      ++pairs_[pair(ids[i], ids[i + 1])];
    }
  }

  double loss(int a, int b) const {
    const auto found = pairs_.find(pair(a, b));
    const Size count = found == pairs_.end() ? 0 : found->second;
    return std::log(static_cast<double>(firsts_[a] + symbols_) / static_cast<double>(count + 1));
  }

  double mean_loss(const Batch& judged) const {
    double sum = 0;
    Size scored = 0;
    for (std::size_t i = 0; i < judged.targets.ids.size(); ++i) {
      const int a = judged.input.ids[i], b = judged.targets.ids[i];
      if (b == -1) continue;
      for (int id : {a, b})
        if (id < 0 || id >= symbols_) fail("bigram: id {} is outside [0, {})", id, symbols_);
      sum += loss(a, b);
      ++scored;
    }
    return scored ? sum / static_cast<double>(scored) : 0;
  }

 private:
  Size pair(int a, int b) const { return Size(a) * symbols_ + b; }

  Size symbols_;
  std::vector<Size> firsts_;              // n(a)
  std::unordered_map<Size, Size> pairs_;  // n(a, b)
};

// The file's characters. Errors name the file.
std::u32string read_text(const std::string& file) {
  if (file.empty()) fail("text: which text? Name any UTF-8 file with --text FILE");
  const std::string bytes = read_file(file);
  try {
    return clean_text(bytes);
  } catch (const Error& error) {
    fail("text: {}: {}", file, error.what());
  }
}

class Text final : public Task {
 public:
  explicit Text(const TaskOptions& options) : context_(options.context ? options.context : 64) {
    if (context_ < 1) fail("text: a context of {} characters; it takes 1 or more", context_);
    const std::u32string text = read_text(options.text_file);
    check_length(options.text_file, static_cast<Size>(text.size()));
    alphabet_ = Alphabet::of(text);
    ids_ = alphabet_.encode(text);
    training_ = static_cast<Size>(ids_.size()) * 9 / 10;
    fingerprint_ = fmt::format("{:016x}", hash_of(text));
  }

  const Alphabet& alphabet() const override { return alphabet_; }
  int context() const override { return context_; }
  bool causal() const override { return true; }
  std::string fingerprint() const override { return fingerprint_; }

  Defaults defaults() const override {
    return {.layers = 4, .channels = 128, .steps = 1000, .batch = 16, .dropout = 0.2};
  }

  // Windows of T + 1 characters, from anywhere in the training part.
  Batch batch(int size, Random& random) const override {
    refuse_count("text", size);
    std::vector<Size> starts;
    for (int i = 0; i < size; ++i) starts.push_back(random.below(training_ - context_));
    return windows(starts);
  }

  // One window after another, so that each character that is held out is a target once (but for the
  // first, which nothing held out comes before, and a rest that fills no window).
  Batch unseen(int count) const override {
    refuse_count("text", count);
    std::vector<Size> starts;
    for (Size start = training_; static_cast<int>(starts.size()) < count; start += context_) {
      if (start + context_ >= static_cast<Size>(ids_.size())) break;
      starts.push_back(start);
    }
    return windows(starts);
  }

  std::vector<Expectation> expected_loss(const Batch& judged) const override {
    const Bigram bigram{std::span(ids_).first(training_), alphabet_.size()};
    return {{"add-one bigram", bigram.mean_loss(judged)}, {"guessing", std::log(alphabet_.size())}};
  }

  std::vector<Expectation> expected_accuracy(bool) const override {
    return {{"guessing", 1.0 / alphabet_.size()}};
  }

 private:
  // A window takes T + 1 characters, and the held-out tenth is the part that runs short of them.
  void check_length(const std::string& file, Size length) const {
    const Size needed = 10 * Size(context_) + 1, fits = (length - 1) / 10;
    if (length >= needed) return;
    if (length == 0) fail("text: {} is empty; it takes {} characters or more", file, needed);
    fail(
        "text: {} has {} characters, too few for a context of {}: the tenth that is held out has "
        "to "
        "fill a window, which takes {}; {}",
        file, length, context_, needed,
        fits > 0 ? fmt::format("give a longer text, or --context {}", fits) : "give a longer text");
  }

  Batch windows(const std::vector<Size>& starts) const {
    const Shape shape{static_cast<Size>(starts.size()), context_};
    std::vector<int> input, targets;
    for (Size start : starts) {
      const auto first = ids_.begin() + start;
      input.insert(input.end(), first, first + context_);
      targets.insert(targets.end(), first + 1, first + 1 + context_);
    }
    return {Tokens(shape, std::move(input)), Tokens(shape, std::move(targets))};
  }

  int context_;
  Alphabet alphabet_;
  std::vector<int> ids_;  // the whole text
  Size training_ = 0;     // how many of them train; the others are held out
  std::string fingerprint_;
};

const bool text_enlisted = enlist_task({
    .name = "text",
    .summary = "continue a text of your own, character by character (--text FILE)",
    .example = "\"to be o\" -> \"o be or\"",
    .make = [](const TaskOptions& options) { return std::make_unique<Text>(options); },
});

}  // namespace
}  // namespace attention
