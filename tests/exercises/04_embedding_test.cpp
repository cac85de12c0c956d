#include "exercises/checks/04_embedding.hpp"

#include "diagnosis.hpp"

using namespace attention;
using namespace exercise;

namespace {

// Goes through the numbers of grad: f(element of the table, value that arrives there).
template <class F>
TableGradient each(F f) {
  return [f](const Tokens& ids, const Tensor& grad, Size V) {
    const Size d = grad.size(1);
    std::vector<real> table(V * d, 0);
    for (Size i = 0; i < grad.size(0); ++i)
      for (Size j = 0; j < d; ++j) f(table[ids.ids[i] * d + j], grad.at({i, j}));
    return from_values(table, {V, d});
  };
}

const TableGradient solution = each([](real& to, real value) { to += value; });

Tensor one_hot(const Tokens& ids, Size V) {
  return one_hot_04(ids, V, [](std::size_t) { return true; });
}

}  // namespace

TEST_CASE("exercise 04: the gradient of the table passes, by a loop and by one-hot rows") {
  passes(check_04(solution));
  passes(check_04(
      [](auto& ids, auto& grad, Size V) { return matmul(one_hot(ids, V), grad, transpose_a); }));
}

TEST_CASE("exercise 04: untouched, it is still to do") {
  is_to_do(check_04([](auto&, auto&, Size) -> Tensor { return todo; }));
}

TEST_CASE("exercise 04: each mistake is told by name") {
  const auto told = [](const TableGradient& gradient, const char* zh, const char* en) {
    is_told(check_04(gradient), zh, en);
  };
  told(each([](real& to, real value) { to = value; }), "盖掉了前面", "overwrote");
  told(each([](real& to, real value) { to = to == 0 ? value : to; }), "只记了第一次",
       "kept the first");
  told(each([](real& to, real) { to += 1; }), "这是次数", "These are counts");
  told(
      [](auto& ids, auto& grad, Size V) {
        const Tensor counts = max(Tensor(stack({sum(one_hot(ids, V), 0), ones({V})}, 0)), 0);
        return solution(ids, grad, V) / reshape(counts, {V, 1});
      },
      "取了平均", "took the mean");
  told(
      [](auto& ids, auto& grad, Size V) {
        return solution(ids, grad, V) * reshape(sum(one_hot(ids, V), 0), {V, 1});
      },
      "多乘了一遍次数", "multiplied in once more");
  told([](auto& ids, auto& grad, Size V) { return matmul(grad, one_hot(ids, V), transpose_a); },
       "转置了", "transposed");
  told([](auto&, auto& grad, Size) { return grad; }, "X 的梯度", "gradient of X");
  told(
      [](auto&, auto& grad, Size V) {
        return ones({V, 1}) * sum(grad, 0, keep);
      },
      "每一行都拿到了全部", "Every row got all");
  told([](auto& ids, auto& grad, Size V) { return solution(ids, grad, V) / real(grad.size(0)); },
       "长度 n", "length n");
}

TEST_CASE("exercise 04: places taken for ids, either way round, are told apart") {
  const auto by_place = [](bool from_ids) {
    return check_04([=](const Tokens& ids, const Tensor& grad, Size V) {
      std::vector<real> table(V * 3, 0);
      for (Size i = 0; i < grad.size(0); ++i)
        for (Size j = 0; j < 3; ++j)
          table[i * 3 + j] += grad.at({from_ids ? Size(ids.ids[i]) : i, j});
      return from_values(table, {V, 3});
    });
  };
  is_told(by_place(false), "位置不是编号", "not an id");
  is_told(by_place(true), "用反了", "wrong way round");
}

TEST_CASE("exercise 04: another shape, and what throws, is told as it is") {
  is_told(check_04([](auto&, auto&, Size V) { return zeros({V}); }), "形状是 (7,)", "shape (7,)");
  is_told(check_04([](auto& ids, auto& grad, Size V) { return matmul(one_hot(ids, V), grad); }),
          "停在这里", "inner sizes differ");
}
