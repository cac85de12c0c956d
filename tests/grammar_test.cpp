// The grammar of 小明: what its sentences are, how likely each is, and where a model has to look.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "attention/nn/heads.hpp"
#include "attention/nn/module.hpp"
#include "attention/tasks/grammar.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "attention/train/optimizer.hpp"

using namespace attention;
using Catch::Contains;
using Links = std::vector<AttentionLink>;

namespace {

const GrammarForm plain{.polarity = false, .adverbs = false, .two_clauses = false};

std::vector<Sequence> rows(const Batch& batch) {  // the sentences, with both marks
  std::vector<Sequence> result;
  const Size length = batch.input.shape[1];
  for (Size begin = 0; begin < batch.input.shape.count(); begin += length) {
    result.push_back({batch.input.ids[begin]});
    for (Size t = begin; t < begin + length && batch.targets.ids[t] != -1; ++t)
      result.back().push_back(batch.targets.ids[t]);
  }
  return result;
}

double surprise(const Grammar& grammar, const std::string& sentence) {
  return grammar.surprise(grammar.alphabet().encode("|" + sentence + "|"));
}

}  // namespace

TEST_CASE("the plain form has 40 sentences and a floor of (ln 5 + ln 8) / 11") {
  const Grammar grammar(plain);
  const auto all = grammar.sentences();
  CHECK(std::set<Sequence>(all.begin(), all.end()).size() == 40);
  CHECK(all.size() == 40);
  CHECK(grammar.context() == 11);
  CHECK(grammar.alphabet().decode(all[0]) == "|小明喜欢吃苹果，因为苹果很甜。|");
  CHECK(grammar.alphabet().decode(all[39]) == "|老王喜欢吃咸菜，因为咸菜很咸。|");
  CHECK(grammar.entropy() == Approx(0.3353526).epsilon(1e-6));
  CHECK(grammar.floor(grammar.padded(all)) == Approx((std::log(5) + std::log(8)) / 11));
}

TEST_CASE("each choice of a form adds what it should to the entropy") {
  const double names = std::log(5) + std::log(8);
  GrammarForm form = plain;
  form.polarity = true;
  CHECK(Grammar(form).entropy() == Approx((names + std::log(2)) / 11));
  // Adverbs: one of 4, of 3 and of 3, nothing being one; so 3/4 + 2/3 + 2/3 more words.
  form = plain;
  form.adverbs = true;
  CHECK(Grammar(form).entropy() ==
        Approx((names + std::log(36)) / (11 + 3 / 4.0 + 2 / 3.0 + 2 / 3.0)));
  // A second clause, every other time: ， 不喜欢 吃 F … ， F 很 T are 8 words, F one of 7.
  form = plain;
  form.two_clauses = true;
  CHECK(Grammar(form).entropy() ==
        Approx((names + std::log(2) + std::log(7) / 2) / (11 + 8 / 2.0)));
  CHECK(Grammar(form).sentences().size() == 5 * (8 + 56));
}

TEST_CASE("the whole grammar: probabilities of all sentences add up to 1, and give the entropy") {
  const Grammar grammar;
  const auto all = grammar.sentences();
  CHECK(all.size() == 5 * 2 * 4 * 3 * 3 * (8 + 56 * 3));
  CHECK(std::set<Sequence>(all.begin(), all.end()).size() == all.size());
  double sum = 0, nats = 0, tokens = 0;
  std::size_t longest = 0;
  for (const Sequence& sentence : all) {
    const double s = grammar.surprise(sentence), p = std::exp(-s);
    sum += p, nats += p * s, tokens += p * double(sentence.size() - 1);
    longest = std::max(longest, sentence.size());
  }
  CHECK(sum == Approx(1));
  CHECK(grammar.entropy() == Approx(nats / tokens));
  CHECK(std::size_t(grammar.context()) == longest - 1);
}

