// Tensor: numbers with a shape, and a memory of where they came from. A tensor is a handle: copies
// share one Node, clone() makes a second. Values are row-major and contiguous, always.
// Next: op.hpp, which computes and remembers how.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attention/core/memory.hpp"
#include "attention/core/random.hpp"
#include "attention/core/shape.hpp"

namespace attention {
inline namespace ATTENTION_REAL_NAMESPACE {

struct Node;
class Tensor;
using Tensors = std::vector<Tensor, Pooled<Tensor>>;

class Tensor {
 public:
  Tensor() = default;  // no tensor at all: defined() is false
  Tensor(real value);  // a scalar, so that x * 2 and 1 - x can be written
  Tensor(const Shape& shape, Buffer values);

  bool defined() const { return node_ != nullptr; }

  // All of these throw on an undefined tensor.
  const Shape& shape() const;
  int rank() const { return shape().rank(); }
  Size count() const { return shape().count(); }
  Size size(int axis) const;  // negative axes count from the back
  const real* data() const;
  real item() const;                                 // the value of a tensor that has just one
  real at(std::initializer_list<Size> index) const;  // one value; throws outside the shape

  // The values to write to. Only for leaves, and only between graphs: what was computed from the
  // old values can no longer be differentiated, and backward says so. Ask anew for each change: one
  // through a pointer that was kept is not noticed.
  real* edit();

  // A leaf that asks for its gradient: a parameter. Returns the same handle. What was computed from
  // it before, outside any graph, stays a constant; throws when a graph has used it as a constant.
  Tensor& require_grad();
  bool requires_grad() const;
  // Of leaves only; undefined until a backward reached this one. Throws on another's shape.
  Tensor grad() const;
  void set_grad(Tensor grad);
  void clear_grad() { set_grad({}); }

  Tensor detach() const;  // the same values, outside the graph
  Tensor clone() const;   // a copy of the values, outside the graph

  Node& node() const;
  bool same_as(const Tensor& other) const { return node_ == other.node_; }

 private:
  friend struct Node;
  std::shared_ptr<Node> node_;
};

// A tensor with a name: how parameters are listed, stepped and saved.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};
using NamedTensors = std::vector<NamedTensor>;

// What a rule is given: the inputs, the output (never captured by the rule itself, or the graph
// would hold itself alive) and the gradient that arrived at the output.
struct Link {
  const Tensors& in;
  const Tensor& out;
  const Tensor& grad;
  bool wants(int input) const { return in[input].requires_grad(); }
};

// From a Link to the gradient of each input; an undefined Tensor stands for no gradient. Made from
// any function that does that. It is a std::function whose memory comes from the pool.
class Rule {
 public:
  Rule() = default;
  template <std::invocable<const Link&> Function>
  Rule(Function f) {
    if constexpr (requires { f == nullptr; })
      if (f == nullptr) return;  // no rule
    held_ = std::allocate_shared<Held<Function>>(Pooled<Held<Function>>(), std::move(f));
  }
  bool defined() const { return held_ != nullptr; }
  Tensors operator()(const Link& link) const;  // throws when there is none

 private:
  struct Base {
    virtual ~Base() = default;
    virtual Tensors call(const Link& link) const = 0;
  };
  template <class Function>
  struct Held final : Base {
    Function f;
    explicit Held(Function f) : f(std::move(f)) {}
    Tensors call(const Link& link) const override { return f(link); }
  };
  std::shared_ptr<const Base> held_;
};

// Four laws keep the graph sound: edges point to inputs only, and nobody owns its users; a rule
// gets its output as an argument; a node's number is larger than those of its inputs; and values
// in a live graph do not change.
struct Node {
  Node(const Shape& shape, Buffer values);
  ~Node();  // unlinks a long chain without recursion
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Shape shape;
  Buffer values;
  std::uint64_t number;                // in order of creation
  bool requires_grad = false;          // a leaf that was asked to, or made from something that does
  std::atomic<bool> constant = false;  // whether a graph has used it while it asked for none
  Tensor grad;                         // of leaves only

  // How it was made; all empty for a leaf.
  std::string_view op;
  Tensors inputs;
  Rule rule;
  std::uint64_t version = 0;  // of the values when they were made …
  std::vector<std::uint64_t, Pooled<std::uint64_t>> versions;  // … and of the inputs' then
  bool freed = false;            // backward has been here and let go of the inputs
  bool may_be_infinite = false;  // an infinity is no fault here (see anomaly.hpp)
};

}  // namespace ATTENTION_REAL_NAMESPACE

std::uint64_t live_nodes();  // how many exist now: after a training step, as many as before it

// While one of these is alive on a thread, its ops remember nothing.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};

bool recording();  // whether ops on this thread remember how their results were made

// ---- making tensors -------------------------------------------------------------------------

Tensor zeros(const Shape& shape);
Tensor ones(const Shape& shape);
Tensor full(const Shape& shape, real value);
Tensor from_values(const std::vector<real>& values, const Shape& shape);  // throws on a wrong count
Tensor from_values(const std::vector<real>& values);                      // shape (n,)
// In [low, high), or all `low` where the two are equal. Throws unless low <= high, both finite.
Tensor uniform(const Shape& shape, real low, real high, Random& random);
Tensor normal(const Shape& shape, real mean, real deviation, Random& random);  // deviation >= 0
// 0 1 … count-1. Throws on more whole numbers than `real` tells apart (2^24 in float).
Tensor arange(Size count);
// start, start+step … before stop; nothing where stop lies the other way. Throws on a step of 0.
Tensor arange(real start, real stop, real step = 1);
Tensor identity(Size n);  // (n, n)

// Rows and columns in aligned digits, the shape below; long axes are elided in the middle.
std::string to_string(const Tensor& tensor);
std::ostream& operator<<(std::ostream& stream, const Tensor& tensor);

// Token ids: never floats, and never in a graph.
struct Tokens {
  Tokens() = default;                                // none
  Tokens(const Shape& shape, std::vector<int> ids);  // throws when the count is not the shape's
  // Throws, naming the op, when the fields were changed so that they no longer fit each other.
  void check(std::string_view op) const;
  Shape shape{0};
  std::vector<int> ids;
  bool operator==(const Tokens&) const = default;
};

}  // namespace attention
