// 01 Tensors: what are shape, reshape, broadcast and matmul?
//
// Everything in a transformer is a tensor: numbers, and a shape that says how to read them. Four
// things are done to shapes all the time. What to watch: which of them move numbers, how two
// shapes that differ are made to fit, and what is said when they cannot. Next: 02_autograd.cpp.
#include "attention/core/error.hpp"
#include "attention/tensor/ops.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

// The two operands and their sum as grids. A cell that broadcasting repeats is pale.
draw::Canvas drawn(const Tensor& a, const Tensor& b) {
  const int cell = 46, top = 62;
  draw::Canvas canvas(750, top + 3 * cell + 30);
  const auto grid = [&](int left, const Tensor& part, draw::Colour colour, const char* name) {
    const Tensor all = broadcast_to(part, {3, 4});
    const std::string title = fmt::format("{} {}", name, part.shape());
    canvas.text({left + 2.0 * cell, 30}, title, {.align = draw::Align::centre});
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) {
        const int x = left + j * cell, y = top + i * cell;
        const bool copy = (j > 0 && part.size(-1) == 1) || (i > 0 && part.count() == 4);
        canvas.fill(x, y, cell - 3, cell - 3, colour, copy ? 0.12 : 0.45);
        canvas.text(
            {x + cell / 2.0, y + cell / 2.0}, number(all.at({i, j})),
            {.colour = copy ? draw::dim_colour : draw::ink_colour, .align = draw::Align::centre});
      }
  };
  grid(20, a, draw::series_colour(0), "a");
  grid(280, b, draw::series_colour(1), "b");
  grid(540, a + b, draw::dim_colour, "a + b");
  canvas.text({20, top + 3.0 * cell + 14}, in("浅色的数是重复出来的", "pale: repeated"),
              {.size = 12});
  canvas.text({235, top + 1.5 * cell}, "+", {.size = 26});
  canvas.text({495, top + 1.5 * cell}, "=", {.size = 26});
  return canvas;
}

