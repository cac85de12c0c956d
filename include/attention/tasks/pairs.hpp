// Which came first? The ordered pairs (a, b) of V different symbols, or k of them in a row, looked
// at once: a head's attention mixes the symbols' one-hot vectors, and a linear readout has to tell
// from the mix which symbol stood at a given place.
//
// By hand, V = 5, a = 0, b = 1. Even weights make (1/2, 1/2, 0, 0, 0) of (a, b) and of (b, a): what
// is right for one is wrong for the other. With weights of 3/4 and 1/4 the largest share is the
// first symbol's, always; the second is never the largest. Two heads, each with its own weights,
// keep both apart.
#pragma once

#include <vector>

#include "attention/tensor/tensor.hpp"

namespace attention {

// All rows of `places` different ones of `symbols` symbols, in rising order, (N, places): 5 symbols
// in 2 places make N = 5 * 4. Throws unless 1 <= places <= symbols, and beyond a million rows.
Tokens ordered_tuples(int symbols, int places);

// What the heads see: weights (heads, places), a row for each head -> (N, heads * symbols), the
// heads' mixes of one-hot vectors side by side. Throws when the weights have other places. All
// below throw on tuples that are not (N, places), and on mixes or a readout that do not fit them.
Tensor mixed(const Tokens& tuples, int symbols, const Tensor& weights);

// The linear readout (heads * symbols, symbols) that loses least, in cross-entropy, when it says
// which symbol stood at `place`. The loss is convex, so gradient descent from zero finds it, and
// it treats all symbols alike. (What has less weight than 1 / symbols, it does not bet on.)
Tensor best_readout(const Tensor& mixed, const Tokens& tuples, int place);

// The share of tuples for which mixed * readout is largest at the symbol that stood at `place`. Of
// symbols that tie for the largest, each is taken as often as the others: even weights of two
// places score 1/2.
double share_right(const Tensor& mixed, const Tensor& readout, const Tokens& tuples, int place);

// The three in one, for each place: {first, second, …} answered from what these weights let
// through.
std::vector<double> shares_right(int symbols, const Tensor& weights);

}  // namespace attention
