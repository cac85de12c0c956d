// 13 The block: what does a Transformer put around attention?
//
// Attention lets words talk to each other. A block adds what lets many of them be stacked: the
// residual connection (x + part(x)), layer normalization and a feed-forward layer. Masks say who
// may be seen: with the causal one nobody sees what comes later, with padding nobody sees fillers.
#include <cmath>

#include "attention/draw/curve.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;
// Normalized before each part (pre), after it (post), without residuals (alone), with neither.
enum class Way { pre, post, alone, neither };
struct Stack {
  std::vector<double> gradients;  // how large one arrives at the input of each layer
  double variance;                // of what comes out at the top
};
Stack stacked(Way way, int depth) {
  Random random(13);
  const TransformerConfig config{.vocabulary = 1, .context = 6, .channels = 16, .hidden = 64};
  Tensor x = normal({1, 6, 16}, 0, 1, random).require_grad();
  Tensors inputs;
  for (int layer = 0; layer < depth; ++layer) {
    const Block block(config, random);
    inputs.push_back(x);
    for (int part = 0; part < 2; ++part) {
      const LayerNorm& norm = part == 0 ? block.attention_norm : block.feed_forward_norm;
      const auto f = [&](const Tensor& y) {
        return part == 0 ? block.attention(y) : block.feed_forward(y);
      };
      const Tensor y = f(way == Way::pre || way == Way::alone ? norm(x) : x);
      x = way == Way::pre ? x + y : way == Way::post ? norm(x + y) : y;
    }
  }
  const Tensor loss = sum(x * normal(x.shape(), 0, 1, random));
  std::vector<double> norms;
  for (const Tensor& gradient : gradients(loss, inputs))
    norms.push_back(std::sqrt(double(sum(gradient * gradient).item())));
  return {norms, double(variance(x).item())};
}

