// The control part: which location comes next, under which condition, and how often.
#include "engine/bmc/executor.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::engine::bmc {

Executor::Executor(Round& round, ThreadIndex thread)
    : round_(round),
      program_(round.program),
      terms_(*round.terms),
      thread_(thread),
      context_(round.unfolding.threads[thread].context) {}

void Executor::run(const PendingThread& start) {
  State state(terms_);
  state.guard.add(terms_, self().started);
  state.view = start.view;
  Frame frame;
  frame.function = start.routine;
  frame.context = context_;
  const ir::Function& function = program_.function(start.routine);
  state.registers = fresh_registers(function);
  self().ended = terms_.no();
  if (!function.parameters.empty() && start.argument.valid()) {
    smt::Translator translate(program_, terms_, *this, state.registers);
    const auto argument = translate.convert(
        start.argument_type, program_.reg(function.parameters[0]).type, start.argument);
    CHECK(argument, "a thread's argument is a pointer");
    state.registers[0] = *argument;
  }
  run_frame(frame, std::move(state));
}

std::vector<Term> Executor::fresh_registers(const ir::Function& function) {
  std::vector<Term> registers;
  for (const ir::RegId reg : function.registers)
    registers.push_back(terms_.constant(program_.type(program_.reg(reg).type).width, 0));
  return registers;
}

void Executor::run_frame(Frame& frame, State state) {
  frame.entered = state.guard.term();
  frames_.push_back(&frame);
  state.loops.clear();
  go(frame, ir::LocId::none(), program_.function(frame.function).entry, std::move(state));
  while (!frame.pending.empty()) {
    auto first = frame.pending.extract(frame.pending.begin());
    --pending_;
    execute(frame, first.key().first, first.mapped().first, std::move(first.mapped().second));
  }
  frames_.pop_back();
}

void Executor::execute(Frame& frame, const LocKey& key, ir::LocId at, State state) {
  round_.tick();
  const Loops& loops = round_.loops_of(frame.function);
  if (loops.is_head(at)) {
    LoopRound& round = state.loops.back();
    round.changed_before = round.changed_before.valid()
                               ? terms_.or_(round.changed_before, state.changed)
                               : state.changed;
    state.changed = terms_.no();
    round.registers = std::make_shared<const std::vector<Term>>(state.registers);
  }
  const auto out = program_.out(at);
  if (out.empty()) {  // it stays here for ever
    round_.unfolding.spins.push_back({thread_, state.guard.term()});
    return;
  }
  if (out.size() > 1) return branch(frame, key, at, std::move(state));
  if (step({frame, key, out[0]}, state)) go(frame, at, program_.edge(out[0]).to, std::move(state));
}

void Executor::branch(Frame& frame, const LocKey& key, ir::LocId at, State state) {
  std::vector<std::pair<ir::EdgeId, Term>> taken;
  for (const ir::EdgeId edge : program_.out(at)) {
    const auto& assume = std::get<ir::Assume>(program_.edge(edge).statement);
    const std::optional<Term> condition = value({frame, key, edge}, state, assume.condition);
    if (!condition) return;
    Guard guard = state.guard;
    guard.add(terms_, *condition);
    if (terms_.is_false(guard.term()))
      note_decision(frame, at, program_.edge(edge).to, state);
    else
      taken.emplace_back(edge, *condition);
  }
  // The paths of a section are one moment, whichever is taken.
  if (taken.size() > 1 && state.atomic_depth > 0) here(state);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto& [edge, condition] = taken[i];
    State next = i + 1 < taken.size() ? state : std::move(state);  // unshared memory is cheap
    next.guard.add(terms_, condition);
    log({frame, key, edge}, next, Term{}, no_node);
    go(frame, at, program_.edge(edge).to, std::move(next));
  }
}

// A constant keeps the path out of `not_taken`: if that leaves a loop, the loop goes on for a
// reason that is known beforehand.
void Executor::note_decision(Frame& frame, ir::LocId at, ir::LocId not_taken, State& state) {
  const std::size_t stays = round_.loops_of(frame.function).common(at, not_taken);
  for (std::size_t i = stays; i < state.loops.size(); ++i) state.loops[i].decided = true;
}

void Executor::go(Frame& frame, ir::LocId from, ir::LocId to, State state) {
  const Loops& loops = round_.loops_of(frame.function);
  const std::size_t common = from.valid() ? loops.common(from, to) : 0;
  leave_loops(state, common);
  const bool back = from.valid() && loops.is_head(to) && common == loops.around(to).size();
  if (back && !next_round(frame, to, state)) return;
  while (state.loops.size() < loops.around(to).size()) {
    state.loops.emplace_back();
    state.loops.back().nodes_before = self().chain.size();
  }
  arrive(frame, to, std::move(state));
}

void Executor::leave_loops(State& state, std::size_t kept) {
  for (; state.loops.size() > kept; state.loops.pop_back())
    if (state.loops.back().changed_before.valid())
      note_change(state, state.loops.back().changed_before);
}

// Goes round once more, unless the bound is reached or nothing has changed.
bool Executor::next_round(Frame& frame, ir::LocId head, State& state) {
  LoopRound& round = state.loops.back();
  if (spins(frame, head, state, round)) {
    round_.unfolding.spins.push_back({thread_, state.guard.term()});
    return false;
  }
  ++round.round;
  const bool large = round_.options.cut_large_loops == Switch::on &&
                     self().chain.size() - round.nodes_before > loop_nodes_at(round_.bound);
  if (!round.decided || large) ++round.counted;
  round.decided = false;
  if (round.counted <= round_.bound && round.round <= round_.options.free_iterations) return true;
  round_.unfolding.cuts.push_back(
      {state.guard.term(), round_.add_node(thread_), verdict::Gap::bound,
       "a loop goes round more often than we have unrolled it", source(program_.out(head)[0])});
  return false;
}

