// Whole files, read and written so that nothing is lost: a new version is written aside, flushed to
// the disk, read back and renamed over the old one, which stays until then.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace attention {

// Both throw an Error with the path and the system's reason ("No space left on device"). Pipes and
// devices can be read; only a regular file is replaced, and keeps its permissions. When writing
// fails, the old file is as it was and nothing lies beside it.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view bytes);

// Removes what processes that were killed while they wrote into this folder have left there: the
// files called NAME.PROCESS-NUMBER.tmp. Only for whoever knows that nobody is writing there now.
void sweep_unfinished(const std::filesystem::path& folder);

}  // namespace attention
