// What is wrong with a state as a whole: two pending accesses that race, or threads
// that wait for each other for good.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "machine/machine.hpp"

namespace heddle::machine {

// A Clobber or ObjectSize stands for what an unknown function might do: no access of the program.
bool may_race(const ir::Statement& statement) {
  return !std::holds_alternative<ir::Clobber>(statement) &&
         !std::holds_alternative<ir::ObjectSize>(statement);
}

bool conflicting(const Access& a, const Access& b) {
  if (a.kind == AccessKind::read && b.kind == AccessKind::read) return false;
  if (!a.plain && !b.plain) return false;
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

std::optional<Access> Machine::racing_access(const State& state, ThreadNumber thread) const {
  const std::span<const ir::EdgeId> out = edges(state, thread);
  if (out.size() != 1 || !may_race(program_.edge(out[0]).statement)) return std::nullopt;
  return access(state, thread, out[0]);
}

std::optional<verdict::Violation> Machine::race(const State& state) const {
  std::vector<Access> pending;
  for (ThreadNumber t = 0; t < state.thread_count(); ++t)
    if (const std::optional<Access> mine = racing_access(state, t)) pending.push_back(*mine);
  return race(state, pending);
}

std::optional<verdict::Violation> Machine::race(const State& state,
                                                std::span<const Access> pending) const {
  for (std::size_t second = 0; second < pending.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      const Access &one = pending[first], &other = pending[second];
      if (one.thread == other.thread || !conflicting(one, other)) continue;
      verdict::Violation found;
      found.check = verdict::Check::race;
      found.thread = one.thread;
      found.edge = one.edge;
      found.other_thread = other.thread;
      found.other_edge = other.edge;
      found.text = fmt::format("data race on {}",
                               memory_.describe(state, std::max(one.address, other.address)));
      return found;
    }
  }
  return std::nullopt;
}

bool Machine::may_race_unseen(const State& state, ThreadNumber thread, ir::EdgeId edge) const {
  if (!std::holds_alternative<ir::Clobber>(program_.edge(edge).statement)) return false;
  std::optional<Access> unseen = access(state, thread, edge);
  if (!unseen) return false;
  unseen->kind = AccessKind::write;
  unseen->plain = true;
  for (ThreadNumber other = 0; other < state.thread_count(); ++other) {
    if (other == thread) continue;
    const std::optional<Access> theirs = racing_access(state, other);
    if (theirs && conflicting(*unseen, *theirs)) return true;
  }
  return false;
}

std::optional<verdict::Violation> Machine::deadlock(const State& state) const {
  if (state.over()) return std::nullopt;
  std::vector<std::optional<Wait>> waits(state.thread_count());  // of the members of the set
  for (ThreadNumber t = 0; t < state.thread_count(); ++t) waits[t] = wait(state, t);
  const auto stays = [&](ThreadNumber t) {
    if (waits[t]->holder)
      return waits[*waits[t]->holder].has_value() || !live(state, *waits[t]->holder);
    for (ThreadNumber other = 0; other < state.thread_count(); ++other)
      if (live(state, other) && !waits[other]) return false;
    return true;
  };
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (ThreadNumber t = 0; t < state.thread_count(); ++t) {
      if (!waits[t] || stays(t)) continue;
      waits[t].reset();
      shrunk = true;
    }
  }
  verdict::Violation found;
  found.check = verdict::Check::deadlock;
  for (ThreadNumber t = 0; t < state.thread_count(); ++t)
    if (waits[t]) found.stuck.push_back(t);
  if (found.stuck.empty()) return std::nullopt;
  found.thread = found.stuck.front();
  found.edge = waits[found.thread]->edge;
  found.text = found.stuck.size() == 1
                   ? fmt::format("thread {} can never go on", found.thread)
                   : fmt::format("{} threads can never go on", found.stuck.size());
  return found;
}

}  // namespace heddle::machine
