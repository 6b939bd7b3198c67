// The values of expressions over cells, computed forwards: an smt::Algebra.
#pragma once

#include <optional>

#include "domain/cells.hpp"
#include "domain/store.hpp"
#include "smt/translate.hpp"

namespace heddle::domain {

template <Lattice L>
class Reading {
 public:
  using Value = typename L::Value;

  Reading(const ir::Program& program, const L& lattice, const Cells<L>& cells, const Scope& scope)
      : program_(program), lattice_(lattice), cells_(cells), scope_(scope) {}

  Value operator()(ir::ExprId id) { return *smt::Translation<Reading>(program_, *this)(id); }
  // The cell that an expression merely reads.
  std::optional<Cell> cell(ir::ExprId id) const {
    const ir::Expr& expr = program_.expr(id);
    if (expr.op != ir::Op::reg) return std::nullopt;
    const Operand operand = scope_.reg({static_cast<std::uint32_t>(expr.payload)});
    if (const auto* found = std::get_if<Cell>(&operand)) return *found;
    return std::nullopt;
  }

  Value constant(std::uint32_t width, std::uint64_t bits) { return lattice_.constant(width, bits); }
  std::optional<std::uint64_t> constant_of(const Value& value) {
    return lattice_.constant_of(value);
  }
  Value unary(smt::TermOp op, const Value& operand) { return lattice_.unary(op, operand); }
  Value binary(smt::TermOp op, const Value& left, const Value& right) {
    return lattice_.binary(op, left, right);
  }
  Value ite(const Value& condition, const Value& then, const Value& otherwise) {
    return lattice_.reduced(lattice_.ite(condition, then, otherwise));
  }
  Value resize_unsigned(const Value& value, std::uint32_t width) {
    return lattice_.resize_unsigned(value, width);
  }
  Value resize_signed(const Value& value, std::uint32_t width) {
    return lattice_.resize_signed(value, width);
  }
  Value extract(const Value& value, std::uint32_t low, std::uint32_t width) {
    return lattice_.extract(value, low, width);
  }
  std::optional<Value> opaque(std::uint32_t width) { return lattice_.top(width); }
  Value read(const Operand& operand, std::uint32_t width) {
    if (const auto* found = std::get_if<Cell>(&operand)) return cells_.value(*found);
    return lattice_.constant(width, std::get<std::uint64_t>(operand));
  }
  Value reg(ir::RegId id) {
    return read(scope_.reg(id), program_.type(program_.reg(id).type).width);
  }
  std::uint64_t global(ir::GlobalId id) { return scope_.global(id); }
  std::uint64_t function(ir::FunId id) { return scope_.function(id); }

  // Two registers that hold the same number compare in one way, whatever it is.
  std::optional<Value> shortcut(const ir::Expr& expr) {
    if (expr.arity != 2 || smt::is_real(program_.type(program_.expr(expr.args[0]).type)))
      return std::nullopt;
    const std::optional<std::uint64_t> result = of_equal_operands(expr.op);
    if (!result) return std::nullopt;
    const std::optional<Cell> left = cell(expr.args[0]), right = cell(expr.args[1]);
    if (!left || !right || !cells_.same(*left, *right)) return std::nullopt;
    return lattice_.constant(program_.type(expr.type).width, *result);
  }

 private:
  static std::optional<std::uint64_t> of_equal_operands(ir::Op op) {
    switch (op) {
      case ir::Op::eq:
      case ir::Op::le:
        return 1;
      case ir::Op::ne:
      case ir::Op::lt:
      case ir::Op::sub:
      case ir::Op::bit_xor:
      case ir::Op::sub_overflows:
      case ir::Op::ptr_diff:
        return 0;
      default:
        return std::nullopt;
    }
  }

  const ir::Program& program_;
  const L& lattice_;
  const Cells<L>& cells_;
  const Scope& scope_;
};

}  // namespace heddle::domain
