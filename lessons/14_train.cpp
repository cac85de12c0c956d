// 14 Train: does it learn?
//
// All parts are put to work: to say 16 digits again, and to say them backwards, judged on sequences
// that training never sees. What to watch: how far one gets without positions; where it looks.
#include <algorithm>
#include <cmath>

#include "attention/core/threads.hpp"
#include "attention/draw/curve.hpp"
#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tasks/sequences.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

// All of training: answer, compare, go back, take a step. Then clear, or gradients would add up.
template <class Model>
std::vector<draw::Point> train(const Model& model, const Task& task, int steps, Random& random) {
  std::vector<draw::Point> losses;
  Adam adam(parameters(model));
  for (int step = 1; step <= steps; ++step) {
    const Batch batch = task.batch(32, random);
    const Tensor loss = cross_entropy(model(batch.input), batch.targets);
    backward(loss);
    adam.step(real(1e-3));
    clear_gradients(parameters(model));
    losses.push_back({double(step), loss.item()});
    live_loss(step, steps, loss.item());
  }
  return losses;
}

// The share of runs of `length` tokens that are right from first to last: 1, tokens; 16, sequences.
template <class Model>
double right(const Model& model, const Batch& batch, int length) {
  const NoGrad no_graph;
  const std::vector<int> said = argmax(model(batch.input), -1).ids;
  double runs = 0;
  for (auto at = said.begin(); at != said.end(); at += length)
    runs += std::equal(at, at + length, batch.targets.ids.begin() + (at - said.begin()));
  return runs * length / double(said.size());
}

template <class Model>  // the last layer's weights, averaged over heads and sequences: (T, T)
Tensor map_of(const Model& model, const Batch& batch) {
  const AttentionMaps maps;
  return mean(made_by(model(batch.input), "softmax").back(), {0, 1}).detach();
}

struct OneLook {  // one attention, no residual connection; a query knows its place and no digit
  Embedding embedding;
  MultiHeadAttention attention;
  Linear output;
  Tensor operator()(const Tokens& ids) const {
    const Tensor digits = embedding(ids), places = broadcast_to(sinusoids(16, 64), digits.shape());
    return output(attention(places, digits + places, {}));
  }
  void visit(auto&& f) const { f("digits", embedding), f("look", attention), f("output", output); }
};

