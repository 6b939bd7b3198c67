// Which memory is only ever touched by who holds a certain lock. While a thread holds it,
// nobody else gets there, so the thread's accesses commute with all that the others do
// (Lipton's movers), and so does the release of a lock that others only wait for.
//
// Optimistic, after Stoller and Cohen: the discipline is learnt from a few random
// executions, relied on, and watched at every access that the search makes. That an access
// breaks it depends on nothing but what its own thread holds, so no step that was taken
// too early can hide it; then the search begins again without that piece of the discipline.
//
// A lock is a word that threads await to be 0 and that names its holder. Exempt are
// accesses before the first thread is created, and those of main once it has joined all.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/explore/locality.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::explore {

class LockDiscipline {
 public:
  // Both must outlive this. Learns the discipline.
  LockDiscipline(const machine::Machine& machine, const Locality& locality);

  // Nothing to rely on.
  bool empty() const { return ranges_.empty(); }
  // The thread holds the lock that belongs to what the step touches.
  bool held(const machine::State& state, ThreadNumber thread, ir::EdgeId next) const;
  // To be told of every step on shared memory, and of every end of objects, before it is taken.
  void note(const machine::State& state, ThreadNumber thread, ir::EdgeId next,
            machine::KnownValues given = {});
  // Nothing is known any more of the locks whose words lie there.
  void distrust(machine::Address from, machine::Address to);

  bool contradicted() const { return !broken_ranges_.empty() || !broken_locks_.empty(); }
  // Gives up what was contradicted.
  void forget_broken();

 private:
  using Address = machine::Address;
  static constexpr std::uint64_t lock_bytes = 4;

  struct Range {  // protected by the lock; that of a lock's own word is its own
    Address to = 0;
    Address lock = 0;
  };
  // Bytes that a step touches, or whose life it ends.
  struct Touched {
    Address from = 0, to = 0;
    Address base = 0;  // of the object
    std::uint64_t size = 0;
    bool whole = false;  // the object ends, or unknown code gets hold of it
  };
  enum class Use { allowed, reads, breaks };  // of a lock's word

  class Learner;

  void find_thread_blocks();
  void learn();
  bool holds(const machine::State& state, ThreadNumber thread, Address lock) const;
  std::optional<std::uint64_t> word(const machine::State& state, Address lock) const;
  bool exempt(const machine::State& state, ThreadNumber thread) const;
  bool all_joined(const machine::State& state) const;
  std::vector<Touched> touched(const machine::State& state, ThreadNumber thread, ir::EdgeId next,
                               machine::KnownValues given = {}) const;
  Use use_of_lock(const machine::State& state, ThreadNumber thread, ir::EdgeId next,
                  const Touched& what, Address lock) const;
  bool awaits_lock(ir::EdgeId edge) const;

  const machine::Machine& machine_;
  const ir::Program& program_;
  const Locality& locality_;
  std::map<Address, Range> ranges_{};  // by start; they do not overlap
  std::set<Address> locks_{};          // whose discipline is relied on
  std::set<Address> broken_ranges_{}, broken_locks_{};
  std::vector<char> matters_{};  // by EdgeId: touches shared memory or may end objects
  // How the model library marks a thread as joined: found by name, absent where it is not used.
  ir::EdgeId thread_block_{};  // the Alloc of a thread's control block
  std::uint64_t running_offset_ = 0, joined_offset_ = 0;
};

}  // namespace heddle::engine::explore
