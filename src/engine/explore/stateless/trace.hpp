// The execution that the stateless search is in: its events and which of them happen
// before which (vector clocks). Events are added and taken away at the end only.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <vector>

#include "engine/explore/stateless/footprint.hpp"

namespace heddle::engine::explore {

// By thread: how many of its events happened before. Missing entries are 0.
using Clock = std::vector<std::uint32_t>;
void join(Clock& clock, const Clock& other);

using Position = std::uint32_t;

// An event could come before `first`, which it now comes after, and that would matter.
struct Race {
  Position first = 0;
  // The event as it would be there, with each choice of inputs.
  std::vector<Action> instead{};
  bool same = false;  // it would touch what it touches now
};

struct Event {
  Action action{};
  std::uint32_t number = 0;  // among the events of its thread, from 1
  Clock clock{};             // includes the event itself
  std::vector<Race> races{};
  bool fixed = false, changes_objects = false;  // as of EventRun
  std::vector<std::uint64_t> own_objects{};
};

class Trace {
 public:
  Position size() const { return static_cast<Position>(events_.size()); }
  const Event& operator[](Position at) const { return events_[at]; }

  void push(Event event);
  void pop();

  // What happened before the next event of the thread, as far as it is known before it is run.
  Clock clock_of(ThreadNumber thread) const;
  bool happened(Position at, const Clock& clock) const {
    const Event& event = events_[at];
    return event.action.thread < clock.size() && clock[event.action.thread] >= event.number;
  }
  // The thread's events, by position.
  const std::vector<Position>& events_of(ThreadNumber thread) const;

  // The same for executions that differ only in the order of independent events.
  std::uint64_t digest() const;

  // Events of others that such an event of the thread would be dependent on, last first. Of those
  // that happened before another one of them, some may be left out unless `all` are asked for.
  // None that happened before `known`.
  enum class Extent { last, all };
  std::vector<Position> dependent_on(const Footprint& footprint, const Clock& known,
                                     Extent extent) const;

 private:
  struct Entry {
    Position at = 0;
    Touched touch{};
  };
  using History = std::vector<Entry>;
  void look_up(const Touched& touch, const Clock& known, Extent extent,
               std::vector<Position>& found) const;
  History& history(ObjectName object);

  std::vector<Event> events_{};
  std::vector<std::vector<Position>> by_thread_{};
  std::vector<Position> creator_{};                      // by thread; of main: unused
  tsl::robin_map<ObjectName, std::uint32_t> objects_{};  // index into histories_
  std::vector<History> histories_{};
  std::vector<Position> far_reaching_{};  // events that may touch everything
};

}  // namespace heddle::engine::explore
