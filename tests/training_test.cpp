// Training runs: the guards that catch a wrong model which learns all the same (first loss, one
// batch overfitted, held-out loss above its floor), threads, micro-batches, memory. Most
// models here are so small that one thread is best: where others keep the processors busy, waiting
// for a second one takes longer than the work.
#include <cmath>

#include "attention/core/memory.hpp"
#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "tensor_test.hpp"

using namespace attention;

namespace {

Tokens random_tokens(const Shape& shape, Size vocabulary, Random& random) {
  std::vector<int> ids;
  for (Size i = 0; i < shape.count(); ++i)
    ids.push_back(static_cast<int>(random.below(vocabulary)));
  return Tokens(shape, ids);
}

// A text and what follows each of its tokens.
struct Text {
  Tokens input, next;
};

Text random_text(Size batch, Size length, Size vocabulary, Random& random) {
  const Tokens whole = random_tokens({batch, length + 1}, vocabulary, random);
  std::vector<int> input, next;
  for (Size b = 0; b < batch; ++b)
    for (Size t = 0; t < length; ++t) {
      input.push_back(whole.ids[b * (length + 1) + t]);
      next.push_back(whole.ids[b * (length + 1) + t + 1]);
    }
  return {Tokens({batch, length}, input), Tokens({batch, length}, next)};
}

Transformer make(const TransformerConfig& config, int seed = 1) {
  Random random(seed);
  return Transformer(config, random);
}

}  // namespace

TEST_CASE("the first loss is about ln V") {
  const Threads single(1);
  struct Sizes {
    Size channels, vocabulary;
  };
  for (const auto& [channels, vocabulary] : {Sizes{16, 11}, Sizes{64, 97}, Sizes{256, 29}})
    for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post})
      for (bool tied : {false, true}) {
        const Transformer model = make({.vocabulary = vocabulary,
                                        .context = 16,
                                        .channels = channels,
                                        .layers = 1,
                                        .causal = true,
                                        .tied = tied,
                                        .norm = norm});
        Random random(2);
        const auto [input, next] = random_text(8, 16, vocabulary, random);
        INFO("C = " << channels << ", V = " << vocabulary << ", tied " << tied << ", norm "
                    << to_string(norm));
        CHECK(cross_entropy(model(input), next).item() ==
              Approx(std::log(double(vocabulary))).epsilon(0).margin(0.1));
      }
}

TEST_CASE("one batch can be overfitted") {
  const Threads single(1);
  for (bool tied : {false, true})
    for (NormPlacement norm : {NormPlacement::pre, NormPlacement::post}) {
      const Transformer model = make({.vocabulary = 7,
                                      .context = 5,
                                      .channels = 16,
                                      .heads = 2,
                                      .layers = 1,
                                      .tied = tied,
                                      .norm = norm});
      Random random(3);
      const auto [input, next] = random_text(4, 5, 7, random);
      const NamedTensors weights = parameters(model);
      Adam adam(weights);
      double loss = 1;
      int step = 0;
      for (; step < 1000 && loss > 1e-3; ++step) {
        const Tensor now = cross_entropy(model(input), next);
        loss = now.item();
        backward(now);
        adam.step(real(0.02));
        clear_gradients(weights);
      }
      INFO("tied " << tied << ", norm " << to_string(norm) << ", " << step << " steps");
      CHECK(loss <= 1e-3);
    }
}

TEST_CASE("the loss on unseen noise stays above ln V, unless the model looks ahead") {
  const Threads single(1);
  for (bool causal : {true, false}) {
    const Size V = 5;
    const Transformer model = make({.vocabulary = V,
                                    .context = 6,
                                    .channels = 16,
                                    .heads = 2,
                                    .layers = 1,
                                    .causal = causal,
                                    .positions = PositionKind::learned});
    const NamedTensors weights = parameters(model);
    Adam adam(weights);
    for (int step = 1; step <= 100; ++step) {
      Random random(4, step);
      const auto [input, next] = random_text(16, 6, V, random);
      backward(cross_entropy(model(input), next));
      adam.step(real(0.02));
      clear_gradients(weights);
    }
    Random random(4, 0);
    const auto [input, next] = random_text(1000, 6, V, random);
    const double loss = cross_entropy(model(input), next).item();
    if (causal) {  // less a little: 6000 tokens of noise are not quite even
      CHECK(loss > std::log(5) - 0.01);
      CHECK(loss < std::log(5) + 0.1);
    } else {
      CHECK(loss < std::log(5) / 2);
    }
  }
}

