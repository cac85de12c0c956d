// What the machine has.
#pragma once

#include <cstdint>

namespace attention {

std::uint64_t machine_memory();  // in bytes; the largest number where the system does not say

}  // namespace attention
