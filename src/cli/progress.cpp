#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "attention/draw/terminal.hpp"

namespace attention::cli {
namespace {

constexpr double seconds_between_updates = 0.1;
constexpr int widest_bar = 24, narrowest_bar = 8;
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

// The live line has to fit a terminal of 80 columns, bar and all; a plain one has room.
std::string Progress::status(Size step, double loss) const {
  const double elapsed = std::max(seconds() - start_, 1e-9);
  const double rate = static_cast<double>(step - first_) / elapsed;
  const std::string pace =
      fmt::format("{:.1f} steps/s  {} left", rate,
                  duration(static_cast<double>(total_ - step) / std::max(rate, 1e-9)));
  const Size percent = 100 * step / total_;
  if (live_)
    return fmt::format("{:3} %  {}/{}  loss {:.4f}  {}", percent, step, total_, loss, pace);
  const std::string unseen = unseen_ ? fmt::format("  unseen {:.4f}", *unseen_) : "";
  return fmt::format("{:3} %  step {} of {}  loss {:.4f}{}  {}", percent, step, total_, loss,
                     unseen, pace);
}

void Progress::update(Size step, double loss) {
  if (live_) {
    if (seconds() - last_shown_ < seconds_between_updates && step < total_) return;
    last_shown_ = seconds();
    std::string line = status(step, loss);
    const int room = std::min(width_ - static_cast<int>(line.size()) - 4, widest_bar);
    if (room >= narrowest_bar) {
      const auto filled = static_cast<int>(room * step / total_);
      line = fmt::format("[{:=<{}}{:{}}] {}", "", filled, "", room - filled, line);
    }
    line.resize(std::min(line.size(), static_cast<std::size_t>(std::max(0, width_ - 1))));
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