TEST_CASE("the surprise of a sentence is that of its choices, and what is no sentence is refused") {
  const Grammar grammar;
  // Person, adverb, polarity, food, one clause or two, then two more adverbs; or a second food.
  CHECK(surprise(grammar, "小明喜欢吃苹果，因为苹果很甜。") ==
        Approx(std::log(5 * 4 * 2 * 8 * 2 * 3 * 3)));
  CHECK(surprise(grammar, "老王从小不喜欢吃柠檬，喜欢吃辣椒，因为听说柠檬总是很酸，辣椒很辣。") ==
        Approx(std::log(5 * 4 * 2 * 8 * 2 * 7 * 3 * 3 * 3)));
  for (const char* wrong :
       {"小明喜欢吃苹果，因为苹果很酸。", "小明喜欢吃苹果，因为柠檬很酸。",
        "小明喜欢吃苹果，喜欢吃柠檬，因为苹果很甜，柠檬很酸。", "喜欢吃苹果，因为苹果很甜。",
        "小明喜欢吃苹果，不喜欢吃苹果，因为苹果很甜，苹果很甜。", "小明", ""}) {
    INFO(wrong);
    CHECK_THROWS_WITH(surprise(grammar, wrong), Contains("is no sentence of this form"));
  }
  CHECK_THROWS_WITH(
      surprise(Grammar(plain), "小明一直喜欢吃苹果，因为苹果很甜。"),
      "grammar: \"|小明一直喜欢吃苹果，因为苹果很甜。|\" is no sentence of this form");
  CHECK_THROWS_WITH(grammar.padded({Sequence(25, 0)}), Contains("a sentence of 25 tokens"));
}

TEST_CASE("a sentence fills its row, and the rest has no target") {
  const Grammar grammar(plain);
  const auto all = Grammar().sentences();
  const Batch batch = grammar.padded({grammar.sentences()[0]});
  CHECK(grammar.alphabet().decode(batch.input.ids) == "|小明喜欢吃苹果，因为苹果很甜。");
  CHECK(grammar.alphabet().decode(batch.targets.ids) == "小明喜欢吃苹果，因为苹果很甜。|");
  const Batch wide = Grammar().padded({grammar.sentences()[0]});
  CHECK(wide.input.shape == Shape{1, 23});
  CHECK(std::count(wide.targets.ids.begin(), wide.targets.ids.end(), -1) == 12);
  CHECK(wide.targets.ids[10] == 0);
  CHECK(wide.targets.ids[11] == -1);
}

TEST_CASE("training and unseen sentences never meet, and both are drawn as likely as they are") {
  for (const GrammarForm& form : {plain, GrammarForm{}}) {
    const Grammar grammar(form);
    Random random(1);
    std::set<Sequence> trained;
    for (const Sequence& sentence : rows(grammar.batch(4000, random))) {
      CHECK_NOTHROW(grammar.surprise(sentence));
      CHECK_FALSE(is_set_apart(sentence));
      trained.insert(sentence);
    }
    for (const Sequence& sentence : rows(grammar.unseen(1000))) {
      CHECK(is_set_apart(sentence));
      CHECK_FALSE(trained.contains(sentence));
    }
    CHECK(grammar.unseen(7).input.shape == Shape{7, grammar.context()});
    CHECK(grammar.unseen(7).input == grammar.unseen(7).input);
    CHECK(grammar.batch(0, random).input.shape == Shape{0, grammar.context()});
  }
  const Grammar grammar;
  Random random(2);
  double two = 0, xiaoming = 0, said = 0;
  for (const Sequence& sentence : rows(grammar.batch(8000, random))) {
    const std::string text = grammar.alphabet().decode(sentence);
    two += text.find("欢") != text.rfind("欢");
    xiaoming += text.find("小明") != text.npos;
    said += text.find("听说") != text.npos;
  }
  CHECK(two / 8000 == Approx(1 / 2.0).margin(0.03));
  CHECK(xiaoming / 8000 == Approx(1 / 5.0).margin(0.02));
  CHECK(said / 8000 == Approx(1 / 3.0).margin(0.025));
}

