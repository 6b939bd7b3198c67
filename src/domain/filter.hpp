// Backward filtering: from what an expression must be to what its registers can be.
// Sound, not complete: every assignment under which the expression is so stays.
#pragma once

#include <optional>

#include "domain/cells.hpp"
#include "domain/reading.hpp"

namespace heddle::domain {

template <Lattice L>
class Filter {
 public:
  using Value = typename L::Value;
  using Change = typename Cells<L>::Change;

  Filter(const ir::Program& program, const L& lattice, Cells<L>& cells, const Scope& scope)
      : program_(program), lattice_(lattice), cells_(cells), scope_(scope) {}

  // False: no assignment gives the expression any of these values. Learning of one operand may
  // tell more of another, so a few rounds are made.
  bool require(ir::ExprId id, const Value& wanted) {
    for (int round = 0; round < most_rounds; ++round) {
      change_ = Change::none;
      if (!narrow(id, wanted)) return false;
      if (change_ == Change::none) break;
    }
    return true;
  }
  bool require_other(ir::ExprId id, std::uint64_t bits) {
    const std::optional<Value> wanted = lattice_.without(evaluate(id), bits);
    return wanted && require(id, *wanted);
  }
  bool require_equal(const Cell& cell, ir::ExprId id) {
    const std::optional<Value> both = lattice_.meet(cells_.value(cell), evaluate(id));
    if (!both || !require(id, *both)) return false;
    const std::optional<Value> rest = lattice_.meet(*both, evaluate(id));
    if (!rest || !require(id, *rest)) return false;
    cells_.narrow(cell, *rest);
    const std::optional<Cell> other = Reading<L>(program_, lattice_, cells_, scope_).cell(id);
    if (other) cells_.unite(cell, *other);
    return true;
  }
  bool require_different(const Cell& cell, ir::ExprId id) {
    const std::optional<Cell> other = Reading<L>(program_, lattice_, cells_, scope_).cell(id);
    if (other && cells_.same(cell, *other)) return false;
    if (const auto known = lattice_.constant_of(evaluate(id))) {
      const std::optional<Value> rest = lattice_.without(cells_.value(cell), *known);
      if (!rest) return false;
      cells_.narrow(cell, *rest);
    }
    const auto known = lattice_.constant_of(cells_.value(cell));
    return !known || require_other(id, *known);
  }

 private:
  static constexpr int most_rounds = 4;
  static constexpr int most_splits = 3;

  Value evaluate(ir::ExprId id) { return Reading<L>(program_, lattice_, cells_, scope_)(id); }
  const ir::Type& type_of(ir::ExprId id) const { return program_.type(program_.expr(id).type); }

  bool narrow(ir::ExprId id, const Value& wanted);
  bool narrow_reg(const ir::Expr& expr, const Value& value);
  bool narrow_binary(const ir::Expr& expr, const Value& value);
  bool narrow_comparison(const ir::Expr& expr, ir::Op op, const Value& truth);
  bool narrow_equal(ir::ExprId left, ir::ExprId right);
  bool narrow_different(ir::ExprId left, ir::ExprId right);
  bool narrow_ordered(Order order, ir::ExprId left, ir::ExprId right);
  bool narrow_cast(const ir::Expr& expr, const Value& value);
  bool narrow_select(const ir::Expr& expr, const Value& value);
  bool narrow_arm(const ir::Expr& expr, std::uint64_t condition, const Value& value);

