#include "attention/tasks/pairs.hpp"

#include <algorithm>

#include "attention/core/error.hpp"
#include "attention/tensor/autograd.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {
namespace {

constexpr Size most_rows = 1'000'000;
constexpr int descents = 300;
constexpr real rate = 2;
constexpr real same = real(1e-4);  // logits that are no further apart tie

// Throws unless these are tuples (N, places).
void check_tuples(const Tokens& tuples) {
  tuples.check("pairs");
  if (tuples.shape.rank() != 2 || tuples.shape.count() == 0)
    fail("pairs: tuples of shape {}; (N, places) is needed, at least one", tuples.shape);
}

// The symbols that stood at one place, (N).
Tokens at_place(const Tokens& tuples, int place) {
  check_tuples(tuples);
  const Size rows = tuples.shape[0], places = tuples.shape[1];
  if (place < 0 || place >= places)
    fail("pairs: place {}; the tuples have places 0 to {}", place, places - 1);
  std::vector<int> symbols;
  for (Size row = 0; row < rows; ++row) symbols.push_back(tuples.ids[row * places + place]);
  return Tokens(Shape{rows}, std::move(symbols));
}

void check_mixed(const Tensor& mixed, const Tokens& tuples) {
  check_defined("pairs", mixed);
  if (mixed.rank() != 2 || mixed.size(0) != tuples.shape[0])
    fail("pairs: mixes of shape {} for {} tuples; each needs one", mixed.shape(), tuples.shape[0]);
}

}  // namespace

Tokens ordered_tuples(int symbols, int places) {
  if (places < 1 || places > symbols)
    fail("pairs: {} places for {} different symbols; 1 to {} can be filled", places, symbols,
         symbols);
  Size rows = 1;
  for (int place = 0; place < places; ++place)
    if ((rows *= symbols - place) > most_rows)
      fail("pairs: {} symbols in {} places make more than {} rows", symbols, places, most_rows);
  std::vector<std::vector<int>> tuples{{}};
  for (int place = 0; place < places; ++place) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& tuple : tuples)
      for (int symbol = 0; symbol < symbols; ++symbol) {
        if (std::find(tuple.begin(), tuple.end(), symbol) != tuple.end()) continue;
        longer.push_back(tuple);
        longer.back().push_back(symbol);
      }
    tuples = std::move(longer);
  }
  std::vector<int> ids;
  for (const std::vector<int>& tuple : tuples) ids.insert(ids.end(), tuple.begin(), tuple.end());
  return Tokens(Shape{static_cast<Size>(tuples.size()), places}, std::move(ids));
}

Tensor mixed(const Tokens& tuples, int symbols, const Tensor& weights) {
  check_tuples(tuples);
  check_defined("pairs", weights);
  const Size rows = tuples.shape[0], places = tuples.shape[1];
  if (weights.rank() != 2 || weights.size(1) != places)
    fail("pairs: weights of shape {} for tuples of {} places; (heads, {}) is needed",
         weights.shape(), places, places);
  const Tensor one_hot = gather_rows(identity(symbols), tuples);  // (N, places, V)
  const Tensor mix = matmul(weights, one_hot);                    // (N, heads, V)
  return reshape(mix, {rows, weights.size(0) * symbols}).detach();
}

Tensor best_readout(const Tensor& mixed, const Tokens& tuples, int place) {
  const Tokens answers = at_place(tuples, place);
  check_mixed(mixed, tuples);
  const Size symbols = 1 + *std::max_element(tuples.ids.begin(), tuples.ids.end());
  Tensor readout = zeros({mixed.size(1), symbols}).require_grad();
  for (int i = 0; i < descents; ++i) {
    const Tensor slope =
        gradients(cross_entropy(matmul(mixed, readout), answers), {readout}).front();
    real* values = readout.edit();
    const real step = rate * static_cast<real>(symbols);  // each row sees 1 of V answers
    for (Size j = 0; j < readout.count(); ++j) values[j] -= step * slope.data()[j];
  }
  return readout.detach();
}

double share_right(const Tensor& mixed, const Tensor& readout, const Tokens& tuples, int place) {
  const Tokens answers = at_place(tuples, place);
  check_mixed(mixed, tuples);
  const NoGrad no_grad;
  const Tensor logits = matmul(mixed, readout);  // (N, V)
  const Size symbols = logits.size(1), rows = logits.size(0);
  for (const int symbol : answers.ids)
    if (symbol < 0 || symbol >= symbols)
      fail("pairs: symbol {} in the tuples, but the readout tells 0 to {} apart", symbol,
           symbols - 1);
  double right = 0;
  for (Size row = 0; row < rows; ++row) {
    const real* row_logits = logits.data() + row * symbols;
    const real lowest = *std::max_element(row_logits, row_logits + symbols) - same;
    if (row_logits[answers.ids[row]] < lowest) continue;
    right += 1.0 / static_cast<double>(std::count_if(row_logits, row_logits + symbols,
                                                     [&](real x) { return x >= lowest; }));
  }
  return right / static_cast<double>(rows);
}

std::vector<double> shares_right(int symbols, const Tensor& weights) {
  check_defined("pairs", weights);
  if (weights.rank() != 2)
    fail("pairs: weights of shape {}; (heads, places) is needed", weights.shape());
  const auto places = static_cast<int>(weights.size(1));
  const Tokens tuples = ordered_tuples(symbols, places);
  const Tensor seen = mixed(tuples, symbols, weights);
  std::vector<double> shares;
  for (int place = 0; place < places; ++place)
    shares.push_back(share_right(seen, best_readout(seen, tuples, place), tuples, place));
  return shares;
}

}  // namespace attention
