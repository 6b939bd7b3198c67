// Expression construction with simplification on the way.
#include <optional>

#include "base/check.hpp"
#include "ir/arithmetic.hpp"
#include "ir/builder.hpp"

namespace heddle::ir {
namespace {

bool compares(Op op) { return op == Op::eq || op == Op::ne || op == Op::lt || op == Op::le; }

bool judges_overflow(Op op) {
  return op == Op::add_overflows || op == Op::sub_overflows || op == Op::mul_overflows;
}

bool shifts(Op op) { return op == Op::shl || op == Op::shr; }

// The least and the greatest value of an integer, as far as its form tells: raw bits of its type.
struct Extremes {
  std::uint64_t least = 0, most = 0;
};

Extremes extremes(const Program& program, const Expr& expr) {
  const Type& type = program.type(expr.type);
  if (expr.op == Op::constant) return {expr.payload, expr.payload};
  if (compares(expr.op) || judges_overflow(expr.op) || expr.op == Op::logical_not) return {0, 1};
  if (expr.op == Op::cast) {
    const Expr& inner = program.expr(expr.args[0]);
    const Type& from = program.type(inner.type);
    if (from.integral() && from.width < type.width && (!from.is_signed || type.is_signed)) {
      const Extremes kept = extremes(program, inner);
      return {convert(from, type, kept.least), convert(from, type, kept.most)};
    }
  }
  const std::uint64_t top = std::uint64_t{1} << (type.width - 1);
  if (type.is_signed) return {top, top - 1};
  return {0, top | (top - 1)};
}

// The result of a comparison of integers that does not depend on what they are.
std::optional<bool> foregone(Op op, const Type& type, Extremes left, Extremes right) {
  const auto less = [&](std::uint64_t a, std::uint64_t b) {
    return apply_binary(Op::lt, type, a, b) != 0;
  };
  const bool below = less(left.most, right.least), above = less(right.most, left.least);
  if ((op == Op::eq || op == Op::ne) && (below || above)) return op == Op::ne;
  if (op == Op::lt && below) return true;
  if (op == Op::lt && !less(left.least, right.most)) return false;
  if (op == Op::le && above) return false;
  if (op == Op::le && !less(right.least, left.most)) return true;
  return std::nullopt;
}

// An address that does not depend on registers: an object or a function, and how far in.
struct FixedAddress {
  Op base = Op::global_address;
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
};

bool can_hold_an_address(const Program& program, const Type& type) {
  const std::uint32_t width = program.data_model() == DataModel::lp64 ? 64 : 32;
  return type.kind != TypeKind::floating && type.width == width;
}

std::optional<FixedAddress> fixed_address(const Program& program, ExprId id) {
  const Expr& expr = program.expr(id);
  if (expr.op == Op::global_address || expr.op == Op::function_address)
    return FixedAddress{expr.op, expr.payload, 0};
  if (expr.op != Op::cast && expr.op != Op::field && expr.op != Op::ptr_add) return std::nullopt;
  if (!can_hold_an_address(program, program.type(expr.type))) return std::nullopt;
  std::optional<FixedAddress> result = fixed_address(program, expr.args[0]);
  if (!result) return std::nullopt;
  const Type& pointer = program.type(program.expr(expr.args[0]).type);
  if (expr.op == Op::field)
    result->offset += program.type(pointer.element).fields[expr.payload].offset;
  if (expr.op == Op::ptr_add) {
    const Expr& index = program.expr(expr.args[1]);
    if (index.op != Op::constant) return std::nullopt;
    result->offset +=
        as_signed(program.type(index.type), index.payload) * program.type(pointer.element).size;
  }
  return result;
}

// Inside of a variable, not behind its end, where another one may begin.
bool is_inside(const Program& program, const FixedAddress& address) {
  if (address.base == Op::function_address) return address.offset == 0;
  const Global& global = program.global(GlobalId{static_cast<std::uint32_t>(address.number)});
  return global.kind == GlobalKind::variable && address.offset < program.type(global.type).size;
}

// How far the first address is behind the second.
std::optional<std::uint64_t> distance(const Program& program, ExprId left, ExprId right) {
  const auto first = fixed_address(program, left);
  if (!first) return std::nullopt;
  const auto second = fixed_address(program, right);
  if (!second || first->base != second->base || first->number != second->number)
    return std::nullopt;
  return first->offset - second->offset;
}

// Whether two addresses, or an address and null, are the same, where that does not depend on
// anything.
std::optional<bool> same_address(const Program& program, ExprId left, ExprId right) {
  const auto first = fixed_address(program, left);
  if (!first) return std::nullopt;
  const bool inside = is_inside(program, *first);
  const Expr& other = program.expr(right);
  if (inside && other.op == Op::constant && other.payload == 0) return false;
  if (const auto apart = distance(program, left, right)) return *apart == 0;
  const auto second = fixed_address(program, right);
  if (inside && second && is_inside(program, *second)) return false;
  return std::nullopt;
}

}  // namespace

ExprId ProgramBuilder::intern(Expr expr) {
  const auto [at, fresh] =
      exprs_by_shape_.emplace(expr, ExprId{static_cast<std::uint32_t>(program_.exprs_.size())});
  if (fresh) program_.exprs_.push_back(expr);
  return at->second;
}

ExprId ProgramBuilder::constant(TypeId id, std::uint64_t bits) {
  CHECK(type(id).scalar(), "constants are scalars");
  return intern({.op = Op::constant, .type = id, .payload = truncate(type(id), bits)});
}

ExprId ProgramBuilder::reg(RegId id) {
  return intern({.op = Op::reg, .type = program_.registers_[id.value].type, .payload = id.value});
}

ExprId ProgramBuilder::global_address(GlobalId id) {
  const TypeId pointer = pointer_to(program_.globals_[id.value].type);
  return intern({.op = Op::global_address, .type = pointer, .payload = id.value});
}

ExprId ProgramBuilder::function_address(FunId id) {
  const TypeId pointer = pointer_to(program_.functions_[id.value].type);
  return intern({.op = Op::function_address, .type = pointer, .payload = id.value});
}

ExprId ProgramBuilder::unary(Op op, ExprId operand) {
  const Expr inner = expr(operand);
  if (op == Op::logical_not) {
    CHECK(type(inner.type).kind == TypeKind::boolean, "only truth values are negated logically");
    if (inner.op == Op::logical_not) return inner.args[0];
    if (inner.op == Op::eq || inner.op == Op::ne)
      return binary(inner.op == Op::eq ? Op::ne : Op::eq, inner.args[0], inner.args[1]);
    const bool real = inner.arity > 0 && type_of(inner.args[0]).kind == TypeKind::floating;
    if (!real && inner.op == Op::lt) return binary(Op::le, inner.args[1], inner.args[0]);
    if (!real && inner.op == Op::le) return binary(Op::lt, inner.args[1], inner.args[0]);
  }
  if (inner.op == Op::constant && !overflows_unary(op, type(inner.type), inner.payload))
    return constant(inner.type, apply_unary(op, type(inner.type), inner.payload));
  return intern({.op = op, .arity = 1, .type = inner.type, .args = {operand}});
}

ExprId ProgramBuilder::binary(Op op, ExprId left, ExprId right) {
  const Expr l = expr(left), r = expr(right);
  CHECK(shifts(op) || l.type == r.type, "operands of a binary operator have one type");
  const bool boolean_result = compares(op) || judges_overflow(op);
  const TypeId result = boolean_result ? bool_type() : l.type;
  if (l.op == Op::constant && r.op == Op::constant) {
    const Type& operand = type(l.type);
    if (shifts(op)) return constant(result, apply_shift(op, operand, l.payload, r.payload));
    const bool divides_by_zero =
        (op == Op::div || op == Op::rem) && operand.kind == TypeKind::integer && r.payload == 0;
    if (!divides_by_zero && !overflows_binary(op, operand, l.payload, r.payload))
      return constant(result, apply_binary(op, operand, l.payload, r.payload));
  }
  // (bool as int) != 0 is the bool itself, and so on through casts that keep the value.
  if ((op == Op::eq || op == Op::ne) && r.op == Op::constant && r.payload == 0 &&
      type(l.type).kind != TypeKind::floating) {
    if (l.op == Op::cast && type_of(l.args[0]).kind == TypeKind::boolean)
      return op == Op::ne ? l.args[0] : unary(Op::logical_not, l.args[0]);
    if (type(l.type).kind == TypeKind::boolean)
      return op == Op::ne ? left : unary(Op::logical_not, left);
  }
  if (compares(op) && left == right && type(l.type).kind != TypeKind::floating)
    return constant(result, op == Op::eq || op == Op::le ? 1 : 0);
  if (op == Op::eq || op == Op::ne) {
    const auto same = same_address(program_, left, right);
    if (same) return constant(result, *same == (op == Op::eq) ? 1 : 0);
  }
  if (compares(op) && type(l.type).integral()) {
    const auto result_is = foregone(op, type(l.type), extremes(program_, l), extremes(program_, r));
    if (result_is) return constant(result, *result_is ? 1 : 0);
  }
  if (op == Op::sub) {
    const auto apart = distance(program_, left, right);
    if (apart) return constant(result, *apart);
  }
  if (type(l.type).integral()) {
    const auto is_zero = [](const Expr& e) { return e.op == Op::constant && e.payload == 0; };
    if (is_zero(r) &&
        (op == Op::add || op == Op::sub || op == Op::bit_or || op == Op::bit_xor || shifts(op)))
      return left;
    if (is_zero(l) && (op == Op::add || op == Op::bit_or || op == Op::bit_xor)) return right;
    if ((is_zero(l) || is_zero(r)) && op == Op::bit_and) return is_zero(l) ? left : right;
  }
  return intern({.op = op, .arity = 2, .type = result, .args = {left, right}});
}

ExprId ProgramBuilder::cast(TypeId to, ExprId value) {
  const Expr inner = expr(value);
  if (inner.type == to) return value;
  CHECK(type(to).scalar() && type(inner.type).scalar(), "only scalars are cast");
  if (inner.op == Op::constant)
    return constant(to, convert(type(inner.type), type(to), inner.payload));
  if (inner.op == Op::cast && type(to).kind == TypeKind::pointer &&
      type(inner.type).kind == TypeKind::pointer &&
      type_of(inner.args[0]).kind == TypeKind::pointer)
    return cast(to, inner.args[0]);
  return intern({.op = Op::cast, .arity = 1, .type = to, .args = {value}});
}

ExprId ProgramBuilder::select(ExprId condition, ExprId then, ExprId otherwise) {
  CHECK(type_of(condition).kind == TypeKind::boolean, "a choice needs a truth value");
  CHECK(expr(then).type == expr(otherwise).type, "both alternatives have one type");
  if (is_constant(condition)) return expr(condition).payload != 0 ? then : otherwise;
  if (then == otherwise) return then;
  if (is_constant(then) && is_constant(otherwise) && type_of(then).kind == TypeKind::boolean)
    return expr(then).payload != 0 ? condition : unary(Op::logical_not, condition);
  return intern({.op = Op::select,
                 .arity = 3,
                 .type = expr(then).type,
                 .args = {condition, then, otherwise}});
}

ExprId ProgramBuilder::ptr_add(ExprId pointer, ExprId index) {
  CHECK(type_of(pointer).kind == TypeKind::pointer && type_of(index).integral(),
        "pointer arithmetic moves a pointer by an integer");
  if (is_constant(index) && expr(index).payload == 0) return pointer;
  return intern(
      {.op = Op::ptr_add, .arity = 2, .type = expr(pointer).type, .args = {pointer, index}});
}

ExprId ProgramBuilder::ptr_diff(TypeId result, ExprId left, ExprId right) {
  return intern({.op = Op::ptr_diff, .arity = 2, .type = result, .args = {left, right}});
}

ExprId ProgramBuilder::field(ExprId record_pointer, std::uint32_t index) {
  const TypeId record = type_of(record_pointer).element;
  CHECK(type(record).kind == TypeKind::record && index < type(record).fields.size(),
        "a field belongs to its record");
  const TypeId member = type(record).fields[index].type;
  return intern({.op = Op::field,
                 .arity = 1,
                 .type = pointer_to(member),
                 .args = {record_pointer},
                 .payload = index});
}

ExprId ProgramBuilder::truth(ExprId value) {
  const TypeId operand = expr(value).type;
  if (type(operand).kind == TypeKind::boolean) return value;
  return binary(Op::ne, value, constant(operand, 0));
}

ExprId ProgramBuilder::negation(ExprId value) { return unary(Op::logical_not, truth(value)); }

}  // namespace heddle::ir
