// What is asked of a model's sizes before anything is made of them. Sizes that do not fit each
// other are in transformer_test.cpp.
#include <catch2/catch.hpp>

#include "attention/core/error.hpp"
#include "attention/core/machine.hpp"
#include "attention/nn/transformer.hpp"

using namespace attention;
using Catch::Matchers::Contains;

namespace {

// V = 11, a context of 7, C = 6, H = 3, 5 hidden: 6 * (2 * (24 + 10) + 11 + 7) = 516 numbers.
TransformerConfig small() {
  return {.vocabulary = 11, .context = 7, .channels = 6, .heads = 3, .layers = 2, .hidden = 5};
}

}  // namespace

TEST_CASE("a model beyond the machine's memory is refused before any of it is made") {
  CHECK(machine_memory() > 100'000'000);
  CHECK_NOTHROW(checked(small()));
  const Size huge = (Size(1) << 31) - 1;
  for (Size TransformerConfig::*size :
       {&TransformerConfig::vocabulary, &TransformerConfig::context, &TransformerConfig::hidden}) {
    TransformerConfig config = small();
    config.channels = 3000;
    config.*size = huge;
    CHECK_THROWS_WITH(checked(config), Contains("more than the memory of this machine") &&
                                           Contains("a smaller model takes less"));
  }
  TransformerConfig config = small();
  config.channels = 3 * (huge / 3);
  config.hidden = 0;  // then it is 4 C
  CHECK_THROWS_WITH(checked(config), Contains("channels = 2147483646, hidden = 8589934584"));
  config.channels = 3 * (huge / 3) + 3;
  CHECK_THROWS_WITH(checked(config), "transformer: channels = 2147483649; 2147483647 is the most");
  config = small();
  config.layers = 2'000'000'000;
  config.channels = 1200;
  CHECK_THROWS_WITH(checked(config), Contains("layers = 2000000000, channels = 1200"));
}
