// Interval arithmetic with wrap-around: a result that may or may not wrap is unbounded,
// one that surely wraps, or surely does not, keeps its bounds.
#include "smt/range.hpp"

#include <algorithm>
#include <bit>
#include <vector>

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
  if (left.high < right.low) return {left.low, left.high};
  return {0, std::min(left.high, right.high - 1)};
}

// The bits that all values of a range have in common: those above the highest bit in which its
// ends differ.
struct KnownBits {
  std::uint64_t zeros = 0;
  std::uint64_t ones = 0;
};
KnownBits known_bits(const Range& range, std::uint64_t all) {
  const auto open = static_cast<std::uint32_t>(std::bit_width(range.low ^ range.high));
  const std::uint64_t fixed = all & ~mask_of(open);
  return {~range.low & fixed, range.low & fixed};
}

Unsigned bitwise(TermOp op, const Range& left, const Range& right, std::uint64_t all) {
  const KnownBits a = known_bits(left, all), b = known_bits(right, all);
  if (op == TermOp::bit_and)
    return {a.ones & b.ones, std::min({left.high, right.high, ~(a.zeros | b.zeros) & all})};
  if (op == TermOp::bit_or)
    return {std::max({left.low, right.low, a.ones | b.ones}), ~(a.zeros & b.zeros) & all};
  return {(a.ones & b.zeros) | (a.zeros & b.ones),
          ~((a.zeros & b.zeros) | (a.ones & b.ones)) & all};
}

// Shift amounts count modulo the width, a power of two.
Unsigned shift_amount(std::uint32_t width, const Range& by) {
  const std::uint64_t last = width - 1;
  if (by.high - by.low > last || (by.low & last) > (by.high & last)) return {0, last};
  return {by.low & last, by.high & last};
}

// A shift to the left multiplies. Not for amounts that may differ by much: 2^63 * 2^63 fits.
WideRange shifted_left(WideRange value, Unsigned by) {
  const Wide least = static_cast<Wide>(1) << by.low, most = static_cast<Wide>(1) << by.high;
  return exact(TermOp::mul, value, {least, most});
}

std::optional<bool> compare(TermOp op, std::uint32_t width, const Range& left, const Range& right) {
  switch (op) {
    case TermOp::eq:
      if (left.low == left.high && right.low == right.high && left.low == right.low) return true;
      if (left.high < right.low || right.high < left.low) return false;
      if (left.signed_high < right.signed_low || right.signed_high < left.signed_low) return false;
      return std::nullopt;
    case TermOp::ult:
      if (left.high < right.low) return true;
      if (left.low >= right.high) return false;
      return std::nullopt;
    case TermOp::ule:
      if (left.high <= right.low) return true;
      if (left.low > right.high) return false;
      return std::nullopt;
    case TermOp::slt:
      if (left.signed_high < right.signed_low) return true;
      if (left.signed_low >= right.signed_high) return false;
      return std::nullopt;
    case TermOp::sle:
      if (left.signed_high <= right.signed_low) return true;
      if (left.signed_low > right.signed_high) return false;
      return std::nullopt;
    default:
      return overflow_decided(op, width, left, right);
  }
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
    case TermOp::bit_or:
    case TermOp::bit_xor:
      return bitwise(node.op, args[0], args[1], all.high);
    case TermOp::add:
    case TermOp::sub:
    case TermOp::mul:
      return wrap(node.width, exact_unsigned(node.op, args[0], args[1]));
    case TermOp::udiv:
    case TermOp::urem:
      return divide(node.op, args[0], args[1]);
    case TermOp::shl:
      return wrap(node.width,
                  shifted_left(unsigned_view(args[0]), shift_amount(node.width, args[1])));
    case TermOp::lshr: {
      const Unsigned by = shift_amount(node.width, args[1]);
      return {args[0].low >> by.high, args[0].high >> by.low};
    }
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
      if (gives_truth(node.op))
        if (const std::optional<bool> truth = compare(node.op, operand_width, args[0], args[1]))
          return {*truth ? 1U : 0U, *truth ? 1U : 0U};
      return all;
  }
}

// The result has the sign of the dividend and is nearer to zero than the divisor.
WideRange signed_remainder(const Range& left, const Range& right) {
  const Wide by =
      std::max(-static_cast<Wide>(right.signed_low), static_cast<Wide>(right.signed_high));
  const Wide most = std::max<Wide>(by - 1, 0);
  const Wide least = right.signed_low > 0    ? static_cast<Wide>(right.signed_low)
                     : right.signed_high < 0 ? -static_cast<Wide>(right.signed_high)
                                             : 0;
  if (left.signed_low > -least && left.signed_high < least)
    return {left.signed_low, left.signed_high};
  return {left.signed_low >= 0 ? 0 : std::max<Wide>(left.signed_low, -most),
          left.signed_high <= 0 ? 0 : std::min<Wide>(left.signed_high, most)};
}

