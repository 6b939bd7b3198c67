// Overflow with a constant is a comparison: x + c overflows where x is beyond max - c.
#include "smt/term.hpp"

#include "smt/fold.hpp"
#include "smt/range.hpp"

namespace heddle::smt {

Term Terms::rewrite_overflow(TermOp op, Term left, Term right) {
  if (op == TermOp::ssub_overflows && left == right) return no_;
  const Decision decision = decide_overflow(op, left, right);
  if (decision != Decision::open) return decision == Decision::yes ? yes_ : no_;
  if (op == TermOp::ssub_overflows && is_constant(left))
    return overflow_of_constant_minus(value(left), right);
  if (!is_constant(right)) return make(op, 1, {left, right});
  const std::uint32_t bits = width(left);
  const std::uint64_t by = value(right), most = mask_of(bits);
  const std::uint64_t highest = most >> 1, lowest = top_bit(bits);
  const bool negative = (by & lowest) != 0;
  const auto above = [&](std::uint64_t bound) {
    return binary(TermOp::slt, constant(bits, bound), left);
  };
  const auto below = [&](std::uint64_t bound) {
    return binary(TermOp::slt, left, constant(bits, bound));
  };
  switch (op) {
    case TermOp::uadd_overflows:
      return binary(TermOp::ult, constant(bits, most - by), left);
    case TermOp::umul_overflows:
      return by == 0 ? no_ : binary(TermOp::ult, constant(bits, most / by), left);
    case TermOp::sadd_overflows:
      return negative ? below(lowest - by) : above(highest - by);
    case TermOp::ssub_overflows:
      return negative ? above(highest + by) : below(lowest + by);
    default:
      break;
  }
  // smul_overflows: the bounds are quotients rounded towards zero.
  if (by == 0 || by == 1) return no_;
  if (by == most) return equal(left, constant(bits, lowest));
  const std::uint64_t from_highest = fold_binary(TermOp::sdiv, bits, highest, by);
  const std::uint64_t from_lowest = fold_binary(TermOp::sdiv, bits, lowest, by);
  return negative ? or_(below(from_highest), above(from_lowest))
                  : or_(above(from_highest), below(from_lowest));
}

Terms::Decision Terms::decide_overflow(TermOp op, Term left, Term right) const {
  const std::optional<bool> overflows =
      overflow_decided(op, width(left), range(left), range(right));
  if (!overflows) return Decision::open;
  return *overflows ? Decision::yes : Decision::no;
}

Term Terms::overflow_of_constant_minus(std::uint64_t left, Term right) {
  const std::uint32_t bits = width(right);
  const std::uint64_t lowest = top_bit(bits), highest = lowest - 1;
  if ((left & lowest) == 0) return binary(TermOp::slt, right, constant(bits, left - highest));
  return binary(TermOp::slt, constant(bits, left - lowest), right);
}

}  // namespace heddle::smt
