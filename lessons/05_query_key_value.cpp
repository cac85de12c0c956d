// 05 Query, key, value: why three projections?
//
// Lesson 04 left a matrix X, one row of numbers for each word. Here three matrices turn each row
// into three: Q = X W_Q (what the word seeks), K = X W_K (what it is found by) and V = X W_V (what
// it hands over). What to watch: what one matrix cannot do that two can, and what V is for.
#include <algorithm>

#include "attention/core/random.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

int main(int argc, char** argv) {
  begin(argc, argv, 5, "查询、键、值：为什么要三个投影？",
        "Query, key, value: why three projections?");
  const Row words = chinese() ? Row{"苹果", "很", "甜"} : Row{"apple", "very", "sweet"};
  const Row features =
      chinese() ? Row{"东西", "程度", "味道", "红"} : Row{"thing", "degree", "taste", "red"};

  section("直接比，行不行？", "Why not compare the words directly?");
  say("句子里有三个词：苹果、很、甜。每个词四个数，含义是我们自己定的：是不是东西、是不是程度、是"
      "不是味道、红不红。“甜”该去找“苹果”：它说的就是苹果。先试最省事的办法，两行直接相乘。",
      "Three words: apple, very, sweet. Each has four numbers, whose meaning we choose: is it a "
      "thing, a degree, a taste, is it red. \"Sweet\" should find \"apple\", which it describes. "
      "The least effort first: multiply their rows as they are.");
  const Tensor x = from_values({1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0}, {3, 4});
  show("X", x, words, features);
  const Tensor direct = matmul(x, x, transpose_b);
  show("X Xᵀ", direct, words, words);
  say("“甜”和“苹果”没有一处相同，得 0 分；每个词只找到了自己。可见要找什么和自己是什么，是两回事。",
      "Sweet and apple have nothing in common, so they score 0, and each word finds only itself. "
      "What a word seeks is not what it is.");
  claim("直接比：“甜”给“苹果”的分", "compared directly, sweet gives apple", direct.at({2, 0}),
        exactly(0));

  section("三个投影", "Three projections");
  say("所以一个词要拿出三行数。查询 Q：我在找什么。键 K：别人凭什么找到我。值 V：找到之后，我交出"
      "什么。三行都由同一个 x 乘上矩阵得来：x 的每个数乘上矩阵里对应的一行，再加起来。“甜”只有“味"
      "道”是 1，所以它的查询就是 W_Q 的第三行，2 0：它要找东西，不找味道。",
      "So a word brings three rows of numbers. Query Q: what do I seek? Key K: by what am I "
      "found? Value V: what do I hand over, once found? All three are made from the same x by a "
      "matrix: each number of x times its row of the matrix, added up. Sweet has a 1 only under "
      "taste, so its query is the third row of W_Q, 2 0: it seeks things, not tastes.");
  Tensor w_q = from_values({0, 1, 0, 3, 2, 0, 0, 0}, {4, 2});
  Tensor w_k = from_values({2, 0, 0, 0, 0, 1, 0, 0}, {4, 2});
  const Tensor w_v = from_values({1, 0, 0, 0, 1, 0, 0, 2, 1, 0, 0, 3}, {4, 3});
  const Row seek = chinese() ? Row{"找东西", "找味道"} : Row{"seeks a thing", "seeks a taste"};
  const Row found = chinese() ? Row{"是东西", "是味道"} : Row{"is a thing", "is a taste"};
  show("W_Q", w_q, features, seek);
  show("W_K", w_k, features, found);
  show("W_V", w_v, features);
  const Tensor q = matmul(x, w_q), k = matmul(x, w_k), v = matmul(x, w_v);
  show("Q = X W_Q", q, words, seek);
  show("K = X W_K", k, words, found);
  show("V = X W_V", v, words);
  const Tensor by_hand = from_values({0, 1, 2, 0, 1, 0, 3,   // 苹果 apple:  q, k, v
                                      0, 3, 0, 0, 0, 1, 0,   // 很   very
                                      2, 0, 0, 1, 0, 2, 1},  // 甜   sweet
                                     {3, 7});
  claim("Q、K、V 与手算一致", "Q, K and V are what the pencil says",
        difference(concat({q, k, v}, 1), by_hand), exactly(0));
  article("每个词经过三个不同的线性变换，得到三个向量",
          "three different linear maps make three vectors of each word", holds());

  section("看，可以是单方面的", "A look need not be returned");
  say("第 i 个词给第 j 个词的分，是 i 的查询乘 j 的键。“甜”给“苹果”：2×2 + 0×0 = 4。反过来，“苹果”"
      "给“甜”：0×0 + 1×1 = 1。",
      "Word i scores word j by i's query times j's key. Sweet gives apple 2×2 + 0×0 = 4. The "
      "other way round, apple gives sweet 0×0 + 1×1 = 1.");
  const Tensor scores = matmul(q, k, transpose_b);
  show("Q Kᵀ", scores, words, words);
  claim("“甜”给“苹果”的比“苹果”给“甜”的多", "sweet gives apple more than it gets back, by",
        scores.at({2, 0}) - scores.at({0, 2}), at_least(1));
  say("要是 W_Q 和 W_K 用同一个矩阵，键就等于查询，i 对 j 和 j 对 i 是同两行数相乘：分数表沿对角线"
      "对称，不管矩阵里填什么数。",
      "With one matrix for both, keys are queries, and i to j multiplies the same two rows as j "
      "to i: the table is symmetric about its diagonal, whatever numbers the matrix holds.");
  show(in("W_K = W_Q 时的 Q Kᵀ", "Q Kᵀ when W_K = W_Q"), matmul(q, q, transpose_b), words, words);
  double worst = 0;
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const Tensor same = matmul(normal({5, 8}, 0, 1, random), normal({8, 3}, 0, 1, random));
    const Tensor grid = matmul(same, same, transpose_b);
    worst = std::max(worst, difference(grid, transpose(grid, 0, 1)));
  }
  claim("W_Q = W_K：100 次随机，与对称最多差", "W_Q = W_K, 100 random tries: asymmetry", worst,
        at_most(1e-12));
  claim("W_Q 不等于 W_K：与对称最多差", "W_Q and W_K differ: asymmetry",
        difference(scores, transpose(scores, 0, 1)), at_least(1));
  article(
      "分数是查询和键的相似度", "a score is how similar query and key are",
      loosely_put("相似总是相互的；分数可以不是，因为 W_Q 和 W_K 是两个矩阵",
                  "likeness is mutual; a score need not be, since W_Q and W_K are two matrices"));

  section("键是门牌，值是屋里的东西", "The key is on the door, the value behind it");
  say("把“苹果”换成“橘子”：也是东西，只是不红，最后一个数是 -1。W_K 不看颜色，所以两个词的键一样，"
      "“甜”照样找得到；W_V 看颜色，所以交出来的不一样。要是拿键当值，带回来的就只有门牌，分不出是"
      "哪一种。",
      "Put \"orange\" in place of apple: a thing as well, but not red, so that its last number is "
      "-1. W_K does not read the colour: both have the same key, and sweet finds either. W_V does "
      "read it: what they hand over differs. If keys were values, one would bring home the sign "
      "on the door, and could not tell which fruit lives there.");
  const Tensor apple = from_values({1, 0, 0, 1}, {1, 4}),
               orange = from_values({1, 0, 0, -1}, {1, 4});
  const Row both = chinese() ? Row{"苹果", "橘子"} : Row{"apple", "orange"};
  const Tensor pair = concat({apple, orange}, 0);
  show("K", matmul(pair, w_k), both, found);
  show("V", matmul(pair, w_v), both);
  claim("两个键之差", "their keys differ by", difference(matmul(apple, w_k), matmul(orange, w_k)),
        exactly(0));
  claim("两个值之差", "their values differ by", difference(matmul(apple, w_v), matmul(orange, w_v)),
        at_least(1));

  section("不用人来填", "Nobody has to fill them in");
  say("这里的矩阵是我们手填的。训练时，梯度会告诉每个数该往哪边改。“甜”给“苹果”的分对 W_Q 的梯度，"
      "是“甜”的 x 竖着写，乘“苹果”的键横着写：只有“味道”那一行不是 0。对 W_K 也一样，x 和查询换过"
      "来。",
      "We filled these matrices in by hand. In training, gradients tell each number which way to "
      "go. The gradient of the score that sweet gives apple, with respect to W_Q, is sweet's x as "
      "a column times apple's key as a row: only the row of taste is not 0. For W_K it is apple's "
      "x and sweet's query.");
  w_q.require_grad(), w_k.require_grad();
  const Tensor again = matmul(matmul(x, w_q), matmul(x, w_k), transpose_b);
  const Tensor sweet_to_apple = sum(slice(slice(again, 0, 2, 3), 1, 0, 1));
  const Tensors slopes = gradients(sweet_to_apple, {w_q, w_k});
  show(in("对 W_Q 的梯度", "gradient of W_Q"), slopes[0], features, seek);
  show(in("对 W_K 的梯度", "gradient of W_K"), slopes[1], features, found);
  const auto row = [](const Tensor& t, Size i) { return slice(t, 0, i, i + 1); };
  const Tensor for_q = matmul(row(x, 2), row(k, 0), transpose_a);
  const Tensor for_k = matmul(row(x, 0), row(q, 2), transpose_a);
  claim("两个梯度：x 乘键，x 乘查询", "the gradients: x times key, x times query",
        std::max(difference(slopes[0], for_q), difference(slopes[1], for_k)), exactly(0));
  article("这些矩阵是学出来的", "the matrices are learned", holds());
  say("4 分算高吗？分数多大才合适？第 6 课。", "Is a score of 4 large? Lesson 06 says.");
  return end();
}
