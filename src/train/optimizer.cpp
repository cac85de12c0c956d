// The loops run over raw numbers with all factors in local variables, so that they are vectorized;
// a step is one pass over all parameters, which threads share out as if they lay end to end.
#include "attention/train/optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/core/elementwise.hpp"
#include "attention/core/error.hpp"
#include "distinct.hpp"

namespace attention {
namespace {

using kernels::elements_per_range;

// What can be stepped, each once.
NamedTensors leaves(const NamedTensors& parameters, std::string_view op) {
  if (parameters.empty()) fail("{}: there are no parameters to step", op);
  NamedTensors once = distinct(parameters, op);
  for (const auto& [name, tensor] : once)
    if (!tensor.node().op.empty())
      fail("{}: {} was made by {}; only leaves can be stepped", op, name, tensor.node().op);
  return once;
}

// What a step starts from. Everything is checked before anything changes.
Tensors gradients_of(const NamedTensors& parameters, real rate, std::string_view op) {
  if (!(rate >= 0) || std::isinf(rate))
    fail("{}: a learning rate of {}; a finite number is needed, at least 0", op, rate);
  Tensors gradients;
  for (const auto& [name, tensor] : parameters) {
    gradients.push_back(tensor.grad());
    if (!gradients.back().defined())
      fail("{}: {} has no gradient; call backward() on a loss that depends on it, or leave it out",
           op, name);
  }
  return gradients;
}

void check_share(real value, std::string_view what) {
  if (!(value >= 0 && value < 1))
    fail("{} is {}; it has to be at least 0 and less than 1", what, value);
}

Tensors zeros_like(const NamedTensors& parameters) {
  Tensors result;
  for (const NamedTensor& parameter : parameters) result.push_back(zeros(parameter.tensor.shape()));
  return result;
}

void list(NamedTensors& to, const std::string& prefix, const NamedTensors& parameters,
          const Tensors& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i)
    to.push_back({prefix + parameters[i].name, tensors[i]});
}

// Calls body(i, begin, end) for ranges that together cover every tensor i. They are shared out all
// at once, because most tensors of a small model are too little work for two threads, and begin at
// multiples of elements_per_range in their tensor, as if it were alone.
template <class Body>
void each_range(const Tensors& tensors, Size cost, Body body) {
  SizeList first{0};  // the first range of each tensor, and the end
  Size count = 0;
  for (const Tensor& tensor : tensors) {
    first.push_back(first.back() + (tensor.count() + elements_per_range - 1) / elements_per_range);
    count += tensor.count();
  }
  parallel_for(first.back(), 1, cost * count, [&](Size range, Size end) {
    Size i = std::upper_bound(first.begin(), first.end(), range) - first.begin() - 1;
    for (; range < end; ++i) {
      const Size stop = std::min(end, first[i + 1]);
      body(i, (range - first[i]) * elements_per_range,
           std::min(tensors[i].count(), (stop - first[i]) * elements_per_range));
      range = stop;
    }
  });
}

struct SgdStep {
  real momentum, rate;

  void operator()(real* w, real* v, const real* g, Size count) const {
    const auto [momentum, rate] = *this;
    for (Size i = 0; i < count; ++i) {
      v[i] = momentum * v[i] + g[i];
      w[i] -= rate * v[i];
    }
  }
};

// With both corrections taken out of the loop:
//   rate * m^ / (sqrt(v^) + eps) = rate / (1 - b1^t) * m / (sqrt(v) / sqrt(1 - b2^t) + eps).
struct AdamStep {
  real beta1, beta2, eps;
  real rate;   // rate / (1 - beta1^t)
  real scale;  // 1 / sqrt(1 - beta2^t)

