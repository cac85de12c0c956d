// Modules are plain structs with public fields, operator() and visit(f), which calls
// f("name", field) for each field that holds parameters. Everything that must know all parameters
// (optimizers, checkpoints, counts) walks them through here; there is no base class.
// Next: init.hpp, layers.hpp.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "attention/tensor/tensor.hpp"

namespace attention {

// Calls f(path, tensor) for every tensor in a module: "blocks.0.attention.query.weight".
template <class Module, class F>
void walk(const Module& module, const std::string& path, F&& f) {
  const std::string prefix = path.empty() ? "" : path + ".";
  if constexpr (std::is_same_v<Module, Tensor>) {
    if (module.defined()) f(path, module);
  } else if constexpr (requires { module.has_value(); }) {  // std::optional
    if (module) walk(*module, path, f);
  } else if constexpr (requires { module.begin(); }) {  // std::vector
    std::size_t i = 0;
    for (const auto& item : module) walk(item, prefix + std::to_string(i++), f);
  } else {
    module.visit([&](const char* name, const auto& field) { walk(field, prefix + name, f); });
  }
}

template <class Module>
NamedTensors parameters(const Module& module) {
  NamedTensors list;
  walk(module, "", [&](const std::string& name, const Tensor& tensor) {
    list.push_back({name, tensor});
  });
  return list;
}

// How many numbers a module learns; a shared tensor counts once.
template <class Module>
Size parameter_count(const Module& module) {
  std::unordered_set<const Node*> seen;
  Size count = 0;
  for (const auto& [name, tensor] : parameters(module))
    if (seen.insert(&tensor.node()).second) count += tensor.count();
  return count;
}

}  // namespace attention
