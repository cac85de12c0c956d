// A folder of a test's own, which goes when it does; and a checkpoint's bytes, put together by
// hand.
#pragma once

#include <unistd.h>

#include <fmt/core.h>

#include <filesystem>
#include <string>

namespace attention {

struct Folder {
  std::filesystem::path path;
  Folder() {
    const auto root = std::filesystem::temp_directory_path();
    for (int n = 0; path.empty() || !std::filesystem::create_directory(path); ++n)
      path = root / fmt::format("attention-{}-{}", ::getpid(), n);  // one that nobody has yet
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

inline std::filesystem::path model_in(const Folder& folder) {
  return folder.path / "model.safetensors";
}

// The published format: the header's length in 8 bytes, lowest first, the header, the numbers.
inline std::string file_of(const std::string& header, const std::string& data) {
  std::string length(8, '\0');
  for (int i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> 8 * i);
  return length + header + data;
}

inline std::string entry(const std::string& dtype, const std::string& shape,
                         const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" + offsets +
         "]}";
}

}  // namespace attention
