// Mask: which elements count. It has one meaning, true = may attend (keep, use), and no float
// overload, so that nobody can pass 0 / -inf where 1 / 0 is meant.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "attention/tensor/tensor.hpp"

namespace attention {

class Mask {
 public:
  using Bytes = std::vector<std::uint8_t, Pooled<std::uint8_t>>;

  Mask() = default;                       // no mask: everything counts
  Mask(const Shape& shape, Bytes bytes);  // throws on a wrong count

  bool defined() const { return bytes_ != nullptr; }
  const Shape& shape() const { return shape_; }
  const std::uint8_t* data() const { return bytes_ ? bytes_->data() : nullptr; }
  bool at(std::initializer_list<Size> index) const;

  Mask expand(const Shape& shape) const;  // stretched to a shape it broadcasts to
  Mask transpose(int a, int b) const;     // two axes swapped

 private:
  Shape shape_;
  std::shared_ptr<const Bytes> bytes_;
};

Mask operator&(const Mask& a, const Mask& b);  // both; an undefined mask changes nothing
Mask operator!(const Mask& mask);              // the others

// (queries, keys): position i may attend to itself and to what came before. With more keys than
// queries, the queries are the last of the positions.
Mask causal_mask(Size queries, Size keys);
inline Mask causal_mask(Size positions) { return causal_mask(positions, positions); }

// (B, 1, 1, T): of sequence b, the first lengths[b] positions count. Lines up with scores
// (B, H, queries, T). Throws on a length outside [0, T].
Mask padding_mask(const std::vector<Size>& lengths, Size positions);

// Where two tensors (broadcast against each other) are equal, or a exceeds b.
Mask equal(const Tensor& a, const Tensor& b);
Mask greater(const Tensor& a, const Tensor& b);

}  // namespace attention
