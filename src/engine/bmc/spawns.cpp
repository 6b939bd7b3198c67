// Threads that are started: some run, and those beyond the bound only exist.
#include <algorithm>

#include "engine/bmc/executor.hpp"

namespace heddle::engine::bmc {

using verdict::Check;
using verdict::Gap;

bool Executor::operate(Step at, State& state, const ir::Spawn& s) {
  const auto routines = functions(at, state, s.routine);
  for (const auto& [routine, when] : routines)
    if (program_.function(routine).parameters.size() > 1)
      cut(at, state, when, Gap::undefined, "a thread routine with more than one parameter");
  if (terms_.is_false(state.guard.term())) return false;
  // Nobody else exists yet, and every path of main is here: memory as it is now is where all begin.
  if (thread_ == 0 && spawned_.empty() && alone() && !collapsed_) {
    collapsed_ = true;
    round_.initial = state.view;
    round_.unfolding.events.clear();
    round_.writes.clear();
  }
  std::optional<Term> number;
  for (const auto& [routine, when] : routines) {
    const Term mine = has_room(at) ? spawn(at, state, s, routine, when) : sleep(at, state, s, when);
    number = number ? terms_.ite(when, mine, *number) : mine;
  }
  if (!number) return false;
  set(state, s.number, *number);
  note_change(state, terms_.yes());
  return true;
}

bool Executor::has_room(Step at) {
  std::vector<ir::EdgeId> calls{at.edge};
  for (const Frame* frame : frames_) calls.push_back(frame->called_at);
  return ++started_at_[calls] <= threads_at(round_.bound);
}

// A thread that we let exist but never run.
Term Executor::sleep(Step at, State& state, const ir::Spawn& s, Term when) {
  const Term there = terms_.and_(state.guard.term(), when);
  auto& sleepers = round_.unfolding.sleepers;
  if (std::find(sleepers.begin(), sleepers.end(), there) == sleepers.end()) {
    sleepers.push_back(there);
    round_.unfolding.cuts.push_back({there, here(state), Gap::bound,
                                     "more threads are started than we follow", source(at.edge)});
  }
  State logged = state;
  logged.guard.add(terms_, when);
  log(at, logged, Term{}, no_node);
  constexpr std::uint32_t first_number = 1'000'000;
  return terms_.constant(program_.type(program_.reg(s.number).type).width,
                         first_number + ++round_.asleep);
}

Term Executor::spawn(Step at, State& state, const ir::Spawn& s, ir::FunId routine, Term when) {
  if (round_.unfolding.threads.size() >= round_.options.most_threads)
    throw TooLarge{Gap::bound, "more threads than we follow"};
  const NodeIndex node = here(state);
  state.section.touched = true;
  const auto index = static_cast<ThreadIndex>(round_.unfolding.threads.size());
  LocKey key = at.key;
  key.push_back(routine.value);
  ThreadUnfolding child;
  child.context = round_.contexts.child(at.frame.context, at.edge, key);
  child.parent = thread_;
  child.spawned_at = node;
  child.started = terms_.and_(state.guard.term(), when);
  spawned_.push_back(child.context);
  round_.unfolding.threads.push_back(std::move(child));
  PendingThread pending;
  pending.index = index;
  pending.routine = routine;
  const std::optional<Term> argument = value(at, state, s.argument);
  if (argument) pending.argument = *argument;
  pending.argument_type = program_.expr(s.argument).type;
  pending.view = state.view;
  round_.waiting.push_back(std::move(pending));
  State logged = state;
  logged.guard.add(terms_, when);
  log(at, logged, Term{}, node);
  self().log.back().spawned = index;
  return terms_.constant(program_.type(program_.reg(s.number).type).width, index + 1);
}
}  // namespace heddle::engine::bmc
