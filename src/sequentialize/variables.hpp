// Objects that the concurrent program allocates and that are variables of the sequential
// one, in plain words, so that only a program with a heap of its own needs one. A variable
// is there from the start; which of them have been taken is counted where it matters.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "sequentialize/thread_emitter.hpp"

namespace heddle::sequentialize {

enum class Counting {
  where_several,  // the next one has to be known
  always,         // so that somebody may ask whether one has been taken
};

class Variables {
 public:
  Variables(Emitter& emitter, const ir::Program& program, ThreadEmitter& steps)
      : emitter_(emitter), program_(program), steps_(steps) {}

  // What is allocated here has a size that is known.
  bool possible(StepRef at) const;
  // So many are kept for the allocation.
  void keep(StepRef at, std::uint32_t count, Counting counting);
  bool kept(StepRef at) const { return kept_.contains({at.thread, at.step}); }
  std::uint32_t count(StepRef at) const { return of(at).count; }

  // ---- code, from here on ----
  // They are there from now on. What is not zeroed when it is allocated holds anything.
  void declare();
  // The step that allocates gets the next one; goes to `beyond` where all of several are taken.
  void take(StepRef at, ir::LocId beyond);
  // The address, a number, is inside of one that has not been taken yet.
  ir::ExprId is_ahead(StepRef at, ir::ExprId address);

 private:
  struct Kept {
    StepRef at{};
    std::uint32_t count = 1;
    ir::TypeId type{};
    ir::ExprId first{};  // points to it, or to all of them
    ir::RegId taken{};   // none: not counted
  };
  const Kept& of(StepRef at) const { return kept_.at({at.thread, at.step}); }
  const ir::Alloc& allocation(StepRef at) const;
  std::uint64_t bytes(StepRef at) const;
  ir::TypeId type_of_block(StepRef at);

  Emitter& emitter_;
  const ir::Program& program_;
  ThreadEmitter& steps_;
  std::map<std::pair<ThreadIndex, StepIndex>, Kept> kept_{};
};

}  // namespace heddle::sequentialize
