// Calls, returns, and the ends of threads and of the process.
#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "engine/bmc/executor.hpp"

namespace heddle::engine::bmc {

using verdict::Check;
using verdict::Gap;

namespace {

constexpr std::size_t deepest_calls = 400;

}  // namespace

// Executions in which the address names no function end here.
std::vector<std::pair<ir::FunId, Term>> Executor::functions(Step at, State& state,
                                                            ir::ExprId expr) {
  const std::optional<Term> address = value(at, state, expr);
  if (!address) return {};
  const Leaves leaves = round_.pointers.leaves(*address);
  cut(at, state, leaves.unknown, Gap::bound, "a call through a pointer that we cannot follow");
  std::vector<std::pair<ir::FunId, Term>> found;
  Term wrong = terms_.no();
  for (const Leaf& leaf : leaves.known) {
    const auto function =
        leaf.rest.valid() ? std::nullopt : round_.memory.layout().function_at(leaf.base);
    if (function)
      found.emplace_back(*function, leaf.when);
    else
      wrong = terms_.or_(wrong, leaf.when);
  }
  fail(at, state, wrong, Check::deref, "a call of an address that is no function");
  return found;
}

bool Executor::operate(Step at, State& state, const ir::Call& s) {
  const auto callees = functions(at, state, s.callee);
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
  std::vector<Term> registers = fresh_registers(function);
  smt::Translator translate(program_, terms_, *this, state.registers);
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
      smt::Translator translate(program_, terms_, *this, state.registers);
      const auto converted = translate.convert(program_.expr(*s.value).type, to, *returned);
      if (!converted) {
        cut(at, state, terms_.yes(), Gap::unsupported, "a floating-point result");
        return false;
      }
      result = *converted;
    }
  }
  if (frames_.size() == 1) {
    thread_ == 0 ? end_process(at, state, ir::ExitScope::process) : end_thread(at, state);
    return false;
  }
  Moment moment{no_node, ir::MemoryOrder::plain};
  // The process ends at once when main returns: nobody ever finds its locals dead.
  const bool leaves_main =
      thread_ == 0 && frames_.size() == 2 && at.frame.function == program_.main();
  if (!leaves_main) end_frame(at.frame, state, moment);
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

void Executor::end_process(Step at, State& state, ir::ExitScope scope) {
  const NodeIndex node = here(state);
  if (scope == ir::ExitScope::process) note_leaks(at, state, node);
  if (state.atomic_depth > 0) flush(state);
  round_.unfolding.exits.push_back({state.guard.term(), node});
  log(at, state, Term{}, node);
}

bool Executor::operate(Step at, State& state, const ir::Exit& s) {
  s.scope == ir::ExitScope::thread ? end_thread(at, state) : end_process(at, state, s.scope);
  return false;
}
}  // namespace heddle::engine::bmc
