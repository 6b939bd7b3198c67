// What an event of the stateless search does to memory that other threads may see.
// Two events of different threads whose footprints do not conflict commute: this is
// the dependence relation that all of partial-order reduction rests on. Where it is
// not certain what an event touches, its footprint covers everything.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/explore/stateless/names.hpp"
#include "machine/machine.hpp"
#include "machine/shared.hpp"

namespace heddle::engine::explore {

using machine::AccessKind;
using machine::ThreadNumber;

// Whether an access can be part of a data race.
enum class AccessRole : std::uint8_t {
  program,  // made by the program
  unseen,   // what unknown code might do: whether it races, nobody can tell
  none,     // no access of the program
};

struct Touched {
  ObjectName object = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  AccessKind kind = AccessKind::read;
  bool plain = false;  // neither atomic nor inside an atomic section
  AccessRole role = AccessRole::none;
  bool operator==(const Touched&) const = default;
};

inline bool overlapping(const Touched& a, const Touched& b) {
  return a.object == b.object && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}
inline bool conflicting(const Touched& a, const Touched& b) {
  return (a.kind == AccessKind::write || b.kind == AccessKind::write) && overlapping(a, b);
}

struct Footprint {
  std::vector<Touched> touched{};
  bool everything = false;         // may touch anything at all
  ThreadNumber first_spawned = 0;  // threads that the event has created
  ThreadNumber spawned = 0;        // how many

  bool writes() const;
  bool empty() const { return touched.empty() && !everything && spawned == 0; }
  bool creates(ThreadNumber thread) const {
    return thread >= first_spawned && thread - first_spawned < spawned;
  }
  void add(const Touched& touch);
  bool operator==(const Footprint&) const = default;
};

// Whether the order of two events of different threads may matter.
bool dependent(const Footprint& a, const Footprint& b);

// An event as a thread's next: which thread, the values that it takes from outside, and what it
// touches.
struct Action {
  ThreadNumber thread = 0;
  std::vector<std::uint64_t> inputs{};
  machine::Shared<Footprint> footprint{Footprint{}};

  bool same_event(const Action& other) const {
    return thread == other.thread && inputs == other.inputs;
  }
};

// Of actions as they follow one another.
bool dependent(const Action& a, const Action& b);

}  // namespace heddle::engine::explore
