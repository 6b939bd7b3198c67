// Waits and atomic sections. Whether a wait ends is left to the solver; a section is
// one node, or two if it has to wait in the middle.
#include <algorithm>

#include "engine/bmc/executor.hpp"
#include "engine/bmc/words.hpp"

namespace heddle::engine::bmc {

using verdict::Gap;

bool Executor::operate(Step at, State& state, const ir::Await& s) {
  const std::optional<Term> address = value(at, state, s.address);
  if (!address) return false;
  const machine::Target target = machine::target_of(program_, s.address, 0, {});
  Moment moment{no_node, s.order};
  const Reach reach = this->reach(at, state, moment, *address, target, EventKind::read);
  if (terms_.is_false(state.guard.term())) return false;
  note_race(state, moment, reach, EventKind::read, terms_.yes());
  Wait wait;
  if (state.atomic_depth > 0 && !interrupt(at, state, moment, reach, wait, s)) return false;
  wait.thread = thread_;
  wait.node = node_of(state, moment);
  wait.step = static_cast<std::uint32_t>(self().log.size());
  wait.reached = state.guard.term();
  wait.waits_for = s.waits_for;
  State waiting = state;
  wait.loaded = word_at_end(waiting, reach, wait.reads);
  set(waiting, s.loaded, decode(terms_, target, wait.loaded));
  const std::optional<Term> at_end = value(at, waiting, s.condition);
  if (!at_end) return false;
  wait.condition = *at_end;
  if (!pass(at, state, moment, reach, wait, s)) return false;
  wait.passed = state.guard.term();
  round_.unfolding.waits.push_back(std::move(wait));
  log(at, state, Term{}, moment.node);
  return true;
}

// Others may run while the section waits, if the wait is not over at once.
bool Executor::interrupt(Step at, State& state, Moment& moment, const Reach& reach, Wait& wait,
                         const ir::Await& s) {
  if (!state.section.touched && state.section.dirty.empty()) return true;
  const machine::Target target = machine::target_of(program_, s.address, 0, {});
  State early = state;
  wait.word_early = read(early, moment, reach);
  set(early, s.loaded, decode(terms_, target, wait.word_early));
  const std::optional<Term> at_once = value(at, early, s.condition);
  if (!at_once) return false;
  wait.at_once = *at_once;
  wait.earlier = state.section.node;
  flush(state);
  state.section = {};
  return true;
}

Term Executor::word_at_end(const State& state, const Reach& reach, std::vector<FinalRead>& reads) {
  Term result{};
  for (const Target& target : reach.targets) {
    Term value{};
    for (const Cell& cell : cells(target, reach.size)) {
      Term piece = seen_value(state, cell);
      if (is_shared(cell)) {
        piece = terms_.variable(8 * cell.size);
        reads.push_back({cell, piece, target.when});
      }
      value = value.valid() ? terms_.concat(piece, value) : piece;
    }
    result = result.valid() ? terms_.ite(target.when, value, result) : value;
  }
  return result.valid() ? result : terms_.constant(8 * reach.size, 0);
}

// No other path of this thread is left.
bool Executor::alone() const {
  return pending_ == 0 && alternatives_ == 0 &&
         std::none_of(frames_.begin(), frames_.end(),
                      [](const Frame* frame) { return frame->returned.has_value(); });
}

// Whether the thread goes on is open, but it does so only if the condition holds.
bool Executor::pass(Step at, State& state, Moment& moment, const Reach& reach, const Wait& wait,
                    const ir::Await& s) {
  const bool shared = !wait.reads.empty();
  if (shared) state.guard.add(terms_, terms_.variable(1));
  const machine::Target target = machine::target_of(program_, s.address, 0, {});
  auto& events = round_.unfolding.events;
  const std::size_t first_event = events.size();
  const Term word = read(state, moment, reach);
  set(state, s.loaded, decode(terms_, target, word));
  const std::optional<Term> condition = value(at, state, s.condition);
  if (!condition) return false;
  if (wait.earlier != no_node)
    round_.unfolding.constraints.push_back(terms_.implies(
        terms_.and_(state.guard.term(), wait.at_once), terms_.equal(word, wait.word_early)));
  if (!shared) {
    state.guard.add(terms_, *condition);
    return true;
  }
  round_.unfolding.constraints.push_back(terms_.implies(state.guard.term(), *condition));
  if (events.size() == first_event + 1) {
    events.back().required = *condition;
    events.back().decisive = alone();
  }
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Atomic& s) {
  if (s.mark == ir::AtomicMark::begin) {
    if (state.atomic_depth++ == 0) state.section = {};
    log(at, state, Term{}, no_node);
    return true;
  }
  if (state.atomic_depth == 0) {
    cut(at, state, terms_.yes(), Gap::undefined, "the end of an atomic section that was not begun");
    return false;
  }
  log(at, state, Term{}, no_node);
  if (state.atomic_depth == 1) {
    flush(state);
    state.section = {};
  }
  --state.atomic_depth;
  return true;
}
}  // namespace heddle::engine::bmc
