#include "attention/nn/decode.hpp"

#include <algorithm>
#include <cmath>

#include "attention/core/error.hpp"

namespace attention {
namespace {

// How many tokens an answer may take; throws on options that make no sense.
Size checked_most(const EncoderDecoder& model, const DecodeOptions& options) {
  const auto& [marks, most] = options;
  const Size vocabulary = model.config.vocabulary, context = model.config.context;
  for (int id : {marks.start, marks.end, marks.pad})
    if (id < 0 || id >= vocabulary)
      fail("decode: a mark has id {}, but the model's ids are 0 to {}", id, vocabulary - 1);
  if (marks.end == marks.start || marks.end == marks.pad)
    fail("decode: the end mark has the id {} of another mark; no answer could end", marks.end);
  if (most < 0 || most > context)
    fail("decode: answers of up to {} tokens, but the model's context is {}", most, context);
  return most == 0 ? context : most;
}

Tokens one(const std::vector<int>& ids) {
  return Tokens(Shape{1, static_cast<Size>(ids.size())}, ids);
}
Tokens column(const std::vector<int>& ids) {
  return Tokens(Shape{static_cast<Size>(ids.size()), 1}, ids);
}

bool can_follow(int id, const Marks& marks) { return id != marks.start && id != marks.pad; }

// -inf is allowed, for what is impossible; but not everything is.
void check_logits(const real* logits, Size vocabulary) {
  for (Size id = 0; id < vocabulary; ++id)
    if (!(logits[id] < INFINITY))
      fail("decode: logit {} is {}; the model is broken", id, logits[id]);
  if (!std::isfinite(*std::max_element(logits, logits + vocabulary)))
    fail("decode: all {} logits are -inf; the model is broken", vocabulary);
}

int likeliest(const real* logits, Size vocabulary, const Marks& marks) {
  check_logits(logits, vocabulary);
  int best = -1;
  for (int id = 0; id < vocabulary; ++id)
    if (can_follow(id, marks) && (best < 0 || logits[id] > logits[best])) best = id;
  return best;
}

}  // namespace

std::vector<std::vector<int>> greedy(const EncoderDecoder& model, const Tokens& sources,
                                     const std::vector<Size>& lengths,
                                     const DecodeOptions& options) {
  const Marks& marks = options.marks;
  const Size most = checked_most(model, options), vocabulary = model.config.vocabulary;
  KeyValueCache cache = model.start(sources, lengths);
  std::vector<std::vector<int>> answers(sources.shape[0]);
  std::vector<int> last(answers.size(), marks.start);  // of each; stays `end` once it is
  for (Size said = 0; said < most; ++said) {
    const Tensor logits = model.next(column(last), cache);  // (B, 1, V)
    for (std::size_t b = 0; b < answers.size(); ++b) {
      if (last[b] == marks.end) continue;
      last[b] = likeliest(logits.data() + static_cast<Size>(b) * vocabulary, vocabulary, marks);
      if (last[b] != marks.end) answers[b].push_back(last[b]);
    }
    if (std::ranges::all_of(last, [&](int id) { return id == marks.end; })) break;
  }
  return answers;
}

std::vector<int> greedy(const EncoderDecoder& model, const std::vector<int>& source,
                        const DecodeOptions& options) {
  return greedy(model, one(source), {}, options).front();
}

namespace {

// A hypothesis, one token longer than its parent or, if that was finished, the same.
struct Candidate {
  std::size_t parent;
  int id;  // -1: nothing was added
  double log_probability, score;
};

class Beam {
 public:
  Beam(const EncoderDecoder& model, const std::vector<int>& source, const DecodeOptions& options,
       const BeamOptions& beam)
      : model_(model),
        marks_(options.marks),
        beam_(beam),
        kept_(1),
        cache_(model.start(one(source))) {}

  bool finished() const {
    return std::ranges::all_of(kept_, [](const Hypothesis& each) { return each.finished; });
  }

  void extend() {
    std::vector<Candidate> candidates = continued();
    std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::score);
    if (candidates.size() > static_cast<std::size_t>(beam_.width)) candidates.resize(beam_.width);
    keep(candidates);
  }

  const std::vector<Hypothesis>& kept() const { return kept_; }

 private:
  // Everything that can come of what is kept, in the order in which ties are to be decided.
  std::vector<Candidate> continued() {
    std::vector<int> last;
    for (const Hypothesis& each : kept_)
      if (!each.finished) last.push_back(each.ids.empty() ? marks_.start : each.ids.back());
    const Tensor logits = model_.next(column(last), cache_);  // (unfinished, 1, V)
    ++said_;
    std::vector<Candidate> candidates;
    const real* row = logits.data();
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (kept_[i].finished) {
        candidates.push_back({i, -1, kept_[i].log_probability, kept_[i].score});
        continue;
      }
      add(candidates, i, row);
      row += model_.config.vocabulary;
    }
    return candidates;
  }

  // One candidate for each token: the log-probabilities add up.
  void add(std::vector<Candidate>& candidates, std::size_t parent, const real* logits) const {
    const Size vocabulary = model_.config.vocabulary;
    check_logits(logits, vocabulary);
    const double highest = *std::max_element(logits, logits + vocabulary);
    double total = 0;
    for (Size id = 0; id < vocabulary; ++id) total += std::exp(double(logits[id]) - highest);
    const double penalty = std::pow((5 + static_cast<double>(said_)) / 6, beam_.alpha);
    for (int id = 0; id < vocabulary; ++id) {
      if (!can_follow(id, marks_)) continue;
      const double sum =
          kept_[parent].log_probability + (double(logits[id]) - highest - std::log(total));
      candidates.push_back({parent, id, sum, sum / penalty});
    }
  }

  void keep(const std::vector<Candidate>& chosen) {
    std::vector<int> row_of(kept_.size());  // in the cache, which has the unfinished ones alone
    for (std::size_t i = 0, row = 0; i < kept_.size(); ++i)
      if (!kept_[i].finished) row_of[i] = static_cast<int>(row++);
    std::vector<Hypothesis> kept;
    std::vector<int> rows;
    for (const Candidate& each : chosen) {
      Hypothesis& next = kept.emplace_back(kept_[each.parent]);
      if (next.finished) continue;
      next.finished = each.id == marks_.end;
      next.log_probability = each.log_probability;
      next.score = each.score;
      if (next.finished) continue;
      next.ids.push_back(each.id);
      rows.push_back(row_of[each.parent]);
    }
    kept_ = std::move(kept);
    if (!rows.empty()) cache_.select(rows);
  }

  const EncoderDecoder& model_;
  Marks marks_;
  BeamOptions beam_;
  std::vector<Hypothesis> kept_;  // best first
  KeyValueCache cache_;
  Size said_ = 0;  // tokens of each unfinished one
};

}  // namespace

std::vector<Hypothesis> beam_search(const EncoderDecoder& model, const std::vector<int>& source,
                                    const DecodeOptions& options, const BeamOptions& beam) {
  if (beam.width < 1) fail("decode: a beam of {}; at least 1 is needed", beam.width);
  const Size most = checked_most(model, options);
  const double penalty = std::pow((5 + static_cast<double>(most)) / 6, beam.alpha);
  if (!std::isfinite(penalty) || penalty == 0)
    fail("decode: alpha = {} makes a length penalty of {}; about 0 to 1 is usual", beam.alpha,
         penalty);
  Beam search(model, source, options, beam);
  for (Size said = 0; said < most && !search.finished(); ++said) search.extend();
  return search.kept();
}

}  // namespace attention
