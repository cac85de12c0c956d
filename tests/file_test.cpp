// Whole files: what was written is what is read, errors say which path and why, and a write that
// fails leaves the old file and nothing beside it.
#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "attention/core/error.hpp"
#include "attention/core/file.hpp"
#include "folder.hpp"

using namespace attention;
namespace fs = std::filesystem;

namespace {

std::set<std::string> names_in(const Folder& folder) {
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder.path))
    found.insert(entry.path().filename());
  return found;
}

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The error of f in a process of its own, which may give up its rights first.
template <class F>
std::string error_in_child(F f) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const std::string text = error_of(f);
    const bool sent = ::write(ends[1], text.data(), text.size()) == ssize_t(text.size());
    ::_exit(sent ? 0 : 1);
  }
  ::close(ends[1]);
  const std::string text = read_file("/dev/fd/" + std::to_string(ends[0]));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  return text;
}

}  // namespace

TEST_CASE("a file holds exactly the bytes that were written") {
  const Folder folder;
  std::string every;
  for (int i = 0; i < 300000; ++i) every += static_cast<char>(i * 7 + i / 256);
  for (const std::string& bytes :
       {std::string(), std::string(1, '\0'), std::string("\r\n\n\xff"), every}) {
    write_file(folder.path / "file", bytes);
    CHECK(read_file(folder.path / "file") == bytes);
    CHECK(names_in(folder) == std::set<std::string>{"file"});
  }
}

TEST_CASE("a name without a folder is written in the current one") {
  const Folder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path);
  write_file("file", "text");
  CHECK(read_file("file") == "text");
  fs::current_path(before);
  CHECK(names_in(folder) == std::set<std::string>{"file"});
}

TEST_CASE("a file keeps its permissions, and a link stays a link") {
  const Folder folder;
  const fs::path file = folder.path / "file", link = folder.path / "link";
  write_file(file, "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("file", link);
  write_file(link, "new");
  CHECK(fs::is_symlink(link));
  CHECK(read_file(file) == "new");
  CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("reading says which path cannot be read, and why") {
  const Folder folder;
  const std::string path = folder.path.string();
  CHECK(error_of([&] { read_file(path + "/none"); }) ==
        "read_file: " + path + "/none: No such file or directory");
  CHECK(error_of([&] { read_file(path); }) == "read_file: " + path + ": Is a directory");
  write_file(path + "/file", "");
  CHECK(error_of([&] { read_file(path + "/file/x"); }) ==
        "read_file: " + path + "/file/x: Not a directory");
}

TEST_CASE("writing says which path cannot be written, and why") {
  const Folder folder;
  const std::string path = folder.path.string();
  write_file(path + "/file", "old");
  CHECK(error_of([&] { write_file(path + "/none/x", "new"); }) ==
        "write_file: " + path + "/none/x: there is no folder " + path + "/none; create it first");
  CHECK(error_of([&] { write_file(path, "new"); }) == "write_file: " + path + ": Is a directory");
  CHECK(error_of([&] { write_file(path + "/file/x", "new"); }) ==
        "write_file: " + path + "/file/x: Not a directory");
  CHECK(names_in(folder) == std::set<std::string>{"file"});
  CHECK(read_file(path + "/file") == "old");
}

TEST_CASE("what is no regular file is not replaced") {
  const Folder folder;
  const std::string path = folder.path / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(error_of([&] { write_file(path, "new"); }) ==
        "write_file: " + path + ": it is there and no regular file, so it is not replaced");
  CHECK(fs::is_fifo(path));
}

TEST_CASE("when the disk takes no more, the old file stays and nothing lies beside it") {
  const Folder folder;
  const std::string path = folder.path / "file";
  write_file(path, "old");
  const std::string error = error_in_child([&] {
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);
    write_file(path, std::string(5000, 'x'));
  });
  CHECK(error == "write_file: " + path + ": File too large");
  CHECK(read_file(path) == "old");
  CHECK(names_in(folder) == std::set<std::string>{"file"});
}

TEST_CASE("in a folder that is read-only, the old file stays") {
  const Folder folder;
  const std::string path = folder.path / "file";
  write_file(path, "old");
  fs::permissions(folder.path, fs::perms(0555));
  const std::string error = error_in_child([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return;  // the superuser may write everywhere
    write_file(path, "new");
  });
  fs::permissions(folder.path, fs::perms(0755));
  CHECK(error == "write_file: " + path + ": Permission denied");
  CHECK(read_file(path) == "old");
}

TEST_CASE("a folder that has vanished is named") {
  fs::path gone;
  {
    const Folder folder;
    gone = folder.path / "file";
    write_file(gone, "old");
  }
  CHECK(error_of([&] { write_file(gone, "new"); }) ==
        "write_file: " + gone.string() + ": there is no folder " + gone.parent_path().string() +
            "; create it first");
}

TEST_CASE("threads that write one file leave one whole version of it") {
  const Folder folder;
  const fs::path path = folder.path / "file";
  std::vector<std::thread> threads;
  for (char letter : {'a', 'b', 'c', 'd'})
    threads.emplace_back([&, letter] {
      for (int i = 0; i < 5; ++i) write_file(path, std::string(100000, letter));
    });
  for (std::thread& thread : threads) thread.join();
  const std::string bytes = read_file(path);
  CHECK(bytes == std::string(100000, bytes.at(0)));
  CHECK(names_in(folder) == std::set<std::string>{"file"});
}