TEST_CASE("micro-batches divided by all scored tokens give the gradients of the whole batch") {
  const Transformer model = make({.vocabulary = 7, .context = 4, .channels = 6, .heads = 3});
  Random random(5);
  const Tokens ids = random_tokens({3, 4}, 7, random);
  // Seven tokens are scored: one in the first micro-batch, six in the second.
  const std::vector<int> targets{-1, -1, 2, -1, 0, 6, 5, -1, 4, 4, 3, -1};
  const NamedTensors weights = parameters(model);

  const Tensor whole = cross_entropy(model(ids), Tokens({3, 4}, targets));
  backward(whole);
  Tensors expected;
  for (const auto& [name, tensor] : weights) expected.push_back(tensor.grad());
  clear_gradients(weights);

  double loss = 0;
  for (Size begin : {0, 1}) {  // the first sequence, then the other two
    const Size end = begin == 0 ? 1 : 3;
    auto part = [&](const std::vector<int>& all) {
      return Tokens({end - begin, 4},
                    std::vector<int>(all.begin() + begin * 4, all.begin() + end * 4));
    };
    const Tensor share = cross_entropy(model(part(ids.ids)), part(targets), {.over = 7});
    loss += share.item();
    backward(share);
  }
  CHECK(loss == Approx(whole.item()).epsilon(16 * eps));
  for (std::size_t k = 0; k < weights.size(); ++k) {
    INFO(weights[k].name);
    for (Size i = 0; i < expected[k].count(); ++i)
      CHECK(weights[k].tensor.grad().data()[i] ==
            Approx(expected[k].data()[i]).epsilon(64 * eps).margin(16 * eps));
  }
}

TEST_CASE("a run gives the same bits with any number of threads") {
  if (!threads_available()) return;
  // Large enough that products, softmax, norms and activations are shared out.
  const Size B = 64, T = 24, C = 48, V = 60;
  REQUIRE(B * T * 4 * C * moving > parallel_threshold);
  auto run = [&](int count) {
    const Threads scope(count);
    const Transformer model =
        make({.vocabulary = V, .context = T, .channels = C, .causal = true, .dropout = real(0.1)});
    const NamedTensors weights = parameters(model);
    Adam adam(weights, {.decay = real(0.01)});
    std::vector<real> everything;
    for (int step = 1; step <= 2; ++step) {
      Random random(6, step);
      const auto [input, next] = random_text(B, T, V, random);
      const Training training(random);
      const Tensor loss = cross_entropy(model(input), next);
      everything.push_back(loss.item());
      backward(loss);
      everything.push_back(clip_gradients(weights, real(0.5)));
      adam.step(real(0.01));
      clear_gradients(weights);
    }
    for (const auto& [name, tensor] : weights) {
      const std::vector<real> v = values(tensor);
      everything.insert(everything.end(), v.begin(), v.end());
    }
    return everything;
  };
  const std::vector<real> one = run(1);
  for (int count : {1, 2, 4, 4}) CHECK((run(count) == one));
}

TEST_CASE("a step leaves no node behind, and soon asks for no more memory") {
  const Threads single(1);
  const auto before = live_nodes();
  {
    const Transformer model = make({.vocabulary = 13,
                                    .context = 6,
                                    .channels = 12,
                                    .heads = 3,
                                    .causal = true,
                                    .dropout = real(0.1)});
    const NamedTensors weights = parameters(model);
    CHECK(live_nodes() == before + weights.size() + 1);  // and the table of sinusoids
    Sgd sgd(weights);
    const auto steady = live_nodes();  // with the optimizer's own
    std::uint64_t allocations = 0;
    for (int step = 1; step <= 60; ++step) {
      Random random(7, step);
      const auto [input, next] = random_text(4, 6, 13, random);
      {
        const Training training(random);
        backward(cross_entropy(model(input), next));
      }
      sgd.step(real(0.05));
      clear_gradients(weights);
      REQUIRE(live_nodes() == steady);
      if (step == 5) allocations = system_allocations();
    }
    CHECK(system_allocations() == allocations);
  }
  CHECK(live_nodes() == before);
}