TEST_CASE("the floor of judged sentences is the mean of -log p, beside the entropy and guessing") {
  const Grammar grammar;
  const Batch judged = grammar.unseen(300);
  double nats = 0, tokens = 0;
  for (const Sequence& sentence : rows(judged))
    nats += grammar.surprise(sentence), tokens += double(sentence.size() - 1);
  const auto expected = grammar.expected_loss(judged);
  REQUIRE(expected.size() == 3);
  CHECK(expected[0].name == "floor");
  CHECK(expected[0].value == Approx(nats / tokens));
  CHECK(expected[1].value == grammar.entropy());
  CHECK(expected[2].value == Approx(std::log(grammar.alphabet().size())));
  CHECK(grammar.floor(grammar.unseen(0)) == 0);
}

TEST_CASE("words that were joined come apart again") {
  const Grammar grammar;
  for (const Sequence& sentence : rows(grammar.unseen(200)))
    CHECK(grammar.alphabet().encode(grammar.alphabet().decode(sentence)) == sentence);
}

TEST_CASE("links lead from the predicting position to where the answer stands") {
  const Grammar grammar;
  const auto links_of = [&](const std::string& text) {
    const Sequence ids = grammar.alphabet().encode(text);
    return Grammar::links(Tokens({1, static_cast<Size>(ids.size())}, ids));
  };
  // 0 |  1 小明  2 喜欢  3 吃  4 苹果  5 ，  6 因为  7 苹果  8 很  9 甜
  const auto plain_links = links_of("|小明喜欢吃苹果，因为苹果很甜。");
  CHECK(plain_links.food == Links{{0, 6, 4}});
  CHECK(plain_links.taste == Links{{0, 8, 7}});
  // 0 |  1 老王  2 从小  3 不喜欢  4 吃  5 柠檬  6 ，  7 喜欢  8 吃  9 辣椒  10 ，  11 因为
  // 12 听说  13 柠檬  14 总是  15 很  16 酸  17 ，  18 辣椒  19 很  20 辣
  const auto two = links_of("|老王从小不喜欢吃柠檬，喜欢吃辣椒，因为听说柠檬总是很酸，辣椒很辣。");
  CHECK(two.food == Links{{0, 12, 5}, {0, 17, 9}});
  CHECK(two.taste == Links{{0, 15, 13}, {0, 19, 18}});
  // Of a batch, each row has its own; and a part of a sentence has the links that are there.
  const Batch batch =
      grammar.padded({grammar.alphabet().encode("|小红喜欢吃火锅，因为火锅很辣。|"),
                      grammar.alphabet().encode("|小丽喜欢吃咸菜，因为咸菜很咸。|")});
  CHECK(Grammar::links(batch.input).food == Links{{0, 6, 4}, {1, 6, 4}});
  CHECK(links_of("|小明喜欢吃苹果").food.empty());
  CHECK(links_of("很").taste.empty());
}

TEST_CASE("a small model comes near the floor of the plain form, and its heads find the links") {
  const Grammar grammar({.polarity = true, .adverbs = true, .two_clauses = false});
  Random random(3);
  Transformer model({.vocabulary = grammar.alphabet().size(),
                     .context = grammar.context(),
                     .channels = 32,
                     .heads = 2,
                     .causal = true},
                    random);
  const NamedTensors weights = parameters(model);
  Adam adam(weights);
  for (int step = 1; step <= 250; ++step) {
    const Batch batch = grammar.batch(16, random);
    backward(cross_entropy(model(batch.input), batch.targets));
    adam.step(real(3e-3));
    clear_gradients(weights);
  }
  const Batch judged = grammar.unseen(200);
  const double loss = cross_entropy(model(judged.input), judged.targets).item();
  CHECK(loss > grammar.floor(judged));
  CHECK(loss < grammar.floor(judged) + 0.1);
  const Tensor found =
      link_scores(attention_maps(model, judged.input), Grammar::links(judged.input).food);
  CHECK(max(found).item() > 0.4);  // of about 10 positions that are seen
}

TEST_CASE("the task grammar makes its own data, of one length") {
  CHECK(find_task("grammar").make({.context = 23})->context() == 23);
  CHECK_THROWS_WITH(find_task("grammar").make({.text_file = "x"}), Contains("leave out --text"));
  CHECK_THROWS_WITH(find_task("grammar").make({.context = 9}), Contains("a context of 9 does not"));
}
