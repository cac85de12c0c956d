// 08 The weighted sum: what comes out of attention?
//
// Lesson 07 made shares of scores. Now each word takes its share of every word's value and adds
// them up: Output_i = sum over j of weight_ij V_j. With that, attention is complete. What to watch:
// where the output can lie, and which way a gradient pushes the scores.
#include <algorithm>
#include <cmath>

#include "attention/core/random.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

int main(int argc, char** argv) {
  begin(argc, argv, 8, "加权求和：出来的是什么？", "The weighted sum: what comes out?");

  section("三个词，全用分数算", "Three words, in fractions");
  say("每个向量只有一个数（d_k = 1，√d_k 也是 1）。三个查询都是 1，键是 ln 1、ln 2、ln 3，所以每一"
      "行的分数就是 ln 1、ln 2、ln 3，份额 1/6、1/3、1/2。值是 6、12、18。加起来：6/6 + 12/3 + "
      "18/2 = 1 + 4 + 9 = 14。",
      "One number to a vector, so that d_k = 1 and its root is 1. All three queries are 1, the "
      "keys ln 1, ln 2, ln 3; so each row of scores is ln 1, ln 2, ln 3, and its shares 1/6, 1/3, "
      "1/2. The values are 6, 12, 18. Together: 6/6 + 12/3 + 18/2 = 1 + 4 + 9 = 14.");
  const Row words = chinese() ? Row{"苹果", "很", "甜"} : Row{"apple", "very", "sweet"};
  Tensor q = ones({3, 1});
  Tensor k = from_values({0, std::log(real(2)), std::log(real(3))}, {3, 1});
  Tensor v = from_values({6, 12, 18}, {3, 1});
  const Tensor weights = softmax(matmul(q, k, transpose_b), -1);
  const Tensor output = matmul(weights, v);
  show("weights", weights, words, words);
  show("weights V", output, words, {}, 1);
  claim("每个词都得到 14", "every word gets 14", difference(output, full({3, 1}, 14)),
        at_most(1e-12));
  article("用注意力权重对值加权求和，就是输出", "the output is the sum of the values, weighted",
          holds());
  say("要是每个词只能看自己和前面的词（第 7 课的掩码）：第一个词只有自己，得 6；第二个词的份额是 "
      "1/3、2/3，得 2 + 8 = 10；第三个词什么都看得见，还是 14。",
      "If each may only see itself and what came before (a mask, lesson 07): the first has only "
      "itself, 6; the second's shares are 1/3 and 2/3, so 2 + 8 = 10; the third sees all, 14.");
  const Mask earlier({3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1});
  const Tensor stepwise = matmul(softmax(matmul(q, k, transpose_b), -1, earlier), v);
  show(in("只看前面", "only what came before"), stepwise, words, {}, 1);
  claim("只看前面：6 10 14", "only what came before: 6 10 14",
        difference(stepwise, from_values({6, 10, 14}, {3, 1})), at_most(1e-12));

  section("往回走", "And backward");
  say("问：最后一个词的 14，随每个数怎样变？随值：斜率就是份额，1/6、1/3、1/2。随分数：w_j (V_j - "
      "14)，就是 1/6 × -8、1/3 × -2、1/2 × 4，得 -4/3、-2/3、2。值比平均高的词，多听一点，输出就"
      "升；比平均低的，就降。三个斜率加起来是 0：份额只是挪来挪去。",
      "How does the last word's 14 change with each number? With a value: by its share, 1/6, 1/3, "
      "1/2. With a score: by w_j (V_j - 14), which is 1/6 × -8, 1/3 × -2, 1/2 × 4, or -4/3, -2/3, "
      "2. Listen more to a value above the mean and the output rises, below it and it falls. The "
      "three add up to 0: shares only move about.");
  v.require_grad();
  Tensor row = matmul(slice(q, 0, 2, 3), k, transpose_b).detach();
  row.require_grad();
  const Tensors slopes = gradients(sum(matmul(softmax(row, -1), v)), {row, v});
  show(in("对分数", "with the scores"), slopes[0], {}, words);
  show(in("对值", "with the values"), transpose(slopes[1], 0, 1), {}, words);
  claim("对分数的梯度是 -4/3 -2/3 2", "the scores' gradient is -4/3 -2/3 2",
        difference(slopes[0], from_values({real(-4) / 3, real(-2) / 3, 2}, {1, 3})),
        at_most(1e-12));
  claim("对值的梯度是 1/6 1/3 1/2", "the values' gradient is 1/6 1/3 1/2",
        difference(slopes[1], from_values({real(1) / 6, real(1) / 3, real(1) / 2}, {3, 1})),
        at_most(1e-12));

  section("开会，跟着一个人走", "The meeting, following one of them");
  say("把一句话当成开会：每人带一个问题（查询）、一张名牌（键）、一条意见（值）。这是第 5 课的三个"
      "词。",
      "A sentence as a meeting: each brings a question (query), a name tag (key) and an opinion "
      "(value). These are the three words of lesson 05.");
  const Tensor question = from_values({0, 1, 0, 3, 2, 0}, {3, 2});
  const Tensor tag = from_values({2, 0, 0, 0, 0, 1}, {3, 2});
  const Tensor opinion = from_values({1, 0, 3, 0, 1, 0, 0, 2, 1}, {3, 3});
  show(in("问题 Q", "questions Q"), question, words);
  show(in("名牌 K", "name tags K"), tag, words);
  show(in("意见 V", "opinions V"), opinion, words);
  const Tensor scores = matmul(question, tag, transpose_b);
  const Tensor ears = softmax(scores / std::sqrt(real(2)), -1), heard = matmul(ears, opinion);
  show("Q Kᵀ", scores, words, words);
  const auto percent = [&](Size j) { return number(100 * ears.at({2, j}), 1); };
  say("跟着“甜”走：它的问题是 2 0，对照三张名牌，分数是 4 0 0；除以 √2，做 softmax，它的注意力这样"
      "分：{} % 给“苹果”，{} % 给“很”，{} % 给自己；最后按份额把三条意见合起来带走。像查字典，只是"
      "每一条都读，有的多读，有的少读。",
      "Follow sweet: its question is 2 0, and against the three tags it scores 4 0 0; over "
      "sqrt(2) and through softmax, it lends its ear: {} % to apple, {} % to very, {} % to "
      "itself; and it takes home the three opinions in these shares. Like looking something up in "
      "a dictionary, but every entry is read, some more and some less.",
      percent(0), percent(1), percent(2));
  picture("meeting", {.values = ears,
                      .rows = words,
                      .columns = words,
                      .title = in("谁听谁的", "who listens to whom"),
                      .row_name = in("谁在听", "query"),
                      .column_name = in("听谁", "key"),
                      .numbers = true});
  say("“甜”带走的是 {} × (1 0 3) + {} × (0 1 0) + {} × (0 2 1)：",
      "Sweet takes home {} × (1 0 3) + {} × (0 1 0) + {} × (0 2 1):", number(ears.at({2, 0})),
      number(ears.at({2, 1})), number(ears.at({2, 2})));
  show(in("带走的", "taken home"), heard, words);
  claim("库里的 attend(Q, K, V) 给出同样的数", "the library's attend(Q, K, V) gives the same",
        difference(attend(question, tag, opinion), heard), at_most(1e-12));
  claim("谁的话都有人听：最小的份额", "nobody goes unheard: the smallest share", -max(-ears).item(),
        at_least(0.01));
  article("开会：每个人综合所有人的观点", "at the meeting each weighs the opinions of all",
          holds_when("没有掩码，分数也不太悬殊：第 7 课的 -1000 就只得 0",
                     "there is no mask and scores are not far apart: -1000 got 0 in lesson 07"));

  section("输出跑不出值围成的圈", "Never outside what was said");
  say("份额不小于 0，加起来是 1，所以输出总在几个值之间：一个数，就在 6 和 18 之间；向量，就在 V "
      "的各行围成的凸包里。沿任何方向看，输出都不会比最远的那个值更远。随机取 1000 个方向量一量。",
      "Shares are not below 0 and sum to 1. So an output lies between the values: a number "
      "between 6 and 18, a vector in the hull that the rows of V span. In no direction is it "
      "further out than the furthest value. Measured in 1000 random directions:");
  Random random(8);
  const Tensor directions = normal({3, 1000}, 0, 1, random);
  const auto furthest = [&](const Tensor& t) { return max(matmul(t, directions), 0); };
  claim("输出超出 V 的凸包最多", "outputs stick out of the hull of V by",
        std::max(0.0, double(max(furthest(heard) - furthest(opinion)).item())), at_most(1e-12));
  say("反过来，要是所有人说的一样，听谁都一样：权重再悬殊，输出也不变。",
      "And if all say the same, it makes no difference whom one hears, however uneven the "
      "weights.");
  const Tensor same = broadcast_to(from_values({1, 2, 3}), {3, 3});
  claim("意见相同时，三个输出之差", "with equal opinions, the outputs differ by",
        difference(matmul(ears, same), same), at_most(1e-12));
  article("权重表示一个词有多重要", "weights say how important a word is",
          loosely_put("权重是调配的比例；要不要紧，拿掉才知道（第 15 课）",
                      "weights say in what mixture; whether it matters shows when it is taken "
                      "away (lesson 15)"));
  say("一个词只有一行份额。要是它有两件事要找呢？第 9 课。",
      "A word has one row of shares. What if it has two things to look for? Lesson 09.");
  return end();
}
