// Constants are computed by the one definition of C arithmetic, ir/arithmetic.
#include "smt/fold.hpp"

#include <array>

#include "base/check.hpp"
#include "ir/arithmetic.hpp"

namespace heddle::smt {
namespace {

// What ir/arithmetic calls an operator, and the signedness that it takes from the type.
struct Meaning {
  ir::Op op;
  bool is_signed;
};

Meaning meaning_of(TermOp op) {
  switch (op) {
    case TermOp::bit_and:
      return {ir::Op::bit_and, false};
    case TermOp::bit_or:
      return {ir::Op::bit_or, false};
    case TermOp::bit_xor:
      return {ir::Op::bit_xor, false};
    case TermOp::add:
      return {ir::Op::add, false};
    case TermOp::sub:
      return {ir::Op::sub, false};
    case TermOp::mul:
      return {ir::Op::mul, false};
    case TermOp::udiv:
      return {ir::Op::div, false};
    case TermOp::sdiv:
      return {ir::Op::div, true};
    case TermOp::urem:
      return {ir::Op::rem, false};
    case TermOp::srem:
      return {ir::Op::rem, true};
    case TermOp::eq:
      return {ir::Op::eq, false};
    case TermOp::ult:
      return {ir::Op::lt, false};
    case TermOp::ule:
      return {ir::Op::le, false};
    case TermOp::slt:
      return {ir::Op::lt, true};
    case TermOp::sle:
      return {ir::Op::le, true};
    case TermOp::sadd_overflows:
      return {ir::Op::add_overflows, true};
    case TermOp::uadd_overflows:
      return {ir::Op::add_overflows, false};
    case TermOp::ssub_overflows:
      return {ir::Op::sub_overflows, true};
    case TermOp::usub_overflows:
      return {ir::Op::sub_overflows, false};
    case TermOp::smul_overflows:
      return {ir::Op::mul_overflows, true};
    case TermOp::umul_overflows:
      return {ir::Op::mul_overflows, false};
    default:
      break;
  }
  CHECK(false, "not a binary operator of terms");
  return {ir::Op::add, false};
}

// Made once: a Type is too heavy to build for every operation.
const ir::Type& integer_type(std::uint32_t width, bool is_signed) {
  static const auto types = [] {
    std::array<std::array<ir::Type, 65>, 2> made;
    for (std::uint32_t bits = 1; bits <= 64; ++bits)
      for (std::size_t sign = 0; sign < 2; ++sign) {
        made[sign][bits].kind = ir::TypeKind::integer;
        made[sign][bits].width = bits;
        made[sign][bits].is_signed = sign == 1;
      }
    return made;
  }();
  return types[is_signed ? 1 : 0][width];
}

}  // namespace

bool gives_truth(TermOp op) { return op >= TermOp::eq && op <= TermOp::umul_overflows; }

bool is_commutative(TermOp op) {
  switch (op) {
    case TermOp::bit_and:
    case TermOp::bit_or:
    case TermOp::bit_xor:
    case TermOp::add:
    case TermOp::mul:
    case TermOp::eq:
    case TermOp::sadd_overflows:
    case TermOp::uadd_overflows:
    case TermOp::smul_overflows:
    case TermOp::umul_overflows:
      return true;
    default:
      return false;
  }
}

std::uint64_t fold_unary(TermOp op, std::uint32_t width, std::uint64_t operand) {
  CHECK(op == TermOp::bit_not || op == TermOp::neg, "terms have no other unary operator");
  return ir::apply_unary(op == TermOp::neg ? ir::Op::neg : ir::Op::bit_not,
                         integer_type(width, false), operand);
}

std::uint64_t fold_binary(TermOp op, std::uint32_t width, std::uint64_t left, std::uint64_t right) {
  if (op == TermOp::shl || op == TermOp::lshr || op == TermOp::ashr)
    return ir::apply_shift(op == TermOp::shl ? ir::Op::shl : ir::Op::shr,
                           integer_type(width, op == TermOp::ashr), left, right);
  const Meaning meaning = meaning_of(op);
  return ir::apply_binary(meaning.op, integer_type(width, meaning.is_signed), left, right);
}

}  // namespace heddle::smt