int main(int argc, char** argv) {
  begin(argc, argv, 14, "训练：学得会吗？", "Training: does it learn?");
  const auto copy = find_task("copy").make({}), reverse = find_task("reverse").make({});
  const Batch to_copy = copy->unseen(1024), to_reverse = reverse->unseen(4096);
  TransformerConfig config{.vocabulary = 10, .context = 16};  // 2 layers, 4 heads, C = 64
  Random random(1);
  section("抄写和倒写", "Copy and reverse");
  say("抄写：16 个数字照说一遍。倒写：{}。每十条里有一条永远不拿来训练，考的就是这些，背书没有用。"
      "什么都不会的时候只能瞎猜，损失是 ln 10 = 2.3026。",
      "Copy: say 16 digits again. Reverse: {}. What is asked are sequences never trained on, a "
      "tenth of all: nothing is known by heart. A mere guess has a loss of ln 10 = 2.3026.",
      find_task("reverse").example);
  const Transformer copier(config, random), reverser(config, random);
  const auto copying = train(copier, *copy, 300, random);
  const auto reversing = train(reverser, *reverse, 300, random);
  claim("第一步的损失与 ln 10 相差", "the first loss, off ln 10 by",
        std::abs(reversing[0].y - std::log(10)), at_most(0.1));
  claim("抄写没见过的，16 个全对", "copy the unseen, all 16 right", right(copier, to_copy, 16),
        at_least(0.99));
  claim("倒写没见过的，16 个全对", "reverse the unseen, all 16", right(reverser, to_reverse, 16),
        at_least(0.99));

  section("没有位置", "Without positions");
  const double ceiling = most_frequent_share(10, 15);
  say("没有位置，16 个数字只是一袋：知道各有几个，不知道谁在哪里。镜像那头是其余 15 个里的某一个，"
      "最好是猜其中最多的，平均对 {:.3f}。训练多久也越不过这个上限；只考 4096 条，碰巧能多 0.005。",
      "Without positions the digits are a bag: how many of each is known, not where. The mirrored "
      "one is any of the other 15, and the best guess, the most frequent of them, is right in "
      "{:.3f} of all cases. No training gets past this ceiling; luck with 4096 may add 0.005.",
      ceiling);
  config.positions = PositionKind::none;
  const Transformer blind(config, random);
  const auto guessing = train(blind, *reverse, 600, random);
  claim("没有位置，对了的数字", "no positions, digits that are right", right(blind, to_reverse, 1),
        at_most(ceiling + 0.005));
  article("注意力对顺序没有天然的感知", "attention has no sense of order by itself", holds());
  save("loss", draw::render(draw::Curve{
                   .series = {{in("抄写", "copy"), copying},
                              {in("倒写", "reverse"), reversing},
                              {in("倒写，没有位置", "reverse, no positions"), guessing}},
                   .levels = {{in("瞎猜", "guessing"), std::log(10)}},
                   .x_name = in("步", "step"),
                   .y_name = in("损失", "loss")}));

  section("往哪里看", "Where it looks");
  const OneLook look{{10, 64, random}, {64, 1, random}, {64, 10, random}};
  train(look, *copy, 400, random);
  const Tensor passed = map_of(copier, to_copy), own = map_of(look, to_copy);
  const Tensor mirrored = map_of(reverser, to_reverse), diagonal = identity(16);
  say("抄写的 Transformer 不走对角线，那里只有 {:.2f} 的权重：残差连接把数字直接带了过去。拆掉这条"
      "路，只留一次注意力，查询只知道自己在第几位，对角线就出来了。倒写走的是另一条。",
      "The copying transformer leaves the diagonal alone, {:.2f} of the weight: residual "
      "connections carry the digit past attention. Without them, with a query that knows its place "
      "only, the diagonal is there. Reverse looks along the other one.",
      sum(passed * diagonal).item() / 16);
  draw::Heatmap grid{.row_name = in("谁在看", "query"), .column_name = in("看谁", "key")};
  grid.values = own, grid.title = in("抄写：对角线", "copy: the diagonal");
  picture("copy", grid);
  grid.values = mirrored, grid.title = in("倒写：另一条对角线", "reverse: the other diagonal");
  picture("reverse", grid);
  claim("一次注意力抄写，16 个全对", "copy in one look, all 16", right(look, to_copy, 16),
        at_least(0.99));
  claim("抄写，对角线上的权重", "copy, weight on the diagonal", sum(own * diagonal).item() / 16,
        at_least(0.5));
  double other = 0;
  for (Size i = 0; i < 16; ++i) other += mirrored.at({i, 15 - i}) / 16;
  claim("倒写，另一条对角线上的权重", "reverse, weight on the other", other, at_least(0.5));

  section("几个线程，同样的比特", "Any number of threads, the same bits");
  const auto trained = [&](int count) {
    set_threads(count);
    Random own_random(7);
    const Transformer model(config, own_random);
    train(model, *reverse, 20, own_random);
    return parameters(model);
  };
  const NamedTensors one = trained(1), two = trained(threads_available() ? 2 : 1);
  double off = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    off = std::max(off, difference(one[i].tensor, two[i].tensor));
  claim("1 个线程与 2 个线程，权重相差", "1 and 2 threads, weights apart by", off, exactly(0));
  say("练习：sort 和 shift 的答案由你来写，看模型学不学得会。下一课：学会之后，哪个头在看什么？",
      "The exercise: write the answers of sort and shift, and see whether a model learns them. "
      "Next, lesson 15: having learnt, which head looks at what?");
  return end();
}
