// Which steps of an abstract state need not be interleaved: those that no other thread can
// notice, and those that nobody may interfere with, as far as the state knows what they
// touch. The facts are the same as in the search over concrete states, and watched as well.
#pragma once

#include "engine/explore/abstract/semantics.hpp"
#include "engine/explore/locality.hpp"
#include "engine/explore/lock_discipline.hpp"
#include "engine/explore/persistence.hpp"
#include "engine/explore/sharing_audit.hpp"

namespace heddle::engine::explore {

class AbstractReductions {
 public:
  // All must outlive this. Without one of the pointers, no step is of its kind.
  struct Parts {
    const Semantics& semantics;
    const Locality& locality;
    SharingAudit& audit;
    Persistence* persistence = nullptr;
    LockDiscipline* locks = nullptr;
  };
  explicit AbstractReductions(const Parts& parts)
      : parts_(parts), machine_(parts.semantics.machine()), program_(parts.semantics.program()) {}

  bool misled() const;
  // To be told of every step before it is taken.
  void note(const AbstractState& state, ThreadNumber thread, const Choice& choice);

  // No other thread can notice the step.
  bool local(const AbstractState& state, ThreadNumber thread, ir::EdgeId next) const;
  bool any_beyond_local() const { return parts_.persistence != nullptr || parts_.locks != nullptr; }
  enum class Kind { disturbed, persistent, under_lock };
  // Of a step that is not local and begins no section.
  Kind kind(const AbstractState& state, ThreadNumber thread, ir::EdgeId next) const;
  // With this step the thread runs alone; a section goes on where it waited.
  bool enters_section(const AbstractState& state, ThreadNumber thread, ir::EdgeId next) const;

 private:
  bool knows_what_it_touches(const AbstractState& state, ThreadNumber thread,
                             ir::EdgeId next) const;

  Parts parts_;
  const machine::Machine& machine_;
  const ir::Program& program_;
};

}  // namespace heddle::engine::explore
