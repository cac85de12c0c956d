// 09 Why heads: why is one not enough?
//
// Lesson 08 ended with one row of shares for each word. Here a word has two things to find out:
// in 小明 喜欢 苹果 (Ming likes apples), who likes, and what is liked? What to watch: what one mix
// of two words can still tell, and what it cannot. Whoever reads the mix is linear, as W_O will be.
#include <cmath>

#include "attention/tasks/pairs.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

int main(int argc, char** argv) {
  begin(argc, argv, 9, "为什么要多个头：一个不够吗？", "Why heads: is one not enough?");

  section("一行权重，两个问题", "One row of weights, two questions");
  say("小明喜欢苹果。“喜欢”要知道两件事：谁喜欢？喜欢什么？它只有一行权重。平分，1/2 给前面的词，"
      "1/2 给后面的词，值是独热向量，于是得到 1/2 小明加 1/2 苹果。把句子反过来，苹果喜欢小明，得"
      "到的一模一样。",
      "Ming likes apples. Likes has two things to find out, who and what, and one row of weights. "
      "Say it gives 1/2 to the word before and 1/2 to the word after. With one-hot vectors for "
      "values it gets half a Ming and half an apple. Turn the sentence round, apples like Ming: "
      "it gets just the same.");
  const Row few =
      chinese() ? Row{"小明", "苹果", "小红", "香蕉"} : Row{"Ming", "apples", "Hong", "bananas"};
  const Row both = {in("小明喜欢苹果", "Ming likes apples"),
                    in("苹果喜欢小明", "apples like Ming")};
  const Tokens two({2, 2}, {0, 1, 1, 0});  // the words before and after, of both sentences
  const Tensor even = from_values({0.5, 0.5}, {1, 2});  // (heads, places)
  const Tensor same = mixed(two, 4, even);
  show(in("平分", "even"), same, both, few);
  claim("平分：两句话的混合之差", "even: the mixes of both sentences differ by",
        difference(slice(same, 0, 0, 1), slice(same, 0, 1, 2)), exactly(0));
  say("偏一点：分数是 ln 3 和 0，份额就是 3/4 和 1/4（第 7 课）。现在两句话不同了，谁在前面，看得"
      "出来。",
      "Now uneven: scores of ln 3 and 0 make shares of 3/4 and 1/4 (lesson 07). The two sentences "
      "differ, and which word came first can be seen.");
  const Tensor uneven = softmax(from_values({std::log(real(3)), 0}, {1, 2}), -1);
  show(in("偏向前面", "uneven"), mixed(two, 4, uneven), both, few);

  section("56 句话", "56 sentences");
  say("八个词，任取两个，有先有后：56 句。每句混成一个向量，用一个矩阵读出来：八个词各得一个分数，"
      "最高的就是答案，并列的各算一份。“谁”和“什么”各用一个矩阵，都取损失最小的那个（什么是损失，"
      "第 14 课再讲）。",
      "Eight words, any two, in either order: 56 sentences. Each is mixed into a vector, which a "
      "matrix reads out: a score for each of the eight, and the highest is the answer (in a tie, "
      "each counts in part). Who and what have a matrix each: the one of least loss, which is "
      "defined in lesson 14.");
  const Tokens pairs = ordered_tuples(8, 2);  // (56, 2)
  const Tensor seen = mixed(pairs, 8, even);  // (56, 8)
  claim("平分：混合乘 2，就是两个词的名单，差", "even: twice the mix lists both words; off by",
        difference(seen * 2, sum(gather_rows(identity(8), pairs), 1)), exactly(0));
  article("注意力一次只能关注一种关系", "attention can follow only one relation at a time",
          loosely_put("一行权重能分给好几个词，只是分不开它们",
                      "a row spreads over many words, but cannot keep them apart"));
  const std::vector<double> one_even = shares_right(8, even), one_uneven = shares_right(8, uneven);
  claim("一个头，平分：“谁”答对", "one head, even: who is right", one_even[0], exactly(0.5));
  claim("一个头，平分：“什么”答对", "one head, even: what is right", one_even[1], exactly(0.5));
  say("名单有了，先后没有，只好猜：一半。偏向前面呢？八个词一视同仁，每个词的分数就是 a × 份额 + "
      "b。a 大于 0，3/4 的赢；a 小于 0，没出现的词赢；1/4 的永远赢不了，还不如瞎猜的 1/8。",
      "It has the list but not the order, and has to guess: half. And uneven? All words being "
      "alike, a word's score is a × its share + b. With a above 0 the word of 3/4 wins, with a "
      "below 0 the words that are not there, and that of 1/4 never: a blind guess, 1/8, is "
      "better.");
  claim("一个头，偏：“谁”答对", "one head, uneven: who is right", one_uneven[0], exactly(1));
  claim("一个头，偏：“什么”答对", "one head, uneven: what is right", one_uneven[1], exactly(0));

  section("两个头", "Two heads");
  say("再来一个头，偏向后面：1/4、3/4。两个混合并排放，16 个数。读出就是一道减法：头 A 减头 B，前"
      "面的词得 3/4 - 1/4 = 1/2，后面的得 -1/2，其余的得 0。最大的是“谁”，最小的是“什么”。",
      "Now a second head that favours the word after: 1/4, 3/4. The two mixes stand side by side, "
      "16 numbers. Reading them is a subtraction, head A less head B: the word before gets 3/4 - "
      "1/4 = 1/2, the word after -1/2, all others 0. The largest is who, the smallest is what.");
  const Tensor heads = from_values({0.75, 0.25, 0.25, 0.75}, {2, 2});
  show(in("两个头", "two heads"), mixed(two, 4, heads), both);
  const Tensor subtract = concat({identity(8), -identity(8)}, 0);  // (16, 8): A - B
  const Tensor side_by_side = mixed(pairs, 8, heads);              // (56, 16)
  claim("读出 A - B：“谁”答对", "reading A - B: who is right",
        share_right(side_by_side, subtract, pairs, 0), exactly(1));
  claim("读出 B - A：“什么”答对", "reading B - A: what is right",
        share_right(side_by_side, -subtract, pairs, 1), exactly(1));
  article("多头让模型同时关注多个关系", "several heads follow several relations at once",
          holds_when("各头看的地方不同", "each looks elsewhere"));
  say("两个头要是看得一样，就等于一个。", "Two heads that look alike are one.");
  const std::vector<double> alike = shares_right(8, concat({even, even}, 0));
  claim("两个头，都平分：“谁”答对", "two heads, both even: who is right", alike[0], exactly(0.5));

  section("后面再接一个 MLP", "With an MLP behind it");
  say("一个头偏着看，先后其实还在里面：3/4 是谁，1/4 是什么，只是线性的读出拿不到。MLP（第 13 课的"
      "前馈层）会拐弯，拿得到：给每个词打 -|份额 - 1/4| 分，两个 relu 就写得出来。后面的词得 0，前"
      "面的得 -1/2，其余的得 -1/4。",
      "With one uneven head the order is still there: 3/4 is who, 1/4 is what. Only a linear "
      "readout cannot get at it. An MLP (the feed-forward layer of lesson 13) bends, and can: two "
      "relus write a score of -|share - 1/4|. The word after gets 0, the word before -1/2, all "
      "others -1/4.");
  const Tensor mix = mixed(pairs, 8, uneven);
  const Tensor bent = concat({relu(mix - 0.25), relu(0.25 - mix)}, 1);  // (56, 16)
  const Tensor one = identity(8), none = zeros({8, 8});                 // two stacked: (16, 8)
  const double who = share_right(bent, concat({one, none}, 0), pairs, 0);
  const double what = share_right(bent, -concat({one, one}, 0), pairs, 1);
  claim("一个头，偏，加 MLP：“谁”答对", "one uneven head and an MLP: who is right", who,
        exactly(1));
  claim("一个头，偏，加 MLP：“什么”答对", "one uneven head and an MLP: what is right", what,
        exactly(1));
  article("只有一个注意力，会漏掉重要的信息", "a single attention may miss what matters",
          holds_when("平分，或者读出是线性的", "it looks evenly, or is read linearly"));
  say("平分的头，什么 MLP 也救不了：两句话的混合相同，读出来只能相同。",
      "An even head is beyond the help of any MLP: equal mixes are read alike.");
  std::vector<real> right;
  for (const auto& two_shares : {one_even, one_uneven, shares_right(8, heads), {who, what}})
    right.insert(right.end(), two_shares.begin(), two_shares.end());
  const Row looks = {in("一个头，平分", "one, even"), in("一个头，偏", "one, uneven"),
                     in("两个头", "two heads"), in("一个头加 MLP", "one, and MLP")};
  const Row questions = {in("谁", "who"), in("什么", "what")};
  show(in("答对的比例", "right answers"), from_values(right, {4, 2}), looks, questions, 2);
  picture("answers", {.values = from_values(right, {4, 2}),
                      .rows = looks,
                      .columns = questions,
                      .title = in("答对的比例", "right answers"),
                      .row_name = in("几个头", "heads"),
                      .column_name = in("问题", "question"),
                      .numbers = true});
  say("每个头多看一处，读出照样是一个矩阵。真正的层怎样让几个头并排做事？第 10 课。",
      "Each head looks at one thing more, and a matrix still reads them all. How does a real "
      "layer run heads side by side? Lesson 10.");
  return end();
}
