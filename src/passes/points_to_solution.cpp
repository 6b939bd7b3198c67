#include "passes/points_to_solution.hpp"

#include <algorithm>

#include "ir/arithmetic.hpp"
#include "passes/operands.hpp"

namespace heddle::passes {

using namespace ir;

PointsTo::Solution::Solution(const Program& program, PointsToLimits limits)
    : program_(program),
      graph_(program.data_model() == DataModel::lp64 ? 8 : 4, limits.work),
      by_function_(program.functions().size()),
      address_taken_(address_taken()) {
  add_globals();
  instance(program.entry(), EdgeId::none());
  for (;;) {
    while (!new_instances_.empty() && !graph_.exhausted()) {
      const InstanceId next = new_instances_.back();
      new_instances_.pop_back();
      add_constraints(next);
    }
    PointsToGraph::FoundCall found;
    if (!graph_.next_call(found)) break;
    connect(found);
  }
}

void PointsTo::Solution::add_globals() {
  for (std::uint32_t i = 0; i < program_.functions().size(); ++i)
    function_objects_.push_back(
        graph_.add_object({.kind = ObjectKind::function, .function = FunId{i}}, 1, 0));
  for (std::uint32_t i = 0; i < program_.globals().size(); ++i) {
    const Type& type = program_.type(program_.global(GlobalId{i}).type);
    const std::uint64_t period =
        type.kind == TypeKind::array ? program_.type(type.element).size : 0;
    global_objects_.push_back(graph_.add_object({.kind = ObjectKind::global, .global = GlobalId{i}},
                                                type.complete ? type.size : 0, period));
  }
  for (std::uint32_t i = 0; i < program_.globals().size(); ++i)
    for (const Initializer& part : program_.global(GlobalId{i}).initializers) {
      std::vector<Source> from;
      sources(0, part.value, {}, from);
      for (const Source& source : from) {
        const NodeId value = graph_.add_nodes(1);
        graph_.add(value, graph_.moved(source.id, source.move));
        graph_.store_at(graph_.address(global_objects_[i], static_cast<std::int64_t>(part.offset)),
                        value, program_.type(program_.expr(part.value).type).size);
      }
    }
}

std::vector<FunId> PointsTo::Solution::address_taken() const {
  std::set<FunId> found;
  const auto visit = [&](const auto& self, ExprId id) -> void {
    const Expr& expr = program_.expr(id);
    if (expr.op == Op::function_address)
      found.insert(FunId{static_cast<std::uint32_t>(expr.payload)});
    for (const ExprId operand : expr.operands()) self(self, operand);
  };
  for (const Global& global : program_.globals())
    for (const Initializer& part : global.initializers) visit(visit, part.value);
  for (const Location& location : program_.locations())
    for (const EdgeId id : location.out) {
      const Statement& statement = program_.edge(id).statement;
      const auto* call = std::get_if<Call>(&statement);
      if (call == nullptr)
        for_each_operand(statement, [&](ExprId operand) { visit(visit, operand); });
      else
        for (const ExprId arg : call->args) visit(visit, arg);
    }
  return {found.begin(), found.end()};
}

// ---- instances and calls ---------------------------------------------------------

InstanceId PointsTo::Solution::instance(FunId function, EdgeId context) {
  const auto [at, fresh] = known_instances_.emplace(std::pair{function, context},
                                                    static_cast<InstanceId>(instances_.size()));
  if (!fresh) return at->second;
  instances_.push_back({function, context});
  const std::size_t registers = program_.function(function).registers.size();
  first_nodes_.push_back(graph_.add_nodes(static_cast<std::uint32_t>(registers) + 1));
  by_function_[function.value].push_back(at->second);
  new_instances_.push_back(at->second);
  return at->second;
}

EdgeId PointsTo::Solution::context_for(FunId callee, InstanceId caller, EdgeId edge) const {
  if (program_.function(callee).origin == Origin::user) return EdgeId::none();
  const EdgeId context = instances_[caller].context;
  return context.valid() ? context : edge;
}

void PointsTo::Solution::connect(const PointsToGraph::FoundCall& found) {
  const CallSite site = call_sites_[found.payload];
  if (found.callee != unknown_address)
    return connect(site, graph_.objects()[graph_.at(found.callee).object].function);
  for (const FunId callee : address_taken_) connect(site, callee);
}

void PointsTo::Solution::connect(const CallSite& site, FunId callee) {
  const InstanceId target = instance(callee, context_for(callee, site.instance, site.edge));
  if (!callees_[{site.instance, site.edge}].insert(target).second) return;
  const Statement& statement = program_.edge(site.edge).statement;
  const std::vector<RegId>& parameters = program_.function(callee).parameters;
  std::vector<ExprId> args;
  if (const auto* spawn = std::get_if<Spawn>(&statement)) args = {spawn->argument};
  if (const auto* call = std::get_if<Call>(&statement)) args = call->args;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i < args.size())
      graph_.copy(value_node(site.instance, args[i]), node_of(target, parameters[i]));
    else
      graph_.add(node_of(target, parameters[i]), unknown_address);
  }
  const auto* call = std::get_if<Call>(&statement);
  if (call == nullptr || !call->result) return;
  const NodeId result =
      first_nodes_[target] + static_cast<NodeId>(program_.function(callee).registers.size());
  graph_.copy(result, node_of(site.instance, *call->result));
}

