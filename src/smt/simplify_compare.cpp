// Rules for comparisons: both sides lose what they have in common, constants move to
// the right side of equations, extensions are undone, and bounds at the end of the
// range decide or become equations.
#include "smt/term.hpp"

#include <algorithm>
#include <utility>

#include "smt/fold.hpp"

namespace heddle::smt {

Term Terms::rewrite_eq(Term left, Term right) {
  if (left == right) return yes_;
  if (complements(left, right)) return no_;
  const Range x = range(left), y = range(right);
  if (x.high < y.low || y.high < x.low) return no_;
  if (x.signed_high < y.signed_low || y.signed_high < x.signed_low) return no_;
  if (is_constant(right)) return rewrite_eq_constant(left, right);
  const TermNode a = node(left), b = node(right);
  for (const auto& [sum, other] : {std::pair{a, right}, std::pair{b, left}}) {
    const Term zero = constant(a.width, 0);
    if (sum.op == TermOp::add && sum.args[0] == other) return equal(sum.args[1], zero);
    if (sum.op == TermOp::add && sum.args[1] == other) return equal(sum.args[0], zero);
    if (sum.op == TermOp::sub && sum.args[0] == other) return equal(sum.args[1], zero);
  }
  if (a.op == b.op) {
    if (a.op == TermOp::add)
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j)
          if (a.args[i] == b.args[j]) return equal(a.args[1 - i], b.args[1 - j]);
    if (a.op == TermOp::sub)
      for (std::size_t i = 0; i < 2; ++i)
        if (a.args[i] == b.args[i]) return equal(a.args[1 - i], b.args[1 - i]);
    if (a.op == TermOp::bit_not || a.op == TermOp::neg) return equal(a.args[0], b.args[0]);
    if (a.op == TermOp::concat && width(a.args[1]) == width(b.args[1]))
      return and_(equal(a.args[0], b.args[0]), equal(a.args[1], b.args[1]));
    if (a.op == TermOp::zext || a.op == TermOp::sext) {
      const std::uint32_t bits = std::max(width(a.args[0]), width(b.args[0]));
      if (a.op == TermOp::zext) return equal(zext(a.args[0], bits), zext(b.args[0], bits));
      return equal(sext(a.args[0], bits), sext(b.args[0], bits));
    }
  }
  if (a.op == TermOp::ite) return rewrite_eq_ite(left, right);
  if (b.op == TermOp::ite) return rewrite_eq_ite(right, left);
  return make(TermOp::eq, 1, {left, right});
}

Term Terms::rewrite_eq_constant(Term left, Term right) {
  const std::uint32_t bits = width(left);
  const std::uint64_t sought = value(right);
  const TermNode shape = node(left);
  const auto solved = [&](Term unknown, std::uint64_t solution) {
    return equal(unknown, constant(width(unknown), solution));
  };
  switch (shape.op) {
    case TermOp::bit_not:
      return solved(shape.args[0], ~sought);
    case TermOp::neg:
      return solved(shape.args[0], 0 - sought);
    case TermOp::bit_xor:
      if (is_constant(shape.args[1])) return solved(shape.args[0], sought ^ value(shape.args[1]));
      if (sought == 0) return equal(shape.args[0], shape.args[1]);
      break;
    case TermOp::bit_and:
      if (is_constant(shape.args[1]) && (sought & ~value(shape.args[1])) != 0) return no_;
      break;
    case TermOp::add:
      if (is_constant(shape.args[1])) return solved(shape.args[0], sought - value(shape.args[1]));
      break;
    case TermOp::sub:
      if (is_constant(shape.args[0])) return solved(shape.args[1], value(shape.args[0]) - sought);
      if (sought == 0) return equal(shape.args[0], shape.args[1]);
      break;
    case TermOp::zext:
      if ((sought & ~mask_of(width(shape.args[0]))) != 0) return no_;
      return solved(shape.args[0], sought);
    case TermOp::sext: {
      const auto back = static_cast<std::uint64_t>(signed_value(width(shape.args[0]), sought));
      return (back & mask_of(bits)) == sought ? solved(shape.args[0], sought) : no_;
    }
    case TermOp::concat: {
      const std::uint32_t split = width(shape.args[1]);
      const Term high = solved(shape.args[0], sought >> split);
      return is_false(high) ? no_ : and_(high, solved(shape.args[1], sought));
    }
    case TermOp::ite:
      return rewrite_eq_ite(left, right);
    default:
      break;
  }
  return make(TermOp::eq, 1, {left, right});
}

// An arm that is the other side, or a constant beside a constant, is decided.
Term Terms::rewrite_eq_ite(Term choice, Term other) {
  const TermNode shape = node(choice), beside = node(other);
  const Term condition = shape.args[0];
  if (beside.op == TermOp::ite && beside.args[0] == condition)
    return ite(condition, equal(shape.args[1], beside.args[1]),
               equal(shape.args[2], beside.args[2]));
  const auto decided = [&](Term arm) {
    return arm == other || complements(arm, other) || (is_constant(arm) && is_constant(other));
  };
  if (decided(shape.args[1]) || decided(shape.args[2]))
    return ite(condition, equal(shape.args[1], other), equal(shape.args[2], other));
  return make(TermOp::eq, 1, {choice, other});
}

