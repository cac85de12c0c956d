#include "memory.hpp"

#include "attention/core/error.hpp"
#include "attention/core/machine.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

// In floating point, where no product overflows.
double tokens_in(int sequences, Size length) {
  return static_cast<double>(sequences) * static_cast<double>(length);
}

void check(const std::string& what, double bytes, const char* mend) {
  constexpr double mib = 1 << 20;
  const auto there = static_cast<double>(machine_memory());
  if (bytes > there)
    fail("{} takes {:.0f} MiB, more than the memory of this machine ({:.0f}); {}", what,
         bytes / mib, there / mib, mend);
}

}  // namespace

void check_sequences(const char* option, int sequences, int tokens) {
  constexpr double ids = 2 * sizeof(int);  // what goes in, and what is to come out
  check(fmt::format("{}: holding {} of {}", option, counted(sequences, "sequence"),
                    counted(tokens, "token")),
        ids * tokens_in(sequences, tokens), "fewer take less");
}

// Of each token in each block q, k, v, what attention gives and what is hidden; and its logits.
void check_step(const TransformerConfig& config, int sequences) {
  const auto block = static_cast<double>(4 * config.channels + config.hidden);
  const double kept =
      static_cast<double>(config.layers) * block + static_cast<double>(config.vocabulary);
  check(fmt::format("--batch: what a step on {} at once keeps for the way back",
                    counted(sequences, "sequence")),
        tokens_in(sequences, config.context) * kept * sizeof(real),
        "a smaller batch takes less, and so does attention train --accumulate");
}

}  // namespace attention::cli
