// Small things about words that several commands say.
#pragma once

#include <string>

#include "attention/core/real.hpp"

namespace attention::cli {

std::string counted(Size count, const std::string& noun);  // "1 thread", "2 threads"

// An argument as it has to be typed to a shell: quoted where need be.
std::string for_shell(const std::string& argument);

// Without what would steer a terminal: control characters other than line ends and tabs become ·.
std::string printable(const std::string& text);

// The same in one line, for an error: line ends and what stands around them become a space.
std::string one_line(const std::string& text);

}  // namespace attention::cli
