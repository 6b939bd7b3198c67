#include "smt/translate.hpp"

namespace heddle::smt {

TermOp term_op(ir::Op op, const ir::Type& operand) {
  const bool is_signed = operand.is_signed;
  switch (op) {
    case ir::Op::add:
      return TermOp::add;
    case ir::Op::sub:
      return TermOp::sub;
    case ir::Op::mul:
      return TermOp::mul;
    case ir::Op::div:
      return is_signed ? TermOp::sdiv : TermOp::udiv;
    case ir::Op::rem:
      return is_signed ? TermOp::srem : TermOp::urem;
    case ir::Op::bit_and:
      return TermOp::bit_and;
    case ir::Op::bit_or:
      return TermOp::bit_or;
    case ir::Op::bit_xor:
      return TermOp::bit_xor;
    case ir::Op::eq:
    case ir::Op::ne:
      return TermOp::eq;
    case ir::Op::lt:
      return is_signed ? TermOp::slt : TermOp::ult;
    case ir::Op::le:
      return is_signed ? TermOp::sle : TermOp::ule;
    case ir::Op::add_overflows:
      return is_signed ? TermOp::sadd_overflows : TermOp::uadd_overflows;
    case ir::Op::sub_overflows:
      return is_signed ? TermOp::ssub_overflows : TermOp::usub_overflows;
    case ir::Op::mul_overflows:
      return is_signed ? TermOp::smul_overflows : TermOp::umul_overflows;
    default:
      break;
  }
  CHECK(false, "every binary operator over integers has a term");
  return TermOp::add;
}

std::optional<Term> Translator::operator()(ir::ExprId id) {
  return Translation<Frame>(program_, algebra_)(id);
}

std::optional<Term> Translator::convert(ir::TypeId from, ir::TypeId to, Term value) {
  return Translation<Frame>(program_, algebra_)
      .convert(program_.type(from), program_.type(to), value);
}

}  // namespace heddle::smt
