// A disk that fails at a chosen moment. Loaded in front of the C library (LD_PRELOAD), it counts
// the calls that change files, or only those named DISK_CALL, and at number DISK_FAILS_AT it kills
// the process, as a loss of power would, or fails with the error number DISK_ERROR, as does every
// call after that one.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

long number(const char* variable) {
  const char* text = std::getenv(variable);
  return text ? std::atol(text) : 0;
}

bool fails(const char* call) {
  static long calls = 0;
  const char* only = std::getenv("DISK_CALL");
  const long at = number("DISK_FAILS_AT");
  if (at == 0 || (only && std::strcmp(only, call) != 0) || ++calls < at) return false;
  const long error = number("DISK_ERROR");
  if (error == 0) ::kill(::getpid(), SIGKILL);
  errno = static_cast<int>(error);
  return true;
}

bool is_file(int descriptor) {
  struct stat status;
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list list;
  va_start(list, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  if (flags & O_CREAT && fails("open")) return -1;
  return real<int(const char*, int, mode_t)>("open")(path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  if (is_file(descriptor) && fails("write")) return -1;
  return real<ssize_t(int, const void*, size_t)>("write")(descriptor, bytes, count);
}

int fsync(int descriptor) {
  if (is_file(descriptor) && fails("fsync")) return -1;
  return real<int(int)>("fsync")(descriptor);
}

int rename(const char* from, const char* to) {
  if (fails("rename")) return -1;
  return real<int(const char*, const char*)>("rename")(from, to);
}

}  // extern "C"
