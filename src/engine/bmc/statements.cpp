// What the plain statements do to a symbolic state: registers, memory, and what is
// said about the execution.
#include "engine/bmc/executor.hpp"
#include "engine/bmc/words.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::bmc {

using smt::TermOp;
using verdict::Check;
using verdict::Gap;

void Executor::log(Step at, const State& state, Term input, NodeIndex node) {
  const NodeIndex where = state.atomic_depth > 0 ? state.section.node : node;
  self().log.push_back({at.edge, state.guard.term(), input, where});
}

// The user's line that led here.
base::SourceRange Executor::source(ir::EdgeId at) const {
  const auto written_by_user = [&](ir::EdgeId edge) {
    return edge.valid() && program_.function(program_.function_of(edge)).origin == ir::Origin::user;
  };
  if (written_by_user(at)) return program_.edge(at).source;
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (written_by_user((*frame)->called_at)) return program_.edge((*frame)->called_at).source;
  return program_.edge(at).source;
}

void Executor::cut(Step at, State& state, Term when, Gap gap, std::string detail) {
  const Term there = terms_.and_(state.guard.term(), when);
  if (terms_.is_false(there)) return;
  const NodeIndex node = here(state);
  round_.unfolding.cuts.push_back({there, node, gap, std::move(detail), source(at.edge)});
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
  smt::Translator translate(program_, terms_, *this, state.registers);
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

bool Executor::operate(Step at, State& state, const ir::Skip&) {
  log(at, state, Term{}, no_node);
  return true;
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
  const Term variable = terms_.variable(bits);
  if (bits == 8 * round_.memory.layout().pointer_bytes())
    round_.pointers.comes_in(variable, at.edge);
  const Term input = terms_.zext(variable, width);
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
  const machine::Target target = machine::target_of(program_, s.address, 0, s.bits);
  Moment moment{no_node, s.order};
  const Reach reach = this->reach(at, state, moment, *address, target, EventKind::read);
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
  const machine::Target target = machine::target_of(program_, s.address, 0, s.bits);
  Moment moment{no_node, s.order};
  const Reach reach = this->reach(at, state, moment, *address, target, EventKind::write);
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
  const Reach reach = this->reach(at, state, moment, *address, target, EventKind::write);
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
bool Executor::operate(Step at, State& state, const ir::Unsupported& s) {
  auto [gap, what] = machine::gap_of(s);
  cut(at, state, terms_.yes(), gap, std::move(what));
  return false;
}

bool Executor::operate(Step at, State& state, const ir::Fail& s) {
  const std::optional<Check> check = machine::check_of(s.kind);
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
}  // namespace heddle::engine::bmc