// A round that nobody can notice may as well not happen.
bool Executor::spins(Frame& frame, ir::LocId head, const State& state, const LoopRound& round) {
  if (round_.options.drop_spinning == Switch::off || !round.registers) return false;
  if (state.atomic_depth > 0) return false;
  Guard changing = state.guard;
  changing.add(terms_, state.changed);
  if (!terms_.is_false(changing.term())) return false;
  for (const ir::RegId reg : program_.function(frame.function).registers) {
    const std::uint32_t i = program_.reg(reg).index;
    if (state.registers[i] != (*round.registers)[i] && round_.live(head, reg)) return false;
  }
  return true;
}

void Executor::arrive(Frame& frame, ir::LocId at, State state) {
  if (terms_.is_false(state.guard.term())) return;
  std::vector<std::uint32_t> rounds;
  for (const LoopRound& round : state.loops) rounds.push_back(round.round);
  std::pair key(round_.loops_of(frame.function).key(at, rounds),
                state.atomic_depth > 0 ? state.section.node : no_node);
  const auto waiting = frame.pending.find(key);
  if (waiting == frame.pending.end()) {
    frame.pending.emplace(std::move(key), std::pair(at, std::move(state)));
    ++pending_;
    return;
  }
  Term none = terms_.no();
  waiting->second.second = merge(std::move(waiting->second.second), std::move(state), none, none);
}

// Also merges a value that goes with each state, into `first_value`.
State Executor::merge(State first, State second, Term& first_value, Term second_value) {
  auto [guard, choice] = Guard::join(terms_, first.guard, second.guard);
  State merged = first;
  merged.guard = std::move(guard);
  CHECK(first.registers.size() == second.registers.size() &&
            first.atomic_depth == second.atomic_depth,
        "paths that meet are in the same frame and section");
  for (std::size_t i = 0; i < merged.registers.size(); ++i)
    if (first.registers[i] != second.registers[i])
      merged.registers[i] = terms_.ite(choice, first.registers[i], second.registers[i]);
  if (first_value != second_value) first_value = terms_.ite(choice, first_value, second_value);
  merge_views(merged, first, second, choice);
  if (first.atomic_depth > 0) merge_sections(merged, first, second, choice);
  for (std::size_t i = 0; i < merged.loops.size(); ++i) {
    LoopRound& round = merged.loops[i];
    const LoopRound& other = second.loops[i];
    round.counted = std::max(round.counted, other.counted);
    round.decided = round.decided && other.decided;
    if (round.registers != other.registers) round.registers.reset();  // one came in past the head
    if (round.changed_before != other.changed_before && round.changed_before.valid())
      round.changed_before = terms_.or_(round.changed_before, other.changed_before);
  }
  merge_wake_ups(merged, first, second, choice);
  merged.changed = terms_.ite(choice, first.changed, second.changed);
  return merged;
}

void Executor::merge_views(State& into, const State& first, const State& second, Term choice) {
  for (const ObjectId object : first.view.differing(second.view)) {
    const View::ObjectView *a = first.view.object(object), *b = second.view.object(object);
    View::ObjectView result;
    if (a != nullptr) result = *a;
    View::Cells all = result.cells;
    if (b != nullptr) all.insert(b->cells.begin(), b->cells.end());
    for (const auto& [offset, sized] : all) {
      const Cell cell{object, offset, sized.first};
      const Term left = seen_value(first, cell), right = seen_value(second, cell);
      result.cells[offset] = {sized.first, terms_.ite(choice, left, right)};
    }
    // Cells that neither has touched since different unknown code ran hold any value.
    if (first.view.version(object) != second.view.version(object))
      result.version = ++round_.versions;
    into.view.set(object, std::move(result));
  }
}

// A cell that only one of the two has read or written is read by the other one here.
void Executor::merge_sections(State& into, State& first, State& second, Term choice) {
  if (first.section.node == no_node) first.section.node = second.section.node;
  if (second.section.node == no_node) second.section.node = first.section.node;
  if (first.section.node != second.section.node) {
    // One of them has waited inside the section. What follows is one more piece of it.
    flush(first);
    flush(second);
    into.section = {};
    into.section.node = round_.add_node(thread_);
    return;
  }
  std::vector<Cell> cells;
  for (const State* state : {&first, &second})
    for (const auto& [cell, condition] : state->section.dirty) cells.push_back(cell);
  std::map<Cell, Term> known, dirty;
  for (const auto& [cell, value] : first.section.known) {
    const auto other = second.section.known.find(cell);
    if (other != second.section.known.end()) known[cell] = terms_.ite(choice, value, other->second);
  }
  const auto dirty_in = [&](const State& state, const Cell& cell) {
    const auto found = state.section.dirty.find(cell);
    return found == state.section.dirty.end() ? terms_.no() : found->second;
  };
  for (const Cell& cell : cells) {
    Moment moment{first.section.node};
    const Term left = read_cell(first, moment, cell, terms_.yes());
    const Term right = read_cell(second, moment, cell, terms_.yes());
    known[cell] = terms_.ite(choice, left, right);
    dirty[cell] = terms_.ite(choice, dirty_in(first, cell), dirty_in(second, cell));
  }
  into.section = {first.section.node, std::move(known), std::move(dirty),
                  first.section.touched || second.section.touched};
}

}  // namespace heddle::engine::bmc
