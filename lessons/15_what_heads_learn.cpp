// 15 What heads learn: who looks where, and does it matter?
//
// A small language whose every chance is known: how low the loss can get, and where a model has to
// look. What to watch: which head is found, and what is lost when it, or another, is taken away.
#include <algorithm>

#include "attention/draw/bars.hpp"
#include "attention/nn/heads.hpp"
#include "attention/nn/module.hpp"
#include "attention/tasks/grammar.hpp"
#include "attention/tasks/induction.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "attention/train/schedule.hpp"
#include "lesson.hpp"

using namespace attention;
using namespace lesson;

// As in lesson 14; but the rate rises for 100 steps, then falls, and no gradient is longer than 1.
Transformer train(const Task& task, int layers, int heads, int steps, int batch_size) {
  Random random(1);
  TransformerConfig config{.vocabulary = task.alphabet().size(), .context = task.context()};
  config.layers = layers, config.heads = heads, config.causal = true;  // no word sees later ones
  const Transformer model(config, random);
  Adam adam(parameters(model));
  const Schedule rate{ScheduleKind::cosine, real(2e-3), 100, steps};
  for (int step = 1; step <= steps; ++step) {
    const Batch batch = task.batch(batch_size, random);
    const Tensor loss = cross_entropy(model(batch.input), batch.targets);
    backward(loss);
    clip_gradients(parameters(model), 1);
    adam.step(rate(step));
    clear_gradients(parameters(model));
    live_loss(step, steps, loss.item());
  }
  return model;
}

// Of the words that are told by looking along a link, the share that is right.
double right(const Transformer& model, const Batch& batch, const auto& links) {
  const std::vector<int> said = argmax(model(batch.input), -1).ids;
  const Size T = batch.input.shape[1];
  double count = 0;
  for (const auto& [row, query, key] : links)
    count += said[row * T + query] == batch.targets.ids[row * T + query];
  return count / double(links.size());
}

