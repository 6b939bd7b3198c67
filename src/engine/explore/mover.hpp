// One move of the search: a step of one thread, then every local step that follows
// it, without a look at the other threads. Where the thread is inside an atomic
// section, the move goes on to the end of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/explore/locality.hpp"
#include "engine/explore/lock_discipline.hpp"
#include "engine/explore/options.hpp"
#include "engine/explore/persistence.hpp"
#include "engine/explore/sharing_audit.hpp"
#include "ir/program.hpp"
#include "machine/machine.hpp"
#include "verdict/verdict.hpp"

namespace heddle::engine::explore {

enum class MoveEnd {
  stopped,        // at a step that is not local, at one that takes an input, or at the thread's end
  pruned,         // no edge can be taken: the execution does not exist beyond this state
  cut,            // unsupported, or undefined behaviour that is not asked about
  process_ended,  // nothing follows
  violated,
};

struct Move {
  MoveEnd end = MoveEnd::stopped;
  std::uint64_t steps = 0;             // taken by the move; 0: the very first could not be taken
  std::uint64_t local_steps = 0;       // of these, after the first
  std::uint64_t persistent_steps = 0;  // of the local ones, on memory that others share
  std::uint64_t protected_steps = 0;   // of these, under a lock
  bool interrupted = false;            // by the chain limit: others must get a turn
  std::optional<verdict::Violation> violation{};
  // Of the first cut, which may also be that of a thread that the move has created.
  std::optional<verdict::Gap> gap{};
  std::string detail{};
  ir::EdgeId cut_at{};
};

class Mover {
 public:
  // What tells steps that need not be interleaved. Without one of the pointers, none is of its
  // kind.
  struct Reductions {
    const Locality& locality;
    SharingAudit& audit;
    Persistence* persistence = nullptr;
    LockDiscipline* locks = nullptr;
  };
  // All must outlive the mover.
  Mover(const ir::Program& program, const machine::Machine& machine, const Reductions& reductions,
        const verdict::Property& property, const Options& options);

  // The facts that local steps rest on have turned out wrong.
  bool misled() const {
    return audit_.contradicted() || (persistence_ != nullptr && persistence_->contradicted()) ||
           (locks_ != nullptr && locks_->contradicted());
  }
  // Whether the thread may move now without a look at the others.
  bool local(const machine::State& state, ThreadNumber thread) const;
  // Moves `thread`, which is enabled; its first step takes `input` if it needs one. Where `record`
  // is given, the steps are appended to it.
  Move move(machine::State& state, ThreadNumber thread, std::optional<std::uint64_t> input,
            std::vector<verdict::Step>* record) const;

 private:
  struct Run;  // the state of one move
  class CircleDetector;
  bool take(Run& run, ThreadNumber thread, std::optional<std::uint64_t> input) const;
  void chain(Run& run, ThreadNumber thread, CircleDetector& circle) const;
  bool may_continue(Run& run, ThreadNumber thread, ir::EdgeId next) const;
  void note(const Run& run, ThreadNumber thread, ir::EdgeId next) const;
  bool undisturbed(Run& run, ThreadNumber thread, ir::EdgeId next) const;
  bool enters_section(const machine::State& state, ThreadNumber thread, ir::EdgeId next) const;
  bool pass_local_section(Run& run, ThreadNumber thread) const;
  bool races_inside_section(Run& run, ThreadNumber thread, ir::EdgeId next) const;
  bool alone(const machine::State& state) const;

  const ir::Program& program_;
  const machine::Machine& machine_;
  const Locality& locality_;
  SharingAudit& audit_;
  Persistence* persistence_;  // null: none
  LockDiscipline* locks_;     // null: none
  bool races_asked_;
  Options options_;
};

}  // namespace heddle::engine::explore
