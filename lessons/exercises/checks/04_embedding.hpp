// The check of exercise 04. The right gradient is what backward brings to the table; what the slips
// give is made with one-hot rows.
#pragma once

#include <algorithm>

#include "exercises/exercise.hpp"

namespace exercise {

using TableGradient = std::function<attention::Tensor(
    const attention::Tokens& ids, const attention::Tensor& grad, attention::Size V)>;

// (n, V): a 1 in row i at ids[i], but only for the tokens that `counts` admits.
inline attention::Tensor one_hot_04(const attention::Tokens& ids, attention::Size V,
                                    const std::function<bool(std::size_t)>& counts) {
  std::vector<attention::real> hot(ids.ids.size() * V, 0);
  for (std::size_t i = 0; i < ids.ids.size(); ++i)
    if (counts(i)) hot[i * V + ids.ids[i]] = 1;
  return attention::from_values(hot, {attention::Size(ids.ids.size()), V});
}

inline std::vector<Mistake> mistakes_04(const attention::Tokens& ids, const attention::Tensor& grad,
                                        attention::Size V) {
  using namespace attention;
  const auto& list = ids.ids;
  const auto among = [&](std::size_t begin, std::size_t end, int id) {
    return std::find(list.begin() + begin, list.begin() + end, id) != list.begin() + end;
  };
  const auto hot = [&](const auto& counts) { return one_hot_04(ids, V, counts); };
  const Tensor all = hot([](std::size_t) { return true; });
  const Tensor first = hot([&](std::size_t i) { return !among(0, i, list[i]); });
  const Tensor last = hot([&](std::size_t i) { return !among(i + 1, list.size(), list[i]); });
  const Tensor right = matmul(all, grad, transpose_a);
  const Tensor counts = reshape(sum(all, 0), {V, 1});
  const Size n = grad.size(0), d = grad.size(1);
  return {
      {matmul(last, grad, transpose_a),
       {"后来的盖掉了前面的：重复的词，只剩最后一次的梯度。每用一次都算数。",
        "Later ones overwrote earlier ones: of a repeated word only the last gradient is left. "
        "Each use counts."}},
      {matmul(first, grad, transpose_a),
       {"重复的词，你只记了第一次，后来的都丢了。每用一次都算数。",
        "Of a repeated word you kept the first gradient and dropped the later ones. Each use "
        "counts."}},
      {where(greater(counts, 0), right / where(greater(counts, 0), counts, 1), 0),
       {"你给重复的词取了平均。E 的一行动一点，每个用到它的地方都跟着动，损失的变化是几处合起来"
        "的。",
        "You took the mean over a repeated word. Move a row of E and every place that uses it "
        "moves: the loss changes by all of them together."}},
      {right * counts,
       {"多乘了一遍次数：几处的梯度既加过了，就不必再乘出现了几次。",
        "The count was multiplied in once more: the places have been added up already."}},
      {counts * ones({d}),
       {"这是次数，不是梯度：传来的 grad 没有用上。只有 grad 全是 1 时，两者才一样。",
        "These are counts: the grad that arrived has not been used. Only where it is all ones are "
        "the two the same."}},
      {transpose(right, 0, 1),
       {"转置了：E 的梯度和 E 同形，(V, d)，一行一个词。看看 matmul 哪一边该转。",
        "It is transposed: the gradient of E has the shape of E, (V, d). See which side of the "
        "matmul should be turned."}},
      {grad,
       {"这是 X 的梯度 (n, d)，一行一个词元。E 的梯度是 (V, d)，词表里每个词一行。",
        "That is the gradient of X, (n, d), a row for each token. E has a row for each word of "
        "the vocabulary."}},
      {ones({V, 1}) * sum(grad, 0),
       {"每一行都拿到了全部的梯度，连句子里没有的词也有。一行只该收到自己那个词的。",
        "Every row got all of the gradient, even words that are not in the sentence. A row gets "
        "only what comes from its own word."}},
      {concat({grad, zeros({V - n, d})}, 0),
       {"第 i 个词元的梯度放进了第 i 行：位置不是编号。它的行由 ids 来定。",
        "The gradient of token i went to row i, but a place in the sentence is not an id: ids "
        "tells the row."}},
      {concat({gather_rows(grad, ids), zeros({V - n, d})}, 0),
       {"编号用反了：你按 ids 从 grad 里取行，放到第 i 行。往回走时，取的是第 i 行，按 ids 放。",
        "The ids are used the wrong way round: you took rows of grad by id and put them at i. "
        "Going back, one takes row i and puts it by id."}},
      {right / real(n),
       {"除以了句子的长度 n。要不要取平均，损失早就定了，已经在 grad 里。",
        "It is divided by the length n. Whether to average was up to the loss, and is in grad "
        "already."}}};
}

inline Diagnosis check_04(const TableGradient& learner) {
  using namespace attention;
  const Size V = 7, n = 6, d = 3;
  const Tokens ids({n}, {2, 5, 2, 0, 5, 2});
  const Tensor grad =
      from_values({1, 2, 3, 0.5, -1, 4, 10, 20, 40, -2, 5, 7, 6, 0.25, -3, 100, -50, 8}, {n, d});
  Tensor table = zeros({V, d}).require_grad();
  const Tensor expected = gradients(sum(gather_rows(table, ids) * grad), {table})[0];
  const Diagnosis diagnosis =
      diagnose([&] { return learner(ids, grad, V); }, expected, mistakes_04(ids, grad, V));
  if (diagnosis.state != State::right) return diagnosis;
  return right(
      {"用几次，加几次，跟第 2 课的 c 和 d 一个道理。所以常见的词步步都学，少见的词难得学上一回。",
       "Used so many times, added so many times: as with c and d in lesson 2. So common words "
       "learn at every step, and rare ones hardly ever."});
}

}  // namespace exercise