// Among divisors of one sign the quotient is monotonic in both operands, so its bounds are at the
// corners. Zero is there for division by zero.
WideRange signed_quotient(const Range& left, const Range& right) {
  std::vector<Wide> corners;
  const auto add_corners = [&](Wide low, Wide high) {
    if (low > high) return;
    for (const Wide divisor : {low, high})
      for (const Wide dividend : {left.signed_low, left.signed_high})
        corners.push_back(dividend / divisor);
  };
  add_corners(std::max<Wide>(right.signed_low, 1), right.signed_high);
  add_corners(right.signed_low, std::min<Wide>(right.signed_high, -1));
  if (right.signed_low <= 0 && right.signed_high >= 0) corners.push_back(0);
  return {*std::min_element(corners.begin(), corners.end()),
          *std::max_element(corners.begin(), corners.end())};
}

// Negative numbers get nearer to zero, the others too.
Signed shifted_right(const Range& value, Unsigned by) {
  return {value.signed_low >> (value.signed_low < 0 ? by.low : by.high),
          value.signed_high >> (value.signed_high < 0 ? by.high : by.low)};
}

Signed signed_bounds(const TermNode& node, std::uint32_t operand_width,
                     std::span<const Range> args) {
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
    case TermOp::shl:
      return fit(node.width, shifted_left({args[0].signed_low, args[0].signed_high},
                                          shift_amount(node.width, args[1])));
    case TermOp::ashr:
      return shifted_right(args[0], shift_amount(node.width, args[1]));
    case TermOp::extract:
      if (node.payload != 0) return all_signed(node.width);
      return fit(node.width, {args[0].signed_low, args[0].signed_high});
    case TermOp::concat: {
      const Wide scale = static_cast<Wide>(1) << (node.width - operand_width);
      return fit(node.width, {args[0].signed_low * scale + static_cast<Wide>(args[1].low),
                              args[0].signed_high * scale + static_cast<Wide>(args[1].high)});
    }
    case TermOp::ite:
      return {std::min(args[1].signed_low, args[2].signed_low),
              std::max(args[1].signed_high, args[2].signed_high)};
    case TermOp::sext:
      return {args[0].signed_low, args[0].signed_high};
    default:
      return all_signed(node.width);
  }
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

// Each half of the numbers, those with the top bit and those without, has one order in both views.
// So the bounds are cut to each half, and put together again.
Range reduced(std::uint32_t width, const Range& range) {
  const std::uint64_t top = top_bit(width), all = mask_of(width);
  const auto bits = [&](std::int64_t value) { return static_cast<std::uint64_t>(value) & all; };
  const auto number = [&](std::uint64_t value) { return signed_value(width, value); };
  Unsigned lower{std::max(range.low, range.signed_low < 0 ? 0 : bits(range.signed_low)),
                 std::min(range.high, top - 1)};
  Unsigned upper{std::max(range.low, top), range.high};
  if (range.signed_high < 0)
    lower = {1, 0};
  else
    lower.high = std::min(lower.high, bits(range.signed_high));
  if (range.signed_low >= 0) {
    upper = {1, 0};
  } else {
    upper.low = std::max(upper.low, bits(range.signed_low));
    if (range.signed_high < 0) upper.high = std::min(upper.high, bits(range.signed_high));
  }
  const bool low_half = lower.low <= lower.high, high_half = upper.low <= upper.high;
  if (low_half && high_half) return {lower.low, upper.high, number(upper.low), number(lower.high)};
  if (low_half) return {lower.low, lower.high, number(lower.low), number(lower.high)};
  if (high_half) return {upper.low, upper.high, number(upper.low), number(upper.high)};
  return {1, 0, 1, 0};
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

std::optional<bool> overflow_decided(TermOp op, std::uint32_t width, const Range& left,
                                     const Range& right) {
  const bool is_signed =
      op == TermOp::sadd_overflows || op == TermOp::ssub_overflows || op == TermOp::smul_overflows;
  const bool adds = op == TermOp::sadd_overflows || op == TermOp::uadd_overflows;
  const bool subtracts = op == TermOp::ssub_overflows || op == TermOp::usub_overflows;
  const TermOp meant = adds ? TermOp::add : subtracts ? TermOp::sub : TermOp::mul;
  const WideRange result =
      is_signed ? exact_signed(meant, left, right) : exact_unsigned(meant, left, right);
  const Wide size = static_cast<Wide>(1) << width;
  const Wide low = is_signed ? -size / 2 : 0, high = is_signed ? size / 2 - 1 : size - 1;
  if (result.low >= low && result.high <= high) return false;
  if (result.low > high || result.high < low) return true;
  return std::nullopt;
}

Range range_of(const TermNode& node, std::uint32_t operand_width, std::span<const Range> operands) {
  if (node.op == TermOp::constant) return exact_range(node.width, node.payload);
  const Unsigned plain = unsigned_bounds(node, operand_width, operands);
  const Signed with_sign = signed_bounds(node, operand_width, operands);
  return reduced(node.width, {plain.low, plain.high, with_sign.low, with_sign.high});
}

}  // namespace heddle::smt
