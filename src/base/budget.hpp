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

  // A part of this budget: no more than `time` from now, and the same memory.
  Budget slice(std::chrono::milliseconds time) const {
    Budget part = *this;
    part.start_ = Clock::now();
    part.deadline_ = std::min(deadline_, part.start_ + time);
    return part;
  }
  std::chrono::milliseconds time_left() const {
    if (deadline_ == Clock::time_point::max()) return std::chrono::milliseconds::max();
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
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