  const ir::Program& program_;
  const L& lattice_;
  Cells<L>& cells_;
  const Scope& scope_;
  Change change_ = Change::none;
  int splits_ = 0;
};

template <Lattice L>
bool Filter<L>::narrow(ir::ExprId id, const Value& wanted) {
  const Value have = evaluate(id);
  const std::optional<Value> both = lattice_.meet(have, wanted);
  if (!both) return false;
  if (lattice_.covers(*both, have)) return true;
  const ir::Expr& expr = program_.expr(id);
  if (expr.arity > 0 && expr.op != ir::Op::select && smt::is_real(type_of(expr.args[0])))
    return true;
  switch (expr.op) {
    case ir::Op::reg:
      return narrow_reg(expr, *both);
    case ir::Op::neg:
      return narrow(expr.args[0], lattice_.unary(smt::TermOp::neg, *both));
    case ir::Op::bit_not:
    case ir::Op::logical_not:
      return narrow(expr.args[0], lattice_.unary(smt::TermOp::bit_not, *both));
    case ir::Op::eq:
    case ir::Op::ne:
    case ir::Op::lt:
    case ir::Op::le:
      return narrow_comparison(expr, expr.op, *both);
    case ir::Op::cast:
      return narrow_cast(expr, *both);
    case ir::Op::select:
      return narrow_select(expr, *both);
    case ir::Op::field: {
      const ir::Type& record = program_.type(type_of(expr.args[0]).element);
      const Value offset =
          lattice_.constant(program_.type(expr.type).width, record.fields[expr.payload].offset);
      return narrow(expr.args[0], lattice_.binary(smt::TermOp::sub, *both, offset));
    }
    default:
      return expr.arity != 2 || narrow_binary(expr, *both);
  }
}

template <Lattice L>
bool Filter<L>::narrow_reg(const ir::Expr& expr, const Value& value) {
  const Operand operand = scope_.reg({static_cast<std::uint32_t>(expr.payload)});
  const auto* cell = std::get_if<Cell>(&operand);
  if (cell != nullptr && cells_.narrow(*cell, value) == Change::some) change_ = Change::some;
  return true;
}

// What has an inverse, and the bits that `and` and `or` cannot make up.
template <Lattice L>
bool Filter<L>::narrow_binary(const ir::Expr& expr, const Value& value) {
  const ir::ExprId first = expr.args[0], second = expr.args[1];
  const auto inverse = [&](smt::TermOp op, ir::ExprId other) {
    return lattice_.binary(op, value, evaluate(other));
  };
  switch (expr.op) {
    case ir::Op::add:
      return narrow(first, inverse(smt::TermOp::sub, second)) &&
             narrow(second, inverse(smt::TermOp::sub, first));
    case ir::Op::sub:
      return narrow(first, inverse(smt::TermOp::add, second)) &&
             narrow(second, lattice_.binary(smt::TermOp::sub, evaluate(first), value));
    case ir::Op::bit_xor:
      return narrow(first, inverse(smt::TermOp::bit_xor, second)) &&
             narrow(second, inverse(smt::TermOp::bit_xor, first));
    case ir::Op::bit_and:
      for (const ir::ExprId side : {first, second}) {
        const auto more = lattice_.restrict_right(Order::unsigned_at_most, value, evaluate(side));
        if (!more || !narrow(side, *more)) return false;
      }
      return true;
    case ir::Op::bit_or:
      for (const ir::ExprId side : {first, second}) {
        const auto less = lattice_.restrict_left(Order::unsigned_at_most, evaluate(side), value);
        if (!less || !narrow(side, *less)) return false;
      }
      return true;
    default:
      return true;
  }
}

template <Lattice L>
bool Filter<L>::narrow_comparison(const ir::Expr& expr, ir::Op op, const Value& truth) {
  const std::optional<std::uint64_t> known = lattice_.constant_of(truth);
  if (!known) return true;
  const bool holds = *known != 0;
  const ir::ExprId left = expr.args[0], right = expr.args[1];
  if (op == ir::Op::eq || op == ir::Op::ne)
    return holds == (op == ir::Op::eq) ? narrow_equal(left, right) : narrow_different(left, right);
  const bool is_signed = type_of(left).is_signed;
  const Order less = is_signed ? Order::signed_less : Order::unsigned_less;
  const Order at_most = is_signed ? Order::signed_at_most : Order::unsigned_at_most;
  if (holds) return narrow_ordered(op == ir::Op::lt ? less : at_most, left, right);
  return narrow_ordered(op == ir::Op::lt ? at_most : less, right, left);
}

template <Lattice L>
bool Filter<L>::narrow_equal(ir::ExprId left, ir::ExprId right) {
  const std::optional<Value> both = lattice_.meet(evaluate(left), evaluate(right));
  if (!both || !narrow(left, *both) || !narrow(right, *both)) return false;
  const Reading<L> reading(program_, lattice_, cells_, scope_);
  const std::optional<Cell> first = reading.cell(left), second = reading.cell(right);
  if (first && second && cells_.unite(*first, *second) == Change::some) change_ = Change::some;
  return true;
}

template <Lattice L>
bool Filter<L>::narrow_different(ir::ExprId left, ir::ExprId right) {
  const auto exclude = [&](ir::ExprId from, ir::ExprId other) {
    const std::optional<std::uint64_t> known = lattice_.constant_of(evaluate(other));
    if (!known) return true;
    const std::optional<Value> rest = lattice_.without(evaluate(from), *known);
    return rest && narrow(from, *rest);
  };
  return exclude(left, right) && exclude(right, left);
}

template <Lattice L>
bool Filter<L>::narrow_ordered(Order order, ir::ExprId left, ir::ExprId right) {
  const auto lower = lattice_.restrict_left(order, evaluate(left), evaluate(right));
  if (!lower || !narrow(left, *lower)) return false;
  const auto upper = lattice_.restrict_right(order, evaluate(left), evaluate(right));
  return upper && narrow(right, *upper);
}

template <Lattice L>
bool Filter<L>::narrow_cast(const ir::Expr& expr, const Value& value) {
  const ir::ExprId inner = expr.args[0];
  const ir::Type &source = type_of(inner), &target = program_.type(expr.type);
  if (smt::is_real(target)) return true;
  if (target.kind == ir::TypeKind::boolean) {
    const std::optional<std::uint64_t> known = lattice_.constant_of(value);
    if (!known) return true;
    if (*known == 0) return narrow(inner, lattice_.constant(source.width, 0));
    const std::optional<Value> rest = lattice_.without(evaluate(inner), 0);
    return rest && narrow(inner, *rest);
  }
  // What was extended is cut again; what was cut is extended if cutting lost nothing.
  if (target.width >= source.width)
    return narrow(inner, lattice_.resize_unsigned(value, source.width));
  const Value whole = evaluate(inner);
  if (lattice_.fits_unsigned(whole, target.width))
    return narrow(inner, lattice_.resize_unsigned(value, source.width));
  if (lattice_.fits_signed(whole, target.width))
    return narrow(inner, lattice_.resize_signed(value, source.width));
  return true;
}

template <Lattice L>
bool Filter<L>::narrow_arm(const ir::Expr& expr, std::uint64_t condition, const Value& value) {
  return narrow(expr.args[0], lattice_.constant(1, condition)) &&
         narrow(expr.args[condition != 0 ? 1 : 2], value);
}

// `a && b` and `a || b` are selects too. Where both arms are possible, each is followed on its own.
template <Lattice L>
bool Filter<L>::narrow_select(const ir::Expr& expr, const Value& value) {
  const Value condition = evaluate(expr.args[0]);
  const auto possible = [&](std::uint64_t side) {
    return lattice_.meet(condition, lattice_.constant(1, side)) &&
           lattice_.meet(evaluate(expr.args[side != 0 ? 1 : 2]), value);
  };
  const bool then = possible(1), otherwise = possible(0);
  if (!then && !otherwise) return false;
  if (!then || !otherwise) return narrow_arm(expr, then ? 1 : 0, value);
  if (splits_ >= most_splits) return true;
  ++splits_;
  const Cells<L> before = cells_;
  const Change change = change_;
  const bool first = narrow_arm(expr, 1, value);
  const Cells<L> taken = cells_;
  cells_ = before;
  const bool second = narrow_arm(expr, 0, value);
  --splits_;
  if (!first && !second) return false;
  if (first && !second) cells_ = taken;
  if (first && second)
    cells_.merge(taken, [&](const Value& a, const Value& b) { return lattice_.join(a, b); });
  change_ = before.covers(cells_) && cells_.covers(before) ? change : Change::some;
  return true;
}

}  // namespace heddle::domain
