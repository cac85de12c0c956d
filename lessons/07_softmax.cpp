// 07 Softmax: how do scores become shares?
//
// Lesson 06 ended with a row of scores for each word. Here each row becomes shares that are
// positive and sum to 1: softmax(s)_j = exp(s_j) / sum over k of exp(s_k). What to watch: along
// which axis, what happens to very large scores, and what becomes of a row that may look nowhere.
#include <cmath>

#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

int main(int argc, char** argv) {
  begin(argc, argv, 7, "Softmax：分数变成份额", "Softmax: from scores to shares");

  section("用铅笔算一行", "One row, with a pencil");
  say("取三个分数 0、ln 2、ln 3。指数把它们变成 1、2、3，总和是 6，于是份额就是 1/6、1/3、1/2。为"
      "什么用指数？份额不能是负的，分数却可正可负，而指数总是正的；分数越高，份额越大，次序不变；"
      "它还把“差多少”变成“是几倍”：分数多 ln 2，份额就是两倍。所以 softmax 只看分数之差，不看分数"
      "本身。",
      "Take the scores 0, ln 2 and ln 3. Exponentials make 1, 2 and 3 of them, 6 together, and so "
      "the shares are 1/6, 1/3 and 1/2. Why exp? A share cannot be below 0, a score can, and an "
      "exponential never is; a higher score gets a larger share, so that the order stays; and a "
      "difference becomes a factor: ln 2 more is twice the share. So only differences count.");
  const Tensor scores = from_values({0, std::log(real(2)), std::log(real(3))});
  const Tensor shares = softmax(scores, -1);
  show("scores", scores);
  show("softmax(scores)", shares);
  const Tensor by_hand = from_values({real(1) / 6, real(1) / 3, real(1) / 2});
  claim("份额等于 1/6、1/3、1/2", "the shares are 1/6, 1/3, 1/2", difference(shares, by_hand),
        at_most(1e-6));
  claim("每个分数都加 100，份额不变", "adding 100 to every score changes nothing",
        difference(softmax(scores + 100, -1), shares), at_most(1e-6));

  section("一行一个词", "A row for each word");
  say("句子有几个词，分数就有几行：第 i 行是第 i 个词给所有词打的分。softmax 沿着行走，也就是最后"
      "一个轴：每个词手里都有整整一份注意力可分。没有人规定列也要凑成 1：大家都看“苹果”，“苹果”那"
      "一列就大。",
      "There are as many rows as words: row i holds the scores that word i gives to all words. "
      "Softmax goes along a row, the last axis, so that each word has exactly one whole attention "
      "to give away. Nothing makes the columns sum to 1: if everybody looks at the apple, its "
      "column is large.");
  const Row words = chinese() ? Row{"小明", "吃", "苹果"} : Row{"Ming", "eats", "apple"};
  const Tensor matrix = from_values({2, 0, 3, 1, 1, 4, 0, 1, 2}, {3, 3});
  const Tensor weights = softmax(matrix, -1);
  show("scores", matrix, words, words);
  show("weights", weights, words, words);
  show(in("每行之和", "row sums"), sum(weights, -1), {}, words);
  show(in("每列之和", "column sums"), sum(weights, 0), {}, words);
  picture("weights", {.values = weights,
                      .rows = words,
                      .columns = words,
                      .title = "softmax(scores)",
                      .row_name = in("谁在看", "query"),
                      .column_name = in("看谁", "key"),
                      .numbers = true});
  claim("每行之和为 1", "each row sums to 1", difference(sum(weights, -1), ones({3})),
        at_most(1e-6));
  article("归一化之后，一个词给出的权重加起来等于 1", "normalized, a word's weights sum to 1",
          holds());
  claim("列之和与 1 最多差", "the columns are off 1 by as much as",
        difference(sum(weights, 0), ones({3})), at_least(0.1));

  section("很大的分数", "Very large scores");
  say("exp(1000) 超出了任何浮点数。先从每一行减去它的最大值，份额不变，而指数最大也就是 1。",
      "exp(1000) is beyond any floating-point number. The maximum of a row is subtracted first: "
      "the shares stay what they are, and no exponential exceeds 1.");
  const Tensor large = softmax(from_values({1000, -1000, 1000}), -1);
  show("softmax(1000, -1000, 1000)", large);
  show("exp(1000) / sum", exp(from_values({1000, 1000})) / sum(exp(from_values({1000, 1000}))));
  claim("1000、-1000、1000 得到 1/2、0、1/2，没有 NaN",
        "1000, -1000, 1000 give 1/2, 0, 1/2: no NaN", difference(large, from_values({0.5, 0, 0.5})),
        at_most(1e-6));

  section("被遮住的位置", "What is masked");
  say("掩码说哪些位置可以看。看不到的位置份额恰好是 0，不是“很小”；其余的重新凑成 1。要是一整行都"
      "被遮住，就没有什么可分：这一行全是 0，不是 NaN，也不是平均分。",
      "A mask says which places may be seen. What may not gets exactly 0, not something small, "
      "and the rest shares the whole. If all of a row is masked there is nothing to share: the "
      "row is zeros, neither NaN nor an even split.");
  const Mask mask({3, 3}, {1, 0, 0, 1, 1, 0, 0, 0, 0});
  const Tensor masked = softmax(matrix, -1, mask);
  show(in("掩码之后的权重", "masked weights"), masked, words, words);
  claim("只能看一个词的一行：1 0 0", "a row that may see one word: 1 0 0", masked.at({0, 0}),
        exactly(1));
  claim("整行被遮住：份额之和恰好是 0", "a row that is masked completely sums to exactly",
        sum(slice(masked, 0, 2, 3)).item(), exactly(0));
  say("份额有了，分的是什么？是值：第 8 课。",
      "So much for shares. Shares of what? Of the values: lesson 08.");
  return end();
}
