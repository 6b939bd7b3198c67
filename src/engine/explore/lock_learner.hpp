// Learns from random executions which memory seems to belong to which lock. What it finds
// need not be true: the search watches it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "engine/explore/lock_discipline.hpp"

namespace heddle::engine::explore {

class LockDiscipline::Learner {
 public:
  explicit Learner(LockDiscipline& discipline) : rules_(discipline) {}

  void run();

 private:
  static constexpr Address granule = 4;

  // A few bytes that are looked at as one.
  struct Piece {
    Address base = 0;  // of their object
    std::uint64_t size = 0;
    std::set<Address> locks{};  // held at every access so far
  };
  enum class Phase { find_locks, watch_accesses };

  void walk(std::uint64_t seed, Phase phase);
  bool step(machine::State& state, ThreadNumber thread, Phase phase);
  void note(const machine::State& state, ThreadNumber thread, ir::EdgeId next);
  void note_locks(const machine::State& state, ThreadNumber thread, ir::EdgeId next,
                  const Touched& what);
  void conclude();
  std::uint64_t chance();

  LockDiscipline& rules_;
  std::set<Address> locks_{};
  std::set<Address> unsound_{}, looked_at_{};  // of the locks
  std::map<Address, Piece> pieces_{};
  std::uint64_t random_ = 0;
  std::uint64_t steps_left_ = 0;
};

}  // namespace heddle::engine::explore