Term Terms::rewrite_ult(Term left, Term right) {
  const std::uint32_t bits = width(left);
  const std::uint64_t most = mask_of(bits);
  if (left == right || range(left).low >= range(right).high) return no_;
  if (range(left).high < range(right).low) return yes_;
  if (constant_is(right, 1)) return equal(left, constant(bits, 0));
  if (constant_is(right, most)) return not_(equal(left, right));
  if (constant_is(left, 0)) return not_(equal(right, left));
  if (constant_is(left, most - 1)) return equal(right, constant(bits, most));
  const TermNode a = node(left), b = node(right);
  const bool extended_left = a.op == TermOp::zext, extended_right = b.op == TermOp::zext;
  if (extended_left && extended_right) {
    const std::uint32_t inner = std::max(width(a.args[0]), width(b.args[0]));
    return binary(TermOp::ult, zext(a.args[0], inner), zext(b.args[0], inner));
  }
  if (extended_left && is_constant(right)) {
    const std::uint32_t inner = width(a.args[0]);
    if (b.payload > mask_of(inner)) return yes_;
    return binary(TermOp::ult, a.args[0], constant(inner, b.payload));
  }
  if (extended_right && is_constant(left)) {
    const std::uint32_t inner = width(b.args[0]);
    if (a.payload >= mask_of(inner)) return no_;
    return binary(TermOp::ult, constant(inner, a.payload), b.args[0]);
  }
  if (a.op == TermOp::bit_not && b.op == TermOp::bit_not)
    return binary(TermOp::ult, b.args[0], a.args[0]);
  if (const std::optional<Term> decided = rewrite_order_ite(TermOp::ult, left, right))
    return *decided;
  return make(TermOp::ult, 1, {left, right});
}

Term Terms::rewrite_slt(Term left, Term right) {
  const std::uint32_t bits = width(left);
  const std::uint64_t lowest = top_bit(bits), most = lowest - 1;
  const Range x = range(left), y = range(right);
  if (left == right || x.signed_low >= y.signed_high) return no_;
  if (x.signed_high < y.signed_low) return yes_;
  if (constant_is(right, lowest + 1)) return equal(left, constant(bits, lowest));
  if (constant_is(right, most)) return not_(equal(left, right));
  if (constant_is(left, lowest)) return not_(equal(right, left));
  if (constant_is(left, most - 1)) return equal(right, constant(bits, most));
  const TermNode a = node(left), b = node(right);
  if (x.signed_low >= 0 && y.signed_low >= 0) return binary(TermOp::ult, left, right);
  if (a.op == TermOp::sext || b.op == TermOp::sext)
    if (const std::optional<Term> narrow = narrow_slt(left, right)) return *narrow;
  if (a.op == TermOp::bit_not && b.op == TermOp::bit_not)
    return binary(TermOp::slt, b.args[0], a.args[0]);
  if (const std::optional<Term> decided = rewrite_order_ite(TermOp::slt, left, right))
    return *decided;
  return make(TermOp::slt, 1, {left, right});
}

// One side is sign-extended; the other as well, or constant.
std::optional<Term> Terms::narrow_slt(Term left, Term right) {
  const TermNode a = node(left), b = node(right);
  if (a.op == TermOp::sext && b.op == TermOp::sext) {
    const std::uint32_t inner = std::max(width(a.args[0]), width(b.args[0]));
    return binary(TermOp::slt, sext(a.args[0], inner), sext(b.args[0], inner));
  }
  const bool bound_is_right = b.op == TermOp::constant;
  if (!bound_is_right && a.op != TermOp::constant) return std::nullopt;
  const Term extended = (bound_is_right ? a : b).args[0];
  const std::uint32_t inner = width(extended);
  const std::int64_t bound = signed_value(a.width, bound_is_right ? b.payload : a.payload);
  const std::int64_t most = static_cast<std::int64_t>(mask_of(inner) >> 1);
  if (bound > most) return bound_is_right ? yes_ : no_;
  if (bound < -most - 1) return bound_is_right ? no_ : yes_;
  const Term narrow = constant(inner, static_cast<std::uint64_t>(bound));
  return bound_is_right ? binary(TermOp::slt, extended, narrow)
                        : binary(TermOp::slt, narrow, extended);
}

// As for equality: a comparison moves into a choice if it is decided in one of its arms.
std::optional<Term> Terms::rewrite_order_ite(TermOp op, Term left, Term right) {
  const auto decided = [&](Term arm, Term other) {
    return arm == other || (is_constant(arm) && is_constant(other));
  };
  const TermNode a = node(left), b = node(right);
  if (a.op == TermOp::ite && b.op == TermOp::ite && a.args[0] == b.args[0] &&
      (decided(a.args[1], b.args[1]) || decided(a.args[2], b.args[2])))
    return ite(a.args[0], binary(op, a.args[1], b.args[1]), binary(op, a.args[2], b.args[2]));
  if (a.op == TermOp::ite && (decided(a.args[1], right) || decided(a.args[2], right)))
    return ite(a.args[0], binary(op, a.args[1], right), binary(op, a.args[2], right));
  if (b.op == TermOp::ite && (decided(b.args[1], left) || decided(b.args[2], left)))
    return ite(b.args[0], binary(op, left, b.args[1]), binary(op, left, b.args[2]));
  return std::nullopt;
}

}  // namespace heddle::smt
