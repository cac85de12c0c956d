// The check of exercise 14. The rules are tried on a few sequences; then small models are trained
// by them, and judged on every sequence there is.
#pragma once

#include <algorithm>
#include <set>

#include "attention/nn/module.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tasks/sequences.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/train/optimizer.hpp"
#include "exercises/exercise.hpp"

namespace exercise {

using AnswerRule = std::function<attention::Sequence(attention::Sequence)>;

// What a rule answers to several sequences, one after another, and how long each answer is.
inline attention::Tensor answers_of(const AnswerRule& rule) {
  std::vector<attention::real> all;
  for (const attention::Sequence& input :
       {attention::Sequence{3, 1, 4, 1, 5, 9, 2}, {2, 0, 1, 0}, {7, 7, 8}, {5}}) {
    const attention::Sequence answer = rule(input);
    all.push_back(static_cast<attention::real>(answer.size()));
    all.insert(all.end(), answer.begin(), answer.end());
  }
  return attention::from_values(all);
}

// The places of the digits in rising order, not the digits; or the place each digit moves to.
inline attention::Sequence places_in_order(const attention::Sequence& digits, bool turned_round) {
  attention::Sequence places(digits.size()), ranks(digits.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(i);
  std::stable_sort(places.begin(), places.end(),
                   [&](int a, int b) { return digits[a] < digits[b]; });
  for (std::size_t i = 0; i < places.size(); ++i) ranks[places[i]] = static_cast<int>(i);
  return turned_round ? ranks : places;
}

inline Diagnosis check_rule(const std::string& name, const AnswerRule& learner,
                            const AnswerRule& right, const std::vector<Mistake>& mistakes) {
  using namespace attention;
  bool untouched = false;
  Diagnosis diagnosis = diagnose(
      [&] {
        const Tensor answers = answers_of(learner);
        untouched = max(answers * answers).item() == 0;  // nothing is answered to anything
        return answers;
      },
      answers_of(right), mistakes);
  if (diagnosis.state != State::wrong) return diagnosis;
  if (untouched) return still_to_do({});
  // Whatever it was, the answer to one sequence says it best.
  try {
    const Sequence input{2, 0, 1, 0};
    const auto text = [](const Sequence& digits) {
      return fmt::format("{}", fmt::join(digits, " "));
    };
    const std::string given = text(learner(input)), wanted = text(right(input));
    if (given != wanted) {
      const std::string line =
          fmt::format("\n{}: {} -> {}  ({})", name, text(input), given, wanted);
      diagnosis.text.zh += line, diagnosis.text.en += line;
    }
  } catch (const std::exception&) {  // told already
  }
  return diagnosis;
}

inline Diagnosis check_sort(const AnswerRule& learner) {
  using attention::Sequence;
  const auto sorted = [](Sequence digits) {
    std::sort(digits.begin(), digits.end());
    return digits;
  };
  return check_rule(
      "sort", learner, sorted,
      {{answers_of([&](const Sequence& digits) {
          const Sequence rising = sorted(digits);
          return Sequence(rising.rbegin(), rising.rend());
        }),
        {"你是从大到小排的：要从小到大。", "You sorted from large to small; it is to rise."}},
       {answers_of([](Sequence digits) { return digits; }),
        {"答案和输入一样：排好的那一份没有被返回。看你排的是哪一份，返回的又是哪一份。",
         "The answer is the input: what you sorted is not what you return. Look which of the two "
         "is which."}},
       {answers_of([](const Sequence& digits) {
          const std::set<int> different(digits.begin(), digits.end());
          return Sequence(different.begin(), different.end());
        }),
        {"重复的数字丢了：答案比输入短。有几个 1，就要写几个 1。",
         "Repeated digits are lost, and the answer is shorter than the input. As many 1s come out "
         "as go in."}},
       {answers_of([](const Sequence& digits) { return places_in_order(digits, false); }),
        {"你答的是位置，不是数字：最小的数字在第几位。要的是那一位上的数字。",
         "You answer with places instead of digits: where the least one is, and so on. The digits "
         "that are there are wanted."}},
       {answers_of([](const Sequence& digits) { return places_in_order(digits, true); }),
        {"你答的是名次，不是数字：每个数字排第几。要的是排好的数字。",
         "You answer with ranks instead of digits: whether each is the first, the second and so "
         "on. The digits themselves are wanted, in order."}},
       {answers_of([](Sequence digits) {
          for (std::size_t i = 0; i + 1 < digits.size(); ++i)
            if (digits[i] > digits[i + 1]) std::swap(digits[i], digits[i + 1]);
          return digits;
        }),
        {"你只走了一趟，交换相邻的数：最大的到了最后，前面的还没有排好。",
         "You went through once, swapping neighbours: the largest has arrived at the end, the "
         "rest is not in order yet."}}});
}

inline Diagnosis check_shift(const AnswerRule& learner) {
  using attention::Sequence;
  // The digit at place i of the answer, from the digits and i.
  const auto from = [](const std::function<int(const Sequence&, int)>& digit) {
    return [digit](const Sequence& digits) {
      Sequence answer;
      for (int i = 0; i < static_cast<int>(digits.size()); ++i) answer.push_back(digit(digits, i));
      return answer;
    };
  };
  const auto shifted = [](Sequence digits) {
    std::rotate(digits.begin(), digits.end() - 1, digits.end());
    return digits;
  };
  return check_rule(
      "shift", learner, shifted,
      {{answers_of([](Sequence digits) {
          std::rotate(digits.begin(), digits.begin() + 1, digits.end());
          return digits;
        }),
        {"你是往左挪的：第一个绕到了最后。要往右：最后一个绕到最前。",
         "You moved to the left: the first went round to the end. To the right, the last goes "
         "round to the front."}},
       {answers_of(from([](const Sequence& d, int i) { return i == 0 ? 0 : d[i - 1]; })),
        {"没有绕回来：最前面补了一个 0，最后一个数字丢了。",
         "Nothing comes round: a 0 was put in front, and the last digit is lost."}},
       {answers_of(from([](const Sequence& d, int i) { return i == 0 ? d[0] : d[i - 1]; })),
        {"没有绕回来：第一个数字留在原处又写了一遍，最后一个丢了。",
         "Nothing comes round: the first digit stays and is written twice, the last is lost."}},
       {answers_of([](Sequence digits) {
          digits.pop_back();
          return digits;
        }),
        {"最后一个数字丢了：答案要和输入一样长，它该绕到最前面。",
         "The last digit is lost: the answer is as long as the input, and that digit goes to the "
         "front."}},
       {answers_of(from([](const Sequence& d, int i) { return i == 0 ? d.back() : d[0]; })),
        {"你在原地从前往后挪，后面的还没读就被盖掉了：除了最前面，全成了第一个数字。",
         "You moved in place from the front: digits are overwritten before they are read, and all "
         "but the front one have become the first."}},
       {answers_of(from([](const Sequence& d, int) { return d[0]; })),
        {"你在原地从前往后挪，后面的还没读就被盖掉了：全成了第一个数字。",
         "You moved in place from the front: digits are overwritten before they are read, and all "
         "have become the first."}},
       {answers_of([](Sequence digits) { return digits; }),
        {"答案和输入一样：什么也没有挪。", "The answer is the input: nothing has moved."}},
       {answers_of(from([](const Sequence& d, int i) { return (d[i] + 1) % 10; })),
        {"你挪的是数值，不是位置：每个数字加了 1。",
         "You moved the values instead of the places: each digit has grown by 1."}},
       {answers_of([](const Sequence& digits) { return Sequence(digits.rbegin(), digits.rend()); }),
        {"这是 reverse：整条倒了过来。", "This is reverse: all of it is turned round."}}});
}

// The share of right tokens, over all 729 inputs, of a one-layer model trained by the rule.
inline double learn_rule(const attention::SequenceRule& rule, attention::PositionKind positions) {
  using namespace attention;
  const auto task = make_sequences(rule);
  Random random(1);
  const Transformer model(
      {.vocabulary = 3, .context = rule.length, .layers = 1, .positions = positions}, random);
  Adam adam(parameters(model));
  for (int step = 1; step <= 300; ++step) {
    const Batch batch = task->batch(32, random);
    backward(cross_entropy(model(batch.input), batch.targets));
    adam.step(real(1e-3));
    clear_gradients(parameters(model));
  }
  const NoGrad no_graph;
  const Batch all = task->everything().value();
  const std::vector<int> said = argmax(model(all.input), -1).ids;
  double right = 0;
  for (std::size_t i = 0; i < said.size(); ++i) right += said[i] == all.targets.ids[i];
  return right / static_cast<double>(said.size());
}

inline Diagnosis try_rules(const AnswerRule& sort, const AnswerRule& shift) {
  using namespace attention;
  Words words{"规则都对。拿它们训练，问遍全部 729 条，答对的数字：",
              "Both rules are right. Trained by them and asked all 729 inputs, digits that are "
              "right:"};
  for (const auto& [name, answer] : {std::pair{"sort", sort}, {"shift", shift}}) {
    const SequenceRule rule{.name = name,
                            .summary = "",
                            .symbols = U"012",
                            .length = 6,
                            .answer = answer,
                            .example = ""};
    const double with = learn_rule(rule, PositionKind::sinusoidal);
    const double without = learn_rule(rule, PositionKind::none);
    const double ceiling = ceiling_without_positions(rule);
    words.zh += fmt::format("\n{}：有位置 {:.3f}；没有位置 {:.3f}，上限 {:.3f}", name, with,
                            without, ceiling);
    words.en += fmt::format("\n{}: with positions {:.3f}; without {:.3f}, the ceiling is {:.3f}",
                            name, with, without, ceiling);
  }
  words.zh += "\n上限是数出来的，一条也越不过：没有位置，谁也不知道自己在第几位。";
  words.en +=
      "\nThe ceiling is counted and cannot be passed: without positions nobody knows which place "
      "is its own.";
  return right(words);
}

inline Diagnosis check_14(const AnswerRule& sort, const AnswerRule& shift) {
  return first_of({[&] { return check_sort(sort); }, [&] { return check_shift(shift); },
                   [&] { return try_rules(sort, shift); }});
}

}  // namespace exercise
