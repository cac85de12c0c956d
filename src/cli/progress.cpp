#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace attention::cli {
namespace {

constexpr double seconds_between_updates = 0.1;
constexpr int bar_width = 24;
constexpr const char* clear_line = "\r\033[K";

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) != 0; }

Progress::Progress(std::FILE* stream, Size first, Size total)
    : stream_(stream),
      live_(is_terminal(stream)),
      first_(first),
      total_(total),
      next_plain_(first + std::max<Size>(1, total / 10)),
      start_(seconds()) {}

std::string Progress::status(Size step, double loss) const {
  const double elapsed = std::max(seconds() - start_, 1e-9);
  const double rate = static_cast<double>(step - first_) / elapsed;
  return fmt::format("{:3} %  step {} of {}  loss {:.4f}  {:.1f} steps/s  {} left",
                     100 * step / total_, step, total_, loss, rate,
                     duration(static_cast<double>(total_ - step) / rate));
}

void Progress::update(Size step, double loss) {
  if (live_) {
    if (seconds() - last_shown_ < seconds_between_updates && step < total_) return;
    last_shown_ = seconds();
    const auto filled = static_cast<int>(bar_width * step / total_);
    fmt::print(stream_, "{}[{:=<{}}{:{}}] {}", clear_line, "", filled, "", bar_width - filled,
               status(step, loss));
  } else if (step >= next_plain_ || step == total_) {
    next_plain_ += std::max<Size>(1, total_ / 10);
    fmt::print(stream_, "{}\n", status(step, loss));
  }
  std::fflush(stream_);
}

void Progress::say(const std::string& line) {
  fmt::print(stream_, "{}{}\n", live_ ? clear_line : "", line);
  std::fflush(stream_);
}

void Progress::finish() {
  if (live_) fmt::print(stream_, "{}", clear_line);
  std::fflush(stream_);
}

}  // namespace attention::cli
