// 04 Embedding: how do words become vectors?
//
// A network takes numbers, a sentence is words. Each word has a row in a table, and the sentence
// becomes a matrix X with a row for each of its words. What to watch: that the look-up is a matrix
// product in disguise, and what a word that occurs twice does to the gradient. Next: query, key,
// value, all three made from X.
#include <algorithm>

#include "attention/core/error.hpp"
#include "attention/nn/layers.hpp"
#include "attention/tasks/alphabet.hpp"
#include "attention/tensor/autograd.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

int main(int argc, char** argv) {
  begin(argc, argv, 4, "词嵌入：词怎么变成向量", "Embedding: how words become vectors");

  section("编号", "Numbers for words");
  say("网络只认数，句子却是词。先列一张词表，每个词一个编号，再把句子写成一串编号：其中的每一个，"
      "就是一个词元。词表里可以有句子里没有的词，这里是最后两个。",
      "A network knows numbers only, and a sentence is words. Make a list of words, the "
      "vocabulary; a word's place in it is its id, and the sentence becomes a line of ids, each of "
      "them a token. The vocabulary may hold words that the sentence lacks, here the last two.");
  const Row words =
      chinese()
          ? Row{"小明", "喜欢", "吃", "苹果", "，", "因为", "苹果", "很", "甜", "。"}
          : Row{"Ming", "likes", "eating", "apples", ",", "because", "apples", "are", "sweet", "."};
  Row vocabulary;
  std::vector<int> list;
  for (const std::string& word : words) {
    const auto found = std::find(vocabulary.begin(), vocabulary.end(), word);
    list.push_back(static_cast<int>(found - vocabulary.begin()));
    if (found == vocabulary.end()) vocabulary.push_back(word);
  }
  const std::size_t kinds = vocabulary.size();
  for (const std::string& other : chinese() ? Row{"香蕉", "酸"} : Row{"bananas", "sour"})
    vocabulary.push_back(other);
  const Size n = 10, V = 11, d = 4;
  const Tokens ids({n}, list);
  Row numbers;
  for (const int id : ids.ids) numbers.push_back(std::to_string(id));
  table({words, numbers});
  claim("10 个词元，9 种", "10 tokens, of 9 kinds", double(kinds), exactly(9));

  section("查表", "A look-up");
  say("词表 V = {} 个词，每个词 d = {} 个数，合成一张表 E。为了看得清，第 v 行填上 10v、10v + 1……"
      "查表就是按编号抄行：抄出来的 X，一行一个词。文章里 d 是 512，道理一样。",
      "The table E has a row of d = {1} numbers for each of the V = {0} words. To be easy to "
      "follow, row v holds 10v, 10v + 1 and so on. To look up is to copy rows by id: X has a row "
      "for each word of the sentence. The article has d = 512; nothing else changes.",
      V, d);
  Tensor E = (reshape(arange(V), {V, 1}) * 10 + arange(d)).require_grad();
  const Tensor X = gather_rows(E, ids);
  show("X", X, words);
  double off = 0;
  for (Size i = 0; i < n; ++i)
    off = std::max(off, difference(slice(X, 0, i, i + 1), slice(E, 0, list[i], list[i] + 1)));
  claim("X 的每一行和 E 的对应行，相差", "each row of X differs from its row of E by", off,
        exactly(0));
  article("句子的 n 个词各是一个向量，合起来是矩阵 X", "n words, a vector each, make a matrix X",
          holds_when("x_i 是 X 的行，(n, d)，这样 X W_Q 才乘得起来",
                     "the x_i are rows, (n, d), so that X W_Q can be multiplied"));

  section("独热：查表就是矩阵乘法", "One-hot: the look-up is a matmul");
  say("给每个词一行 V 个数：自己的编号处是 1，别处都是 0，这叫独热。它乘 E，0 把别的行都抹掉，1 留"
      "下要的那一行。结果一样，只是要乘 {} 次，而查表只抄 {} 个数。",
      "Give each word a row of V numbers, 1 at its id and 0 elsewhere: one-hot. Times E, the "
      "zeros wipe out all rows but one, and the 1 keeps it. The result is the same, at {} "
      "multiplications where the look-up copies {} numbers.",
      n * V * d, n * d);
  std::vector<real> hot(n * V);
  for (Size i = 0; i < n; ++i) hot[i * V + list[i]] = 1;
  const Tensor one_hot = from_values(hot, {n, V});
  show("one-hot", one_hot, words);
  claim("独热乘 E 和查表，相差", "one-hot times E, off the look-up by",
        difference(matmul(one_hot, E), X), exactly(0));

  section("出现两次的词", "A word that occurs twice");
  say("E 要学，所以要梯度。“苹果”出现两次，它那一行用了两次，梯度就是两处之和；没出现的词，梯度是 "
      "0，这一步学不到它。先让每个数传来的梯度都是 1，于是数出来的正是次数。",
      "E is learned, so it needs a gradient. “apples” occurs twice: its row was used twice and "
      "gets the sum of both. What does not occur gets 0 and learns nothing from this sentence. "
      "Let every number receive 1 first: then the gradient counts.");
  backward(sum(X));
  show("dE", E.grad(), vocabulary);
  claim("“苹果”那一行的梯度", "the gradient in the row of apples", E.grad().at({3, 0}), exactly(2));
  claim("句子里没有的词，梯度之和", "words not in the sentence, their gradients' sum",
        sum(slice(E.grad(), 0, 9, 11)).item(), exactly(0));
  std::vector<real> rows(n, 0);
  rows[3] = real(0.2), rows[6] = real(0.3);  // the two places of 苹果 apples, id 3
  const Tensor arrives = reshape(from_values(rows), {n, 1}) * ones({d});
  const Tensor grad = gradients(sum(gather_rows(E, ids) * arrives), {E})[0];
  claim("两处传来 0.2 和 0.3，合起来", "0.2 and 0.3 arrive at the two, together", grad.at({3, 0}),
        exactly(0.5));
  claim("独热的转置乘传来的梯度，与它相差", "one-hot transposed times it, off that gradient by",
        difference(matmul(one_hot, arrives, transpose_a), grad), at_most(1e-12));

  section("真正的词嵌入", "The real thing");
  say("真正的 E 一开始是随机数，由训练来定。看图：两行“苹果”一模一样。谁喜欢它，它甜不甜，X 里没"
      "有：查表只看词，不看左右。",
      "A real E begins with random numbers, and training does the rest. In the picture, both rows "
      "of “apples” are the same. Who likes them, and that they are sweet, is not in X: a look-up "
      "sees the word and not its neighbours.");
  Random random(4);
  const Embedding embedding(V, 8, random);
  const Tensor drawn = embedding(ids);
  picture("x", {.values = drawn,
                .rows = words,
                .title = in("X：一行一个词", "X: a row for each word"),
                .row_name = in("词", "word"),
                .column_name = in("维", "dimension"),
                .scale = draw::Scale::diverging});
  claim("两行“苹果”相差", "the two rows of apples differ by",
        difference(slice(drawn, 0, 3, 4), slice(drawn, 0, 6, 7)), exactly(0));
  article("处理“苹果”时，得知道小明喜欢它、它很甜",
          "with apples, one must know who likes them, and that they are sweet", holds());

  section("词元不一定是词", "A token need not be a word");
  say("哪里到哪里是一个词，要先有人切开。一字一个词元，就不用切了：后面的模型就是这样读中文的。编"
      "号写错了，也不会悄悄读到表外去。",
      "Somebody has to say where a word ends. With a token for each character nobody needs to: "
      "that is how the models of later lessons read Chinese, as here. A wrong id, too, is told, "
      "and never reads past the table.");
  const std::u32string sentence = U"小明喜欢吃苹果，因为苹果很甜。";
  const Alphabet alphabet = Alphabet::of(sentence);
  claim("一字一个词元：句长", "a token for each character: length",
        double(alphabet.encode(sentence).size()), exactly(15));
  claim("一字一个词元：词表大小", "a token for each character: vocabulary", alphabet.size(),
        exactly(13));
  int refused = 0;
  for (const int id : {-1, 11}) {
    try {
      gather_rows(E, Tokens({1}, {id}));
    } catch (const Error& error) {
      ++refused, fmt::print("\n  {}\n", error.what());
    }
  }
  claim("表外的编号 -1 和 11，被拒绝的", "ids outside the table, -1 and 11: refused", refused,
        exactly(2));
  say("要让“苹果”知道左右，词就得互相看。怎么看，先要三样东西：查询、键、值，第 5 课。",
      "To know its neighbours, a word has to look at them. That takes three things: query, key "
      "and value, in lesson 5.");
  return end();
}
