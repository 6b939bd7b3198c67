// Rules for arithmetic. Constants move outwards, so that they meet: (x + 1) + 2 is
// x + 3. Powers of two become shifts, which cost no gates.
#include "smt/term.hpp"

#include <bit>
#include <utility>

#include "smt/fold.hpp"

namespace heddle::smt {

Term Terms::add_constant(Term term, std::uint64_t bits) {
  return binary(TermOp::add, term, constant(width(term), bits));
}

Term Terms::rewrite_neg(Term operand) {
  const TermNode shape = node(operand);
  if (shape.width == 1) return operand;
  switch (shape.op) {
    case TermOp::neg:
      return shape.args[0];
    case TermOp::sub:
      return binary(TermOp::sub, shape.args[1], shape.args[0]);
    case TermOp::bit_not:
      return add_constant(shape.args[0], 1);
    case TermOp::add:
      if (is_constant(shape.args[1]))
        return binary(TermOp::sub, unary(TermOp::neg, shape.args[1]), shape.args[0]);
      break;
    default:
      break;
  }
  return make(TermOp::neg, shape.width, {operand});
}

Term Terms::rewrite_add(Term left, Term right) {
  const std::uint32_t bits = width(left);
  if (constant_is(right, 0)) return left;
  if (left == right) return binary(TermOp::mul, left, constant(bits, 2));
  if (complements(left, right)) return constant(bits, ~std::uint64_t{0});
  for (const auto& [x, y] : {std::pair{left, right}, std::pair{right, left}}) {
    const TermNode shape = node(x);
    if (shape.op == TermOp::neg) return binary(TermOp::sub, y, shape.args[0]);
    if (shape.op == TermOp::add && is_constant(shape.args[1])) {
      if (is_constant(y)) return add_constant(shape.args[0], value(shape.args[1]) + value(y));
      return add_constant(binary(TermOp::add, shape.args[0], y), value(shape.args[1]));
    }
    if (shape.op == TermOp::sub && shape.args[1] == y) return shape.args[0];
    if (shape.op == TermOp::sub && is_constant(shape.args[0])) {
      if (is_constant(y))
        return binary(TermOp::sub, constant(bits, value(shape.args[0]) + value(y)), shape.args[1]);
      return add_constant(binary(TermOp::sub, y, shape.args[1]), value(shape.args[0]));
    }
  }
  return make(TermOp::add, bits, {left, right});
}

Term Terms::rewrite_sub(Term left, Term right) {
  const std::uint32_t bits = width(left);
  if (is_constant(right)) return add_constant(left, 0 - value(right));
  if (left == right) return constant(bits, 0);
  if (constant_is(left, 0)) return unary(TermOp::neg, right);
  const TermNode a = node(left), b = node(right);
  if (b.op == TermOp::neg) return binary(TermOp::add, left, b.args[0]);
  if (a.op == TermOp::add) {
    if (a.args[0] == right) return a.args[1];
    if (a.args[1] == right) return a.args[0];
    if (is_constant(a.args[1]))
      return add_constant(binary(TermOp::sub, a.args[0], right), value(a.args[1]));
  }
  if (b.op == TermOp::add) {
    if (b.args[0] == left) return unary(TermOp::neg, b.args[1]);
    if (b.args[1] == left) return unary(TermOp::neg, b.args[0]);
    if (is_constant(b.args[1]))
      return add_constant(binary(TermOp::sub, left, b.args[0]), 0 - value(b.args[1]));
  }
  if (a.op == TermOp::sub && a.args[0] == right) return unary(TermOp::neg, a.args[1]);
  if (b.op == TermOp::sub) {
    if (b.args[0] == left) return b.args[1];
    if (is_constant(b.args[0]))
      return add_constant(binary(TermOp::add, left, b.args[1]), 0 - value(b.args[0]));
  }
  return make(TermOp::sub, bits, {left, right});
}

Term Terms::rewrite_mul(Term left, Term right) {
  const std::uint32_t bits = width(left);
  if (!is_constant(right)) return make(TermOp::mul, bits, {left, right});
  const std::uint64_t factor = value(right);
  if (factor == 0) return right;
  if (factor == 1) return left;
  if (factor == mask_of(bits)) return unary(TermOp::neg, left);
  if (std::has_single_bit(factor)) {
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(factor));
    return concat(extract(left, 0, bits - shift), constant(shift, 0));
  }
  const TermNode shape = node(left);
  if (shape.op == TermOp::neg)
    return binary(TermOp::mul, shape.args[0], constant(bits, 0 - factor));
  if (shape.op == TermOp::mul && is_constant(shape.args[1]))
    return binary(TermOp::mul, shape.args[0], constant(bits, factor * value(shape.args[1])));
  if (shape.op == TermOp::add && is_constant(shape.args[1]))
    return add_constant(binary(TermOp::mul, shape.args[0], right), factor * value(shape.args[1]));
  return make(TermOp::mul, bits, {left, right});
}

