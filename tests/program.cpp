#include "program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "attention/core/threads.hpp"

namespace program {

const char* const failing_disk = ATTENTION_FAILING_DISK;
#ifdef __SANITIZE_ADDRESS__
const bool sanitized = true;
#else
const bool sanitized = false;
#endif

namespace {

void check(bool fine, const char* what) {
  if (!fine) throw std::runtime_error(std::string("program.cpp: ") + what);
}

struct Ends {
  int ours = -1, theirs = -1;
};

// A small one, so that a program that prints is never far ahead of its reader.
Ends make_pipe() {
  int ends[2];
  check(::pipe(ends) == 0, "pipe");
#ifdef F_SETPIPE_SZ
  ::fcntl(ends[1], F_SETPIPE_SZ, 4096);
#endif
  return {ends[0], ends[1]};
}

Ends make_terminal(unsigned short columns) {
  Ends ends;
  ends.ours = ::posix_openpt(O_RDWR | O_NOCTTY);
  check(ends.ours >= 0 && ::grantpt(ends.ours) == 0 && ::unlockpt(ends.ours) == 0, "posix_openpt");
  ends.theirs = ::open(::ptsname(ends.ours), O_RDWR | O_NOCTTY);
  check(ends.theirs >= 0, "ptsname");
  winsize size{.ws_row = 30, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  ::ioctl(ends.theirs, TIOCSWINSZ, &size);
  termios mode{};
  ::tcgetattr(ends.theirs, &mode);
  mode.c_oflag &= ~static_cast<tcflag_t>(OPOST);  // line ends stay as they were written
  ::tcsetattr(ends.theirs, TCSANOW, &mode);
  return ends;
}

// One thread unless a test asks for more: others may be running beside it.
Strings environment(Strings changes) {
  changes.push_back("OMP_NUM_THREADS=1");
  Strings result;
  for (char** entry = ::environ; *entry; ++entry) {
    const std::string old = *entry;
    const auto same_name = [&](const std::string& change) {
      return change.substr(0, change.find('=')) == old.substr(0, old.find('='));
    };
    if (std::none_of(changes.begin(), changes.end(), same_name)) result.push_back(old);
  }
  for (const std::string& change : changes)
    if (!change.ends_with('=')) result.push_back(change);
  return result;
}

bool limit(int what, rlim_t bytes) {
  const rlimit both{bytes, bytes};
  return bytes == 0 || ::setrlimit(what, &both) == 0;
}

std::vector<char*> pointers(Strings& strings) {
  std::vector<char*> result;
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

void append(int from, std::string& text, bool& open) {
  char bytes[4096];
  const ssize_t count = ::read(from, bytes, sizeof bytes);
  if (count > 0) text.append(bytes, static_cast<std::size_t>(count));
  if (count == 0 || (count < 0 && errno != EINTR)) open = false;  // a closed terminal gives EIO
}

// Reads until the program is done. Whoever takes a minute is hung, and ended.
Result listen(pid_t child, int out, int err, const How& how) {
  using namespace std::chrono;
  const auto start = steady_clock::now();
  const auto remaining = [&] {
    const auto passed = duration_cast<milliseconds>(steady_clock::now() - start).count();
    return std::max(0, how.killed_after - static_cast<int>(passed));
  };
  std::string interrupt = how.interrupt;
  Result result;
  bool out_open = true, err_open = err >= 0;
  while (out_open || err_open) {
    pollfd ready[] = {{out_open ? out : -1, POLLIN, 0}, {err_open ? err : -1, POLLIN, 0}};
    const int count = ::poll(ready, 2, how.killed_after > 0 ? remaining() : 60'000);
    if (count == 0) ::kill(child, SIGKILL);
    if (ready[0].revents) append(out, result.out, out_open);
    if (ready[1].revents) append(err, result.err, err_open);
    if (!interrupt.empty() && result.out.find(interrupt) != std::string::npos) {
      ::usleep(how.later);
      if (how.act)
        how.act();
      else
        ::kill(child, how.signal);
      interrupt.clear();
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return result;
}

}  // namespace

Strings lines(const std::string& text) {
  Strings result;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != text.npos; begin = end + 1)
    result.push_back(text.substr(begin, end - begin));
  if (begin < text.size()) result.push_back(text.substr(begin));
  return result;
}

Result Workshop::run(Strings arguments, const How& how) const {
  arguments.insert(arguments.begin(), ATTENTION_PROGRAM);
  Strings variables = environment(how.environment);
  const std::vector<char*> argv = pointers(arguments), envp = pointers(variables);
  const Ends out = how.terminal ? make_terminal(how.columns) : make_pipe();
  const Ends err = how.terminal ? out : make_pipe();
  const int file = how.output.empty() ? out.theirs : ::open(how.output.c_str(), O_WRONLY);
  const pid_t child = ::fork();
  check(child >= 0, "fork");
  if (child == 0) {
    ::dup2(how.terminal ? out.theirs : ::open("/dev/null", O_RDONLY), 0);
    ::dup2(file, 1);
    ::dup2(err.theirs, 2);
    for (int end : {out.ours, out.theirs, err.ours, err.theirs}) ::close(end);
    const bool ready =
        ::chdir(path.c_str()) == 0 && limit(RLIMIT_FSIZE, how.largest_file) &&
        limit(RLIMIT_AS, how.memory) &&
        (!how.as_nobody || ::geteuid() != 0 || (::setgid(65534) == 0 && ::setuid(65534) == 0));
    if (ready) ::execve(ATTENTION_PROGRAM, argv.data(), envp.data());
    ::_exit(127);
  }
  ::close(out.theirs);
  if (!how.terminal) ::close(err.theirs);
  if (file != out.theirs) ::close(file);
  Result result = listen(child, out.ours, how.terminal ? -1 : err.ours, how);
  ::close(out.ours);
  if (!how.terminal) ::close(err.ours);
  return result;
}

void check_error(const Result& result, int code, const Strings& words) {
  INFO("standard output: " << result.out << "\nstandard error: " << result.err);
  CHECK(result.code == code);
  CHECK(lines(result.err).size() == 1);
  if (result.err.empty()) return;
  CHECK(result.err.starts_with("attention: "));
  CHECK(result.err.ends_with('\n'));
  CHECK(result.err.size() < 400);
  for (const char* inner : {"json.exception", "terminate called", "what():", "std::", "0x7f"})
    CHECK_THAT(result.err, !Catch::Contains(inner));
  for (const std::string& word : words) CHECK_THAT(result.err, Catch::Contains(word));
}

std::string some_text() {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "the cat sat on mat " + std::to_string(i) + ".\n";
  return text;
}

std::string some_threads(int n) { return std::to_string(attention::threads_available() ? n : 1); }

Strings tiny(Strings more) {
  for (const char* option : {"--layers", "1", "--heads", "2", "--channels", "8", "--batch", "4",
                             "--samples", "20", "--threads", "1"})
    more.push_back(option);
  return more;
}

}  // namespace program
