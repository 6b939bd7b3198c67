// One run of an event while it lasts; of the runner alone.
#pragma once

#include <optional>
#include <span>

#include "engine/explore/stateless/runner.hpp"

namespace heddle::engine::explore {

struct Runner::Run {
  machine::State& state;
  Names& names;
  ThreadNumber thread;
  std::span<const std::uint64_t> inputs;
  const Watch* watch;
  machine::Shared<machine::Thread> start;
  EventRun out{};
  bool noticed = false;      // the step that others can notice has been taken
  bool in_section = false;   // that step has begun an atomic section
  bool has_written = false;  // what others can see; not what the next step might write
  std::size_t inputs_used = 0;
  std::optional<machine::State> before{};  // the first change of an object of its own
  // A state of the past, to see that a chain of local steps goes in circles (Brent).
  std::optional<machine::State> past{};
  std::uint64_t loop_heads = 0, renew_at = 0;
};

}  // namespace heddle::engine::explore
