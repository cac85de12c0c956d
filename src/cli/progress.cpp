#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "attention/draw/terminal.hpp"

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
      width_(draw::terminal(stream).width),
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

// Where the terminal is too narrow for the bar, it goes first.
void Progress::update(Size step, double loss) {
  if (live_) {
    if (seconds() - last_shown_ < seconds_between_updates && step < total_) return;
    last_shown_ = seconds();
    const auto filled = static_cast<int>(bar_width * step / total_);
    const std::string text = status(step, loss);
    std::string line = fmt::format("[{:=<{}}{:{}}] {}", "", filled, "", bar_width - filled, text);
    if (static_cast<int>(line.size()) >= width_) line = text;
    if (static_cast<int>(line.size()) >= width_) line.resize(std::max(0, width_ - 1));
    fmt::print(stream_, "{}{}", clear_line, line);
  } else if (step >= next_plain_ || step == total_) {
    next_plain_ += std::max<Size>(1, total_ / 10);
    fmt::print(stream_, "{}\n", status(step, loss));
  }
  std::fflush(stream_);
}

Progress::~Progress() {
  if (live_) std::fputs(clear_line, stream_);
  std::fflush(stream_);
}

}  // namespace attention::cli
