// What is known about where the output goes, and the line that shows progress there.
#pragma once

#include <chrono>

#include "engine/engine.hpp"
#include "report/style.hpp"

namespace heddle::app {

// Width and colours for a report on standard output; NO_COLOR and COLUMNS are respected.
report::Style style_of_output();

// One line on standard error that is rewritten in place, and erased at the end. Silent where
// standard error is no terminal.
class ProgressLine : public engine::Listener {
 public:
  enum class Show { where_a_terminal_is, never };
  explicit ProgressLine(Show show);
  ~ProgressLine() override;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void progress(const verdict::Progress& progress) override;
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  bool visible_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = Clock::now();
};

}  // namespace heddle::app
