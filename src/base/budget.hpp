// How long and how big a run may get. Engines ask; nobody is interrupted.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace heddle::base {

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  Budget() = default;  // unlimited
  Budget(std::chrono::milliseconds time, std::uint64_t memory_bytes)
      : deadline_(Clock::now() + time), memory_bytes_(memory_bytes) {}

  // A part of what is left: hundredths of the time from now, and of the memory; but no less than
  // `least`, as long as there is so much.
  Budget share(unsigned time_percent, unsigned memory_percent, Clock::duration least = {}) const {
    Budget part = *this;
    part.start_ = Clock::now();
    if (deadline_ != Clock::time_point::max())
      part.deadline_ = part.start_ + std::max((deadline_ - part.start_) / 100 * time_percent,
                                              std::min(least, deadline_ - part.start_));
    if (memory_bytes_ != UINT64_MAX) part.memory_bytes_ = memory_bytes_ / 100 * memory_percent;
    return part;
  }
  Budget at_most(Clock::duration time) const {
    Budget part = *this;
    part.deadline_ = std::min(deadline_, Clock::now() + time);
    return part;
  }
  bool out_of_time() const { return Clock::now() >= deadline_; }
  bool out_of_memory()
      const;  // resident set of this process against the limit; reads /proc, not free
  double elapsed_seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  Clock::time_point start_ = Clock::now();
  Clock::time_point deadline_ = Clock::time_point::max();
  std::uint64_t memory_bytes_ = UINT64_MAX;
};

}  // namespace heddle::base
