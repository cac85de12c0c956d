// Where in the sequence a token stands, added to what it is. Attention itself does not see order.
// Next: multi_head_attention.hpp.
#pragma once

#include <string>

#include "attention/tensor/tensor.hpp"

namespace attention {

// Vaswani et al. (2017), section 3.5, for positions first … first + count - 1 and any number of
// channels, odd ones too:
//   PE(p, 2i) = sin(p / 10000^(2i/C)),  PE(p, 2i+1) = cos(p / 10000^(2i/C))
// where i counts pairs of channels. Positions count from 0, so PE(0) = 0 1 0 1 …   -> (count, C)
Tensor sinusoids(Size count, Size channels, Size first = 0);

enum class PositionKind { none, sinusoidal, learned };
PositionKind position_kind(
    const std::string& name);  // throws on an unknown name, listing the known
std::string to_string(PositionKind kind);

struct Positions {
  PositionKind kind;
  Tensor table;  // (context, C): learned, or the sinusoids (a constant), or undefined for none

  Positions(PositionKind kind, Size context, Size channels, Random& random);
  // (B, T, C) -> the same, positions first … first + T - 1 added.
  Tensor operator()(const Tensor& x, Size first = 0) const;
  void visit(auto&& f) const {
    if (kind == PositionKind::learned) f("table", table);
  }
};

}  // namespace attention
