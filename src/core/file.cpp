// POSIX calls, because the standard library's streams can neither flush to the disk nor say why
// something failed.
#include "attention/core/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "attention/core/error.hpp"

namespace attention {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_on(std::string_view op, const fs::path& path, int reason = errno) {
  fail("{}: {}: {}", op, path.string(), std::generic_category().message(reason));
}

// A descriptor that is closed, and a file that is removed, however we leave.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

struct Temporary {
  fs::path path;
  bool there = false;
  ~Temporary() {
    if (there) ::unlink(path.c_str());
  }
};

// A link is followed, so that it stays one. Only a regular file may be replaced: anything else
// (a folder, /dev/null) must not vanish under a new version.
fs::path regular_target(const fs::path& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type == fs::file_type::directory) fail_on("write_file", path, EISDIR);
  if (type == fs::file_type::regular && fs::is_symlink(path, error))
    return fs::canonical(path, error);
  if (type != fs::file_type::regular && type != fs::file_type::not_found && !error)
    fail("write_file: {}: it is there and no regular file, so it is not replaced", path.string());
  return path;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

constexpr std::string_view unfinished = ".tmp";

// Creates a new file beside `path`. The number after the process's id is for the rare case that one
// was left there by a dead process of the same id, or that another thread writes the same file.
int create_beside(const fs::path& path, fs::path& created) {
  for (int i = 0;; ++i) {
    created = fmt::format("{}.{}-{}{}", path.string(), ::getpid(), i, unfinished);
    const int number = ::open(created.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number >= 0 || errno != EEXIST) return number;
  }
}

bool write_all(int number, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(number, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(written);
  }
  return true;
}

// Makes a rename last. A folder that cannot be opened or flushed (some file systems have no such
// notion) is no failure: the file itself is safe by then.
void flush_folder(const fs::path& path) {
  const Descriptor folder{::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder.number >= 0 && ::fsync(folder.number) != 0 && errno == EIO)
    fail_on("write_file", path);
}

// From where the descriptor stands to the end.
std::string read_all(int number, std::string_view op, const fs::path& path) {
  struct stat status;
  if (::fstat(number, &status) != 0) fail_on(op, path);
  if (S_ISDIR(status.st_mode)) fail_on(op, path, EISDIR);
  // One byte more than it should hold, so that the end is usually found without growing; a pipe
  // does not know its size, and grows.
  std::string bytes(S_ISREG(status.st_mode) ? status.st_size + 1 : 65536, '\0');
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size()) bytes.resize(2 * filled);
    const ssize_t got = ::read(number, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno != EINTR) fail_on(op, path);
    if (got == 0) break;
    if (got > 0) filled += got;
  }
  bytes.resize(filled);
  return bytes;
}

// What went wrong when a file was to be made in, or renamed within, the folder of `target`.
[[noreturn]] void fail_there(const fs::path& path, const fs::path& target, int reason) {
  if (reason == ENOENT && !fs::exists(folder_of(target)))
    fail("write_file: {}: there is no folder {}; create it first", path.string(),
         folder_of(target).string());
  fail_on("write_file", path, reason);
}

}  // namespace

std::string read_file(const fs::path& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) fail_on("read_file", path);
  return read_all(file.number, "read_file", path);
}

void write_file(const fs::path& path, std::string_view bytes) {
  const fs::path target = regular_target(path);
  Temporary temporary;
  Descriptor file{create_beside(target, temporary.path)};
  if (file.number < 0) fail_there(path, target, errno);
  temporary.there = true;
  struct stat old;
  if (::stat(target.c_str(), &old) == 0) ::fchmod(file.number, old.st_mode & 07777);
  if (!write_all(file.number, bytes) || ::fsync(file.number) != 0) fail_on("write_file", path);
  if (::lseek(file.number, 0, SEEK_SET) != 0 || read_all(file.number, "write_file", path) != bytes)
    fail("write_file: {}: what was read back is not what was written; is the disk in order?",
         path.string());
  // Some file systems tell of a failed write only here. The descriptor is gone either way.
  if (::close(std::exchange(file.number, -1)) != 0) fail_on("write_file", path);
  if (::rename(temporary.path.c_str(), target.c_str()) != 0) fail_there(path, target, errno);
  temporary.there = false;
  flush_folder(target);
}

void sweep_unfinished(const fs::path& folder) {
  std::error_code error;  // what cannot be listed or removed stays
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != unfinished) continue;
    const std::string numbers = entry.path().stem().extension().string();  // ".PROCESS-NUMBER"
    const auto dash = numbers.find('-');
    const auto digits = [&](std::size_t from, std::size_t to) {
      return from < to && numbers.find_first_not_of("0123456789", from) >= to;
    };
    if (dash != numbers.npos && digits(1, dash) && digits(dash + 1, numbers.size()))
      fs::remove(entry.path(), error);
  }
}

}  // namespace attention