Term Terms::divide_unsigned_by_power(TermOp op, Term left, std::uint32_t exponent) {
  const std::uint32_t bits = width(left);
  const bool quotient = op == TermOp::udiv;
  if (exponent == 0) return quotient ? left : constant(bits, 0);
  return quotient ? zext(extract(left, exponent, bits - exponent), bits)
                  : zext(extract(left, 0, exponent), bits);
}

// Rounds towards zero: negative numbers are lifted by one less than the divisor first.
// The divisor is positive, below the top bit.
Term Terms::divide_signed_by_power(TermOp op, Term left, std::uint32_t exponent) {
  const std::uint32_t bits = width(left);
  const bool quotient = op == TermOp::sdiv;
  if (exponent == 0) return quotient ? left : constant(bits, 0);
  const Term negative = binary(TermOp::slt, left, constant(bits, 0));
  const Term lift = ite(negative, constant(bits, mask_of(exponent)), constant(bits, 0));
  const Term lifted = binary(TermOp::add, left, lift);
  if (quotient) return sext(extract(lifted, exponent, bits - exponent), bits);
  return binary(TermOp::sub, zext(extract(lifted, 0, exponent), bits), lift);
}

// Dividers are large: their width is that of the largest operand.
Term Terms::narrow_division(TermOp op, Term left, Term right) {
  const std::uint32_t bits = width(left);
  const auto needed =
      static_cast<std::uint32_t>(std::bit_width(range(left).high | range(right).high | 1));
  if (needed == bits) return make(op, bits, {left, right});
  return zext(binary(op, extract(left, 0, needed), extract(right, 0, needed)), bits);
}

Term Terms::rewrite_division(TermOp op, Term left, Term right) {
  const std::uint32_t bits = width(left);
  const bool quotient = op == TermOp::udiv || op == TermOp::sdiv;
  const bool is_signed = op == TermOp::sdiv || op == TermOp::srem;
  if (constant_is(left, 0) || constant_is(right, 0)) return constant(bits, 0);
  if (left == right) {
    if (!quotient) return constant(bits, 0);
    return zext(not_(equal(left, constant(bits, 0))), bits);
  }
  if (!is_signed && range(left).high < range(right).low) return quotient ? constant(bits, 0) : left;
  if (is_signed && range(left).signed_low >= 0 && range(right).signed_low >= 0)
    return binary(quotient ? TermOp::udiv : TermOp::urem, left, right);
  if (!is_constant(right))
    return is_signed ? make(op, bits, {left, right}) : narrow_division(op, left, right);
  const std::uint64_t by = value(right), opposite = (0 - by) & mask_of(bits);
  const auto exponent = static_cast<std::uint32_t>(std::countr_zero(by));
  if (!is_signed && std::has_single_bit(by)) return divide_unsigned_by_power(op, left, exponent);
  if (!is_signed) return narrow_division(op, left, right);
  if (by == top_bit(bits)) {  // the lowest value: only itself is not smaller
    const Term lowest = equal(left, right);
    return quotient ? zext(lowest, bits) : ite(lowest, constant(bits, 0), left);
  }
  if (std::has_single_bit(by)) return divide_signed_by_power(op, left, exponent);
  if (std::has_single_bit(opposite)) {
    const Term result = divide_signed_by_power(op, left, exponent);
    return quotient ? unary(TermOp::neg, result) : result;
  }
  return make(op, bits, {left, right});
}

Term Terms::rewrite_shift(TermOp op, Term left, Term right) {
  const std::uint32_t bits = width(left);
  if (constant_is(left, 0)) return left;
  if (op == TermOp::ashr && constant_is(left, mask_of(bits))) return left;
  if (op == TermOp::ashr && range(left).signed_low >= 0) op = TermOp::lshr;
  if (!is_constant(right)) return make(op, bits, {left, right});
  const auto by = static_cast<std::uint32_t>(value(right) & (bits - 1));
  if (by == 0) return left;
  if (op == TermOp::shl) return concat(extract(left, 0, bits - by), constant(by, 0));
  const Term kept = extract(left, by, bits - by);
  return op == TermOp::lshr ? zext(kept, bits) : sext(kept, bits);
}

}  // namespace heddle::smt
