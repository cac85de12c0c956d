#include "attention/nn/positions.hpp"

#include <cmath>

#include "attention/core/error.hpp"
#include "attention/nn/init.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

namespace attention {

Tensor sinusoids(Size count, Size channels, Size first) {
  constexpr Size last = Size(1) << 53;  // the whole numbers that double tells apart
  if (first > last || count > last)
    fail("sinusoids: {} positions from {}; they are exact up to {}", count, first, last);
  if (count < 0 || channels < 1 || first < 0)
    fail(
        "sinusoids: {} positions from {} with {} channels; none may be negative, and at least one "
        "channel is needed",
        count, first, channels);
  Tensor table = zeros({count, channels});
  real* out = table.edit();
  for (Size p = 0; p < count; ++p)
    for (Size c = 0; c < channels; ++c) {
      const Size i = c / 2;  // the pair, not the channel
      const double angle = static_cast<double>(first + p) *
                           std::pow(10000.0, -2.0 * static_cast<double>(i) / double(channels));
      out[p * channels + c] = static_cast<real>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return table;
}

Positions::Positions(PositionKind kind, Size context, Size channels, Random& random) : kind(kind) {
  static_cast<void>(to_string(kind));  // throws on a number that is no kind
  if (context < 1 || channels < 1)
    fail("positions: a context of {} and {} channels; both have to be at least 1", context,
         channels);
  if (kind == PositionKind::sinusoidal) table = sinusoids(context, channels);
  if (kind == PositionKind::learned)
    table = init::normal(Shape{context, channels}, real(0.02), random);
}

Tensor Positions::operator()(const Tensor& x, Size first) const {
  check_defined("positions", x);
  if (kind == PositionKind::none) return x;
  if (x.rank() < 2 || x.size(-1) != table.size(1))
    fail("positions: {} for a table of {}; (…, T, {}) is needed", x.shape(), table.shape(),
         table.size(1));
  const Size length = x.size(-2), context = table.size(0);
  if (first < 0 || first > std::numeric_limits<Size>::max() - length)
    fail("positions: {} from number {}; they count from 0", length, first);
  const Size end = first + length;
  if (end <= context) return x + (length == context ? table : slice(table, 0, first, end));
  if (kind == PositionKind::sinusoidal) return x + sinusoids(length, x.size(-1), first);
  fail("positions: {} positions, but only {} have been learned; shorten the input", end, context);
}

}  // namespace attention
