#include "engine/explore/abstract/provenance.hpp"

#include <algorithm>
#include <variant>

#include "passes/operands.hpp"

namespace heddle::engine::explore {

std::set<Variable> Provenance::of(const AbstractState& state, ThreadNumber thread,
                                  ir::ExprId expr) const {
  const std::size_t frame = state.known().thread(thread).frames.size() - 1;
  std::set<Variable> found;
  passes::for_each_register(program_, expr, [&](ir::RegId reg) {
    const auto at = registers_.find({{thread, frame}, program_.reg(reg).index});
    if (at != registers_.end()) found.insert(at->second.begin(), at->second.end());
    if (!program_.reg(reg).temporary) found.insert(Variable::of(reg));
  });
  return found;
}

std::set<Variable> Provenance::operands(const AbstractState& state, ThreadNumber thread,
                                        ir::EdgeId edge) const {
  std::set<Variable> found;
  passes::for_each_operand(program_.edge(edge).statement,
                           [&](ir::ExprId operand) { found.merge(of(state, thread, operand)); });
  return found;
}

void Provenance::set(const AbstractState&, ThreadNumber thread, std::size_t frame, ir::RegId reg,
                     std::set<Variable> from) {
  if (!program_.reg(reg).temporary) {
    from.insert(Variable::of(reg));
    written_.insert(Variable::of(reg));
  }
  registers_[{{thread, frame}, program_.reg(reg).index}] = std::move(from);
}

void Provenance::note(const AbstractState& state, ThreadNumber thread, const Choice& choice) {
  const ir::Statement& statement = program_.edge(choice.edge).statement;
  const std::size_t frame = state.known().thread(thread).frames.size() - 1;
  std::set<Variable> from = operands(state, thread, choice.edge);
  if (const auto access = machine_.access(state.known(), thread, choice.edge, choice.values)) {
    std::set<Variable>& here = memory_[access->address];
    from.insert(here.begin(), here.end());
    const auto place = machine_.memory().find(state.known(), access->address);
    if (place && place->index) {
      from.insert(Variable::of(*place->object));
      written_.insert(Variable::of(*place->object));
    }
    if (access->kind == machine::AccessKind::write) here = from;
  }
  if (const auto* call = std::get_if<ir::Call>(&statement)) {
    for (const machine::KnownValue& known : choice.values)
      if (known.expr == call->callee) return;  // chosen among several: its parameters stay unknown
    const auto callee = machine_.memory().layout().function_at(
        machine_.evaluate(state.known(), thread, call->callee));
    if (!callee) return;
    const std::vector<ir::RegId>& parameters = program_.function(*callee).parameters;
    for (std::size_t i = 0; i < std::min(parameters.size(), call->args.size()); ++i)
      set(state, thread, frame + 1, parameters[i], of(state, thread, call->args[i]));
  } else if (std::holds_alternative<ir::Return>(statement)) {
    const auto to = state.known().top(thread).result;
    if (to && frame > 0) set(state, thread, frame - 1, *to, std::move(from));
  } else if (const auto to = passes::written_register(statement)) {
    set(state, thread, frame, *to, std::move(from));
  }
}

}  // namespace heddle::engine::explore
