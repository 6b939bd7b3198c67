#include "domain/flat.hpp"

#include "base/hash.hpp"
#include "smt/fold.hpp"

namespace heddle::domain {

using smt::TermOp;

namespace {

// Operands that decide the result alone.
bool absorbs(TermOp op, std::uint64_t bits) {
  return bits == 0 && (op == TermOp::bit_and || op == TermOp::mul || op == TermOp::umul_overflows ||
                       op == TermOp::smul_overflows);
}

std::optional<Flat> restricted(Order order, const Flat& left, const Flat& right,
                               const Flat& asked) {
  if (!left.bits || !right.bits) return asked;
  TermOp op = TermOp::ult;
  if (order == Order::unsigned_at_most) op = TermOp::ule;
  if (order == Order::signed_less) op = TermOp::slt;
  if (order == Order::signed_at_most) op = TermOp::sle;
  if (smt::fold_binary(op, left.width, *left.bits, *right.bits) == 0) return std::nullopt;
  return asked;
}

}  // namespace

Flat FlatLattice::constant(std::uint32_t width, std::uint64_t bits) {
  return {static_cast<std::uint8_t>(width), bits & smt::mask_of(width)};
}

Flat FlatLattice::unary(TermOp op, const Flat& operand) {
  if (!operand.bits) return operand;
  return constant(operand.width, smt::fold_unary(op, operand.width, *operand.bits));
}

Flat FlatLattice::binary(TermOp op, const Flat& left, const Flat& right) {
  const std::uint32_t width = smt::gives_truth(op) ? 1 : left.width;
  if (left.bits && right.bits)
    return constant(width, smt::fold_binary(op, left.width, *left.bits, *right.bits));
  if ((left.bits && absorbs(op, *left.bits)) || (right.bits && absorbs(op, *right.bits)))
    return constant(width, 0);
  if (op == TermOp::bit_or &&
      (left.bits == smt::mask_of(width) || right.bits == smt::mask_of(width)))
    return constant(width, smt::mask_of(width));
  return top(width);
}

Flat FlatLattice::ite(const Flat& condition, const Flat& then, const Flat& otherwise) {
  if (condition.bits) return *condition.bits != 0 ? then : otherwise;
  return join(then, otherwise);
}

Flat FlatLattice::resize_unsigned(const Flat& value, std::uint32_t width) {
  return value.bits ? constant(width, *value.bits) : top(width);
}

Flat FlatLattice::resize_signed(const Flat& value, std::uint32_t width) {
  if (!value.bits) return top(width);
  return constant(width, static_cast<std::uint64_t>(smt::signed_value(value.width, *value.bits)));
}

Flat FlatLattice::extract(const Flat& value, std::uint32_t low, std::uint32_t width) {
  return value.bits ? constant(width, *value.bits >> low) : top(width);
}

std::optional<Flat> FlatLattice::meet(const Flat& left, const Flat& right) {
  if (left.bits && right.bits && left.bits != right.bits) return std::nullopt;
  return left.bits ? left : right;
}

std::optional<Flat> FlatLattice::without(const Flat& value, std::uint64_t bits) {
  if (value.bits == bits) return std::nullopt;
  if (!value.bits && value.width == 1) return constant(1, bits ^ 1);
  return value;
}

std::optional<Flat> FlatLattice::restrict_left(Order order, const Flat& left, const Flat& right) {
  return restricted(order, left, right, left);
}

std::optional<Flat> FlatLattice::restrict_right(Order order, const Flat& left, const Flat& right) {
  return restricted(order, left, right, right);
}

bool FlatLattice::fits_unsigned(const Flat& value, std::uint32_t width) {
  return value.bits && (*value.bits & ~smt::mask_of(width)) == 0;
}

bool FlatLattice::fits_signed(const Flat& value, std::uint32_t width) {
  return value.bits && resize_signed(resize_unsigned(value, width), value.width) == value;
}

std::optional<std::vector<std::uint64_t>> FlatLattice::values(const Flat& value,
                                                              std::size_t at_most) {
  if (value.bits && at_most >= 1) return std::vector{*value.bits};
  if (!value.bits && value.width == 1 && at_most >= 2) return std::vector<std::uint64_t>{0, 1};
  return std::nullopt;
}

std::uint64_t FlatLattice::hash(const Flat& value) {
  return base::combine(value.bits ? 1 : 2, value.bits.value_or(0));
}

}  // namespace heddle::domain
