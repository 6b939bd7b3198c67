// What a symbolic execution of all threads leaves behind: for each thread its steps
// in program order, each under the condition that it happens, and the memory events
// among them that other threads may notice. Everything the encoder needs, and what
// turns an assignment back into a trace.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/bmc/contexts.hpp"
#include "engine/bmc/objects.hpp"
#include "ir/program.hpp"
#include "smt/term.hpp"
#include "verdict/verdict.hpp"

namespace heddle::engine::bmc {

using smt::Term;
using ThreadIndex = std::uint32_t;
using NodeIndex = std::uint32_t;  // of a moment in which a thread does something others may notice
constexpr NodeIndex no_node = std::numeric_limits<NodeIndex>::max();
constexpr NodeIndex first_node = 0;  // before everything: memory as it is at first

enum class EventKind { read, write };

struct Event {
  EventKind kind = EventKind::read;
  ThreadIndex thread = 0;
  NodeIndex node = no_node;
  Cell cell{};
  Term guard{};
  Term value{};  // of a read: a variable
  // Of a read at an Await: holds of the value read.
  Term required{};
  bool decisive = false;  // whatever its thread does later, it has read this before
};

// An edge taken, in program order of its thread.
struct LoggedStep {
  ir::EdgeId edge{};
  Term guard{};
  // Of a Havoc: the value; of a Load: what it reads (an input if memory was unset); of an Alloc:
  // the address.
  Term input{};
  NodeIndex node = no_node;
  ThreadIndex spawned = 0;  // of a Spawn: the new thread
};

// A place where the execution as built ends though the program goes on.
struct Cut {
  Term guard{};
  NodeIndex node = no_node;
  verdict::Gap gap = verdict::Gap::bound;
  std::string detail{};
  base::SourceRange source{};
};

// A step that breaks the property.
struct Failure {
  Term guard{};
  NodeIndex node = no_node;
  ThreadIndex thread = 0;
  std::uint32_t step = 0;  // in the thread's log; for a memory error: the step that is not taken
  verdict::Check check = verdict::Check::assertion;
};

// An access that may be part of a race.
struct RacyAccess {
  ThreadIndex thread = 0;
  NodeIndex node = no_node;
  std::uint32_t step = 0;
  ObjectId object{};
  std::uint32_t offset = 0, size = 0;
  EventKind kind = EventKind::read;
  bool plain = true;
  bool comes_first = false;  // whether it happens depends on what it reads itself
  Term guard{};
};

// A shared cell as it stands at the end, for a thread that waits for good.
struct FinalRead {
  Cell cell{};
  Term value{};  // a variable
  Term when{};   // the thread waits for this cell
};

// A thread at an Await that it may never pass.
struct Wait {
  ThreadIndex thread = 0;
  NodeIndex node = no_node;  // where it is passed
  std::uint32_t step = 0;
  Term reached{};  // the thread gets there
  Term passed{};   // and goes on
  std::vector<FinalRead> reads{};
  Term loaded{};     // the word as it stands at the end, over the reads
  Term condition{};  // over `loaded`
  // If the section has read something before: that piece of it, and whether the wait was over then.
  NodeIndex earlier = no_node;
  Term word_early{}, at_once{};
  ir::WaitsFor waits_for = ir::WaitsFor::anyone;
};

struct ThreadUnfolding {
  ContextId context{};
  ThreadIndex parent = 0;
  NodeIndex spawned_at = first_node;
  Term started{};
  std::vector<NodeIndex> chain{};  // in program order
  std::vector<LoggedStep> log{};
  Term ended{};  // the thread has come to its end
};

// A round of a loop that changes nothing was left out here: the thread may go on for ever.
struct Spin {
  ThreadIndex thread = 0;
  Term guard{};
};

struct ProcessExit {
  Term guard{};
  NodeIndex node = no_node;
};

struct Unfolding {
  std::vector<ThreadUnfolding> threads{};
  // By node: the one before it in its thread, or the one that started the thread.
  std::vector<NodeIndex> previous{no_node};
  std::vector<Event> events{};
  std::vector<Term> constraints{};
  std::vector<Cut> cuts{};
  std::vector<Failure> failures{};
  std::vector<RacyAccess> accesses{};
  std::vector<Wait> waits{};
  std::vector<ProcessExit> exits{};
  std::vector<Spin> spins{};
  std::vector<Term> too_early{};  // when a guessed address is used before its object is allocated
  std::vector<Term> sleepers{};   // when some thread was started that never runs here
  std::uint64_t wake_ups_dropped = 0;
  std::uint64_t reads_narrowed = 0;
  std::uint64_t local_reads = 0;
};

}  // namespace heddle::engine::bmc
