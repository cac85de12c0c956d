// 11 Why positions: does attention see the order of the words?
//
// Lesson 10 completed the layer. Here two sentences go through it that have the same words in
// another order: who eats whom? What to watch: rows that move and do not change, and what that
// leaves a learner to learn from. Then the two things that break it.
#include <algorithm>

#include "attention/core/random.hpp"
#include "attention/nn/multi_head_attention.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

using Order = std::vector<int>;
Tensor reordered(const Tensor& x, const Order& order) {  // row i is row order[i] of x: P x
  return gather_rows(x, {{Size(order.size())}, order});
}

// Persons are 0 … 4, foods 5 … 12, "like" is 13, "eat" 14. Each pair makes two sentences: the
// person eats the food (label 1), the food eats the person (-1). Every third pair is kept aside.
struct Sentences {
  std::vector<int> ids = {};
  std::vector<real> labels = {};
};
Sentences sentences(bool kept_aside) {
  Sentences s;
  for (int person = 0; person < 5; ++person)
    for (int food = 5; food < 13; ++food) {
      if (((person + food) % 3 == 0) != kept_aside) continue;
      s.ids.insert(s.ids.end(), {person, 13, 14, food, food, 13, 14, person});
      s.labels.insert(s.labels.end(), {1, -1});
    }
  return s;
}

// Words become vectors, places are added, one attention; the mean of the four words is read by
// one vector: above 0 says "a person eats". Learns, then is asked about the pairs kept aside.
double share_correct(const Tensor& places, const Mask& mask) {
  Random random(11);
  Tensors leaves = {normal({15, 8}, 0, 1, random)};
  for (const Size out : {8, 8, 8, 1}) leaves.push_back(normal({8, out}, 0, real(0.5), random));
  for (Tensor& leaf : leaves) leaf.require_grad();
  const auto answers = [&](const Sentences& s) {
    const Size count = Size(s.labels.size());
    const Tensor x = gather_rows(leaves[0], {{count, 4}, s.ids}) + places;  // (count, 4, 8)
    const Tensor y = attend(matmul(x, leaves[1]), matmul(x, leaves[2]), matmul(x, leaves[3]), mask);
    return reshape(matmul(mean(y, 1), leaves[4]), {count});
  };
  const Sentences known = sentences(false), asked = sentences(true);
  for (int step = 0; step < 300; ++step) {
    backward(mean(log(1 + exp(-from_values(known.labels) * answers(known)))));
    for (Tensor& leaf : leaves) {  // a step down the slope
      for (Size i = 0; i < leaf.count(); ++i) leaf.edit()[i] -= leaf.grad().data()[i] / 2;
      leaf.clear_grad();
    }
  }
  const Tensor said = answers(asked);
  double right = 0;
  for (Size i = 0; i < said.count(); ++i)  // above rounding is above 0
    right += (said.data()[i] > 1e-9 ? 1 : -1) == asked.labels[i];
  return right / double(said.count());
}