int main(int argc, char** argv) {
  begin(argc, argv, 13, "块：注意力外面还要什么？", "The block: what goes around attention?");
  section("层归一化，用铅笔算", "Layer normalization, with a pencil");
  say("一个词的四个数：1 0 0 0。平均 1/4，方差 3/16（除以 4，不是除以 3）。减去平均，再除以标准差 "
      "√(3/16) = 0.433：得 √3 和三个 -1/√3。不管原来多大，平均都变成 0，方差都变成 1。四个数都一样"
      "呢？方差是 0，靠根号里的小数 eps 不至于除以 0，得四个 0。",
      "The four numbers of a word: 1 0 0 0. Mean 1/4, variance 3/16 (over 4, not over 3). Less "
      "the mean, over √(3/16) = 0.433: √3 and three times -1/√3. However large they were, their "
      "mean is now 0 and their variance 1. Four equal numbers have none; a small eps inside the "
      "root saves the division, and the result is zeros.");
  const Tensor words = from_values({1, 0, 0, 0, 100, 0, 0, 0, 3, 3, 3, 3}, {3, 4});
  show("normalize", normalize(words), {"1 0 0 0", "100 0 0 0", "3 3 3 3"});
  claim("1 0 0 0 的第一个数与 1.732 之差", "the first number of 1 0 0 0, off 1.732 by",
        std::abs(double(normalize(words).at({0, 0})) - 1.732), at_most(1e-4));
  claim("3 3 3 3 得到 0", "3 3 3 3 gives zeros",
        difference(slice(normalize(words), 0, 2, 3), zeros({1, 4})), exactly(0));

  section("前馈层：一个词自己想", "Feed-forward: each word by itself");
  say("注意力之后，每个词各自过两层线性变换，中间拐一个弯（第 9 课的 MLP），先变宽四倍，再变回来。"
      "改动一个词，别的词一点不变：词与词只在注意力里来往。",
      "After attention each word goes through two linear layers with a bend between (the MLP of "
      "lesson 09), four times wider in the middle. Change one word and the others stay as they "
      "are: words meet in attention only.");
  Random random(1);
  const FeedForward think(8, 32, Activation::gelu, random);
  const Tensor x = normal({1, 6, 8}, 0, 1, random);
  const auto change = [&](const Tensor& from, Size t, real by) {  // word t, one channel
    Tensor changed = from.clone();
    changed.edit()[t * 8] += by;
    return changed;
  };
  const auto part = [](const Tensor& y, Size begin, Size end) { return slice(y, 1, begin, end); };
  const auto rest = [&](const Tensor& y) { return concat({part(y, 0, 3), part(y, 4, 6)}, 1); };
  claim("改第 3 个词：别的词的前馈输出变了", "word 3 changed: feed-forward of the others moves by",
        difference(rest(think(change(x, 3, 1))), rest(think(x))), exactly(0));

  section("残差：给梯度留一条直路", "Residuals: a straight way for the gradient");
  say("把 12 块叠起来，从最后往回走，看每一层的输入收到多大的梯度。残差和归一化都不要，每层乘上一"
      "个小于 1 的数，走到底几乎没了。写成 x + f(x)，那个 x 的斜率是 1，梯度有一条直路。归一化放"
      "在前面（pre），直路上什么也不拦，只是数越加越大；放在相加之后（post，论文的写法），每层都把"
      "方差拉回 1。只要归一化、不要残差呢？梯度的大小在这里也保得住，只是没有直路，全得穿过 f。",
      "Stack 12 blocks and walk back from the end: how large a gradient arrives at each layer's "
      "input? With neither residuals nor normalization each layer multiplies by less than 1. In "
      "x + f(x) the slope of that x is 1: a straight way. Normalized before f (pre), nothing "
      "stands in it, but the sums grow; after the sum (post, the paper's way) each layer brings "
      "the variance back to 1. Normalization alone keeps the size here too, but all passes f.");
  const int depth = 12;
  draw::Curve curve{
      .x_name = in("层", "layer"), .y_name = in("梯度的长度", "gradient norm"), .log = true};
  std::vector<Row> rows{
      {in("层", "layer"), "pre", "post", in("没有残差", "no residuals"), in("都没有", "neither")}};
  for (int layer = 0; layer < depth; ++layer) rows.push_back({std::to_string(layer)});
  std::vector<Stack> stacks;
  for (Way way : {Way::pre, Way::post, Way::alone, Way::neither}) {
    stacks.push_back(stacked(way, depth));
    draw::Series series{.name = rows[0][stacks.size()]};
    for (int layer = 0; layer < depth; ++layer) {
      rows[layer + 1].push_back(number(stacks.back().gradients[layer]));
      series.points.push_back({double(layer), stacks.back().gradients[layer]});
    }
    curve.series.push_back(series);
  }
  const auto kept = [&](int way) {  // at layer 0, of what arrives at the last
    return stacks[way].gradients.front() / stacks[way].gradients.back();
  };
  table(rows);
  save("gradients", draw::render(curve));
  claim("都没有：走到第 0 层还剩", "neither: what is left at layer 0", kept(3), at_most(1e-3));
  claim("另外三种：第 0 层是最后一层的几倍", "the other three: layer 0 over the last",
        std::min({kept(0), kept(1), kept(2)}), at_least(1));
  claim("pre：最上面的方差", "pre: the variance at the top", stacks[0].variance, at_least(2));
  claim("post：最上面的方差与 1 之差", "post: the variance at the top, off 1 by",
        std::abs(stacks[1].variance - 1), at_most(0.001));

  section("因果掩码：后面的看不见", "The causal mask: nobody sees what comes later");
  say("要写下一个词，就不许看后面的词。因果掩码让第 t 个词只看 0 … t。改动第 t 个词，它前面的输出"
      "一个比特也不许变；t 以后的当然变。",
      "Who is to write the next word may not look at it. The causal mask lets word t see 0 … t "
      "only. Change word t: the outputs before it stay the same bit for bit, the rest moves.");
  const Block block({.vocabulary = 1, .context = 6, .channels = 8, .heads = 2, .hidden = 32},
                    random);
  const auto written = [&](const Tensor& y) { return block(y, causal_mask(6)); };
  double earlier = 0;
  for (Size t = 1; t < 6; ++t)
    earlier += difference(part(written(change(x, t, 1)), 0, t), part(written(x), 0, t));
  claim("改第 t 个词，t = 1 … 5：前面的共变了", "t = 1 … 5 changed: the words before move by",
        earlier, exactly(0));
  claim("改第 3 个词：最后一个变了", "word 3 changed: the last moves by",
        difference(part(written(change(x, 3, 1)), 5, 6), part(written(x), 5, 6)), at_least(0.001));

  section("填充掩码：凑数的不算", "The padding mask: fillers do not count");
  say("一批句子长短不一，短的在后面填充到一样长。填充里写什么都不该有影响：这句只有四个词，给后两格"
      "各自的第一个数加 100，前四个词的输出一个比特也不变；没有掩码就全乱了。",
      "Sentences of a batch differ in length; the short ones are padded at the end. What is "
      "written there must not matter: add 100 to the first number of both fillers of a sentence of "
      "four words, and its outputs stay the same bit for bit. Without the mask all move.");
  const Tensor filled = change(change(x, 4, 100), 5, 100);
  const Mask padding = padding_mask({4}, 6);
  claim("有掩码：前四个词变了", "with the mask the four words move by",
        difference(part(block(x, padding), 0, 4), part(block(filled, padding), 0, 4)), exactly(0));
  claim("没有掩码：前四个词变了", "without it they move by",
        difference(part(block(x, {}), 0, 4), part(block(filled, {}), 0, 4)), at_least(0.1));
  say("零件齐了。它学得会吗？第 14 课。", "All parts are there. Do they learn? Lesson 14.");
  return end();
}
