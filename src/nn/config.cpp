// What can be said of a model before there is one: its choices by name, and the sizes that it may
// have. The model is in transformer.cpp.
#include <limits>

#include "attention/core/error.hpp"
#include "attention/core/machine.hpp"
#include "attention/nn/transformer.hpp"

namespace attention {
namespace {

// The weights of one stack but for the small change of biases and norms, and the table of
// positions. In floating point, where no product overflows.
double least_numbers(const TransformerConfig& config) {
  const auto channels = static_cast<double>(config.channels);
  const double block = 4 * channels + 2 * static_cast<double>(config.hidden);
  return channels * (config.layers * block + static_cast<double>(config.vocabulary) +
                     static_cast<double>(config.context));
}

// Better now than when the system, which has promised the memory, cannot keep its word.
void check_memory(const TransformerConfig& config) {
  const double needed = least_numbers(config) * sizeof(real), there = double(machine_memory());
  if (needed <= there) return;
  fail(
      "transformer: layers = {}, channels = {}, hidden = {}, vocabulary = {} and context = {} take "
      "{:.0f} MiB, more than the memory of this machine ({:.0f}); a smaller model takes less",
      config.layers, config.channels, config.hidden, config.vocabulary, config.context,
      needed / 1048576, there / 1048576);
}

}  // namespace

TransformerConfig checked(TransformerConfig config) {
  auto positive = [](const char* name, Size value) {
    constexpr Size most = std::numeric_limits<int>::max();  // ids are int, and memory is finite
    if (value < 1) fail("transformer: {} = {}; at least 1 is needed", name, value);
    if (value > most) fail("transformer: {} = {}; {} is the most", name, value, most);
  };
  positive("vocabulary", config.vocabulary);
  positive("context", config.context);
  positive("channels", config.channels);
  positive("heads", config.heads);
  positive("layers", config.layers);
  if (config.hidden == 0) config.hidden = 4 * config.channels;
  check_memory(config);
  positive("hidden", config.hidden);
  if (config.channels % config.heads != 0)
    fail("transformer: {} heads do not divide {} channels; each head needs the same whole number",
         config.heads, config.channels);
  if (!(config.dropout >= 0 && config.dropout < 1))
    fail("transformer: dropout = {}; 0 <= dropout < 1 is needed", config.dropout);
  for (const std::string& name :
       {to_string(config.positions), to_string(config.norm), to_string(config.activation)})
    static_cast<void>(name);  // each throws on a number that has no name
  return config;
}

NormPlacement norm_placement(const std::string& name) {
  if (name == "pre") return NormPlacement::pre;
  if (name == "post") return NormPlacement::post;
  fail("norm: '{}' is unknown; pre and post are known", name);
}

std::string to_string(NormPlacement placement) {
  switch (placement) {
    case NormPlacement::pre:
      return "pre";
    case NormPlacement::post:
      return "post";
  }
  fail("norm: number {} is no placement; pre and post are known", static_cast<int>(placement));
}

PositionKind position_kind(const std::string& name) {
  if (name == "none") return PositionKind::none;
  if (name == "sinusoidal") return PositionKind::sinusoidal;
  if (name == "learned") return PositionKind::learned;
  fail("positions: '{}' is unknown; none, sinusoidal and learned are known", name);
}

std::string to_string(PositionKind kind) {
  switch (kind) {
    case PositionKind::none:
      return "none";
    case PositionKind::sinusoidal:
      return "sinusoidal";
    case PositionKind::learned:
      return "learned";
  }
  fail("positions: number {} is no kind; none, sinusoidal and learned are known",
       static_cast<int>(kind));
}

Activation activation_kind(const std::string& name) {
  if (name == "relu") return Activation::relu;
  if (name == "gelu") return Activation::gelu;
  if (name == "gelu_tanh") return Activation::gelu_tanh;
  fail("activation: '{}' is unknown; relu, gelu and gelu_tanh are known", name);
}

std::string to_string(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return "relu";
    case Activation::gelu:
      return "gelu";
    case Activation::gelu_tanh:
      return "gelu_tanh";
  }
  fail("activation: number {} is none; relu, gelu and gelu_tanh are known",
       static_cast<int>(activation));
}

}  // namespace attention
