// Choosing the next token, and writing with a model: what is chosen how often, and what is refused.
#include <cmath>
#include <map>

#include "attention/core/error.hpp"
#include "attention/nn/generate.hpp"
#include "attention/tensor/ops.hpp"
#include "tensor_test.hpp"

using namespace attention;
using Catch::Matchers::Equals;

namespace {

int choose_from(const std::vector<real>& logits, const GenerateOptions& options, Random& random) {
  return choose(logits.data(), Size(logits.size()), options, random);
}

// How often each id is chosen, as a share.
std::map<int, double> shares(const std::vector<real>& logits, const GenerateOptions& options) {
  constexpr int times = 20000;
  Random random(3);
  std::map<int, double> share;
  for (int i = 0; i < times; ++i) share[choose_from(logits, options, random)] += 1. / times;
  return share;
}

// ln 1, ln 2, ln 3, ln 4: chosen in the proportions 3 : 1 : 4 : 2.
std::vector<real> proportions() {
  return {std::log(real(3)), 0, std::log(real(4)), std::log(real(2))};
}

const double five_deviations = 5 * std::sqrt(0.25 / 20000);

Transformer make(bool causal = true, Size context = 5) {
  Random random(1);
  return Transformer({.vocabulary = 11,
                      .context = context,
                      .channels = 6,
                      .heads = 3,
                      .layers = 1,
                      .causal = causal},
                     random);
}

}  // namespace

TEST_CASE("a temperature of 0 takes the likeliest token, the lowest id among equals") {
  Random random(1);
  for (int top_k : {0, 1, 2, 9}) {
    const GenerateOptions greedy{.temperature = 0, .top_k = top_k};
    for (int i = 0; i < 20; ++i) {
      CHECK(choose_from({1, 3, 2}, greedy, random) == 1);
      CHECK(choose_from({1, 3, 2, 3, 3}, greedy, random) == 1);
      CHECK(choose_from({0, 0, 0}, greedy, random) == 0);
    }
  }
}

TEST_CASE("choosing among one is greedy, at any temperature") {
  Random random(1);
  for (real temperature : {real(0.1), real(1), real(100)})
    for (int i = 0; i < 20; ++i) {
      CHECK(choose_from({1, 3, 2}, {.temperature = temperature, .top_k = 1}, random) == 1);
      CHECK(choose_from({2, 2, 2}, {.temperature = temperature, .top_k = 1}, random) == 0);
      CHECK(choose_from({5}, {.temperature = temperature}, random) == 0);
    }
}

TEST_CASE("at temperature 1 tokens come as often as the softmax says") {
  for (int top_k : {0, 4, 1000}) {  // none of these leaves any out
    auto share = shares(proportions(), {.top_k = top_k});
    for (int id = 0; id < 4; ++id)
      CHECK(share[id] == Approx(std::vector{.3, .1, .4, .2}[id]).margin(five_deviations));
  }
}

TEST_CASE("the temperature divides the logits") {
  auto share = shares(proportions(), {.temperature = real(0.5)});  // squares: 9 : 1 : 16 : 4
  for (int id = 0; id < 4; ++id)
    CHECK(share[id] == Approx(std::vector{9, 1, 16, 4}[id] / 30.).margin(five_deviations));
}

TEST_CASE("only the top k are chosen, in their proportions") {
  auto share = shares(proportions(), {.top_k = 2});
  CHECK(share.size() == 2);
  CHECK(share[2] == Approx(4 / 7.).margin(five_deviations));
  CHECK(share[0] == Approx(3 / 7.).margin(five_deviations));
  const auto tied = shares({1, 1, 1}, {.top_k = 2});  // of equals, the lowest ids
  CHECK(tied.size() == 2);
  CHECK(tied.count(2) == 0);
}

TEST_CASE("large logits and impossible tokens are no trouble") {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    CHECK(choose_from({real(1e30), 0, real(-1e30)}, {}, random) == 0);
    CHECK(choose_from({-infinity, 2, -infinity}, {}, random) == 1);
    CHECK(choose_from({1, 2, 1}, {.temperature = real(1e-30)}, random) == 1);
  }
  for (real far : {real(-1000), real(1000)})  // beyond what exp can hold
    CHECK(shares({far, far}, {})[0] == Approx(0.5).margin(five_deviations));
}

TEST_CASE("a model goes on from the prompt, and the same seed writes the same") {
  const Transformer model = make();
  const std::vector<int> prompt{3, 1, 4};
  auto write = [&](int seed) {
    Random random(seed);
    return generate(model, prompt, 20, {}, random);
  };
  const std::vector<int> text = write(1);
  REQUIRE(text.size() == 23);
  CHECK(std::vector<int>(text.begin(), text.begin() + 3) == prompt);
  for (int id : text) CHECK((id >= 0 && id < 11));
  CHECK(write(1) == text);
  CHECK(write(2) != text);
  Random random(1);
  CHECK(generate(model, prompt, 0, {}, random) == prompt);
}

TEST_CASE("each new token is the likeliest after the last tokens that fit the context") {
  const Transformer model = make();
  Random random(1);
  const std::vector<int> text =
      generate(model, {1, 2, 3, 4, 5, 6, 7, 8}, 6, {.temperature = 0}, random);
  REQUIRE(text.size() == 14);
  for (std::size_t i = 8; i < text.size(); ++i) {
    const std::vector<int> seen(text.begin() + i - 5, text.begin() + i);
    const Tokens likeliest = argmax(model(Tokens({1, 5}, seen)), -1);
    CHECK(text[i] == likeliest.ids[4]);
  }
  const std::vector<int> short_text = generate(model, {9, 10}, 1, {.temperature = 0}, random);
  CHECK(short_text[2] == argmax(model(Tokens({1, 2}, {9, 10})), -1).ids[1]);
}
