// 16 Encoder and decoder: how does a model answer, token by token?
//
// One half reads the question, the other says the answer. What to watch: where it looks in the
// question; that padding, the cache, and stopping and going on change nothing; what greed misses.
#include <algorithm>

#include "attention/nn/decode.hpp"
#include "attention/nn/module.hpp"
#include "attention/tasks/translation.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/checkpoint.hpp"
#include "attention/train/optimizer.hpp"
#include "attention/train/schedule.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

struct Run {  // all that training changes: save this, and it can go on
  EncoderDecoder model;
  Adam adam{parameters(model)};
  NamedTensors state() const {
    NamedTensors all = parameters(model);
    for (const NamedTensor& each : adam.state()) all.push_back(each);
    return all;
  }
  Tensor logits(const PairBatch& b) const { return model(b.source, b.source_lengths, b.input); }
};

void train(Run& run, const Translation& task, int first, int last) {
  for (int step = first; step <= last; ++step) {
    Random random(1, step);  // of this step alone: what comes next depends on its number only
    const PairBatch pairs = task.batch(32, random);
    const Tensor loss = cross_entropy(run.logits(pairs), pairs.targets);
    backward(loss);
    run.adam.step(Schedule{ScheduleKind::cosine, real(2e-3), 100, 1500}(step));  // 100: warm-up
    clear_gradients(parameters(run.model));
    live_loss(step, last, loss.item());
  }
}

