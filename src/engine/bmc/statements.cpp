// What each statement does to a symbolic state.
#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "engine/bmc/executor.hpp"
#include "machine/target.hpp"

namespace heddle::engine::bmc {

using smt::TermOp;
using verdict::Check;
using verdict::Gap;

namespace {

constexpr std::size_t deepest_calls = 400;

std::optional<Check> check_of(ir::FailKind kind) {
  switch (kind) {
    case ir::FailKind::error_call:
      return Check::error_call;
    case ir::FailKind::assertion:
      return Check::assertion;
    case ir::FailKind::overflow:
      return Check::overflow;
    case ir::FailKind::division_by_zero:
      return std::nullopt;
  }
  return std::nullopt;
}

// Between a value of a type and the bits in memory.
Term decode(smt::Terms& terms, const machine::Target& target, Term memory) {
  if (target.bits.whole()) return terms.extract(memory, 0, target.type->width);
  const Term field = terms.extract(memory, target.bits.offset, target.bits.width);
  return target.type->is_signed ? terms.sext(field, target.type->width)
                                : terms.zext(field, target.type->width);
}

Term encode(smt::Terms& terms, const machine::Target& target, Term value) {
  return terms.resize_unsigned(value, 8 * target.size);
}

}  // namespace

void Executor::log(Step at, const State& state, Term input, NodeIndex node) {
  const NodeIndex where = state.atomic_depth > 0 ? state.section.node : node;
  self().log.push_back({at.edge, state.guard.term(), input, where});
}

void Executor::cut(Step at, State& state, Term when, Gap gap, std::string detail) {
  const Term there = terms_.and_(state.guard.term(), when);
  if (terms_.is_false(there)) return;
  const NodeIndex node = here(state);
  round_.unfolding.cuts.push_back(
      {there, node, gap, std::move(detail), program_.edge(at.edge).source});
  state.guard.add(terms_, terms_.not_(when));
}

void Executor::fail(Step at, State& state, Term when, Check check, std::string detail) {
  if (!round_.property.has(check)) return cut(at, state, when, Gap::undefined, std::move(detail));
  const Term there = terms_.and_(state.guard.term(), when);
  if (terms_.is_false(there)) return;
  const NodeIndex node = here(state);
  round_.unfolding.failures.push_back(
      {there, node, thread_, static_cast<std::uint32_t>(self().log.size()), check});
  // The step itself is logged, under the condition that it is the error.
  self().log.push_back({at.edge, there, Term{}, node});
  state.guard.add(terms_, terms_.not_(when));
}

std::optional<Term> Executor::value(Step at, State& state, ir::ExprId expr) {
  Translator translate(program_, terms_, *this, state.registers);
  std::optional<Term> result = translate(expr);
  if (!result)
    cut(at, state, terms_.yes(), Gap::unsupported,
        "floating-point arithmetic on values that are not constant");
  return result;
}

void Executor::set(State& state, ir::RegId to, Term value) {
  state.registers[program_.reg(to).index] = value;
}

bool Executor::step(Step at, State& state) {
  return std::visit([&](const auto& statement) { return operate(at, state, statement); },
                    program_.edge(at.edge).statement) &&
         !terms_.is_false(state.guard.term());
}

bool Executor::operate(Step at, State& state, const ir::Assign& s) {
  const std::optional<Term> result = value(at, state, s.value);
  if (!result) return false;
  set(state, s.to, *result);
  log(at, state, Term{}, no_node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Havoc& s) {
  const std::uint32_t width = program_.type(program_.reg(s.to).type).width;
  if (s.limit == 1) {
    set(state, s.to, terms_.constant(width, 0));
    log(at, state, terms_.constant(width, 0), no_node);
    return true;
  }
  // No more bits than the limit needs.
  std::uint32_t bits = width;
  if (s.limit != 0)
    for (bits = 1; bits < width && (s.limit - 1) >> bits != 0;) ++bits;
  const Term input = terms_.zext(terms_.variable(bits), width);
  if (s.limit != 0)
    round_.unfolding.constraints.push_back(
        terms_.binary(TermOp::ult, input, terms_.constant(width, s.limit)));
  set(state, s.to, input);
  // The one choice that a wait makes before anything else is whether it ends by itself.
  if (state.entering && s.limit == 2)
    choose_wake_up(state, terms_.not_(terms_.equal(input, terms_.constant(width, 0))));
  log(at, state, input, no_node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Assume& s) {
  const std::optional<Term> condition = value(at, state, s.condition);
  if (!condition) return false;
  state.guard.add(terms_, *condition);
  log(at, state, Term{}, no_node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Load& s) {
  const std::optional<Term> address = value(at, state, s.address);
  if (!address) return false;
  machine::Target target = machine::target_of(program_, s.address, 0, s.bits);
  const Term start =
      terms_.binary(TermOp::add, *address, terms_.constant(terms_.width(*address), target.address));
  Moment moment{no_node, s.order};
  const Reach reach = this->reach(at, state, moment, start, target.size, EventKind::read);
  if (terms_.is_false(state.guard.term())) return false;
  note_race(state, moment, reach, EventKind::read, terms_.yes());
  const Term loaded = decode(terms_, target, read(state, moment, reach));
  set(state, s.to, loaded);
  log(at, state, loaded, moment.node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Store& s) {
  const std::optional<Term> address = value(at, state, s.address);
  const std::optional<Term> stored = address ? value(at, state, s.value) : std::nullopt;
  if (!address || !stored) return false;
  machine::Target target = machine::target_of(program_, s.address, 0, s.bits);
  const Term start =
      terms_.binary(TermOp::add, *address, terms_.constant(terms_.width(*address), target.address));
  Moment moment{no_node, s.order};
  const Reach reach = this->reach(at, state, moment, start, target.size, EventKind::write);
  if (terms_.is_false(state.guard.term())) return false;
  note_race(state, moment, reach, EventKind::write, terms_.yes());
  Term bits = encode(terms_, target, *stored);
  if (!target.bits.whole()) {
    const std::uint32_t width = 8 * target.size;
    const Term mask = terms_.constant(width, target.mask());
    const Term moved = terms_.binary(
        TermOp::mul, bits, terms_.constant(width, std::uint64_t{1} << target.bits.offset));
    const Term before = read(state, moment, reach);
    bits = terms_.or_(terms_.and_(before, terms_.unary(TermOp::bit_not, mask)),
                      terms_.and_(moved, mask));
  }
  write(state, moment, reach, bits, terms_.yes());
  log(at, state, Term{}, moment.node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Update& s) {
  const std::optional<Term> address = value(at, state, s.address);
  const std::optional<Term> operand = address ? value(at, state, s.operand) : std::nullopt;
  if (!address || !operand) return false;
  const machine::Target target = machine::target_of(program_, s.address, 0, {});
  Moment moment{no_node, s.order};
  const Reach reach = this->reach(at, state, moment, *address, target.size, EventKind::write);
  if (terms_.is_false(state.guard.term())) return false;
  const Term before = decode(terms_, target, read(state, moment, reach));
  Term after = *operand, written = terms_.yes();
  switch (s.op) {
    case ir::RmwOp::exchange:
      break;
    case ir::RmwOp::add:
      after = terms_.binary(TermOp::add, before, *operand);
      break;
    case ir::RmwOp::sub:
      after = terms_.binary(TermOp::sub, before, *operand);
      break;
    case ir::RmwOp::bit_and:
      after = terms_.and_(before, *operand);
      break;
    case ir::RmwOp::bit_or:
      after = terms_.or_(before, *operand);
      break;
    case ir::RmwOp::bit_xor:
      after = terms_.binary(TermOp::bit_xor, before, *operand);
      break;
    case ir::RmwOp::nand:
      after = terms_.unary(TermOp::bit_not, terms_.and_(before, *operand));
      break;
    case ir::RmwOp::compare_exchange: {
      const std::optional<Term> expected = value(at, state, s.expected);
      if (!expected) return false;
      written = terms_.equal(before, *expected);
      break;
    }
  }
  note_race(state, moment, reach, EventKind::write, written);
  if (!terms_.is_true(written))
    note_race(state, moment, reach, EventKind::read, terms_.not_(written));
  // Writing what stands there already is the same as not writing.
  written = terms_.and_(written, terms_.not_(terms_.equal(before, after)));
  write(state, moment, reach, encode(terms_, target, after), written);
  set(state, s.before, before);
  log(at, state, Term{}, moment.node);
  return true;
}

// ---- control ----

bool Executor::operate(Step at, State& state, const ir::Call& s) {
  const std::optional<Term> address = value(at, state, s.callee);
  if (!address) return false;
  const Leaves leaves = round_.pointers.leaves(*address);
  cut(at, state, leaves.unknown, Gap::bound, "a call through a pointer that we cannot follow");
  std::vector<std::pair<ir::FunId, Term>> callees;
  Term wrong = terms_.no();
  for (const Leaf& leaf : leaves.known) {
    const auto callee =
        leaf.rest.valid() ? std::nullopt : round_.memory.layout().function_at(leaf.base);
    if (callee)
      callees.emplace_back(*callee, leaf.when);
    else
      wrong = terms_.or_(wrong, leaf.when);
  }
  fail(at, state, wrong, Check::deref, "a call of an address that is no function");
  if (callees.size() == 1) {
    state.guard.add(terms_, callees[0].second);
    return !terms_.is_false(state.guard.term()) && call(at, state, s, callees[0].first);
  }
  if (state.atomic_depth > 0) here(state);  // whichever is called, the section is one moment
  std::optional<State> joined;
  Term none = terms_.no();
  ++alternatives_;
  for (const auto& [callee, when] : callees) {
    State alternative = state;
    alternative.guard.add(terms_, when);
    if (terms_.is_false(alternative.guard.term()) || !call(at, alternative, s, callee)) continue;
    joined = joined ? merge(std::move(*joined), std::move(alternative), none, none)
                    : std::move(alternative);
  }
  --alternatives_;
  if (!joined) return false;
  state = std::move(*joined);
  return true;
}

bool Executor::call(Step at, State& state, const ir::Call& s, ir::FunId callee) {
  const ir::Function& function = program_.function(callee);
  if (s.args.size() < function.parameters.size()) {
    cut(at, state, terms_.yes(), Gap::undefined, "a call with too few arguments");
    return false;
  }
  std::vector<Term> registers;
  for (const ir::RegId reg : function.registers)
    registers.push_back(terms_.constant(program_.type(program_.reg(reg).type).width, 0));
  Translator translate(program_, terms_, *this, state.registers);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const std::optional<Term> argument = value(at, state, s.args[i]);
    if (!argument) return false;
    const std::optional<Term> converted = translate.convert(
        program_.expr(s.args[i]).type, program_.reg(function.parameters[i]).type, *argument);
    if (!converted) {
      cut(at, state, terms_.yes(), Gap::unsupported, "a floating-point argument");
      return false;
    }
    registers[i] = *converted;
  }
  log(at, state, Term{}, no_node);
  Frame frame;
  frame.function = callee;
  LocKey key = at.key;
  key.push_back(callee.value);
  frame.context = round_.contexts.child(at.frame.context, at.edge, key);
  frame.result = s.result;
  frame.called_at = at.edge;
  if (function.sync == ir::SyncOp::cond_wait && round_.drops_wake_ups())
    state.entering =
        WakeUp{&at.frame, at.edge, std::make_shared<const std::vector<Term>>(state.registers),
               state.view, Term{}};
  std::vector<Term> saved = std::exchange(state.registers, std::move(registers));
  std::vector<LoopRound> loops = std::exchange(state.loops, {});
  for (const Frame* outer : frames_)
    if (outer->function == callee)
      frame.counted = outer->counted + (outer->entered == state.guard.term() ? 0 : 1);
  if (frame.counted > round_.bound + 1 || frames_.size() > deepest_calls) {
    cut(at, state, terms_.yes(), Gap::bound, "recursion goes deeper than we follow it");
    return false;
  }
  run_frame(frame, std::move(state));
  if (!frame.returned) return false;
  state = std::move(*frame.returned);
  state.registers = std::move(saved);
  state.loops = std::move(loops);
  if (s.result) set(state, *s.result, frame.value);
  return true;
}

void Executor::end_frame(const Frame& frame, State& state, Moment& moment) {
  for (const auto& [edge, object] : frame.stack_objects)
    write_cell(state, moment, {object, Cell::life, 1}, terms_.no(), terms_.yes());
}

bool Executor::operate(Step at, State& state, const ir::Return& s) {
  Term result = terms_.no();
  if (at.frame.result) {
    const ir::TypeId to = program_.reg(*at.frame.result).type;
    result = terms_.constant(program_.type(to).width, 0);
    if (s.value) {
      const std::optional<Term> returned = value(at, state, *s.value);
      if (!returned) return false;
      Translator translate(program_, terms_, *this, state.registers);
      const auto converted = translate.convert(program_.expr(*s.value).type, to, *returned);
      if (!converted) {
        cut(at, state, terms_.yes(), Gap::unsupported, "a floating-point result");
        return false;
      }
      result = *converted;
    }
  }
  if (frames_.size() == 1) {
    thread_ == 0 ? end_process(at, state) : end_thread(at, state);
    return false;
  }
  Moment moment{no_node, ir::MemoryOrder::plain};
  end_frame(at.frame, state, moment);
  log(at, state, Term{}, moment.node);
  state.registers.clear();
  leave_loops(state, 0);
  if (!at.frame.returned) {
    at.frame.returned = std::move(state);
    at.frame.value = result;
  } else {
    at.frame.returned =
        merge(std::move(*at.frame.returned), std::move(state), at.frame.value, result);
  }
  return false;
}

void Executor::end_thread(Step at, State& state) {
  Moment moment{no_node, ir::MemoryOrder::plain};
  for (const Frame* frame : frames_) end_frame(*frame, state, moment);
  for (const ObjectId copy : round_.objects.thread_copies(context_))
    write_cell(state, moment, {copy, Cell::life, 1}, terms_.no(), terms_.yes());
  log(at, state, Term{}, moment.node);
  if (state.atomic_depth > 0) flush(state);
  self().ended = terms_.or_(self().ended, state.guard.term());
}

void Executor::end_process(Step at, State& state) {
  if (state.atomic_depth > 0) flush(state);
  const NodeIndex node = here(state);
  round_.unfolding.exits.push_back({state.guard.term(), node});
  log(at, state, Term{}, node);
}

bool Executor::operate(Step at, State& state, const ir::Exit& s) {
  s.scope == ir::ExitScope::thread ? end_thread(at, state) : end_process(at, state);
  return false;
}

bool Executor::operate(Step at, State& state, const ir::Unsupported& s) {
  constexpr std::string_view undefined = "undefined: ";
  const bool is_undefined = s.what.starts_with(undefined);
  cut(at, state, terms_.yes(), is_undefined ? Gap::undefined : Gap::unsupported,
      is_undefined ? s.what.substr(undefined.size()) : s.what);
  return false;
}

bool Executor::operate(Step at, State& state, const ir::Fail& s) {
  const std::optional<Check> check = check_of(s.kind);
  if (check && round_.property.has(*check)) {
    const NodeIndex node = here(state);
    round_.unfolding.failures.push_back(
        {state.guard.term(), node, thread_, static_cast<std::uint32_t>(self().log.size()), *check});
    log(at, state, Term{}, node);
  } else {
    log(at, state, Term{}, no_node);
  }
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Self& s) {
  set(state, s.to, terms_.constant(program_.type(program_.reg(s.to).type).width, thread_ + 1));
  log(at, state, Term{}, no_node);
  return true;
}

// ---- threads ----

bool Executor::operate(Step at, State& state, const ir::Spawn& s) {
  const std::optional<Term> address = value(at, state, s.routine);
  if (!address) return false;
  const Leaves leaves = round_.pointers.leaves(*address);
  cut(at, state, leaves.unknown, Gap::bound, "a thread routine that we cannot follow");
  Term wrong = terms_.no();
  std::vector<std::pair<ir::FunId, Term>> routines;
  for (const Leaf& leaf : leaves.known) {
    const auto routine =
        leaf.rest.valid() ? std::nullopt : round_.memory.layout().function_at(leaf.base);
    if (routine && program_.function(*routine).parameters.size() <= 1)
      routines.emplace_back(*routine, leaf.when);
    else
      wrong = terms_.or_(wrong, leaf.when);
  }
  fail(at, state, wrong, Check::deref, "a thread routine that is no function");
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
                                     "more threads are started than we follow",
                                     program_.edge(at.edge).source});
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

bool Executor::operate(Step at, State& state, const ir::Await& s) {
  const std::optional<Term> address = value(at, state, s.address);
  if (!address) return false;
  const machine::Target target = machine::target_of(program_, s.address, 0, {});
  Moment moment{no_node, s.order};
  const Reach reach = this->reach(at, state, moment, *address, target.size, EventKind::read);
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

// ---- lifetimes ----

bool Executor::operate(Step at, State& state, const ir::Alloc& s) {
  const std::optional<Term> size = value(at, state, s.size);
  if (!size) return false;
  std::uint64_t room = round_.options.largest_block;
  if (terms_.is_constant(*size)) {
    room = terms_.value(*size);
    if (room > machine::Memory::largest_object)
      cut(at, state, terms_.yes(), Gap::bound, "an object is larger than we model");
  } else {
    const Term most = terms_.constant(terms_.width(*size), room);
    cut(at, state, terms_.binary(TermOp::ult, most, *size), Gap::bound,
        "an object of open size is larger than we follow");
  }
  if (terms_.is_false(state.guard.term())) return false;
  Moment moment{no_node, ir::MemoryOrder::plain};
  auto& mine = at.frame.stack_objects;
  if (s.kind == ir::AllocKind::stack)
    for (const auto& [edge, object] : mine)
      if (edge == at.edge)
        write_cell(state, moment, {object, Cell::life, 1}, terms_.no(), terms_.yes());
  const ContextId context = round_.contexts.child(at.frame.context, at.edge, at.key);
  const std::optional<ObjectId> object =
      round_.objects.allocation(context, room, s.kind, s.contents);
  if (object && !terms_.is_constant(*size)) round_.sizes[*object] = *size;
  if (!object) throw TooLarge{Gap::bound, "the address space of a thread is full"};
  if (s.kind == ir::AllocKind::stack || s.kind == ir::AllocKind::frame)
    mine.emplace_back(at.edge, *object);
  set(state, s.to,
      terms_.constant(program_.type(program_.reg(s.to).type).width, round_.objects[*object].base));
  note_change(state, terms_.yes());
  log(at, state, Term{}, moment.node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Free& s) {
  const std::optional<Term> address = value(at, state, s.address);
  if (!address) return false;
  const Leaves leaves = round_.pointers.leaves(*address);
  Term unknown = leaves.unknown, wrong = terms_.no();
  std::vector<std::pair<ObjectId, Term>> blocks;
  Moment moment{no_node, ir::MemoryOrder::plain};
  for (const Leaf& leaf : leaves.known) {
    if (leaf.rest.valid()) {
      unknown = terms_.or_(unknown, leaf.when);
      continue;
    }
    if (leaf.base == 0) continue;
    const std::optional<ObjectId> object = round_.objects.at(leaf.base);
    if (!object || round_.objects[*object].kind != ir::AllocKind::heap ||
        round_.objects[*object].base != leaf.base) {
      wrong = terms_.or_(wrong, leaf.when);
      continue;
    }
    const Term alive = read_cell(state, moment, {*object, Cell::life, 1}, leaf.when);
    wrong = terms_.or_(wrong, terms_.and_(leaf.when, terms_.not_(alive)));
    blocks.emplace_back(*object, leaf.when);
  }
  cut(at, state, unknown, Gap::bound, "a pointer whose target we cannot follow");
  fail(at, state, wrong, Check::free, "free of what is no live heap block");
  if (terms_.is_false(state.guard.term())) return false;
  for (const auto& [object, when] : blocks) {
    touch(object);
    const auto bytes = static_cast<std::uint32_t>(round_.objects[object].size);
    note_race(state, moment, {{{object, 0, when}}, bytes}, EventKind::write, terms_.yes());
    write_cell(state, moment, {object, Cell::life, 1}, terms_.no(), when);
  }
  log(at, state, Term{}, moment.node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::ObjectSize& s) {
  const std::optional<Term> address = value(at, state, s.address);
  if (!address) return false;
  const std::uint32_t width = program_.type(program_.reg(s.to).type).width;
  const Leaves leaves = round_.pointers.leaves(*address);
  Term unknown = leaves.unknown, size = terms_.constant(width, 0);
  Moment moment{no_node, ir::MemoryOrder::plain};
  for (const Leaf& leaf : leaves.known) {
    if (leaf.rest.valid()) unknown = terms_.or_(unknown, leaf.when);
    const std::optional<ObjectId> object = round_.objects.at(leaf.base);
    if (leaf.rest.valid() || !object) continue;
    const Term alive = read_cell(state, moment, {*object, Cell::life, 1}, leaf.when);
    size = terms_.ite(terms_.and_(leaf.when, alive),
                      terms_.resize_unsigned(round_.size_of(*object), width), size);
  }
  cut(at, state, unknown, Gap::bound, "a pointer whose target we cannot follow");
  set(state, s.to, size);
  log(at, state, Term{}, moment.node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Clobber& s) {
  const std::optional<Term> address = value(at, state, s.address);
  if (!address) return false;
  const Leaves leaves = round_.pointers.leaves(*address);
  Moment moment{no_node, ir::MemoryOrder::plain};
  cut(at, state, leaves.unknown, Gap::bound, "a pointer whose target we cannot follow");
  for (const Leaf& leaf : leaves.known) {
    const std::optional<ObjectId> object = round_.objects.at(leaf.base);
    if (!object) continue;
    if (leaf.rest.valid() || !terms_.is_true(leaf.when) ||
        (round_.property.has(Check::race) && round_.facts.shared_object(*object))) {
      cut(at, state, leaf.when, Gap::unsupported,
          "unknown code is handed memory that we cannot follow");
      continue;
    }
    if (round_.objects[*object].read_only) continue;
    touch(*object);
    state.view.forget(*object, ++round_.versions);
    const std::set<std::uint32_t>& boundaries = round_.facts.boundaries(*object);
    for (auto start = boundaries.begin(); start != boundaries.end(); ++start) {
      const auto end = std::next(start);
      if (end == boundaries.end() || *end - *start > 8) continue;
      write_cell(state, moment, {*object, *start, *end - *start},
                 terms_.variable(8 * (*end - *start)), terms_.yes());
    }
  }
  log(at, state, Term{}, moment.node);
  return !terms_.is_false(state.guard.term());
}

}  // namespace heddle::engine::bmc
