#include "engine/explore/input_classes.hpp"

#include <utility>
#include <variant>

#include "ir/arithmetic.hpp"

namespace heddle::engine::explore {
namespace {

bool mentions(const ir::Program& program, ir::ExprId id, ir::RegId reg) {
  const ir::Expr& expr = program.expr(id);
  if (expr.op == ir::Op::reg) return expr.payload == reg.value;
  for (const ir::ExprId operand : expr.operands())
    if (mentions(program, operand, reg)) return true;
  return false;
}

// The expressions that a statement evaluates, whatever it does with them.
std::vector<ir::ExprId> evaluated(const ir::Statement& statement) {
  struct Collect {
    std::vector<ir::ExprId> operator()(const ir::Skip&) const { return {}; }
    std::vector<ir::ExprId> operator()(const ir::Assign& s) const { return {s.value}; }
    std::vector<ir::ExprId> operator()(const ir::Havoc&) const { return {}; }
    std::vector<ir::ExprId> operator()(const ir::Assume& s) const { return {s.condition}; }
    std::vector<ir::ExprId> operator()(const ir::Load& s) const { return {s.address}; }
    std::vector<ir::ExprId> operator()(const ir::Store& s) const { return {s.address, s.value}; }
    std::vector<ir::ExprId> operator()(const ir::Update& s) const {
      std::vector<ir::ExprId> all{s.address, s.operand};
      if (s.expected.valid()) all.push_back(s.expected);
      return all;
    }
    std::vector<ir::ExprId> operator()(const ir::Call& s) const {
      std::vector<ir::ExprId> all = s.args;
      all.push_back(s.callee);
      return all;
    }
    std::vector<ir::ExprId> operator()(const ir::Return& s) const {
      return s.value ? std::vector<ir::ExprId>{*s.value} : std::vector<ir::ExprId>{};
    }
    std::vector<ir::ExprId> operator()(const ir::Spawn& s) const { return {s.routine, s.argument}; }
    std::vector<ir::ExprId> operator()(const ir::Await& s) const {
      return {s.address, s.condition};
    }
    std::vector<ir::ExprId> operator()(const ir::Atomic&) const { return {}; }
    std::vector<ir::ExprId> operator()(const ir::Alloc& s) const { return {s.size}; }
    std::vector<ir::ExprId> operator()(const ir::Free& s) const { return {s.address}; }
    std::vector<ir::ExprId> operator()(const ir::ObjectSize& s) const { return {s.address}; }
    std::vector<ir::ExprId> operator()(const ir::Clobber& s) const { return {s.address}; }
    std::vector<ir::ExprId> operator()(const ir::Self&) const { return {}; }
    std::vector<ir::ExprId> operator()(const ir::Fail&) const { return {}; }
    std::vector<ir::ExprId> operator()(const ir::Exit&) const { return {}; }
    std::vector<ir::ExprId> operator()(const ir::Unsupported&) const { return {}; }
  };
  return std::visit(Collect{}, statement);
}

}  // namespace

InputClasses::InputClasses(const ir::Program& program, ir::RegId entered,
                           std::vector<ir::RegId> results)
    : program_(program), entered_(entered), results_(std::move(results)) {}

std::optional<std::vector<std::uint64_t>> InputClasses::representatives() {
  const ir::Type& type = program_.type(program_.reg(entered_).type);
  if (!type.integral()) return std::nullopt;
  enter({entered_, 0});
  while (!pending_.empty()) {
    const Place place = pending_.back();
    pending_.pop_back();
    if (!follow(place)) return std::nullopt;
  }
  if (boundaries_.empty()) boundaries_.insert(0);
  return std::vector<std::uint64_t>(boundaries_.begin(), boundaries_.end());
}

void InputClasses::enter(Place place) {
  if (seen_.insert(place).second) pending_.push_back(place);
}

bool InputClasses::follow(const Place& place) {
  const ir::Function& function = program_.function(program_.reg(place.reg).function);
  for (const ir::LocId location : function.locations)
    for (const ir::EdgeId edge : program_.out(location))
      if (!follow_edge(place, program_.edge(edge))) return false;
  return true;
}

bool InputClasses::follow_edge(const Place& place, const ir::Edge& edge) {
  if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
    if (!is_value(assign->value, place.reg)) return only_compared(assign->value, place.reg);
    // A copy of another width or signedness would need boundaries of its own.
    if (program_.reg(assign->to).type != program_.reg(entered_).type) return false;
    enter({assign->to, place.level});
    return true;
  }
  if (const auto* leave = std::get_if<ir::Return>(&edge.statement)) {
    if (!leave->value) return true;
    if (!is_value(*leave->value, place.reg)) return only_compared(*leave->value, place.reg);
    if (place.level >= results_.size()) return false;
    const ir::RegId result = results_[place.level];
    if (!result.valid()) return true;
    if (program_.reg(result).type != program_.reg(entered_).type) return false;
    enter({result, place.level + 1});
    return true;
  }
  for (const ir::ExprId expr : evaluated(edge.statement))
    if (!only_compared(expr, place.reg)) return false;
  return true;
}

bool InputClasses::is_value(ir::ExprId id, ir::RegId reg) const {
  const ir::Expr& expr = program_.expr(id);
  return expr.op == ir::Op::reg && expr.payload == reg.value;
}

bool InputClasses::only_compared(ir::ExprId id, ir::RegId reg) {
  if (!mentions(program_, id, reg)) return true;
  const ir::Expr& expr = program_.expr(id);
  switch (expr.op) {
    case ir::Op::reg:
      return false;
    case ir::Op::cast:
      // To _Bool: compared with zero.
      if (is_value(expr.args[0], reg) && program_.type(expr.type).kind == ir::TypeKind::boolean) {
        boundaries_.insert({0, 1});
        return true;
      }
      break;
    case ir::Op::eq:
    case ir::Op::ne:
    case ir::Op::lt:
    case ir::Op::le:
      if (compare(expr.op, expr.args[0], expr.args[1], reg)) return true;
      if (compare(expr.op, expr.args[1], expr.args[0], reg)) return true;
      break;
    default:
      break;
  }
  for (const ir::ExprId operand : expr.operands())
    if (!only_compared(operand, reg)) return false;
  return true;
}

bool InputClasses::compare(ir::Op op, ir::ExprId value, ir::ExprId constant, ir::RegId reg) {
  if (program_.expr(constant).op != ir::Op::constant) return false;
  const ir::Type& type = program_.type(program_.reg(entered_).type);
  while (!is_value(value, reg)) {
    // Widening keeps the order within each half of the circle, so a boundary stays a boundary.
    const ir::Expr& cast = program_.expr(value);
    if (cast.op != ir::Op::cast || program_.type(cast.type).kind != ir::TypeKind::integer)
      return false;
    if (program_.type(cast.type).width < type.width) return false;
    value = cast.args[0];
  }
  const std::uint64_t point = ir::truncate(type, program_.expr(constant).payload);
  boundaries_.insert({point, ir::truncate(type, point + 1)});
  if (op == ir::Op::lt || op == ir::Op::le)
    boundaries_.insert({0, ir::truncate(type, 1ULL << (type.width - 1))});
  return true;
}

}  // namespace heddle::engine::explore
