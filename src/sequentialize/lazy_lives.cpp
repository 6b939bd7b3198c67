// Objects of frames of which somebody may still know when they end. They are blocks of
// the heap that are freed where the frame is left, so that who uses one later does what
// every checker knows to be undefined.
#include <fmt/format.h>

#include <algorithm>

#include "sequentialize/lazy_program.hpp"

namespace heddle::sequentialize {

using namespace ir;

// ---- objects of frames ----------------------------------------------------------

void LazyProgram::declare_lives(ThreadIndex thread) {
  for (const Life& life : threads_[thread].lives) {
    const auto& alloc = std::get<Alloc>(program_.edge(life.allocation).statement);
    places_[thread].lives.push_back(emitter_.scalar(
        fmt::format("t{}_life_of_{}", thread, alloc.name.empty() ? "block" : alloc.name),
        program_.reg(alloc.to).type));
  }
  counters_.ended += threads_[thread].lives.size();
}

// Whoever leaves a frame says so again, so that it holds wherever one is entered.
void LazyProgram::begin_without_lives() {
  for (const Places& places : places_)
    for (const RegId life : places.lives) emitter_.assign(life, 0);
}

// Of several objects any one may be the one that is used too late, so one is freed.
void LazyProgram::allocate(StepRef at, const Alloc& alloc) {
  const LifeIndex index = *steps_.step(at).begins;
  const RegId life = places_[at.thread].lives[index];
  Alloc block = alloc;
  block.kind = AllocKind::heap;
  block.name.clear();
  const EdgeId made = emitter_.emit(emitter_.rename(at.thread, steps_.frame(at), std::move(block)),
                                    steps_.edge(at).source);
  emitter_.stands_for(made, steps_.origin(at));
  const LocId after = emitter_.fresh();
  if (threads_[at.thread].lives[index].several) {
    emitter_.emit(Havoc{choice_});
    emitter_.branch(emitter_.value(choice_), after);
  }
  emitter_.emit_to(after, Assign{life, emitter_.value(steps_.renamed(at, alloc.to))});
}

void LazyProgram::end_lives(StepRef at) {
  for (const LifeIndex index : steps_.step(at).ends) {
    const RegId life = places_[at.thread].lives[index];
    emitter_.emit(Free{emitter_.value(life)}, steps_.edge(at).source);
    emitter_.assign(life, 0);
  }
}

// A thread's own variables stay where they are; that is no error, but no proof either.
void LazyProgram::end_thread_locals() {
  if (!facts_.sharedness.thread_locals_may_be_shared()) return;
  const LocId used = emitter_.fresh();
  emitter_.emit(Havoc{choice_});
  emitter_.branch(emitter_.value(choice_), used);
  const LocId next = emitter_.here();
  emitter_.go_on_at(used);
  emitter_.bound("another thread may know a variable of a thread that has ended");
  emitter_.go_on_at(next);
}

// What has become a block here must not be freed as one.
void LazyProgram::reject_local_variables(StepRef at, const Free& free) {
  ProgramBuilder& build = emitter_.build();
  const FrameIndex frame = steps_.frame(at);
  const passes::Targets freed =
      facts_.points_to.targets(threads_[at.thread].frames[frame].instance, steps_.step(at).edge);
  const auto may_be = [&](EdgeId allocation) {
    return freed.anything || std::ranges::any_of(freed.objects, [&](passes::ObjectIndex object) {
             return facts_.points_to.objects()[object].allocation == allocation;
           });
  };
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread)
    for (LifeIndex index = 0; index < threads_[thread].lives.size(); ++index) {
      if (!may_be(threads_[thread].lives[index].allocation)) continue;
      const RegId life = places_[thread].lives[index];
      const LocId known = emitter_.fresh(), wrong = emitter_.fresh(), next = emitter_.fresh();
      const ExprId address = steps_.renamed(at, free.address);
      emitter_.branch(emitter_.differs(life, 0), known);
      emitter_.jump(next);
      emitter_.go_on_at(known);
      emitter_.branch(
          build.binary(Op::eq, address, build.cast(build.expr(address).type, emitter_.value(life))),
          wrong);
      emitter_.jump(next);
      emitter_.go_on_at(wrong);
      emitter_.emit(Unsupported{"undefined: free of a local variable"}, steps_.edge(at).source);
      emitter_.go_on_at(next);
    }
}

}  // namespace heddle::sequentialize
