// The handle, the node and how tensors are made. Printing is in print.cpp.
#include "attention/tensor/tensor.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "attention/core/error.hpp"

namespace attention {
namespace {

std::atomic<std::uint64_t> last_number = 0;
std::atomic<std::uint64_t> alive = 0;
thread_local bool remembers = true;

Buffer filled(Size count, real value) {
  Buffer buffer(count);
  std::fill_n(buffer.fill(), count, value);
  return buffer;
}

template <class Draw>
Tensor drawn(const Shape& shape, Draw draw) {
  Buffer buffer(shape.count());
  std::generate_n(buffer.fill(), shape.count(), [&] { return static_cast<real>(draw()); });
  return Tensor(shape, std::move(buffer));
}

}  // namespace

Node::Node(const Shape& shape, Buffer buffer)
    : shape(shape), values(std::move(buffer)), number(++last_number) {
  if (values.size() != shape.count())
    fail("tensor: {} values for shape {}, which has {}", values.size(), shape, shape.count());
  ++alive;
}

// The inputs of a node that only we still hold are moved to a list here, so that none of their
// destructors finds anything left to destroy in turn.
Node::~Node() {
  --alive;
  Tensors loose = std::move(inputs);
  while (!loose.empty()) {
    Tensor last = std::move(loose.back());
    loose.pop_back();
    if (!last.node_ || last.node_.use_count() > 1) continue;
    std::move(last.node_->inputs.begin(), last.node_->inputs.end(), std::back_inserter(loose));
    last.node_->inputs.clear();
  }
}

std::uint64_t live_nodes() { return alive; }

NoGrad::NoGrad() : before_(remembers) { remembers = false; }
NoGrad::~NoGrad() { remembers = before_; }
bool recording() { return remembers; }

Tensor::Tensor(real value) : Tensor(Shape{}, filled(1, value)) {}

Tensor::Tensor(const Shape& shape, Buffer values)
    : node_(std::allocate_shared<Node>(Pooled<Node>(), shape, std::move(values))) {}

Tensors Rule::operator()(const Link& link) const {
  if (!held_) fail("rule: called, but it was never given a function");
  return held_->call(link);
}

Node& Tensor::node() const {
  if (!node_) fail("tensor: used before it was given a value (it is undefined)");
  return *node_;
}

const Shape& Tensor::shape() const { return node().shape; }
Size Tensor::size(int axis) const { return shape()[axis_of(shape(), axis, "size")]; }
const real* Tensor::data() const { return node().values.data(); }

real Tensor::item() const {
  if (count() != 1) fail("item: {} has {} values; sum or index it first", shape(), count());
  return *data();
}

real Tensor::at(std::initializer_list<Size> index) const {
  if (static_cast<int>(index.size()) != rank())
    fail("at: {} indices for shape {}; give one for each of its {} axes", index.size(), shape(),
         rank());
  Size offset = 0;
  int axis = 0;
  for (Size i : index) {
    const Size size = shape()[axis];
    if (size == 0) fail("at: axis {} of {} is empty: there is no value", axis, shape());
    if (i < 0 || i >= size)
      fail("at: index {} on axis {} of {}: 0 to {} are possible", i, axis, shape(), size - 1);
    offset = offset * size + i;
    ++axis;
  }
  return data()[offset];
}

real* Tensor::edit() {
  if (!node().op.empty())
    fail("edit: this tensor was made by {}; only leaves can be changed. detach() or clone() it",
         node().op);
  return node().values.edit();
}

Tensor& Tensor::require_grad() {
  if (!node().op.empty())
    fail("require_grad: this tensor was made by {}; only leaves keep a gradient. detach() it first",
         node().op);
  if (!node().requires_grad && node().constant)  // that graph would give it a part of its gradient
    fail(
        "require_grad: this tensor, shape {}, is a constant in a graph already; ask before its "
        "first use, or take clone().require_grad()",
        shape());
  node().requires_grad = true;
  return *this;
}

bool Tensor::requires_grad() const { return node().requires_grad; }

Tensor Tensor::grad() const {
  if (!node().op.empty())
    fail("grad: this tensor was made by {}; only leaves keep a gradient; gradients() returns it",
         node().op);
  return node().grad;
}

void Tensor::set_grad(Tensor grad) {
  Node& node = this->node();
  if (!grad.defined()) return node.grad = {}, void();
  if (!node.op.empty())
    fail("set_grad: this tensor was made by {}; only leaves keep a gradient", node.op);
  if (grad.same_as(*this))
    fail("set_grad: a tensor of shape {} cannot be its own gradient; clone() it", shape());
  if (!(grad.shape() == shape()))
    fail("set_grad: a gradient of shape {} for a tensor of shape {}; they have to be equal",
         grad.shape(), shape());
  node.grad = std::move(grad);
}

Tensor Tensor::detach() const { return Tensor(shape(), node().values); }

Tensor Tensor::clone() const {
  Buffer copy(count());
  std::copy_n(data(), count(), copy.fill());
  return Tensor(shape(), std::move(copy));
}

Tensor zeros(const Shape& shape) { return full(shape, 0); }
Tensor ones(const Shape& shape) { return full(shape, 1); }
Tensor full(const Shape& shape, real value) { return Tensor(shape, filled(shape.count(), value)); }

Tensor from_values(const std::vector<real>& values, const Shape& shape) {
  const Size count = static_cast<Size>(values.size());
  if (count != shape.count())
    fail("from_values: {} values for shape {}, which has {}", count, shape, shape.count());
  Buffer buffer(count);
  std::copy(values.begin(), values.end(), buffer.fill());
  return Tensor(shape, std::move(buffer));
}

Tensor from_values(const std::vector<real>& values) {
  return from_values(values, Shape{static_cast<Size>(values.size())});
}

Tensor uniform(const Shape& shape, real low, real high, Random& random) {
  if (!(low <= high) || !std::isfinite(high - low))
    fail("uniform: from {} to {}; both have to be finite, and the lower one comes first", low,
         high);
  const real below = std::nextafter(high, low);  // rounding can lift the largest draws to `high`
  return drawn(shape, [&] {
    const real draw = static_cast<real>(low + (high - low) * random.uniform());
    return draw == high ? below : draw;
  });
}

Tensor normal(const Shape& shape, real mean, real deviation, Random& random) {
  if (!std::isfinite(mean) || !(deviation >= 0) || std::isinf(deviation))
    fail(
        "normal: a mean of {} and a deviation of {}; finite numbers are needed, and a deviation of "
        "at least 0",
        mean, deviation);
  return drawn(shape, [&] { return mean + deviation * random.normal(); });
}

Tensor arange(Size count) {
  constexpr Size most = Size(1) << std::numeric_limits<real>::digits;
  if (count < 0 || count > most)
    fail("arange: {} numbers; 0 to {} are possible: beyond, `real` skips whole numbers", count,
         most);
  Size next = 0;
  return drawn(Shape{count}, [&] { return next++; });
}

Tensor arange(real start, real stop, real step) {
  const real steps = std::ceil((stop - start) / step);
  if (step == 0 || !std::isfinite(steps))
    fail("arange: from {} to {} in steps of {} never arrives; check the step", start, stop, step);
  if (steps > real(Size(1) << std::numeric_limits<real>::digits))
    fail(
        "arange: from {} to {} in steps of {} are {} numbers, more than `real` counts; take larger "
        "steps",
        start, stop, step, steps);
  const Size count = steps > 0 ? static_cast<Size>(steps) : 0;
  Size next = 0;
  return drawn(Shape{count}, [&] { return start + static_cast<real>(next++) * step; });
}

Tensor identity(Size n) {
  if (n < 0) fail("identity: {} rows and columns; their number cannot be negative", n);
  Buffer buffer = filled(Shape{n, n}.count(), 0);
  for (Size i = 0; i < n; ++i) buffer.fill()[i * n + i] = 1;
  return Tensor(Shape{n, n}, std::move(buffer));
}

Tokens::Tokens(const Shape& shape, std::vector<int> ids) : shape(shape), ids(std::move(ids)) {
  if (static_cast<Size>(this->ids.size()) != shape.count())
    fail("tokens: {} ids for shape {}, which has {}", this->ids.size(), shape, shape.count());
}

void Tokens::check(std::string_view op) const {
  if (static_cast<Size>(ids.size()) != shape.count())
    fail("{}: tokens of shape {} with {} ids; change both together", op, shape, ids.size());
}

}  // namespace attention
