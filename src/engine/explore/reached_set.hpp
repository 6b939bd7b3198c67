// The states that the search has reached, numbered in the order of their discovery. The
// default stores them compressed and finds them by hash. The other two are there to be
// compared with: one list for all, and a list for each tuple of locations, as in the
// ThreadingCPA paper.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/explore/options.hpp"
#include "machine/state.hpp"
#include "machine/state_set.hpp"

namespace heddle::engine::explore {

class ReachedSet {
 public:
  explicit ReachedSet(ReachedKind kind) : kind_(kind) {}

  machine::StateSet::Entry insert(const machine::State& state) {
    if (kind_ == ReachedKind::compressed) return compressed_.insert(state);
    std::vector<std::uint32_t>& candidates = lists_[key_of(state)];
    for (const std::uint32_t number : candidates)
      if (states_[number] == state) return {number, false};
    const auto number = static_cast<std::uint32_t>(states_.size());
    candidates.push_back(number);
    states_.push_back(state);
    return {number, true};
  }

 private:
  using Locations = std::vector<std::uint32_t>;  // of all frames of all threads

  Locations key_of(const machine::State& state) const {
    Locations key;
    if (kind_ == ReachedKind::flat) return key;
    for (const auto& thread : state.threads()) {
      key.push_back(static_cast<std::uint32_t>(thread->frames.size()));
      for (const auto& frame : thread->frames) key.push_back(frame->at.value);
    }
    return key;
  }

  ReachedKind kind_;
  machine::StateSet compressed_{};
  std::vector<machine::State> states_{};
  std::map<Locations, std::vector<std::uint32_t>> lists_{};
};

}  // namespace heddle::engine::explore
