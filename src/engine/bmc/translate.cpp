#include "engine/bmc/translate.hpp"

#include "base/check.hpp"
#include "ir/arithmetic.hpp"

namespace heddle::engine::bmc {
namespace {

using ir::Op;
using smt::TermOp;

bool is_real(const ir::Type& type) { return type.kind == ir::TypeKind::floating; }

TermOp term_op(Op op, const ir::Type& operand) {
  const bool is_signed = operand.is_signed;
  switch (op) {
    case Op::add:
      return TermOp::add;
    case Op::sub:
      return TermOp::sub;
    case Op::mul:
      return TermOp::mul;
    case Op::div:
      return is_signed ? TermOp::sdiv : TermOp::udiv;
    case Op::rem:
      return is_signed ? TermOp::srem : TermOp::urem;
    case Op::bit_and:
      return TermOp::bit_and;
    case Op::bit_or:
      return TermOp::bit_or;
    case Op::bit_xor:
      return TermOp::bit_xor;
    case Op::lt:
      return is_signed ? TermOp::slt : TermOp::ult;
    case Op::le:
      return is_signed ? TermOp::sle : TermOp::ule;
    case Op::add_overflows:
      return is_signed ? TermOp::sadd_overflows : TermOp::uadd_overflows;
    case Op::sub_overflows:
      return is_signed ? TermOp::ssub_overflows : TermOp::usub_overflows;
    case Op::mul_overflows:
      return is_signed ? TermOp::smul_overflows : TermOp::umul_overflows;
    default:
      break;
  }
  CHECK(false, "every binary operator over integers has a term");
  return TermOp::add;
}

}  // namespace

std::optional<Term> Translator::operator()(ir::ExprId id) {
  const ir::Expr& expr = program_.expr(id);
  const ir::Type& type = program_.type(expr.type);
  switch (expr.op) {
    case Op::constant:
      return terms_.constant(type.width, expr.payload);
    case Op::reg:
      return registers_[program_.reg({static_cast<std::uint32_t>(expr.payload)}).index];
    case Op::global_address:
      return terms_.constant(type.width,
                             addresses_.global({static_cast<std::uint32_t>(expr.payload)}));
    case Op::function_address:
      return terms_.constant(type.width,
                             addresses_.function({static_cast<std::uint32_t>(expr.payload)}));
    case Op::neg:
    case Op::bit_not:
    case Op::logical_not:
      return unary(expr);
    case Op::shl:
    case Op::shr:
      return shift(expr);
    case Op::cast: {
      const std::optional<Term> inner = (*this)(expr.args[0]);
      if (!inner) return std::nullopt;
      return convert(program_.expr(expr.args[0]).type, expr.type, *inner);
    }
    case Op::select: {
      const std::optional<Term> condition = (*this)(expr.args[0]);
      if (!condition) return std::nullopt;
      if (terms_.is_constant(*condition))
        return (*this)(terms_.is_true(*condition) ? expr.args[1] : expr.args[2]);
      const std::optional<Term> then = (*this)(expr.args[1]), otherwise = (*this)(expr.args[2]);
      if (!then || !otherwise) return std::nullopt;
      return terms_.ite(*condition, *then, *otherwise);
    }
    case Op::ptr_add:
      return move_pointer(expr);
    case Op::ptr_diff:
      return pointer_difference(expr);
    case Op::field: {
      const std::optional<Term> record = (*this)(expr.args[0]);
      if (!record) return std::nullopt;
      const ir::Type& layout = program_.type(type_of(expr.args[0]).element);
      return terms_.binary(TermOp::add, *record,
                           terms_.constant(type.width, layout.fields[expr.payload].offset));
    }
    default:
      return binary(expr);
  }
}

std::optional<Term> Translator::unary(const ir::Expr& expr) {
  const std::optional<Term> operand = (*this)(expr.args[0]);
  if (!operand) return std::nullopt;
  const ir::Type& type = type_of(expr.args[0]);
  if (is_real(type)) {
    if (!terms_.is_constant(*operand)) return std::nullopt;
    return terms_.constant(type.width, ir::apply_unary(expr.op, type, terms_.value(*operand)));
  }
  return terms_.unary(expr.op == Op::neg ? TermOp::neg : TermOp::bit_not, *operand);
}

std::optional<Term> Translator::binary(const ir::Expr& expr) {
  const std::optional<Term> left = (*this)(expr.args[0]), right = (*this)(expr.args[1]);
  if (!left || !right) return std::nullopt;
  const ir::Type& type = type_of(expr.args[0]);
  if (is_real(type)) {
    if (!terms_.is_constant(*left) || !terms_.is_constant(*right)) return std::nullopt;
    return terms_.constant(
        program_.type(expr.type).width,
        ir::apply_binary(expr.op, type, terms_.value(*left), terms_.value(*right)));
  }
  if (expr.op == Op::eq) return terms_.equal(*left, *right);
  if (expr.op == Op::ne) return terms_.not_(terms_.equal(*left, *right));
  return terms_.binary(term_op(expr.op, type), *left, *right);
}

std::optional<Term> Translator::shift(const ir::Expr& expr) {
  const std::optional<Term> value = (*this)(expr.args[0]), amount = (*this)(expr.args[1]);
  if (!value || !amount) return std::nullopt;
  const ir::Type& type = type_of(expr.args[0]);
  // Amounts count modulo the width, so cutting or extending them loses nothing.
  const Term by = terms_.resize_unsigned(*amount, type.width);
  const TermOp right = type.is_signed ? TermOp::ashr : TermOp::lshr;
  return terms_.binary(expr.op == Op::shl ? TermOp::shl : right, *value, by);
}

std::optional<Term> Translator::move_pointer(const ir::Expr& expr) {
  const std::optional<Term> pointer = (*this)(expr.args[0]), index = (*this)(expr.args[1]);
  if (!pointer || !index) return std::nullopt;
  const ir::Type& type = program_.type(expr.type);
  const Term wide = type_of(expr.args[1]).is_signed ? terms_.resize_signed(*index, type.width)
                                                    : terms_.resize_unsigned(*index, type.width);
  const Term size = terms_.constant(type.width, program_.type(type.element).size);
  return terms_.binary(TermOp::add, *pointer, terms_.binary(TermOp::mul, wide, size));
}

std::optional<Term> Translator::pointer_difference(const ir::Expr& expr) {
  const std::optional<Term> left = (*this)(expr.args[0]), right = (*this)(expr.args[1]);
  if (!left || !right) return std::nullopt;
  const ir::Type& pointer = type_of(expr.args[0]);
  const std::uint64_t size = program_.type(pointer.element).size;
  const std::uint32_t width = program_.type(expr.type).width;
  if (size == 0) return terms_.constant(width, 0);
  const Term bytes = terms_.binary(TermOp::sub, *left, *right);
  const Term elements = terms_.binary(TermOp::sdiv, bytes, terms_.constant(pointer.width, size));
  return terms_.resize_signed(elements, width);
}

std::optional<Term> Translator::convert(ir::TypeId from, ir::TypeId to, Term value) {
  const ir::Type &source = program_.type(from), &target = program_.type(to);
  if (terms_.is_constant(value))
    return terms_.constant(target.width, ir::convert(source, target, terms_.value(value)));
  if (is_real(source) || is_real(target)) {
    if (is_real(source) && is_real(target) && source.width == target.width) return value;
    return std::nullopt;
  }
  if (target.kind == ir::TypeKind::boolean)
    return terms_.not_(terms_.equal(value, terms_.constant(source.width, 0)));
  return source.is_signed ? terms_.resize_signed(value, target.width)
                          : terms_.resize_unsigned(value, target.width);
}

}  // namespace heddle::engine::bmc
