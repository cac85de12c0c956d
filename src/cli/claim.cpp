#include "claim.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "run_json.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

namespace fs = std::filesystem;

bool same_run(const Run& a, const Run& b) {
  return settings_text(a) == settings_text(b) && a.fingerprint == b.fingerprint;
}

// Of a start that was killed before there was a run.json.
bool left_by(const Run& run, const fs::path& model) {
  try {
    load_checkpoint(model, run);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string description(const Run& run) {
  return fmt::format("{}, {}, seed {}", run.settings.task, counted(run.settings.steps, "step"),
                     run.settings.seed);
}

}  // namespace

// The lock is on the folder itself, so there is no file that could be left behind. Some network
// file systems have no locks: there nobody is refused.
Claim::Claim(const Folder& folder)
    : descriptor_(::open(folder.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor_);
    fail("{}: another attention train is at work in it; wait for it, or choose another --out",
         folder.path.string());
  }
  sweep_unfinished(folder.path);
}

Claim::~Claim() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void check_free(const Folder& folder, const Run& run) {
  const std::string path = folder.path.string();
  const char* ways = "choose another --out, or --replace it";
  if (!fs::exists(folder.run())) {
    if (fs::exists(folder.model()) && !left_by(run, folder.model()))
      fail("{}: there is a model.safetensors of something else in it; {}", path, ways);
    return;
  }
  Run there;
  try {
    there = load_run(folder);
  } catch (const Error& error) {
    fail("{}; {}", error.what(), ways);
  }
  if (!same_run(there, run))
    fail("{}: another run is in it ({}); {}", path, description(there), ways);
  if (fs::exists(folder.training()))
    fail(
        "{}: this run is in it, stopped on the way; attention train --resume {} goes on with it, "
        "--replace starts anew",
        path, for_shell(path));
}

}  // namespace attention::cli
