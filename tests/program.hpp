// Runs the program `attention` as a shell would, in a folder of its own that goes when it does:
// with pipes or on a terminal, under limits, with Ctrl-C or worse at a known moment. For
// tests/program_*_test.cpp.
#pragma once

#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "attention/core/file.hpp"
#include "folder.hpp"

namespace program {

using Json = nlohmann::json;
using Strings = std::vector<std::string>;

struct How {
  bool terminal = false;           // both streams are one terminal; all comes in `out`
  unsigned short columns = 100;    // of that terminal
  std::string interrupt = {};      // Ctrl-C once this has been printed,
  useconds_t later = 0;            // and so many microseconds later,
  int signal = SIGINT;             // or another signal,
  std::function<void()> act = {};  // or this instead
  int killed_after = 0;            // milliseconds, and then by SIGKILL. 0: never
  bool as_nobody = false;          // if the tests are run by root, who is refused nothing
  rlim_t largest_file = 0;         // in bytes; a file may not grow beyond. 0: as it is
  rlim_t memory = 0;               // in bytes, likewise
  std::string output = {};         // where standard output goes instead of into `out`
  Strings environment = {};        // "NAME=value", "NAME=" to unset
};

struct Result {
  int code = -1;  // minus the signal's number if one has ended it
  std::string out, err;
};

extern const char* const failing_disk;  // the library that makes it (faults/failing_disk.cpp)
extern const bool sanitized;  // the program is: it takes terabytes of addresses then, so no limits

Strings lines(const std::string& text);

class Workshop : public attention::Folder {
 public:
  Workshop() { std::filesystem::permissions(path, std::filesystem::perms(0755)); }

  std::string read(const std::string& name) const { return attention::read_file(path / name); }
  void write(const std::string& name, std::string_view bytes) const {
    attention::write_file(path / name, bytes);
  }
  bool has(const std::string& name) const { return std::filesystem::exists(path / name); }

  Result run(Strings arguments, const How& how = {}) const;
};

// Whatever went wrong, this is how it is told: one line, on the right stream, with these words.
void check_error(const Result& result, int code, const Strings& words);

std::string some_text();

// So many threads, for --threads; 1 where the build knows no more.
std::string some_threads(int n);

// The options of a model that is made in no time, after `more`.
Strings tiny(Strings more);

}  // namespace program
