// The check of exercise 10. First three words and two heads, whose numbers are in the lesson; then
// a batch of two sentences of different lengths, with all sizes different.
#pragma once

#include <cmath>

#include "exercises/exercise.hpp"

namespace exercise {

using Attention10 =
    std::function<attention::Tensor(const attention::Tensor&, const attention::Tensor&,
                                    const attention::Tensor&, int, const attention::Mask&)>;

// Multi-head attention in parts that can each be done wrong.
struct Parts10 {
  std::function<attention::Tensor(const attention::Tensor&)> split;  // (B, T, C) -> (B, H, T, D)
  std::function<attention::Tensor(const attention::Tensor&)> merge;  // and back
  double scale;
  attention::Mask mask;

  attention::Tensor operator()(const attention::Tensor& q, const attention::Tensor& k,
                               const attention::Tensor& v) const {
    using namespace attention;
    const Tensor scores = matmul(split(q), split(k), transpose_b) / real(scale);
    return merge(matmul(softmax(scores, -1, mask), split(v)));
  }
};

inline Diagnosis check_10_once(const Attention10& learner, const attention::Tensor& q,
                               const attention::Tensor& k, const attention::Tensor& v, int heads,
                               const attention::Mask& mask, bool in_lesson) {
  using namespace attention;
  const Size B = q.size(0), T = q.size(1), C = q.size(2), D = C / heads;
  const Parts10 good{[=](const Tensor& x) { return split_heads(x, heads); },
                     [](const Tensor& x) { return merge_heads(x); }, std::sqrt(double(D)), mask};
  const auto mistaken = [&](auto change) {
    Parts10 parts = good;
    change(parts);
    return parts(q, k, v);
  };
  const auto view = [=](const Tensor& x) { return reshape(x, {B, heads, T, D}); };
  const auto view_back = [=](const Tensor& x) { return reshape(x, {B, T, C}); };
  const auto example = [&](const char* zh, const char* en) {
    return in_lesson ? Words{zh, en} : Words{"", ""};
  };
  const auto told = [](const Words& name, const Words& numbers) {
    return Words{name.zh + numbers.zh, name.en + numbers.en};
  };

  std::vector<Mistake> mistakes = {
      {mistaken([&](Parts10& p) { p.split = view, p.merge = view_back; }),
       told({"两处都没有转置：reshape 成 (B, H, T, D) 不会搬动数字，一个头里混进了一个词的前半和后"
             "半。先看看切开之后“词”和“头”两个轴的次序。",
             "No transpose on either side: a reshape to (B, H, T, D) moves no numbers, so a head "
             "holds the first and second half of one word as if they were two words. Look at the "
             "order of the axes right after the cut."},
            example("你的第一行是 .802 .198 .802 .198，应当是 .802 .599 .503 .248。",
                    " Your first row is .802 .198 .802 .198; it should be .802 .599 .503 .248."))},
      {mistaken([&](Parts10& p) { p.split = view; }),
       {"切开的时候没有转置，拼接的时候倒转置了：头看到的是撕开的词。看切开那一步。",
        "The transpose is there when the heads are joined but missing when they are cut: each "
        "head sees torn words. Look at the step that cuts."}},
      {mistaken([&](Parts10& p) { p.merge = view_back; }),
       told({"拼接的时候没有转置：注意力算对了，可是一个头的两个词被排成了一行。看最后一步。",
             "No transpose when the heads are joined: the attention is right, but two words of "
             "one head end up in one row. Look at the last step."},
            example("你的第一行是 .802 .599 .599 .802，应当是 .802 .599 .503 .248。",
                    " Your first row is .802 .599 .599 .802; it should be .802 .599 .503 .248."))},
      {mistaken([&](Parts10& p) { p.scale = std::sqrt(double(C)); }),
       told({"除以的是 √d_model。每个头里点积只有 d_k 项，分数被压得太小，份额太平均。",
             "The scores are divided by √d_model. A head's dot products have d_k terms: the "
             "scores come out too small and the shares too even."},
            example("你的第一行是 .767 .616 .452 .274，应当是 .802 .599 .503 .248。",
                    " Your first row is .767 .616 .452 .274; it should be .802 .599 .503 .248."))},
      {mistaken([&](Parts10& p) { p.scale = 1; }),
       {"分数没有缩放：份额太尖。第 6 课的那个除数不见了。",
        "The scores are not scaled: the shares are too sharp. The divisor of lesson 06 is "
        "missing."}},
      {mistaken([&](Parts10& p) {
         p.split = [=](const Tensor& x) {
           return permute(reshape(x, {B, T, D, heads}), {0, 3, 1, 2});
         };
         p.merge = [=](const Tensor& x) { return reshape(permute(x, {0, 2, 3, 1}), {B, T, C}); };
       }),
       {"通道切错了：你的头 1 拿的是第 1、1+H、1+2H … 个通道。头 1 的通道是连着的前 D 个。",
        "The channels are cut the wrong way: your head 1 takes channels 1, 1+H, 1+2H … A head's D "
        "channels lie side by side."}},
      {good(k, q, v),
       {"q 和 k 对调了：分数的行应当是看的词（q），列是被看的词（k）。",
        "q and k are swapped: the rows of the scores are the words that look (q), the columns "
        "those that are looked at (k)."}}};
  if (mask.defined()) {
    mistakes.push_back({mistaken([](Parts10& p) { p.mask = {}; }),
                        {"掩码没有用上：填充的位置也分到了份额。",
                         "The mask is not used: padding gets a share, too."}});
    // (H, B, T, D) has B H tables as (B, H, T, D) does, in another order.
    mistakes.push_back(
        {mistaken([&](Parts10& p) {
           p.split = [=](const Tensor& x) {
             return reshape(permute(split_heads(x, heads), {1, 0, 2, 3}), {B, heads, T, D});
           };
           p.merge = [=](const Tensor& x) {
             return merge_heads(permute(reshape(x, {heads, B, T, D}), {1, 0, 2, 3}));
           };
         }),
         {"头排到了句子前面：(H, B, T, D) 的表和掩码的 (B, …) 对不上，一个句子用了另一个句子的填"
          "充。只有一个句子的时候看不出来。",
          "The heads come before the sentences: tables in the order (H, B, T, D) meet a mask in "
          "the order (B, …), and one sentence gets the other's padding. With a single sentence "
          "this cannot be seen."}});
  }
  return diagnose([&] { return learner(q, k, v, heads, mask); }, attend_heads(q, k, v, heads, mask),
                  mistakes);
}

inline Diagnosis check_10(const Attention10& learner) {
  using namespace attention;
  const Diagnosis result = first_of(
      {[&] {
         const Tensor x = from_values({1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0}, {1, 3, 4});
         return check_10_once(learner, x, x, x, 2, {}, true);
       },
       [&] {
         Random random(10);
         const Tensor q = normal({2, 5, 12}, 0, 1, random), k = normal({2, 5, 12}, 0, 1, random);
         const Tensor v = normal({2, 5, 12}, 0, 1, random);
         return check_10_once(learner, q, k, v, 3, padding_mask({5, 2}, 5), false);
       }});
  if (result.state != State::right) return result;
  return right({"形状合适不等于算得对：这里每一种错误都能跑、都能训练，只是头看到的不是词。",
                "Shapes that fit prove nothing: every mistake here runs, and even trains, with "
                "heads that do not see words."});
}

}  // namespace exercise
