// The published format, for reader and writer.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace attention {

static_assert(std::endian::native == std::endian::little, "numbers are stored lowest byte first");

inline constexpr auto metadata_key = "__metadata__";  // the one name that is no tensor's
inline constexpr std::size_t length_bytes = sizeof(std::uint64_t);  // before the header
inline constexpr std::uint64_t largest_header = 100'000'000;

}  // namespace attention
