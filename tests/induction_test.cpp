// Induction: what its sequences are, what one layer can know at best, and that two layers can more.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "attention/nn/heads.hpp"
#include "attention/nn/module.hpp"
#include "attention/tasks/induction.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/ops.hpp"
#include "attention/train/optimizer.hpp"

using namespace attention;
using Catch::Contains;

namespace {

constexpr InductionForm small{.letters = 12, .pairs = 5, .asked = 3};

struct Row {
  Sequence input, targets;
};

std::vector<Row> rows(const Batch& batch) {
  std::vector<Row> result;
  const Size length = batch.input.shape[1];
  for (Size begin = 0; begin < batch.input.shape.count(); begin += length) {
    const auto part = [&](const Tokens& tokens) {
      return Sequence(tokens.ids.begin() + begin, tokens.ids.begin() + begin + length);
    };
    result.push_back({part(batch.input), part(batch.targets)});
  }
  return result;
}

double share_right(const Transformer& model, const Batch& batch) {
  const NoGrad no_grad;
  const Tokens answers = argmax(model(batch.input), -1);
  double right = 0, scored = 0;
  for (std::size_t i = 0; i < answers.ids.size(); ++i) {
    if (batch.targets.ids[i] == -1) continue;
    ++scored;
    right += answers.ids[i] == batch.targets.ids[i];
  }
  return right / scored;
}

Transformer trained(const Induction& task, int layers, int steps) {
  Random random(1);
  Transformer model({.vocabulary = task.alphabet().size(),
                     .context = task.context(),
                     .channels = 32,
                     .heads = 2,
                     .layers = layers,
                     .causal = true},
                    random);
  const NamedTensors weights = parameters(model);
  Adam adam(weights);
  for (int step = 1; step <= steps; ++step) {
    const Batch batch = task.batch(64, random);
    backward(cross_entropy(model(batch.input), batch.targets));
    clip_gradients(weights, 1);
    adam.step(real(4e-3) * std::min(real(1), static_cast<real>(step) / 50));
    clear_gradients(weights);
  }
  return model;
}

}  // namespace

TEST_CASE("each scored letter stood behind the only earlier occurrence of the letter before it") {
  for (const InductionForm& form : {small, InductionForm{}}) {
    const Induction task(form);
    Random random(1);
    for (const Batch& batch : {task.batch(40, random), task.unseen(30)}) {
      CHECK(batch.input.shape[1] == 2 * (form.pairs + form.asked) - 1);
      for (const auto& [input, targets] : rows(batch)) {
        int scored = 0;
        for (std::size_t t = 0; t < input.size(); ++t) {
          const auto earlier = std::count(input.begin(), input.begin() + Size(t), input[t]);
          const bool second_of_first = earlier == 1 && t % 2 == 0;
          CHECK((targets[t] != -1) == second_of_first);
          if (targets[t] == -1) continue;
          ++scored;
          const auto first = std::find(input.begin(), input.end(), input[t]) - input.begin();
          CHECK(targets[t] == input[first + 1]);
          if (t + 1 < input.size()) CHECK(targets[t] == input[t + 1]);
        }
        CHECK(scored == form.asked);
        CHECK(std::set<int>(input.begin(), input.end()).size() == std::size_t(2 * form.pairs));
      }
    }
  }
}

TEST_CASE("the distance back varies, and no letter is likelier to follow than another") {
  const Induction task(small);
  Random random(2);
  std::map<Size, int> distances, answers;
  const Batch batch = task.batch(4000, random);
  for (const AttentionLink& link : task.answer_links(batch.input)) {
    ++distances[link.query - link.key];
    ++answers[batch.targets.ids[link.row * 15 + link.query]];
  }
  CHECK(distances.size() == 7);  // 1, 3, … 13
  for (const auto& [distance, count] : distances) CHECK(count < 0.25 * 12000);
  for (const auto& [letter, count] : answers) CHECK(count == Approx(1000).margin(150));
}

TEST_CASE("training and unseen sequences are told apart by their hash") {
  const Induction task;
  Random random(3);
  const auto whole = [](const Row& row) {
    Sequence sequence = row.input;
    sequence.push_back(row.targets.back());
    return sequence;
  };
  for (const Row& row : rows(task.batch(300, random))) CHECK_FALSE(is_set_apart(whole(row)));
  for (const Row& row : rows(task.unseen(300))) CHECK(is_set_apart(whole(row)));
  CHECK(task.unseen(9).input == task.unseen(9).input);
  CHECK(task.unseen(0).input.shape == Shape{0, 23});
}

TEST_CASE("links lead from the second A to the first B, and from there to the first A") {
  const Induction task({.letters = 8, .pairs = 3, .asked = 2});
  const Tokens input({1, 9}, task.alphabet().encode("abcdefefa"));
  CHECK(task.answer_links(input) == std::vector<AttentionLink>{{0, 6, 5}, {0, 8, 1}});
  CHECK(task.previous_links(input) == std::vector<AttentionLink>{{0, 5, 4}, {0, 1, 0}});
}

TEST_CASE("who knows the letters but not their order is right once in as many as are left") {
  const Induction task({.letters = 8, .pairs = 3, .asked = 2});  // of 3, then of 2
  const Batch judged = task.unseen(1);
  CHECK(task.expected_loss(judged)[0].value == 0);
  CHECK(task.expected_loss(judged)[1].value == Approx((std::log(3) + std::log(2)) / 2));
  CHECK(task.expected_loss(judged)[2].value == Approx(std::log(8)));
  CHECK(task.expected_accuracy(true)[0].value == Approx((1 / 3.0 + 1 / 2.0) / 2));
  CHECK(task.expected_accuracy(true)[1].value == Approx(1 / 8.0));
}

TEST_CASE("two layers go on as it went before, one layer does not") {
  const Induction task({.letters = 16, .pairs = 5, .asked = 3});  // guessing: 0.26
  const Batch judged = task.unseen(300);
  const Transformer one = trained(task, 1, 300), two = trained(task, 2, 300);
  CHECK(share_right(two, judged) > 0.9);
  CHECK(share_right(one, judged) < 0.6);
  const Tensor found =
      link_scores(attention_maps(two, judged.input), task.answer_links(judged.input));
  CHECK(std::max(found.at({1, 0}), found.at({1, 1})) > 0.5);  // layer 2 looks at the answer
}

TEST_CASE("sequences that cannot be made are refused") {
  CHECK_THROWS_WITH(Induction({.letters = 9, .pairs = 5, .asked = 2}), Contains("5 pairs"));
  CHECK_THROWS_WITH(Induction({.letters = 9, .pairs = 4, .asked = 4}), Contains("but not all"));
  CHECK_THROWS_WITH(Induction({.letters = 9, .pairs = 4, .asked = 0}), Contains("1 or more"));
  CHECK_THROWS_WITH(Induction({.letters = 53}), Contains("53 letters"));
  CHECK_THROWS_WITH(find_task("induction").make({.text_file = "x"}), Contains("leave out --text"));
  CHECK_THROWS_WITH(find_task("induction").make({.context = 9}), Contains("a context of 9 does"));
  CHECK(find_task("induction").make({.context = 23})->context() == 23);
}
