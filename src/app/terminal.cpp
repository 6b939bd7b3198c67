#include "app/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace heddle::app {
namespace {

constexpr std::size_t narrowest = 60, widest = 240;

std::size_t terminal_width(std::size_t otherwise) {
  if (const char* columns = std::getenv("COLUMNS")) {
    const unsigned long width = std::strtoul(columns, nullptr, 10);
    if (width >= narrowest && width <= widest) return width;
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= narrowest)
    return size.ws_col <= widest ? size.ws_col : widest;
  return otherwise;
}

}  // namespace

report::Style style_of_output() {
  report::Style style;
  style.width = terminal_width(120);
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  const bool unwanted = no_color != nullptr && *no_color != '\0';
  if (isatty(STDOUT_FILENO) != 0 && !dumb && !unwanted) style.colour = report::Colour::on;
  return style;
}

ProgressLine::ProgressLine(Show show)
    : visible_(show == Show::where_a_terminal_is && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() { erase(); }

void ProgressLine::progress(const verdict::Progress& progress) {
  if (!visible_ || Clock::now() < next_) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (progress.bound > 0)
    fmt::print(stderr, "\r\x1b[Kunrolling loops {} times, {:.1f} s", progress.bound, seconds);
  else if (progress.share)
    fmt::print(stderr, "\r\x1b[K{} executions, about {:.2g} % of all, {} steps, {:.1f} s",
               progress.executions, 100 * *progress.share, progress.steps, seconds);
  else
    fmt::print(stderr, "\r\x1b[K{} states, {} steps, depth {}, {:.1f} s", progress.states,
               progress.steps, progress.depth, seconds);
  std::fflush(stderr);
  shown_ = true;
  next_ = Clock::now() + std::chrono::milliseconds(100);
}

void ProgressLine::erase() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace heddle::app