int main(int argc, char** argv) {
  begin(argc, argv, 1, "张量：形状、广播和矩阵乘法", "Tensors: shape, broadcasting and matmul");

  section("一串数，加上一个形状", "Numbers in a line, and a shape");
  say("词、句子、要学的权重，在程序里都是张量。张量是什么？一串数，外加一个形状。形状说怎么读："
      "(2, 3) 是两行三列，读完一行再读下一行。在内存里，它们始终排成一条线。reshape 只换读法，一个"
      "数也不动。transpose 把行变成列，先后顺序变了，只好另抄一份。",
      "Words, sentences and what is learned are all tensors. What is a tensor? A line of numbers, "
      "and a shape that says how to read them: (2, 3) is two rows of three, one after the other. "
      "Reshape only changes the reading and touches no number. Transpose turns rows into columns, "
      "which is another order, and so has to write them out anew.");
  const Tensor line = arange(6);
  const Tensor x = reshape(line, {2, 3}), read_anew = reshape(x, {3, 2});
  const Tensor turned = transpose(x, 0, 1);
  show("line = arange(6)", line);
  show("x = reshape(line, {2, 3})", x);
  show("reshape(x, {3, 2})", read_anew);
  show("transpose(x, 0, 1)", turned);
  const auto moved = [](const Tensor& from, const Tensor& to) {
    int count = 0;
    for (Size i = 0; i < from.count(); ++i) count += &from.data()[i] != &to.data()[i];
    return count;
  };
  claim("reshape 搬动的数：一个也没有", "numbers that reshape moves: none", moved(x, read_anew),
        exactly(0));
  claim("transpose 搬动的数：六个全搬", "numbers that transpose moves: all six", moved(x, turned),
        exactly(6));
  say("最后两个张量形状相同，内容不同。该用 transpose 却用了 reshape，程序照样跑，数却乱了：第 10 "
      "课会碰上。",
      "The last two have one shape and different contents. With reshape where transpose was meant "
      "a program runs on, with its numbers mixed up: lesson 10 meets that one.");
  claim("两者的内容相差", "their contents differ by", difference(read_anew, turned), at_least(1));

  section("沿着一个轴求和", "A sum along an axis");
  say("轴从 0 数起，-1 是最后一个。沿着哪个轴求和，哪个轴就消失；写上 keep，它就留下来，大小为 1。"
      "留着它，结果才能和原来的张量对齐，下面就要拿它去减。",
      "Axes count from 0, and -1 is the last. The axis that is summed along disappears; with keep "
      "it stays, of size 1, and then the result still lines up with what it came from.");
  show("sum(x, 0)", sum(x, 0));
  show("sum(x, -1)", sum(x, -1));
  show("sum(x, -1, keep)", sum(x, -1, keep));

  section("广播：把 1 拉长", "Broadcasting: ones are stretched");
  say("形状不同的两个张量也能相加。先把形状靠右对齐，缺的轴当作 1；然后凡是 1 的轴，都重复到和对方"
      "一样长。同一个轴上两个数不等、又都不是 1，就不行。",
      "Tensors of different shapes can be added. Line their shapes up on the right, count a "
      "missing axis as 1, and repeat along every axis of size 1 until it is as long as the "
      "other's. Two sizes that differ, neither of them 1, do not fit.");
  const Tensor a = from_values({10, 20, 30}, {3, 1}), b = from_values({1, 2, 3, 4});
  table({{"a", "3", "1"}, {"b", "", "4"}, {"a + b", "3", "4"}});
  show("a + b", a + b);
  save("broadcast", drawn(a, b));
  const Tensor by_hand = from_values({11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34}, {3, 4});
  claim("和手算的一样", "equals what a pencil gives", difference(a + b, by_hand), exactly(0));
  const Tensor centred = x - mean(x, -1, keep);
  show("x - mean(x, -1, keep)", centred);
  claim("每行减去自己的平均数，行和为 0", "each row less its mean sums to 0",
        difference(sum(centred, -1), zeros({2})), at_most(1e-12));

  section("矩阵乘法：三重循环", "Matmul: three loops");
  say("(2, 3) 乘 (3, 4) 得 (2, 4)：里面的两个数必须相等，乘完消失，留下外面的两个。第 i 行第 j "
      "列，是左边的第 i 行和右边的第 j 列逐个相乘再加起来，比如左上角是 1·1 + 2·0 + 3·1 = 4。",
      "(2, 3) times (3, 4) is (2, 4): the inner sizes have to agree and disappear, the outer ones "
      "remain. Row i, column j is row i of the left times column j of the right, number by "
      "number, added up: in the upper left corner 1·1 + 2·0 + 3·1 = 4.");
  const Tensor p = reshape(arange(1, 7), {2, 3});
  const Tensor q = from_values({1, 0, 2, 1, 0, 1, 1, 2, 1, 1, 0, 0}, {3, 4});
  const auto three_loops = [](const Tensor& a, const Tensor& b) {
    std::vector<real> out(a.size(0) * b.size(1));
    for (Size i = 0; i < a.size(0); ++i)
      for (Size j = 0; j < b.size(1); ++j)
        for (Size k = 0; k < a.size(1); ++k) out[i * b.size(1) + j] += a.at({i, k}) * b.at({k, j});
    return from_values(out, {a.size(0), b.size(1)});
  };
  show("p", p);
  show("q", q);
  show("matmul(p, q)", matmul(p, q));
  claim("matmul 和三重循环一个数不差", "matmul equals the three loops exactly",
        difference(matmul(p, q), three_loops(p, q)), exactly(0));
  claim("数带小数时，只差舍入", "with fractions they differ by rounding at most",
        difference(matmul(p / 7, q / 3), three_loops(p / 7, q / 3)), at_most(1e-14));
  claim("右边若是转置着给的：transpose_b", "the right one given transposed: transpose_b",
        difference(matmul(p, transpose(q, 0, 1), transpose_b), matmul(p, q)), exactly(0));
  say("前面若还有别的轴，就是一叠矩阵，各乘各的：{} 乘 {} 得 {}。",
      "More axes in front make a stack of matrices, each pair multiplied on its own: {} times {} "
      "is {}.",
      Shape{5, 2, 3}, q.shape(), matmul(ones({5, 2, 3}), q).shape());

  section("形状不合的时候", "When shapes do not fit");
  say("程序不猜，也不悄悄算错：它停下来，说清是哪个运算、哪两个形状。",
      "Nothing is guessed, and nothing goes wrong in silence: the op stops and names the shapes.");
  int refused = 0;
  const auto attempt = [&](const auto& f) {
    try {
      f();
    } catch (const Error& error) {
      ++refused, fmt::print("\n  {}\n", error.what());
    }
  };
  attempt([] { return matmul(ones({2, 3}), ones({4, 5})); });
  attempt([&] { return x - mean(x, -1); });
  attempt([&] { return reshape(x, {4, 2}); });
  claim("三次不合，三次被拒绝", "three that do not fit, three refused", refused, exactly(3));
  say("形状有了。可机器怎么学？它要知道每个数往哪边改，第 2 课：斜率。",
      "So much for shapes. To learn, a machine has to know which way to change each number: the "
      "slope, in lesson 2.");
  return end();
}
