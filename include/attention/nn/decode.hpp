// An encoder-decoder answers: token by token, until it says that the answer ends. Greedy decoding
// takes the likeliest token each time; beam search keeps several beginnings, for the likeliest
// first token need not begin the likeliest answer.
#pragma once

#include <vector>

#include "attention/core/marks.hpp"
#include "attention/nn/encoder_decoder.hpp"

namespace attention {

struct DecodeOptions {
  Marks marks;    // the start and pad marks are never part of an answer
  Size most = 0;  // tokens that an answer may take, its end mark included; 0 is the model's context
};

// The answer's ids, without marks. Ties go to the lowest id. Throws on an empty source, on marks
// outside [0, V), on an end mark that is another mark too, and when `most` exceeds the context.
std::vector<int> greedy(const EncoderDecoder& model, const std::vector<int>& source,
                        const DecodeOptions& options);
// One answer for each of several sources (B, S), as padded as EncoderDecoder takes them.
std::vector<std::vector<int>> greedy(const EncoderDecoder& model, const Tokens& sources,
                                     const std::vector<Size>& lengths,
                                     const DecodeOptions& options);

struct BeamOptions {
  int width = 4;     // beginnings that are kept
  double alpha = 0;  // of the length penalty; more of it favours longer answers
};

struct Hypothesis {
  std::vector<int> ids;        // without marks
  bool finished = false;       // whether the end mark was said: else there was no room for more
  double log_probability = 0;  // of all its tokens, the end mark included, in nats
  double score = 0;            // that, divided by the length penalty
};

// The `width` best hypotheses that the search has found (fewer if there are no more), best first.
// In each round every unfinished one is continued by every token, and the best of all stay; one
// that is finished stands among them with the score it has. Ties go to what was ahead before, then
// to the lowest id. The score is log P / ((5 + n) / 6)^alpha for n tokens: Wu et al. (2016),
// eq. 14.
//
// A beam of 1 is greedy decoding. One so wide that nothing is ever left out finds the best answer
// there is. In between a wider beam mostly finds a better one, but need not: what it keeps early
// may crowd out what would have won. Throws as greedy() does, on a width below 1, and on an alpha
// whose penalty is no number.
std::vector<Hypothesis> beam_search(const EncoderDecoder& model, const std::vector<int>& source,
                                    const DecodeOptions& options, const BeamOptions& beam = {});

}  // namespace attention
