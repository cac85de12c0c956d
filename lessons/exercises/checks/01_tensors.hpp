// The check of exercise 01. The ops themselves say which shapes are right; a wrong one is looked up
// among what the usual misreadings of that op would give.
#pragma once

#include "exercises/exercise.hpp"

namespace exercise {

struct Misreading {
  attention::Shape gives;
  Words name;
};

struct Prediction {
  attention::Shape right;
  std::vector<Misreading> misreadings;
  Words rule;  // for an answer that none of them explains
};

inline Prediction subtraction() {
  using namespace attention;
  return {(ones({5, 1}) - ones({5})).shape(),
          {{{5, 1},
            {"你把形状靠左对齐了。(5,) 的 5 该和哪一个轴对上？形状从最后一个轴对起。",
             "You lined the shapes up on the left. Which axis does the 5 of (5,) meet? Shapes are "
             "lined up from their last axis."}},
           {{5},
            {"你让大小为 1 的轴消失了。广播只把 1 拉长，从不去掉一个轴。",
             "You let the axis of size 1 vanish. Broadcasting stretches ones; it never removes an "
             "axis."}},
           {{1, 5},
            {"(5, 1) 里的 5 不见了：结果的每个轴，取两边较大的那个。",
             "The 5 of (5, 1) is gone: each axis of the result is the larger of the two."}}},
          {"把两个形状上下写好，最后一个轴对齐，缺的写 1，再一列一列地看。",
           "Write one shape above the other, the last axes aligned, a 1 where one is missing, and "
           "go column by column."}};
}

inline Prediction reshaping() {
  using namespace attention;
  return {
      reshape(ones({4, 6}), {3, 4, 2}).shape(),
      {{{3, 6, 2},
        {"你照搬了原来最后一个轴的 6：3·6·2 = 36，而一共只有 24 个数。",
         "You carried over the 6 of the last axis: 3·6·2 = 36, but there are only 24 numbers."}},
       {{3, 5, 2},
        {"你让各个轴的和不变（4 + 6 = 3 + 5 + 2）。不变的是数的个数，它是各轴的积。",
         "You kept the sum of the sizes (4 + 6 = 3 + 5 + 2). What stays is how many numbers there "
         "are: the product."}},
       {{3, 24, 2},
        {"24 是全部的数。问号只管除掉 3 和 2 以后剩下的。",
         "24 is all of the numbers. The question mark stands for what is left after 3 and 2."}},
       {{3, 8},
        {"个数对了，轴却少了一个：结果有三个轴。",
         "The count is right, but an axis is missing: the result has three."}}},
      {"数一数：原来有多少个数？3 和 2 分掉以后，每份还剩几个？",
       "Count: how many numbers are there, and how many remain for each of the 3·2 places?"}};
}

inline Prediction reduction() {
  using namespace attention;
  return {
      sum(ones({2, 3, 4}), -2, keep).shape(),
      {{{2, 4},
        {"你忘了 keep：求过和的轴没有消失，它留下来，大小为 1。",
         "You forgot keep: the axis that was summed along stays, of size 1."}},
       {{2, 3, 1},
        {"你从前面数到了轴 2。负号是从后面数：-1 是最后一个，-2 是倒数第二个。",
         "You took axis 2 from the front. Negative axes count from the back: -1 is the last, -2 "
         "the one before."}},
       {{1, 3, 4},
        {"你从后面数时多数了一个：-1 就是最后一个轴，没有 -0。",
         "You counted one too many from the back: -1 is the last axis already."}},
       {{1, 3, 1},
        {"反了：沿着那个轴求和，变成 1 的是它；其余的轴原样留着。",
         "The other way round: the axis named is the one that becomes 1, and the others stay."}}},
      {"先找到 -2 是哪个轴，再想 keep 让它变成什么，别的轴不动。",
       "First find which axis -2 is, then what keep makes of it. The others stay as they are."}};
}

inline Prediction permutation() {
  using namespace attention;
  return {permute(ones({2, 3, 5}), {2, 0, 1}).shape(),
          {{{3, 5, 2},
            {"你倒过来读了：把原来的轴 i 放到了 axes[i] 的位置。应当问：结果的轴 i，原来是哪个轴？",
             "You read it backwards and sent axis i to place axes[i]. Ask instead: axis i of the "
             "result, which axis was it?"}},
           {{2, 3, 5},
            {"形状没有变：permute 换的正是轴的次序。",
             "The shape has not changed, but the order of the axes is just what permute changes."}},
           {{5, 3, 2},
            {"你把形状整个倒了过来，那是 {2, 1, 0}。看看后两个数的次序。",
             "You turned the whole shape round, which would be {2, 1, 0}. Look at the order of "
             "the last two."}},
           {{2, 0, 1},
            {"你写的是轴的编号。形状里放的是这些轴的大小。",
             "These are the numbers of the axes. A shape holds their sizes."}}},
          {"三个轴各有一个大小：轴 0 是 2，轴 1 是 3，轴 2 是 5。按列表的次序去取。",
           "Axis 0 has size 2, axis 1 size 3, axis 2 size 5. Pick them in the order of the list."}};
}

inline Prediction product() {
  using namespace attention;
  return {
      matmul(ones({6, 4}), ones({7, 4}), transpose_b).shape(),
      {{{6, 4},
        {"你留下了里面的 4。里面的数乘完就消失，留下的是外面两个。",
         "You kept the inner 4. The inner size disappears in the sum; the outer two remain."}},
       {{4, 4},
        {"里外弄反了：相等的是里面的两个 4，它们消失；外面的两个才留下。",
         "Inner and outer are swapped: the two 4s agree, and disappear; the outer ones remain."}},
       {{7, 6},
        {"次序反了：行来自左边的矩阵，列来自右边的。",
         "The order is swapped: rows come from the left matrix, columns from the right one."}},
       {{6, 7, 4},
        {"相乘之后还要加起来：里面的 4 个积合成一个数，那个轴就没有了。",
         "After multiplying come the sums: four products become one number, and that axis is "
         "gone."}},
       {{7, 4},
        {"你忘了 transpose_b：右边的矩阵先转成 (4, 7)，再相乘。",
         "You forgot transpose_b: the right matrix is first turned into (4, 7)."}}},
      {"先把右边转过来，再把两个形状并排写下，划掉中间的两个数。",
       "Turn the right one first, then write the shapes side by side and strike out the two in "
       "the middle."}};
}

inline Prediction stack_of_products() {
  using namespace attention;
  return {matmul(ones({2, 1, 3, 4}), ones({5, 4, 6})).shape(),
          {{{2, 1, 3, 6},
            {"5 不见了：前面的轴要广播，1 遇上 5 变成 5。",
             "The 5 is gone: the leading axes broadcast, and a 1 that meets a 5 becomes a 5."}},
           {{5, 1, 3, 6},
            {"你把前面的轴 (2, 1) 和 (5) 靠左对齐了：2 和 5 对不上。要靠右对齐。",
             "You lined up the leading axes (2, 1) and (5) on the left, where 2 meets 5. Line "
             "them up on the right."}},
           {{2, 3, 6},
            {"大小为 1 的轴不会消失，它会被拉长。",
             "An axis of size 1 does not vanish; it is stretched."}},
           {{5, 3, 6},
            {"左边的 2 不见了：右边缺的轴当作 1，被拉长到 2。",
             "The 2 of the left is gone: the axis that the right one lacks counts as 1 and is "
             "stretched to 2."}},
           {{2, 5, 4, 4},
            {"里外弄反了：最后两个轴按矩阵乘法来，里面的两个 4 消失。",
             "Inner and outer are swapped: the last two axes are multiplied as matrices, and the "
             "two 4s disappear."}},
           {{10, 3, 6},
            {"你把前面的轴乘在了一起。一叠矩阵有 10 个，但 2 和 5 还是两个轴。",
             "You merged the leading axes. There are 10 matrices, but 2 and 5 remain two axes."}}},
          {"分开看：最后两个轴是矩阵乘法，前面的轴是广播。",
           "Take it apart: the last two axes are a matmul, those in front broadcast."}};
}

inline Diagnosis check_01(const std::function<std::vector<attention::Shape>()>& learner) {
  using attention::Shape;
  std::vector<Shape> answers;
  try {
    answers = learner();
  } catch (const std::exception& error) {
    return wrong({fmt::format("你写的不是一个形状：{}", error.what()),
                  fmt::format("What you wrote is not a shape: {}", error.what())});
  }
  if (answers.empty()) return still_to_do({});
  const std::vector<Prediction> questions = {subtraction(), reshaping(), reduction(),
                                             permutation(), product(),   stack_of_products()};
  if (answers.size() != questions.size())
    return wrong({fmt::format("要六个形状，你写了 {} 个。", answers.size()),
                  fmt::format("Six shapes are asked for; you gave {}.", answers.size())});
  const auto about = [&](std::size_t i, const Words& words) {
    return Words{fmt::format("第 {} 行，你猜 {}。{}", i + 1, answers[i], words.zh),
                 fmt::format("Number {}, you predict {}. {}", i + 1, answers[i], words.en)};
  };
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (answers[i] == Shape{0})
      return still_to_do({fmt::format("前 {} 行都对，接着猜第 {} 行。", i, i + 1),
                          fmt::format("{} right so far; number {} is next.", i, i + 1)});
    if (answers[i] == questions[i].right) continue;
    for (const Misreading& one : questions[i].misreadings)
      if (answers[i] == one.gives) return wrong(about(i, one.name));
    return wrong(about(i, questions[i].rule));
  }
  return right(
      {"形状对了，程序就对了一半。第 1 行是一个真实的陷阱：预测 (5, 1) 减目标 (5,)，得到 25 个差而"
       "不是 5 个，不报错，损失却全错了。",
       "With the shapes right, half of a program is right. The first one is a real trap: "
       "predictions (5, 1) less targets (5,) are 25 differences, not 5. No error, and a loss that "
       "is wrong throughout."});
}

}  // namespace exercise