  // `kept`: what weight decay leaves of a weight, 1 - rate * decay.
  void operator()(real* w, real* m, real* v, const real* g, real kept, Size count) const {
    const auto [beta1, beta2, eps, rate, scale] = *this;
    for (Size i = 0; i < count; ++i) {
      m[i] = beta1 * m[i] + (1 - beta1) * g[i];
      v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
      w[i] = kept * w[i] - rate * m[i] / (std::sqrt(v[i]) * scale + eps);
    }
  }
};

// The sum of squares of one gradient, in double. Blocks are of fixed size and are added in order,
// so the result does not depend on the number of threads.
double sum_of_squares(const Tensor& gradient) {
  constexpr Size block = 4096, lanes = 8;
  const real* g = gradient.data();
  const Size count = gradient.count(), blocks = (count + block - 1) / block;
  std::vector<double, Pooled<double>> sums(blocks);
  parallel_for(blocks, 1, count * moving, [&](Size begin, Size end) {
    for (Size b = begin; b < end; ++b) {
      const real* x = g + b * block;
      const Size n = std::min(block, count - b * block);
      double lane[lanes] = {};
      Size i = 0;
      for (; i + lanes <= n; i += lanes)
        for (Size k = 0; k < lanes; ++k) lane[k] += static_cast<double>(x[i + k]) * x[i + k];
      for (; i < n; ++i) lane[0] += static_cast<double>(x[i]) * x[i];
      for (const double part : lane) sums[b] += part;
    }
  });
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

}  // namespace

Sgd::Sgd(NamedTensors parameters, real momentum)
    : parameters_(leaves(parameters, "sgd")),
      velocities_(zeros_like(parameters_)),
      momentum_(momentum) {
  check_share(momentum, "sgd: momentum");
}

void Sgd::step(real rate) {
  const Tensors gradients = gradients_of(parameters_, rate, "sgd");
  const SgdStep update{momentum_, rate};
  struct Place {
    real *w, *v;
    const real* g;
  };
  std::vector<Place, Pooled<Place>> places;
  for (std::size_t i = 0; i < gradients.size(); ++i)
    places.push_back({parameters_[i].tensor.edit(), velocities_[i].edit(), gradients[i].data()});
  each_range(gradients, 2 + moving, [&](Size i, Size begin, Size end) {
    const auto [w, v, g] = places[i];
    update(w + begin, v + begin, g + begin, end - begin);
  });
}

NamedTensors Sgd::state() const {
  NamedTensors state;
  list(state, "velocity.", parameters_, velocities_);
  return state;
}

Adam::Adam(NamedTensors parameters, AdamOptions options)
    : parameters_(leaves(parameters, "adam")),
      means_(zeros_like(parameters_)),
      squares_(zeros_like(parameters_)),
      steps_(0),
      options_(options) {
  check_share(options.beta1, "adam: beta1");
  check_share(options.beta2, "adam: beta2");
  if (!(options.eps > 0) || std::isinf(options.eps))
    fail("adam: eps is {}; a small positive number is needed, such as 1e-8", options.eps);
  if (!(options.decay >= 0) || std::isinf(options.decay))
    fail("adam: a weight decay of {}; a finite number is needed, at least 0", options.decay);
}

void Adam::step(real rate) {
  const Tensors gradients = gradients_of(parameters_, rate, "adam");
  const auto& [beta1, beta2, eps, decay] = options_;
  if (!(steps_.item() >= 0))
    fail("adam: {} steps have been taken; was another state loaded?", steps_.item());
  const double t = *steps_.edit() += 1;
  const double mean_share = 1 - std::pow(double(beta1), t),
               square_share = 1 - std::pow(double(beta2), t);
  const AdamStep update{beta1, beta2, eps, real(rate / mean_share),
                        real(1 / std::sqrt(square_share))};
  struct Place {
    real *w, *m, *v;
    const real* g;
    real kept;
  };
  std::vector<Place, Pooled<Place>> places;
  for (std::size_t i = 0; i < gradients.size(); ++i)
    places.push_back({parameters_[i].tensor.edit(), means_[i].edit(), squares_[i].edit(),
                      gradients[i].data(),
                      parameters_[i].tensor.rank() >= 2 ? 1 - rate * decay : 1});
  each_range(gradients, 8, [&](Size i, Size begin, Size end) {
    const auto [w, m, v, g, kept] = places[i];
    update(w + begin, m + begin, v + begin, g + begin, kept, end - begin);
  });
}

NamedTensors Adam::state() const {
  NamedTensors state;
  list(state, "mean.", parameters_, means_);
  list(state, "square.", parameters_, squares_);
  state.push_back({"steps", steps_});
  return state;
}

void clear_gradients(const NamedTensors& parameters) {
  for (const auto& [name, tensor] : parameters) {
    if (!tensor.defined())
      fail("clear_gradients: {} is undefined: it was never given a value", name);
    Tensor(tensor).clear_grad();
  }
}

real clip_gradients(const NamedTensors& parameters, real limit) {
  if (!(limit >= 0)) fail("clip_gradients: a limit of {}; it cannot be negative", limit);
  const NamedTensors once = distinct(parameters, "clip_gradients");
  double sum = 0;
  for (const auto& [name, tensor] : once)
    if (tensor.grad().defined()) sum += sum_of_squares(tensor.grad());
  const double norm = std::sqrt(sum);
  if (limit > 0 && norm > limit && std::isfinite(norm)) {
    const double scale = limit / norm;
    for (auto [name, tensor] : once) {
      const Tensor gradient = tensor.grad();
      if (!gradient.defined()) continue;
      Buffer clipped(gradient.count());  // the old one may belong to others, too
      kernels::map(clipped.fill(), gradient.data(), gradient.count(), 1,
                   [scale](real g) { return static_cast<real>(g * scale); });
      tensor.set_grad(Tensor(gradient.shape(), std::move(clipped)));
    }
  }
  // A float holds less than the norm of the gradients that it holds.
  const double largest = std::numeric_limits<real>::max();
  return static_cast<real>(std::isfinite(norm) ? std::min(norm, largest) : norm);
}

}  // namespace attention
