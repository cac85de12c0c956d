// What a command is about to need, held against the memory of the machine: better one line now than
// a process that the system ends on the way. Less is counted than is taken, so what is refused
// cannot work; what is let through may still be too much.
#pragma once

#include "attention/nn/transformer.hpp"

namespace attention::cli {

// So many sequences, of so many tokens each, that `option` asks for.
void check_sequences(const char* option, int sequences, int tokens);

// A training step on so many sequences at once: what is kept for the way back.
void check_step(const TransformerConfig& config, int sequences);

}  // namespace attention::cli
