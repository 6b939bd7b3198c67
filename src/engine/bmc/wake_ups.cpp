// Spurious wake-ups could go on for ever. Two in a row, with nothing but reads between
// them, are as good as one: the lock is given back a little longer, which nobody can
// tell who does not try the lock without waiting.
#include <algorithm>
#include <utility>

#include "engine/bmc/executor.hpp"

namespace heddle::engine::bmc {

bool Executor::waiting() const {
  return std::any_of(frames_.begin(), frames_.end(), [&](const Frame* frame) {
    return program_.function(frame->function).sync == ir::SyncOp::cond_wait;
  });
}

void Executor::note_change(State& state, Term when) {
  state.changed = terms_.or_(state.changed, when);
  state.entering.reset();
  if (state.woken && !waiting())
    state.woken->spurious = terms_.and_(state.woken->spurious, terms_.not_(when));
}

bool Executor::same_wait(const WakeUp& first, const WakeUp& second) {
  if (first.frame != second.frame || first.call != second.call || !first.view.same(second.view))
    return false;
  const ir::LocId at = program_.edge(first.call).from;
  for (const ir::RegId reg : program_.function(program_.function_of(first.call)).registers) {
    const std::uint32_t i = program_.reg(reg).index;
    if ((*first.registers)[i] != (*second.registers)[i] && round_.live(at, reg)) return false;
  }
  return true;
}

void Executor::choose_wake_up(State& state, Term spurious) {
  WakeUp now = *std::exchange(state.entering, std::nullopt);
  if (state.woken && same_wait(*state.woken, now)) {
    ++round_.unfolding.wake_ups_dropped;
    state.guard.add(terms_, terms_.not_(terms_.and_(state.woken->spurious, spurious)));
  }
  now.spurious = spurious;
  state.woken = std::move(now);
}

void Executor::merge_wake_ups(State& into, const State& first, const State& second, Term choice) {
  into.entering.reset();
  const auto spurious = [&](const State& state) {
    return state.woken ? state.woken->spurious : terms_.no();
  };
  if (first.woken && second.woken && !same_wait(*first.woken, *second.woken)) {
    into.woken.reset();
    return;
  }
  into.woken = first.woken ? first.woken : second.woken;
  if (into.woken) into.woken->spurious = terms_.ite(choice, spurious(first), spurious(second));
}

}  // namespace heddle::engine::bmc
