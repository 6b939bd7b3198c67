// Constants are computed by the one definition of C arithmetic, ir/arithmetic.
#include "smt/fold.hpp"

#include <array>
#include <iterator>

#include "base/check.hpp"
#include "ir/arithmetic.hpp"

namespace heddle::smt {
namespace {

enum class Sign { ignored, counted };

// What ir/arithmetic calls an operator, and the signedness that it takes from the type.
struct Meaning {
  TermOp op;
  ir::Op meant;
  Sign sign;
};

constexpr Meaning meanings[] = {
    {TermOp::bit_and, ir::Op::bit_and, Sign::ignored},
    {TermOp::bit_or, ir::Op::bit_or, Sign::ignored},
    {TermOp::bit_xor, ir::Op::bit_xor, Sign::ignored},
    {TermOp::add, ir::Op::add, Sign::ignored},
    {TermOp::sub, ir::Op::sub, Sign::ignored},
    {TermOp::mul, ir::Op::mul, Sign::ignored},
    {TermOp::udiv, ir::Op::div, Sign::ignored},
    {TermOp::sdiv, ir::Op::div, Sign::counted},
    {TermOp::urem, ir::Op::rem, Sign::ignored},
    {TermOp::srem, ir::Op::rem, Sign::counted},
    {TermOp::shl, ir::Op::shl, Sign::ignored},
    {TermOp::lshr, ir::Op::shr, Sign::ignored},
    {TermOp::ashr, ir::Op::shr, Sign::counted},
    {TermOp::eq, ir::Op::eq, Sign::ignored},
    {TermOp::ult, ir::Op::lt, Sign::ignored},
    {TermOp::ule, ir::Op::le, Sign::ignored},
    {TermOp::slt, ir::Op::lt, Sign::counted},
    {TermOp::sle, ir::Op::le, Sign::counted},
    {TermOp::sadd_overflows, ir::Op::add_overflows, Sign::counted},
    {TermOp::uadd_overflows, ir::Op::add_overflows, Sign::ignored},
    {TermOp::ssub_overflows, ir::Op::sub_overflows, Sign::counted},
    {TermOp::usub_overflows, ir::Op::sub_overflows, Sign::ignored},
    {TermOp::smul_overflows, ir::Op::mul_overflows, Sign::counted},
    {TermOp::umul_overflows, ir::Op::mul_overflows, Sign::ignored},
};

// The table has the order of the operators, which begin with bit_and.
const Meaning& meaning_of(TermOp op) {
  const auto index = static_cast<std::size_t>(op) - static_cast<std::size_t>(TermOp::bit_and);
  CHECK(index < std::size(meanings) && meanings[index].op == op, "not a binary operator of terms");
  return meanings[index];
}

// Made once: a Type is too heavy to build for every operation.
const ir::Type& integer_type(std::uint32_t width, Sign sign) {
  static const auto types = [] {
    std::array<std::array<ir::Type, 65>, 2> made;
    for (std::uint32_t bits = 1; bits <= 64; ++bits)
      for (std::size_t row = 0; row < 2; ++row) {
        made[row][bits].kind = ir::TypeKind::integer;
        made[row][bits].width = bits;
        made[row][bits].is_signed = row == 1;
      }
    return made;
  }();
  return types[sign == Sign::counted ? 1 : 0][width];
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
                         integer_type(width, Sign::ignored), operand);
}

std::uint64_t fold_binary(TermOp op, std::uint32_t width, std::uint64_t left, std::uint64_t right) {
  const Meaning& meaning = meaning_of(op);
  const ir::Type& type = integer_type(width, meaning.sign);
  if (meaning.meant == ir::Op::shl || meaning.meant == ir::Op::shr)
    return ir::apply_shift(meaning.meant, type, left, right);
  return ir::apply_binary(meaning.meant, type, left, right);
}

}  // namespace heddle::smt
