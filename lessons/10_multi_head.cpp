// 10 Multi-head attention: how do several heads work side by side?
//
// Lesson 09 showed that one head is not enough. Four steps: each head h projects all of X with its
// own W_Q^h, W_K^h, W_V^h; each attends; the outputs are put side by side; one W_O mixes them. In
// code the h projections are one matrix, cut into heads afterwards. What to watch: where it is cut.
#include <cmath>

#include "attention/nn/multi_head_attention.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

int main(int argc, char** argv) {
  begin(argc, argv, 10, "多头注意力：分头、各算各的、拼接、W_O",
        "Multi-head attention: split, attend, concatenate, W_O");

  section("两个头，用铅笔算", "Two heads, with a pencil");
  say("三个词，四个通道，两个头。先让 Q = K = V = X，只看形状怎么变：四个通道切成 2 × 2，再转置，"
      "把“头”换到“词”的前面。于是每个头都有一张自己的小表：三个词，各两个数。",
      "Three words, four channels, two heads. Let Q = K = V = X at first: the four channels are "
      "cut into 2 x 2, and a transpose moves the heads in front of the words, each with its own "
      "table.");
  const Tensor x = from_values({1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0}, {1, 3, 4});  // (B, T, C)
  const Tensor cut = reshape(x, {1, 3, 2, 2});                                    // (B, T, H, D)
  const Tensor split = permute(cut, {0, 2, 1, 3});                                // (B, H, T, D)
  const Tensor scores = matmul(split, split, transpose_b) / std::sqrt(real(2));   // (B, H, T, T)
  const Tensor outputs = matmul(softmax(scores, -1), split);                      // (B, H, T, D)
  const Tensor joined = reshape(permute(outputs, {0, 2, 1, 3}), {1, 3, 4});       // (B, T, C)
  table(
      {{"X", to_string(x.shape()), "Output_h", to_string(outputs.shape())},
       {in("切开", "cut"), to_string(cut.shape()), in("拼接", "concat"), to_string(joined.shape())},
       {in("转置", "transposed"), to_string(split.shape())}});
  show("X", reshape(x, {3, 4}));
  show("concat = Output_1, Output_2", reshape(joined, {3, 4}));
  say("头 1 的第一行：分数 1 0 1 除以 √2，指数是 2.028 1 2.028，份额 0.401 0.198 0.401，第一个数就"
      "是 0.401 + 0.401 = 0.802。",
      "Row 1 of head 1: scores 1 0 1 over √2, exponentials 2.028 1 2.028, shares 0.401 0.198 "
      "0.401, and so its first number is 0.401 + 0.401 = 0.802.");
  const Tensor first_row = slice(reshape(joined, {3, 4}), 0, 0, 1);
  claim("拼接的第一行和铅笔算的一样", "the first row is what the pencil says",
        difference(first_row, from_values({0.802224, 0.598888, 0.503490, 0.248255}, {1, 4})),
        at_most(1e-6));

  section("忘了转置", "The forgotten transpose");
  say("要是切开之后忘了转置，直接把同样的 12 个数当成 (1, 2, 3, 2)，形状照样合适，程序照样跑。可是"
      "头 1 拿到的三行是：第一个词的前半、后半，第二个词的前半。词被撕开了。",
      "Forget to transpose after the cut and call the same 12 numbers (1, 2, 3, 2): the shapes "
      "fit and the program runs. But the three rows of head 1 are now the two halves of word 1 "
      "and the first half of word 2. The words are torn apart.");
  const Tensor torn = reshape(x, {1, 2, 3, 2}),
               wrong = reshape(attend(torn, torn, torn), {1, 3, 4});
  show(in("头 1 应当看到", "head 1 should see"), reshape(slice(split, 1, 0, 1), {3, 2}));
  show(in("头 1 看到", "head 1 sees"), reshape(slice(torn, 1, 0, 1), {3, 2}));
  claim("忘了转置，结果相差", "without the transpose the result is off by",
        difference(wrong, joined), at_least(0.3));

  section("一个大矩阵，就是 h 个小矩阵", "One large matrix is h small ones");
  say("现在加上投影。W_Q 是 (4, 4)：前两列是 W_Q^1，后两列是 W_Q^2。X 乘一次大矩阵，等于每个头都拿"
      "整个 X 乘自己的小矩阵。下面的权重都是 -2 到 2 的整数。",
      "Now the projections. W_Q is (4, 4): its first two columns are W_Q^1, its last two W_Q^2. "
      "One product with the large matrix gives each head all of X times its own small one. The "
      "weights below are whole numbers from -2 to 2.");
  Random random(10);
  MultiHeadAttention layer(4, 2, random);
  for (Linear* part : {&layer.query, &layer.key, &layer.value, &layer.output})
    for (Size i = 0; i < 16; ++i) part->weight.edit()[i] = real(random.below(5)) - 2;
  const auto with = [&](const Linear& part, Size from, Size to) {  // columns from … to - 1
    return matmul(x, slice(part.weight, 1, from, to));
  };
  const auto head = [&](Size from, Size to) {  // lesson 08, with these columns of the weights
    return attend(with(layer.query, from, to), with(layer.key, from, to),
                  with(layer.value, from, to));
  };
  const Tensor w_o = layer.output.weight, final = layer(x);
  show("W_Q", layer.query.weight);
  show("Final Output = concat · W_O", reshape(final, {3, 4}));
  claim("等于 h 个单独的头，拼接后乘 W_O", "equals h separate heads, concatenated, times W_O",
        difference(final, matmul(concat({head(0, 2), head(2, 4)}, -1), w_o)), exactly(0));
  article("各头的输出拼接起来，再乘一个可学习的 W_O",
          "the heads' outputs side by side, times a learned W_O", holds());
  const Tensor swapped = concat({slice(w_o, 0, 2, 4), slice(w_o, 0, 0, 2)}, 0);
  claim("两个头对调，W_O 的行也对调：不变", "heads swapped and W_O's rows with them: no change",
        difference(final, matmul(concat({head(2, 4), head(0, 2)}, -1), swapped)), at_most(1e-12));
  layer.heads = 1;
  claim("h = 1 就是第 8 课再乘 W_O", "h = 1 is lesson 08, times W_O",
        difference(layer(x), matmul(head(0, 4), w_o)), at_most(1e-12));
  double off = 0;
  for (int heads : {1, 2, 4, 8, 16}) {
    const MultiHeadAttention some(16, heads, random);
    off = std::max(off, std::abs(double(parameter_count(some)) - (4 * 16 * 16 + 4 * 16)));
  }
  claim("d = 16，h = 1 … 16：总是 4 d² 个权重和 4 d 个偏置，相差",
        "d = 16, h = 1 … 16: always 4 d² weights and 4 d biases; off by", off, exactly(0));
  article("每个头的维度比原来小，比如 512 对 64", "a head is smaller than the whole: 64 of 512",
          holds_when("头数乘每头的维度等于 d", "heads times their size is d"));

  section("切的是投影，不是 X", "It is the projection that is cut, not X");
  say("把 X 的第四个通道加 1。头 1 拿整个 X 做投影，它的 Q 跟着变。要是先把 X 切成两半再投影，头 "
      "1 永远看不到后两个通道：那是另一种更弱的层。",
      "Add 1 to the fourth channel of X. Head 1 projects all of X, so its Q changes. Were X cut "
      "in two first, head 1 would never see the last two channels: another, weaker layer.");
  const Tensor changed = x + from_values({0, 0, 0, 1}), w_q = slice(layer.query.weight, 1, 0, 2);
  claim("Q_1 = X W_Q^1 变了", "Q_1 = X W_Q^1 changes by",
        difference(matmul(changed, w_q), matmul(x, w_q)), at_least(1));
  const Tensor top = slice(w_q, 0, 0, 2);  // what would be left of W_Q^1
  claim("切开的 X：头 1 毫无察觉", "with X sliced, head 1 notices nothing",
        difference(matmul(slice(changed, 2, 0, 2), top), matmul(slice(x, 2, 0, 2), top)),
        exactly(0));
  article("把 X 分成 h 个头，又写 Q_h = X W_Q^h", "X is split into h heads, and yet Q_h = X W_Q^h",
          loosely_put("公式对：每个头投影整个 X，切开的是投影",
                      "the formula is right: all of X is projected, then cut"));

  section("三个侦探", "Three detectives");
  say("下面的权重是手写的，不是学来的。侦探 A 让“苹果”查“甜”，B 让“小明”查“喜欢”，C 让“因为”查“苹"
      "果”。命中得 ln 63 分，其余 0 分：八个词里占 63/70 = 0.9。没有线索的词，平均看大家。",
      "Set by hand, not learned: detective A has apples look for sweet, B has Ming look for "
      "likes, C has because look for apples. A hit scores ln 63, all else 0: among eight words a "
      "share of 63/70 = 0.9. A word without a clue looks at all alike.");
  const Row words =
      chinese() ? Row{"小明", "喜欢", "吃", "苹果", "因为", "苹果", "很", "甜"}
                : Row{"Ming", "likes", "eating", "apples", "because", "apples", "are", "sweet"};
  const Tokens ids({8}, {0, 1, 2, 3, 4, 3, 5, 6});
  const Tensor one_hot = gather_rows(identity(7), ids);  // (8, 7): who stands where
  const int clues[3][2] = {{3, 6}, {0, 1}, {4, 3}};      // who looks, for whom
  Tensors maps;
  for (const auto& [looks, wanted] : clues) {
    const Tensor w_q = gather_rows(identity(7), Tokens({1}, {looks})) * std::log(real(63));
    const Tensor w_k = gather_rows(identity(7), Tokens({1}, {wanted}));  // both (1, 7): d_k is 1
    const Tensor q = matmul(one_hot, w_q, transpose_b), k = matmul(one_hot, w_k, transpose_b);
    maps.push_back(softmax(matmul(q, k, transpose_b), -1));  // (8, 8)
    const std::string name(1, char('A' + maps.size() - 1));
    draw::Heatmap heat{.values = maps.back(), .rows = words, .columns = words};
    heat.title = in("侦探 ", "detective ") + name;
    heat.row_name = in("谁在看", "query"), heat.column_name = in("看谁", "key");
    picture("detective_" + name, heat);
  }
  claim("A 给“甜”、B 给“喜欢”的份额，较小的", "the smaller share of A's sweet and B's likes",
        std::min(maps[0].at({3, 7}), maps[1].at({0, 1})), at_least(0.899));
  claim("C：“因为”给两个“苹果”的份额", "C: the share of both apples for because",
        maps[2].at({4, 3}) + maps[2].at({4, 5}), at_least(0.95));
  article(
      "每个侦探负责一条线索", "each detective follows a clue of its own",
      holds_when("手写权重；学出来的，第 15 课量", "set by hand; for learned ones see lesson 15"));
  say("三个侦探都不管谁在前、谁在后：第 11 课就问这个。",
      "None of the three minds who comes first: that is the question of lesson 11.");
  return end();
}