int main(int argc, char** argv) {
  begin(argc, argv, 11, "为什么要位置：词序，看得见吗？",
        "Why positions: is the order of words seen?");

  section("谁吃谁", "Who eats whom");
  say("小明喜欢吃苹果，苹果喜欢吃小明：同样四个词，头尾对调。先让 Q = K = V = X，把两句各送进注意"
      "力一次，并排放着看。",
      "Ming likes eating apples; apples like eating Ming: the same four words, first and last "
      "swapped. With Q = K = V = X, each goes through attention; here they are side by side.");
  const Row words =
      chinese() ? Row{"小明", "喜欢", "吃", "苹果"} : Row{"Ming", "like", "eat", "apples"};
  const Tensor x = from_values({2, 0, 0, 1, 1, 1, 0, 2}, {4, 2});
  const Order swap = {3, 1, 2, 0};
  const auto f = [](const Tensor& t, const Mask& mask = {}) { return attend(t, t, t, mask); };
  const Tensor here = f(x), there = f(reordered(x, swap));
  show("X", x, words);
  std::vector<Row> rows = {{"f(X)", "", "f(PX)", ""}};
  const auto cell = [](const Tensor& t, int i) {
    return fmt::format("{:.4f}  {:.4f}", t.at({i, 0}), t.at({i, 1}));
  };
  for (int i = 0; i < 4; ++i)
    rows.push_back({words[i], cell(here, i), words[swap[i]], cell(there, i)});
  table(rows);
  say("每个词的结果都没有变，只是跟着词换了行。记 P 为对调，就是 f(PX) = P f(X)。每个词按份额把大"
      "家加起来，加法不管先后。要是再对四行取平均，两句话就一模一样了。",
      "Each word gets what it got before, in its new row. Call the swap P: f(PX) = P f(X). A "
      "word adds up all words by share, and sums do not know an order. Average the four rows, "
      "and the two sentences are the same.");
  claim("f(PX) 与 P f(X) 之差", "f(PX) less P f(X)", difference(there, reordered(here, swap)),
        at_most(1e-12));
  claim("四行取平均，两句之差", "averaged over the words, they differ by",
        difference(mean(here, 0), mean(there, 0)), at_most(1e-12));
  article("两句话的输入向量可能是一样的", "the inputs of both sentences may be the same",
          loosely_put("那一组向量相同，次序不同；取平均之后才一样",
                      "the same set in another order; what is averaged is equal"));
  say("第 10 课的整层也一样：三个头，随机的权重，七个词，打乱 100 次。",
      "So does the whole layer of lesson 10: three heads, random weights, seven words, 100 "
      "orders.");
  Random random(1);
  const MultiHeadAttention layer(12, 3, random);
  const Tensor longer = normal({7, 12}, 0, 1, random);
  const auto whole = [&](const Tensor& t) { return sum(layer(reshape(t, {1, 7, 12})), 0); };
  double worst = 0;
  Order order = {0, 1, 2, 3, 4, 5, 6};
  for (int trial = 0; trial < 100; ++trial) {
    random.shuffle(order);
    const Tensor moved = whole(reordered(longer, order));
    worst = std::max(worst, difference(moved, reordered(whole(longer), order)));
  }
  claim("整层：f(PX) 与 P f(X) 之差", "the whole layer: f(PX) less P f(X)", worst, at_most(1e-12));
  article("自注意力天然感觉不到词序", "self-attention has no natural sense of order",
          holds_when("没有位置，也没有因果掩码", "there are no positions and no causal mask"));

  section("两样东西能打破它", "Two things break it");
  say("一是给每个位置一个自己的向量，加到站在那里的词上（这里随机取）。二是掩码：只许看自己和前面"
      "的词，不加任何位置。站在第几个，就看得见几个词，位置就这样漏了进来。",
      "One: a vector for each place, added to whatever word stands there (random ones here). Two: "
      "a mask that lets each word see itself and what came before, with no positions at all. How "
      "many words it sees tells a word where it stands.");
  const Tensor places = normal({4, 2}, 0, 1, random);
  const Mask earlier({4, 4}, {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1});
  claim("加上位置：f(PX) 与 P f(X) 之差", "with positions: f(PX) less P f(X)",
        difference(f(reordered(x, swap) + places), reordered(f(x + places), swap)), at_least(0.1));
  claim("只加掩码：f(PX) 与 P f(X) 之差", "a mask alone: f(PX) less P f(X)",
        difference(f(reordered(x, swap), earlier), reordered(f(x, earlier), swap)), at_least(0.1));

  section("让它学学看", "Let it learn");
  say("五个人、八样吃的，每一对都有正反两句：人吃东西，东西吃人。学三分之二的对子，考剩下的。每对"
      "一正一反，分不出先后就只能对一半，不多不少。",
      "Five persons and eight foods; each pair makes two sentences, one each way round. Two "
      "thirds of the pairs are for learning, the others for the test. Who cannot see order gets "
      "one of each two right: half, no more, no less.");
  const Tensor nowhere = zeros({4, 8}), somewhere = normal({4, 8}, 0, 1, random);
  claim("什么都不加：没见过的句子答对", "nothing added: right on unseen sentences",
        share_correct(nowhere, {}), exactly(0.5));
  claim("加上位置：答对", "with positions: right", share_correct(somewhere, {}), exactly(1));
  claim("只加掩码：答对", "a mask alone: right", share_correct(nowhere, earlier), exactly(1));
  article(
      "要知道谁在前谁在后，得加位置信息", "to know who comes first takes positions",
      loosely_put("那是一个办法；因果掩码本身也够", "it is one way; a causal mask alone will do"));
  say("随机取的位置能用。有没有算得出来、看得懂的？第 12 课。",
      "Random places work. Are there some that one can compute, and read? Lesson 12.");
  return end();
}