const std::set<InstanceId>* PointsTo::Solution::callees(InstanceId instance, EdgeId edge) const {
  const auto at = callees_.find({instance, edge});
  return at == callees_.end() ? nullptr : &at->second;
}

// ---- values ----------------------------------------------------------------------

NodeId PointsTo::Solution::node_of(InstanceId instance, RegId reg) const {
  return first_nodes_[instance] + program_.reg(reg).index;
}

NodeId PointsTo::Solution::value_node(InstanceId instance, ExprId id) {
  std::vector<Source> from;
  sources(instance, id, {}, from);
  if (from.size() == 1 && from[0].is_node && from[0].move == Move{}) return from[0].id;
  const NodeId node = graph_.add_nodes(1);
  for (const Source& source : from) {
    if (source.is_node)
      graph_.copy(source.id, node, source.move);
    else
      graph_.add(node, graph_.moved(source.id, source.move));
  }
  return node;
}

void PointsTo::Solution::sources(InstanceId instance, ExprId id, Move move,
                                 std::vector<Source>& out) const {
  const Expr& expr = program_.expr(id);
  switch (expr.op) {
    case Op::constant:
    case Op::logical_not:
    case Op::eq:
    case Op::ne:
    case Op::lt:
    case Op::le:
    case Op::add_overflows:
    case Op::sub_overflows:
    case Op::mul_overflows:
    case Op::ptr_diff:
      return;
    case Op::reg:
      out.push_back(
          {true, node_of(instance, RegId{static_cast<std::uint32_t>(expr.payload)}), move});
      return;
    case Op::global_address:
      out.push_back({false, graph_.address(global_objects_[expr.payload], 0), move});
      return;
    case Op::function_address:
      out.push_back({false, graph_.address(function_objects_[expr.payload], 0), move});
      return;
    case Op::cast:
      return sources(instance, expr.args[0], move, out);
    case Op::select:
      sources(instance, expr.args[1], move, out);
      return sources(instance, expr.args[2], move, out);
    case Op::field: {
      const Type& record = program_.type(program_.pointee(expr.args[0]));
      const auto offset = static_cast<std::int64_t>(record.fields[expr.payload].offset);
      return sources(instance, expr.args[0], Move{offset, 0}.then(move), out);
    }
    case Op::ptr_add: {
      const auto step = static_cast<std::int64_t>(program_.type(program_.pointee(id)).size);
      const Expr& index = program_.expr(expr.args[1]);
      Move by{0, static_cast<std::uint64_t>(std::max<std::int64_t>(step, 1))};
      if (index.op == Op::constant) {
        const Type& type = program_.type(index.type);
        const std::int64_t count = type.is_signed ? as_signed(type, index.payload)
                                                  : static_cast<std::int64_t>(index.payload);
        by = {count * step, 0};
      }
      return sources(instance, expr.args[0], by.then(move), out);
    }
    case Op::neg:
    case Op::bit_not:
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::rem:
    case Op::shl:
    case Op::shr:
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
      return operand_sources(instance, expr, move, out);
  }
}

// Integer arithmetic may compute an address from one of its operands.
void PointsTo::Solution::operand_sources(InstanceId instance, const Expr& expr, Move move,
                                         std::vector<Source>& out) const {
  if (program_.type(expr.type).kind == TypeKind::floating) return;
  if (expr.op == Op::add || expr.op == Op::sub) {
    const Expr& right = program_.expr(expr.args[1]);
    if (right.op == Op::constant) {
      const std::int64_t amount = as_signed(program_.type(right.type), right.payload);
      const Move by{expr.op == Op::add ? amount : -amount, 0};
      return sources(instance, expr.args[0], by.then(move), out);
    }
  }
  for (const ExprId operand : expr.operands())
    sources(instance, operand, Move::anywhere().then(move), out);
}

std::vector<AddressId> PointsTo::Solution::addresses(InstanceId instance, ExprId id) const {
  std::vector<Source> from;
  sources(instance, id, {}, from);
  std::set<AddressId> found;
  for (const Source& source : from) {
    if (!source.is_node) {
      found.insert(graph_.moved(source.id, source.move));
      continue;
    }
    for (const AddressId address : graph_.set(source.id))
      found.insert(graph_.moved(address, source.move));
  }
  return {found.begin(), found.end()};
}

}  // namespace heddle::passes
