// The folder of a run: run.json has every setting and the alphabet; model.safetensors has its
// weights; training.safetensors, while a run is not finished, has what it takes to go on.
#pragma once

#include <filesystem>
#include <string>

#include "attention/train/checkpoint.hpp"
#include "run.hpp"

namespace attention::cli {

struct Folder {
  std::filesystem::path path;

  std::filesystem::path model() const { return path / "model.safetensors"; }
  std::filesystem::path training() const { return path / "training.safetensors"; }
  std::filesystem::path run() const { return path / "run.json"; }
  std::filesystem::path log() const { return path / "log.jsonl"; }
  std::filesystem::path picture(const std::string& name) const { return path / (name + ".png"); }
};

void make_folder(const Folder& folder);  // throws when it cannot be made or written to
void save_run(const Folder& folder, const Run& run);
// Throws, naming what is missing or odd, when the folder does not hold a run.
Run load_run(const Folder& folder);
// A checkpoint of this run. Throws on one of another.
Checkpoint load_checkpoint(const std::filesystem::path& path, const Run& run);

}  // namespace attention::cli
