#include "engine/explore/abstract/semantics.hpp"

#include <algorithm>

#include "engine/explore/abstract/transfer.hpp"
#include "passes/operands.hpp"

namespace heddle::engine::explore {
namespace {

constexpr std::size_t most_values = 64;  // that one operand is tried with

}  // namespace

Semantics::Semantics(const machine::Machine& machine, domain::Domain& domain,
                     const Precision& precision)
    : machine_(machine),
      domain_(domain),
      precision_(precision),
      registers_(machine.program().exprs().size()) {
  const ir::Program& program = machine.program();
  for (std::uint32_t i = 0; i < registers_.size(); ++i) {
    std::vector<ir::RegId>& found = registers_[i];
    // Operands have smaller numbers than the expressions built from them.
    const ir::Expr& expr = program.expr({i});
    if (expr.op == ir::Op::reg) found.push_back({static_cast<std::uint32_t>(expr.payload)});
    for (const ir::ExprId operand : expr.operands())
      found.insert(found.end(), registers_[operand.value].begin(), registers_[operand.value].end());
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  for (const ir::Edge& edge : program.edges()) needed_.push_back(needed_operands(edge.statement));
}

AbstractState Semantics::initial() const { return {machine_.initial(), domain_.initial()}; }

bool Semantics::is_pointer(ir::ExprId expr) const {
  return program().type(program().expr(expr).type).kind == ir::TypeKind::pointer;
}

bool Semantics::reads_cells(const AbstractState& state, ThreadNumber thread,
                            ir::ExprId expr) const {
  const std::size_t top = state.known().thread(thread).frames.size() - 1;
  return std::any_of(registers_[expr.value].begin(), registers_[expr.value].end(),
                     [&](ir::RegId reg) {
                       return state.store().holds(register_cell(program(), thread, top, reg));
                     });
}

// Operands that must be one number: addresses and whatever else has a pointer's type, what is
// called, and sizes.
std::vector<ir::ExprId> Semantics::needed_operands(const ir::Statement& statement) const {
  std::vector<ir::ExprId> needed;
  const std::optional<ir::ExprId> address = passes::accessed_address(statement);
  const bool is_alloc = std::holds_alternative<ir::Alloc>(statement);
  passes::for_each_operand(statement, [&](ir::ExprId operand) {
    if (operand == address || is_alloc || is_pointer(operand)) needed.push_back(operand);
  });
  return needed;
}

bool Semantics::enabled(const AbstractState& state, ThreadNumber thread) const {
  const std::span<const ir::EdgeId> edges = machine_.edges(state.known(), thread);
  if (edges.empty()) return false;
  if (state.known().holder() && *state.known().holder() != thread) return false;
  const auto* await = std::get_if<ir::Await>(&program().edge(edges.front()).statement);
  if (await == nullptr || waits_on_cells(*this, state, thread, *await)) return true;
  return !machine_.blocked(state.known(), thread);
}

Choices Semantics::choices(const AbstractState& state, ThreadNumber thread) const {
  Choices result;
  for (const ir::EdgeId edge : machine_.edges(state.known(), thread)) {
    choose(state, thread, needed_[edge.value], {edge, {}, {}}, result);
  }
  return result;
}

void Semantics::choose(const AbstractState& state, ThreadNumber thread,
                       const std::vector<ir::ExprId>& operands, Choice chosen,
                       Choices& result) const {
  const FrameScope scope(machine_, state, thread, state.known().thread(thread).frames.size() - 1);
  const auto open = std::find_if(operands.begin(), operands.end(), [&](ir::ExprId operand) {
    return reads_cells(state, thread, operand) &&
           std::none_of(chosen.values.begin(), chosen.values.end(),
                        [&](const machine::KnownValue& known) { return known.expr == operand; });
  });
  if (open != operands.end()) {
    if (const auto known = state.store().known(*open, scope)) {
      chosen.values.push_back({*open, *known});
      choose(state, thread, operands, std::move(chosen), result);
      return;
    }
  }
  if (open == operands.end()) {
    if (!compares_cells(state, thread, chosen)) {
      result.open.push_back(std::move(chosen));
      return;
    }
    for (const domain::Equality equality : {domain::Equality::equal, domain::Equality::different}) {
      chosen.comparison = equality;
      result.open.push_back(chosen);
    }
    return;
  }
  // What an index may be says more than what the address may be: elements have a size.
  ir::ExprId split = open_leaf(state, thread, *open);
  auto values = state.store().values(split, scope, most_values);
  if (!values) {
    split = *open;
    values = state.store().values(split, scope, most_values);
  }
  if (!values) {
    result.cut = {verdict::Gap::bound, "an address or size may have too many values", chosen.edge};
    return;
  }
  for (const std::uint64_t value : *values) {
    AbstractState narrowed = state;
    const FrameScope inside(machine_, narrowed, thread,
                            narrowed.known().thread(thread).frames.size() - 1);
    if (!narrowed.store().assume(domain::Equality::equal, value, split, inside)) continue;
    if (!narrowed.store().known(split, inside)) {
      result.cut = {verdict::Gap::bound, "the domain cannot tell addresses apart", chosen.edge};
      return;
    }
    Choice with = chosen;
    with.values.push_back({split, value});
    choose(narrowed, thread, operands, std::move(with), result);
  }
}

// A register in the expression that is a cell.
ir::ExprId Semantics::open_leaf(const AbstractState& state, ThreadNumber thread,
                                ir::ExprId expr) const {
  const ir::Expr& node = program().expr(expr);
  if (node.op == ir::Op::reg) return expr;
  for (const ir::ExprId operand : node.operands())
    if (reads_cells(state, thread, operand)) return open_leaf(state, thread, operand);
  return expr;
}

// A compare_exchange of which the outcome is open.
bool Semantics::compares_cells(const AbstractState& state, ThreadNumber thread,
                               const Choice& choice) const {
  const auto* update = std::get_if<ir::Update>(&program().edge(choice.edge).statement);
  if (update == nullptr || update->op != ir::RmwOp::compare_exchange) return false;
  if (reads_cells(state, thread, update->expected)) return true;
  const auto access = machine_.access(state.known(), thread, choice.edge, choice.values);
  return access && state.overlaps({access->address, static_cast<std::uint32_t>(access->size)});
}

machine::StepResult Semantics::take(AbstractState& state, ThreadNumber thread,
                                    const Choice& choice) const {
  return Transfer(*this, state, thread, choice).run();
}

Semantics::Pending Semantics::pending(const AbstractState& state, ThreadNumber thread) const {
  Pending result;
  const std::span<const ir::EdgeId> edges = machine_.edges(state.known(), thread);
  if (edges.size() != 1) return result;
  const ir::Statement& statement = program().edge(edges.front()).statement;
  const std::optional<ir::ExprId> address = passes::accessed_address(statement);
  if (!address || !machine::may_race(statement)) return result;
  Choices ways;
  choose(state, thread, {*address}, {edges.front(), {}, {}}, ways);
  result.cut = std::move(ways.cut);
  for (const Choice& way : ways.open) {
    auto access = machine_.access(state.known(), thread, way.edge, way.values);
    if (!access) continue;
    // Whether the exchange writes is open.
    if (way.comparison == domain::Equality::equal) access->kind = machine::AccessKind::write;
    result.accesses.push_back(*access);
    result.ways.push_back(way);
  }
  return result;
}

}  // namespace heddle::engine::explore
