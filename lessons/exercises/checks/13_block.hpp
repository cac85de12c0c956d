// The check of exercise 13: three sentences of different lengths, padded to seven. One of them is
// full, one has a single word.
#pragma once

#include "exercises/exercise.hpp"

namespace exercise {

using Padding13 =
    std::function<attention::Mask(const std::vector<attention::Size>&, attention::Size)>;

// The mask as numbers; no tensor for no mask.
inline attention::Tensor numbers_of(const attention::Mask& mask) {
  using namespace attention;
  return mask.defined() ? where(mask, ones(mask.shape()), zeros(mask.shape())) : Tensor();
}

inline Diagnosis check_13(const Padding13& learner) {
  using namespace attention;
  const std::vector<Size> lengths{4, 7, 1};
  const Size B = 3, T = 7;
  // A mask whose element for sentence b and place t is f(b, t).
  const auto table = [&](const Shape& shape, auto f) {
    std::vector<real> numbers;
    for (Size b = 0; b < B; ++b)
      for (Size t = 0; t < T; ++t) numbers.push_back(f(b, t) ? 1 : 0);
    return from_values(numbers, shape);
  };
  const Shape keys{B, 1, 1, T};
  const auto seen = [&](Size b, Size t) { return t < lengths[b]; };
  const auto in_columns = [&] {
    std::vector<real> numbers(B * T);
    for (Size b = 0; b < B; ++b)
      for (Size t = 0; t < T; ++t) numbers[t * B + b] = seen(b, t) ? 1 : 0;
    return from_values(numbers, keys);
  };
  const Tensor right_one = numbers_of(padding_mask(lengths, T));

  const std::vector<Mistake> mistakes{
      {ones(keys),
       {"全是 1：填充的位置照样看得见，掩码等于没有。",
        "All ones: the padding can be seen as before, as if there were no mask."}},
      {table(keys, [&](Size b, Size t) { return !seen(b, t); }),
       {"反了：你的 1 都在填充上。这里 1 的意思是可以看。",
        "Inverted: your ones are on the padding. Here 1 means that it may be seen."}},
      {table(keys, [&](Size b, Size t) { return t <= lengths[b]; }),
       {"多了一个：每个句子后面的第一个填充也看得见。位置从 0 数起，四个词占 0 到 3。",
        "One too many: the first filler of each sentence can be seen. Places count from 0; four "
        "words take 0 to 3."}},
      {table(keys, [&](Size b, Size t) { return t + 1 < lengths[b]; }),
       {"少了一个：每个句子的最后一个词看不见了；只有一个词的句子什么也看不见。",
        "One too few: the last word of each sentence cannot be seen, and a sentence of one word "
        "sees nothing at all."}},
      {table(keys, [&](Size b, Size t) { return t >= T - lengths[b]; }),
       {"你把填充放在了句子前面；这里的填充在后面。",
        "Your padding stands in front of the sentences; here it comes after them."}},
      {table(keys, [&](Size, Size t) { return t < lengths[0]; }),
       {"每个句子都用了第一个句子的长度：lengths[b]，不是 lengths[0]。",
        "Every sentence has the length of the first: the length depends on b."}},
      {in_columns(),
       {"字节的次序是竖着来的：一个句子的 T 个数要挨着。",
        "The bytes go down the columns: the T of one sentence have to lie side by side."}},
      {table({B, 1, T, 1}, seen),
       {"你遮住的是在看的词（查询），不是被看的词（键）：掩码的最后一个轴是键。形状应当是 (B, 1, "
        "1, T)。",
        "You mask the words that look (queries), not those looked at (keys): the last axis of a "
        "mask is the keys. The shape is (B, 1, 1, T)."}},
      {table({B, T}, seen),
       {"数是对的，形状是 (3, 7)：靠右对齐，它会把句子当成在看的词。中间要有两个 1：头和在看的词。",
        "The numbers are right, but with the shape (3, 7), aligned on the right, sentences would "
        "be taken for words that look. Two ones belong between: heads, and words that look."}},
      {table({B, 1, T}, seen),
       {"数是对的，少了一个轴：(3, 1, 7) 靠右对齐，句子会被当成头。",
        "The numbers are right, but one axis is missing: (3, 1, 7), aligned on the right, takes "
        "sentences for heads."}},
      {table({1, B, 1, T}, seen),
       {"句子的轴应当排在最前面：(1, 3, 1, 7) 把句子当成了头。",
        "The axis of the sentences comes first: (1, 3, 1, 7) takes them for heads."}}};
  const Diagnosis result =
      diagnose([&] { return numbers_of(learner(lengths, T)); }, right_one, mistakes);
  if (result.state != State::right) return result;
  return right({"填充里写什么都无所谓了。长短不一的句子，从此可以一起训练。",
                "What stands in the padding no longer matters: sentences of any length can be "
                "trained on together."});
}

}  // namespace exercise
