// Every op there is, found in the registry: its gradient against central differences, at first and
// second order, and no node left behind. Only double is fine enough for that.
#include <catch2/catch.hpp>

#include <limits>
#include <set>

#include "attention/tensor/autograd.hpp"
#include "attention/tensor/gradcheck.hpp"
#include "attention/tensor/op.hpp"
#include "attention/tensor/ops.hpp"

using namespace attention;

namespace {
const bool fine = std::numeric_limits<real>::digits >= 50;
}

TEST_CASE("every op's gradient is right, at first and second order") {
  if (!fine) return;
  for (const Listed& op : registry()) {
    INFO(op.name);
    const Examples examples = op.examples();
    CHECK_FALSE(examples.empty());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      INFO("example " << i);
      const auto before = live_nodes();
      const GradcheckReport report =
          gradcheck(examples[i].f, examples[i].inputs, {.second_order = true});
      INFO(report.text);
      CHECK(report.passed);
      CHECK(live_nodes() == before);
    }
  }
}

TEST_CASE("the registry holds the ops of ops.hpp") {
  std::set<std::string> names;
  for (const Listed& op : registry()) names.insert(op.name);
  for (const char* name :
       {"add",          "subtract",     "multiply", "divide",    "negate",      "pow",
        "where",        "exp",          "log",      "sqrt",      "tanh",        "sigmoid",
        "relu",         "erf",          "gelu",     "gelu_tanh", "matmul",      "reshape",
        "permute",      "broadcast_to", "slice",    "pad",       "concat",      "gather_rows",
        "scatter_rows", "sum",          "max",      "softmax",   "log_softmax", "cross_entropy",
        "normalize",    "layer_norm"}) {
    INFO(name);
    CHECK(names.count(name) == 1);
  }
}
