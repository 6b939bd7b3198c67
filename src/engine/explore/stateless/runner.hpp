// Runs one event of the stateless search on the machine and notes what it touches.
// An event is one step that others can notice (or one that takes an input), with the
// local steps around it; an atomic section with all that it does is one such step.
//
// A thread that would only read and then be stuck has no event: it waits until
// somebody writes what it has read. This holds for an Await, for an atomic section
// that gets to one, for a failing assumption, and for a loop that comes back to where
// it was: none of these can be noticed by others, and to wait is as good.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/explore/locality.hpp"
#include "engine/explore/options.hpp"
#include "engine/explore/sharing_audit.hpp"
#include "engine/explore/stateless/footprint.hpp"
#include "engine/explore/stateless/names.hpp"
#include "ir/program.hpp"
#include "machine/machine.hpp"
#include "verdict/verdict.hpp"

namespace heddle::engine::explore {

enum class Ending {
  ran,          // the thread stands before its next event, or has ended
  violated,     // the property is broken by the last step
  needs_input,  // one more than was given
  // From here on there is no event, and the state counts for nothing.
  waits,   // at an Await that does not hold
  pruned,  // at an assumption that does not hold
  spins,   // nothing changes however long it runs
  exits,   // the next step ends the process
  ended,   // long ago
  cut,     // at what we do not model
};

inline bool is_event(Ending ending) { return ending == Ending::ran || ending == Ending::violated; }

struct EventRun {
  Ending ending = Ending::ran;
  Footprint footprint{};  // where there is no event: what it was looked at for
  // Whether the same thread would do the same, whatever others have written.
  bool fixed = false;
  bool changes_objects = false;  // some came to life or ended
  // Objects that it has changed, made or ended although no other thread touches them.
  std::vector<machine::Address> own_objects{};
  std::size_t before_waiting = 0;  // touches before the Await inside of a section
  std::uint64_t steps = 0;
  std::uint64_t local_steps = 0;  // of these, without interleaving
  std::optional<verdict::Violation> violation{};
  std::optional<verdict::Gap> gap{};
  std::string detail{};
  ir::EdgeId cut_at{};
  machine::InputRequest request{};  // when an input is needed
  ir::EdgeId input_edge{};
};

// Whether a thread that has changed these objects of its own stands where it stood, as if it had
// done nothing.
bool same_place(const machine::State& before, const machine::State& after, ThreadNumber thread,
                std::span<const machine::Address> changed);

// Whether a section that gets to a false Await waits as a whole, or is an event up to there.
enum class Sections { whole, split };

class Runner {
 public:
  // All must outlive the runner.
  Runner(const machine::Machine& machine, const Locality& locality, SharingAudit& audit,
         const Options& options, Sections sections);

  struct Watch {
    std::vector<verdict::Step>* record = nullptr;       // steps are appended
    std::function<bool(const machine::State&)> stop{};  // asked before each step
  };
  EventRun run(machine::State& state, Names& names, ThreadNumber thread,
               std::span<const std::uint64_t> inputs, const Watch* watch = nullptr) const;
  // Takes the local steps before the thread's next event.
  void approach(machine::State& state, ThreadNumber thread,
                std::vector<verdict::Step>& record) const;

 private:
  struct Run;
  bool advance(Run& run) const;
  bool stop_before(Run& run, ir::EdgeId next, bool inside) const;
  bool goes_in_circles(Run& run, ir::EdgeId next) const;
  bool take(Run& run, std::span<const ir::EdgeId> edges, bool inside) const;
  bool arrive(Run& run, ir::EdgeId edge, std::optional<std::uint64_t> input,
              machine::StepResult result) const;
  void conclude(Run& run) const;
  bool local(const machine::State& state, ThreadNumber thread, ir::EdgeId next) const;
  bool ends_process(const machine::State& state, ThreadNumber thread, ir::EdgeId edge) const;
  void note_touches(Run& run, ir::EdgeId edge) const;
  void note_setting(Run& run, ir::EdgeId edge) const;
  void note_lifetimes(Run& run, ir::EdgeId edge) const;
  void note_own(Run& run, machine::Address base) const;
  void touch_object(Run& run, ir::EdgeId allocation, machine::Address base) const;
  void note_allocation(Run& run, ir::EdgeId edge) const;
  bool matters(ir::EdgeId edge) const;
  bool noticeable(ir::EdgeId edge) const;

  const machine::Machine& machine_;
  const ir::Program& program_;
  const Locality& locality_;
  SharingAudit& audit_;
  LocalSteps local_steps_;
  std::uint64_t chain_limit_;
  Sections sections_;
  std::vector<std::uint8_t> noticeable_{};  // by edge: it may touch memory or objects
};

}  // namespace heddle::engine::explore