int main(int argc, char** argv) {
  begin(argc, argv, 16, "编码器和解码器", "Encoder and decoder");
  section("一问一答", "A question and an answer");
  say("编码器读 3 1 4 1 结束；解码器读 开始 1 4 1 3，要说 1 4 1 3 结束。每说一个，先看说过的，再回"
      "头看问题：查询来自答案，键和值来自问题，这是交叉注意力。问题有 4 到 12 个数字。",
      "The encoder reads 3 1 4 1 end; the decoder reads start 1 4 1 3 and is to say 1 4 1 3 end. "
      "It looks at what it has said, then at the question (4 to 12 digits): queries come from the "
      "answer, keys and values from the question. That is cross-attention.");
  const auto task = find_task("reverse").make({})->translation();
  const DecodeOptions options{task->marks()};
  Random random(1);
  Run run{EncoderDecoder({.vocabulary = task->vocabulary(), .context = task->context()}, random)};
  train(run, *task, 1, 150);
  const std::string file = out_file("checkpoint.safetensors");
  save_checkpoint(file, run.state());  // for later
  train(run, *task, 151, 300);
  NamedTensors unstopped;
  for (const auto& [name, tensor] : run.state()) unstopped.push_back({name, tensor.clone()});
  train(run, *task, 301, 1500);
  double fewest = 200, weight = 0;
  std::vector<Row> rows = {{in("长度", "length"), in("200 条里全对的", "all right, of 200")}};
  for (int length = 4; length <= 12; ++length) {
    const PairBatch asked = task->unseen(200, length);
    double right = 0;
    auto wanted = asked.targets.ids.begin();  // rows of the answer and the end mark
    for (const auto& said : greedy(run.model, asked.source, asked.source_lengths, options)) {
      right += std::equal(said.begin(), said.end(), wanted, wanted + length);
      wanted += length + 1;
    }
    rows.push_back({number(length), number(right)});
    fewest = std::min(fewest, right);
  }
  table(rows);
  claim("最差的长度，没见过的全对", "the worst length, all right", fewest / 200, at_least(0.99));

  section("回头看哪里", "Where it looks back");
  const PairBatch asked = task->unseen(100, 12);
  const Tensor cross = [&] {  // of the last layer, averaged over questions and heads
    const AttentionMaps maps;
    return mean(made_by(run.logits(asked), "softmax").back(), {0, 1}).detach();
  }();
  picture("cross", {.values = cross,
                    .title = in("交叉注意力", "cross-attention"),
                    .row_name = in("答案的位置", "place in the answer"),
                    .column_name = in("问题的位置", "place in the question")});
  for (Size i = 0; i < 12; ++i) weight += cross.at({i, 11 - i}) / 12;
  claim("落在该说的数字上的权重", "weight on the digit to be said", weight, at_least(0.5));

  section("省下来的，一点不差", "What is spared makes no difference");
  say("短的问题用填充凑长；长度已知，填什么都行。说 13 个词元，每次重算，共 1 + 2 + … + 13 = 91 个"
      "位置；说过的不因后面而变，留下键和值（键值缓存），只算 13 个。",
      "Padding fills up short questions; lengths being known, its ids do not matter. To say 13 "
      "tokens, recomputing each time, takes 1 + 2 + … + 13 = 91 places. What was said does not "
      "change: with its keys and values kept, in a key-value cache, it takes 13.");
  const PairBatch pairs = task->batch(32, random);
  PairBatch sevens = pairs;
  std::ranges::replace(sevens.source.ids, options.marks.pad, 7);
  claim("填充换成 7，logits 相差", "padding made 7s, logits apart by",
        difference(run.logits(pairs), run.logits(sevens)), exactly(0));
  const Tensor full = run.logits(asked);
  KeyValueCache cache = run.model.start(asked.source, asked.source_lengths);
  Tensors steps;
  for (Size t = 0; t < 13; ++t) {
    Tokens now({100, 1}, std::vector<int>(100));
    for (Size b = 0; b < 100; ++b) now.ids[b] = asked.input.ids[b * 13 + t];
    steps.push_back(run.model.next(now, cache));
  }
  const Tensor cached = concat(steps, 1);
  claim("缓存与重算相差", "cached and full logits apart", difference(cached, full), at_most(1e-5));
  claim("选出的词元有不同（1）或没有（0）", "tokens chosen differ (1) or not (0)",
        argmax(cached, -1).ids != argmax(full, -1).ids, exactly(0));
  article("自注意力可以并行计算", "attention can be computed in parallel",
          holds_when("答案已知，像训练时；作答要逐个说", "the answer is known, as in training"));

  section("贪心和束搜索", "Greedy decoding and beam search");
  say("先是甲 0.6，乙 0.4；甲之后两条路各 0.5，乙之后一条 0.9。贪心得 0.6 x 0.5 = 0.30，错过 0.4 "
      "x 0.9 = 0.36。束搜索留几个开头，对数概率相加。问第 150 步的检查点，它没把握，也还没说对：",
      "First a has 0.6, b 0.4; then a goes on in two ways of 0.5, b in one of 0.9. Greedy gets "
      "0.6 x 0.5 = 0.30 and misses 0.4 x 0.9 = 0.36. Beam search keeps several beginnings, adding "
      "log-probabilities. The checkpoint of step 150 is asked, in doubt yet and not right yet:");
  Run young{EncoderDecoder(run.model.config, random)};
  load_tensors(young.state(), read_checkpoint(file), file);
  int differ = 0, likelier = 0, less = 0;
  for (auto at = asked.source.ids.begin(); at != asked.source.ids.end(); at += 13) {
    const std::vector<int> question(at, at + 13), said = greedy(young.model, question, options);
    const Hypothesis one = beam_search(young.model, question, options, {.width = 1})[0];
    const Hypothesis four = beam_search(young.model, question, options, {.width = 4})[0];
    differ += one.ids != said, less += four.score < one.score - 1e-4;
    if (four.score > one.score + 1e-4 && ++likelier == 1)
      table({{in("贪心", "greedy"), fmt::format("{}  {:.2f}", fmt::join(said, " "), one.score)},
             {in("束", "beam"), fmt::format("{}  {:.2f}", fmt::join(four.ids, " "), four.score)}});
  }
  claim("束宽 1 与贪心不同的", "beam of 1, greedy: differing answers", differ, exactly(0));
  claim("束宽 4，100 条里更可能的", "beam of 4, likelier, of 100", likelier, at_least(1));
  claim("更不可能的（不保证没有）", "less likely (0 is not promised)", less, at_most(10));

  section("停下来，再接着练", "Stop, and go on");
  say("检查点里还有优化器的状态；随机数只看步数。接着练，和没停过一样。",
      "A checkpoint holds the optimizer's state, too; random numbers go by the step alone.");
  train(young, *task, 151, 300);
  double off = 0;
  for (std::size_t i = 0; const NamedTensor& each : young.state())
    off = std::max(off, difference(each.tensor, unstopped[i++].tensor));
  claim("停过与没停过，第 300 步相差", "stopped or not, at step 300 apart by", off, exactly(0));
  say("练习：束搜索的一步，和 top-k。下一课：时间都花在矩阵乘法上，它能多快？",
      "Exercise: a step of beam search, and top-k. Next: how fast can a matrix product be?");
  return end();
}
