// A second look at the static sharing facts while the search runs. Should two threads
// ever touch an object that an access was taken to have for itself, the facts are
// wrong, and with them every step that was not interleaved: the search must start
// again without them.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>

#include "base/hash.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::explore {

class SharingAudit {
 public:
  enum class Belief { shared, unshared };

  // To be told of every access before it is made.
  void note(const machine::Machine& machine, const machine::State& state,
            machine::ThreadNumber thread, ir::EdgeId edge, Belief belief) {
    const std::optional<machine::Access> access = machine.access(state, thread, edge);
    if (access) note(machine, state, *access, belief);
  }
  void note(const machine::Machine& machine, const machine::State& state,
            const machine::Access& access, Belief belief) {
    if (const auto place = machine.memory().find(state, access.address))
      note(*place, access.thread, belief);
  }
  void note(const machine::Place& place, machine::ThreadNumber thread, Belief belief) {
    if (!place.index) return;  // nobody writes a string literal
    const auto [at, fresh] = touched_.try_emplace(
        base::combine(base::combine(place.base, place.object->allocated_at.value),
                      place.object->global.value),
        Touched{thread, false, false});
    Touched& entry = at.value();
    entry.by_several = entry.by_several || entry.first != thread;
    entry.believed_unshared = entry.believed_unshared || belief == Belief::unshared;
    contradicted_ = contradicted_ || (entry.by_several && entry.believed_unshared);
  }

  bool contradicted() const { return contradicted_; }

 private:
  struct Touched {
    machine::ThreadNumber first = 0;
    bool by_several = false;
    bool believed_unshared = false;
  };
  tsl::robin_map<std::uint64_t, Touched> touched_;  // by object: its place and its origin
  bool contradicted_ = false;
};

}  // namespace heddle::engine::explore
