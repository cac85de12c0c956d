#include "run_folder.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "run_json.hpp"

namespace attention::cli {

void make_folder(const Folder& folder) {
  const std::filesystem::path trial = folder.path / fmt::format(".trial-{}", getpid());
  try {  // better now than after training
    std::filesystem::create_directories(folder.path);
    write_file(trial, "");
    std::filesystem::remove(trial);
  } catch (const std::exception& error) {
    fail("{} cannot be written to: {}; choose another --out", folder.path.string(), error.what());
  }
}

void save_run(const Folder& folder, const Run& run) { write_file(folder.run(), run_text(run)); }

Run load_run(const Folder& folder) {
  if (!std::filesystem::exists(folder.run()))
    fail("{} is no run folder: there is no run.json in it; attention train --out DIR makes one",
         folder.path.string());
  const std::string text = read_file(folder.run());
  try {
    return parse_run(text);
  } catch (const Error& error) {
    fail("{} is not what attention train writes: {}", folder.run().string(), error.what());
  }
}

Checkpoint load_checkpoint(const std::filesystem::path& path, const Run& run) {
  Checkpoint checkpoint = read_checkpoint(path);
  const auto settings = checkpoint.metadata.find("settings");
  if (settings == checkpoint.metadata.end() || settings->second != settings_text(run))
    fail("{} does not fit the run.json beside it: they are from different runs; train again",
         path.string());
  return checkpoint;
}

}  // namespace attention::cli
