// A list of named tensors in which each tensor appears once: a tied weight, under its first name.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "attention/core/error.hpp"
#include "attention/tensor/tensor.hpp"

namespace attention {

// Throws, naming the op, when a tensor is undefined or when two have one name.
inline NamedTensors distinct(const NamedTensors& tensors, std::string_view op) {
  NamedTensors once;
  std::set<const Node*> nodes;
  std::set<std::string> names;
  for (const NamedTensor& named : tensors) {
    if (!named.tensor.defined())
      fail("{}: {} is undefined: it was never given a value", op, named.name);
    if (!nodes.insert(&named.tensor.node()).second) continue;
    if (!names.insert(named.name).second) fail("{}: two tensors are called {}", op, named.name);
    once.push_back(named);
  }
  return once;
}

}  // namespace attention