int main(int argc, char** argv) {
  begin(argc, argv, 15, "谁在看哪里，看了有用吗？", "Who looks where, and does it matter?");
  section("一门小语言", "A small language");
  const Grammar grammar;
  const Sequence ids =
      grammar.alphabet().encode("|小明喜欢吃苹果，不喜欢吃柠檬，因为苹果很甜，柠檬很酸。");
  Row words{"start",  "Ming",  "likes", "eating",  "apple", ",",    "hates",
            "eating", "lemon", ",",     "because", "apple", "very", "sweet",
            ",",      "lemon", "very",  "sour",    "."};
  for (std::size_t i = 0; i < ids.size(); ++i)
    words[i] = in(i ? grammar.alphabet().symbol(ids[i]) : "开头", words[i]);
  say("句子都像这样：{} 人有 5 个；食物有 8 种，一种一个味道；中间会插进副词，远近不一定。读一个"
      "词，猜下一个。有的谁也猜不准；有的一定猜得对，只要看对地方：",
      "All sentences are like this one, word for word from the Chinese: {} There are 5 persons "
      "and 8 foods of one taste each; adverbs vary the distances. After each word, tell the next. "
      "Some nobody can know; others are certain for who looks at the right place:",
      fmt::join(words.begin() + 1, words.end(), " "));
  std::vector<Row> rows{{in("读到", "read up to"), in("链接到", "link to"), in("下一个", "next")}};
  const Tokens sentence({1, Size(ids.size())}, ids);
  const GrammarLinks links = Grammar::links(sentence);
  for (const auto& [row, q, k] : {links.food[0], links.food[1], links.taste[0], links.taste[1]})
    rows.push_back(
        {fmt::format("{} {}", q, words[q]), fmt::format("{} {}", k, words[k]), words[q + 1]});
  table(rows);
  const Batch test = grammar.unseen(512);
  const double floor = grammar.floor(test);
  say("最简单的句式有 11 个词元，只有人和食物说不准：(ln 5 + ln 8) / 11 = {:.5f}。整门语言照样算得"
      "出：512 句没见过的，每个词元的损失最低 {:.4f}。还要低，一定是偷看了答案。",
      "The plain form has 11 tokens, person and food in doubt: (ln 5 + ln 8) / 11 = {:.5f}. Of "
      "all forms, 512 unseen sentences have a floor of {:.4f} a token. Below it, answers leaked.",
      Grammar({.polarity = false, .adverbs = false, .two_clauses = false}).entropy(), floor);
  const Transformer model = train(grammar, 2, 4, 1000, 32);
  const auto loss_of = [&](const auto& m) {
    return cross_entropy(m(test.input), test.targets).item();
  };
  const double whole = loss_of(model);
  claim("没见过的句子，损失高出下限", "unseen, loss above the floor", whole - floor, at_most(0.02));
  claim("不会低于下限", "never below the floor", whole - floor, at_least(0));

  section("谁在看哪里", "Who looks where");
  say("每个头在这些链接上放了多少权重？没见过的 512 句，取平均：",
      "How much weight does each head put on such links? The mean of 512 unseen sentences:");
  const GrammarLinks all = Grammar::links(test.input);
  const Tensors maps = attention_maps(model, test.input);  // (B, H, T, T), one for each layer
  const Tensor food = link_scores(maps, all.food), taste = link_scores(maps, all.taste);
  const Row layers{in("第 1 层", "layer 1"), in("第 2 层", "layer 2")};
  show(in("四个头，在食物链接上的权重", "four heads, weight on food links"), food, layers, {}, 2);
  show(in("在味道链接上的权重", "weight on taste links"), taste, layers, {}, 2);
  const auto name = [&](int head) {
    return fmt::format("{}{}{}", layers[head / 4], in("的头 ", " head "), head % 4 + 1);
  };
  const int finder = argmax(reshape(food, {8}), 0).ids[0];  // 0 to 3 in layer 1, 4 to 7 in layer 2
  const int taster = argmax(reshape(taste, {8}), 0).ids[0];
  const Tensor looks = attention_maps(model, sentence)[finder / 4];  // (1, 4, T, T)
  draw::Heatmap heat{.rows = words, .columns = words, .title = name(finder)};
  heat.values = mean(slice(looks, 1, finder % 4, finder % 4 + 1), {0, 1});
  heat.row_name = in("谁在看", "query"), heat.column_name = in("看谁", "key");
  picture("food", heat);
  claim("看食物最准的头，权重", "the food head, weight", max(food).item(), at_least(0.5));
  article("像侦探分工，各查一种关系", "like detectives, each has one relation to follow",
          loosely_put("一种关系常有几个头在查", "often several heads follow the same one"));

  section("看了有用吗", "Does it matter?");
  say("去掉一个头：它在 W_O 里的那几行清零，别的不动。看食物最准的是{}，看味道最准的是{}。",
      "Without a head, its rows of W_O are zero. Best at food is {}, best at taste {}.",
      name(finder), name(taster));
  draw::BarChart chart{.levels = {{in("一个不去", "all heads"), whole}}};
  chart.value_name = in("去掉这个头，损失是", "loss without this head");
  std::vector<real> losses;
  for (int head = 0; head < 8; ++head) {
    losses.push_back(loss_of(without_head(model, head / 4, head % 4)));
    chart.bars.push_back({name(head), losses[head], head == finder});
  }
  show(chart.value_name, from_values(losses, {2, 4}), layers, {}, 3);
  save("ablation", draw::render(chart));
  claim("去掉看食物的头，损失涨", "food head gone, loss up", losses[finder] - whole,
        at_least(0.02));
  claim("去掉最闲的头，损失涨", "idlest head gone, loss up",
        *std::min_element(losses.begin(), losses.end()) - whole, at_most(0.01));
  claim("去掉看味道的头，味道仍说对", "taste head gone, tastes still right",
        right(without_head(model, taster / 4, taster % 4), test, all.taste), at_least(0.9));
  article("权重就是词的重要程度", "a weight says how important a word is",
          loosely_put("它只说看了哪里，没说要紧", "it says where one looks, no more"));

  section("归纳", "Induction");
  say("f k … a b … f：下面该是 k。谁跟着谁，每条都不同，背不下来。要走两步：第 1 层，k 记下前面是 "
      "f；第 2 层，后来的 f 凭这个找到 k。一层不够。说对的份额：",
      "f k … a b … f: next comes k. Who follows whom is new each time. It takes two steps: in "
      "layer 1, k notes that f came before; in layer 2, the later f finds k by that. Share right:");
  const Induction induction;
  const Batch riddles = induction.unseen(512);
  const auto answers = induction.answer_links(riddles.input);
  const Transformer one = train(induction, 1, 2, 600, 64), two = train(induction, 2, 2, 600, 64);
  const Tensor on_answers = link_scores(attention_maps(two, riddles.input), answers);
  show(in("两个头，在答案上的权重", "two heads, weight on the answer"), on_answers, layers, {}, 2);
  claim("归纳，一层", "induction, one layer", right(one, riddles, answers), at_most(0.25));
  claim("归纳，两层", "induction, two layers", right(two, riddles, answers), at_least(0.95));
  say("练习：在一堆权重里找出那个头。下一课：一个读，一个写，两摞层怎样合作？",
      "The exercise: find the head. Next, lesson 16: one stack reads, another writes.");
  return end();
}
