// Interval arithmetic with wrap-around: a result that may or may not wrap is unbounded,
// one that surely wraps, or surely does not, keeps its bounds.
#include "smt/range.hpp"

#include <algorithm>
#include <bit>

#include "smt/fold.hpp"

namespace heddle::smt {
namespace {

struct Unsigned {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};
struct Signed {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// 128 bits are enough for sums; of unsigned products only small ones are asked for.
WideRange exact(TermOp op, WideRange left, WideRange right) {
  if (op == TermOp::add) return {left.low + right.low, left.high + right.high};
  if (op == TermOp::sub) return {left.low - right.high, left.high - right.low};
  const Wide corners[] = {left.low * right.low, left.low * right.high, left.high * right.low,
                          left.high * right.high};
  return {*std::min_element(std::begin(corners), std::end(corners)),
          *std::max_element(std::begin(corners), std::end(corners))};
}

WideRange unsigned_view(const Range& range) {
  return {static_cast<Wide>(range.low), static_cast<Wide>(range.high)};
}

// Of a result that is cut to the width: exact as long as all values are cut alike.
Unsigned wrap(std::uint32_t width, WideRange range) {
  const Wide size = static_cast<Wide>(1) << width;
  const auto turns = [&](Wide value) { return value >= 0 ? value / size : (value + 1) / size - 1; };
  if (turns(range.low) != turns(range.high)) return {0, mask_of(width)};
  return {static_cast<std::uint64_t>(range.low) & mask_of(width),
          static_cast<std::uint64_t>(range.high) & mask_of(width)};
}

Signed all_signed(std::uint32_t width) {
  return {signed_value(width, top_bit(width)), static_cast<std::int64_t>(mask_of(width) >> 1)};
}

Signed fit(std::uint32_t width, WideRange range) {
  const Signed all = all_signed(width);
  if (range.low < all.low || range.high > all.high) return all;
  return {static_cast<std::int64_t>(range.low), static_cast<std::int64_t>(range.high)};
}

Unsigned divide(TermOp op, const Range& left, const Range& right) {
  if (right.high == 0) return {0, 0};
  if (op == TermOp::udiv)
    return {right.low == 0 ? 0 : left.low / right.high,
            left.high / std::max<std::uint64_t>(right.low, 1)};
  return {0, std::min(left.high, right.high - 1)};
}

Unsigned extend(const Range& range, std::uint32_t from, std::uint32_t to) {
  const std::uint64_t top = top_bit(from), above = mask_of(to) & ~mask_of(from);
  if (range.high < top) return {range.low, range.high};
  if (range.low >= top) return {range.low | above, range.high | above};
  return {0, mask_of(to)};
}

Unsigned cut(const Range& range, std::uint64_t low_bit, std::uint32_t width) {
  const std::uint64_t low = range.low >> low_bit, high = range.high >> low_bit;
  if ((low & ~mask_of(width)) != (high & ~mask_of(width))) return {0, mask_of(width)};
  return {low & mask_of(width), high & mask_of(width)};
}

Unsigned unsigned_bounds(const TermNode& node, std::uint32_t operand_width,
                         std::span<const Range> args) {
  const Unsigned all{0, mask_of(node.width)};
  switch (node.op) {
    case TermOp::bit_not:
      return {~args[0].high & all.high, ~args[0].low & all.high};
    case TermOp::neg:
      return wrap(node.width, exact(TermOp::sub, {0, 0}, unsigned_view(args[0])));
    case TermOp::bit_and:
      return {0, std::min(args[0].high, args[1].high)};
    case TermOp::bit_or:
    case TermOp::bit_xor:
      return {node.op == TermOp::bit_or ? std::max(args[0].low, args[1].low) : 0,
              mask_of(static_cast<std::uint32_t>(std::bit_width(args[0].high | args[1].high)))};
    case TermOp::add:
    case TermOp::sub:
    case TermOp::mul:
      return wrap(node.width, exact_unsigned(node.op, args[0], args[1]));
    case TermOp::udiv:
    case TermOp::urem:
      return divide(node.op, args[0], args[1]);
    case TermOp::lshr:
      return {0, args[0].high};
    case TermOp::ite:
      return {std::min(args[1].low, args[2].low), std::max(args[1].high, args[2].high)};
    case TermOp::extract:
      return cut(args[0], node.payload, node.width);
    case TermOp::concat: {
      const std::uint32_t low_width = node.width - operand_width;
      return {(args[0].low << low_width) | args[1].low, (args[0].high << low_width) | args[1].high};
    }
    case TermOp::zext:
      return {args[0].low, args[0].high};
    case TermOp::sext:
      return extend(args[0], operand_width, node.width);
    default:
      return all;
  }
}

// The result has the sign of the dividend and is nearer to zero than the divisor.
WideRange signed_remainder(const Range& left, const Range& right) {
  const Wide by =
      std::max(-static_cast<Wide>(right.signed_low), static_cast<Wide>(right.signed_high));
  const Wide most = std::max<Wide>(by - 1, 0);
  return {left.signed_low >= 0 ? 0 : std::max<Wide>(left.signed_low, -most),
          left.signed_high <= 0 ? 0 : std::min<Wide>(left.signed_high, most)};
}

// No quotient is farther from zero than the dividend; zero is there for division by zero.
WideRange signed_quotient(const Range& left, const Range& right) {
  const Wide most =
      std::max(-static_cast<Wide>(left.signed_low), static_cast<Wide>(left.signed_high));
  const bool counts = left.signed_low >= 0 && right.signed_low >= 0;
  return {counts ? 0 : -most, std::max<Wide>(most, 0)};
}

Signed signed_bounds(const TermNode& node, std::span<const Range> args) {
  switch (node.op) {
    case TermOp::bit_not:
      return {~args[0].signed_high, ~args[0].signed_low};
    case TermOp::neg:
      return fit(node.width,
                 {-static_cast<Wide>(args[0].signed_high), -static_cast<Wide>(args[0].signed_low)});
    case TermOp::add:
    case TermOp::sub:
    case TermOp::mul:
      return fit(node.width, exact_signed(node.op, args[0], args[1]));
    case TermOp::sdiv:
      return fit(node.width, signed_quotient(args[0], args[1]));
    case TermOp::srem:
      return fit(node.width, signed_remainder(args[0], args[1]));
    case TermOp::ashr:
      return {std::min<std::int64_t>(args[0].signed_low, 0),
              std::max<std::int64_t>(args[0].signed_high, 0)};
    case TermOp::ite:
      return {std::min(args[1].signed_low, args[2].signed_low),
              std::max(args[1].signed_high, args[2].signed_high)};
    case TermOp::sext:
      return {args[0].signed_low, args[0].signed_high};
    default:
      return all_signed(node.width);
  }
}

// Each view learns from the other where the range does not cross its border.
Range combine(std::uint32_t width, Unsigned plain, Signed with_sign) {
  const std::uint64_t top = top_bit(width);
  if (plain.high < top || plain.low >= top) {
    with_sign.low = std::max(with_sign.low, signed_value(width, plain.low));
    with_sign.high = std::min(with_sign.high, signed_value(width, plain.high));
  }
  if (with_sign.low >= 0 || with_sign.high < 0) {
    plain.low = std::max(plain.low, static_cast<std::uint64_t>(with_sign.low) & mask_of(width));
    plain.high = std::min(plain.high, static_cast<std::uint64_t>(with_sign.high) & mask_of(width));
  }
  return {plain.low, plain.high, with_sign.low, with_sign.high};
}

}  // namespace

Range full_range(std::uint32_t width) {
  const Signed all = all_signed(width);
  return {0, mask_of(width), all.low, all.high};
}

Range exact_range(std::uint32_t width, std::uint64_t bits) {
  const std::int64_t with_sign = signed_value(width, bits);
  return {bits, bits, with_sign, with_sign};
}

WideRange exact_signed(TermOp op, const Range& left, const Range& right) {
  return exact(op, {left.signed_low, left.signed_high}, {right.signed_low, right.signed_high});
}

WideRange exact_unsigned(TermOp op, const Range& left, const Range& right) {
  // Products near 2^128 do not fit: beyond 2^126 the bounds do not matter any more.
  if (op == TermOp::mul && std::bit_width(left.high) + std::bit_width(right.high) > 126)
    return {0, static_cast<Wide>(1) << 126};
  return exact(op, unsigned_view(left), unsigned_view(right));
}

Range range_of(const TermNode& node, std::uint32_t operand_width, std::span<const Range> operands) {
  if (node.op == TermOp::constant) return exact_range(node.width, node.payload);
  return combine(node.width, unsigned_bounds(node, operand_width, operands),
                 signed_bounds(node, operands));
}

}  // namespace heddle::smt
