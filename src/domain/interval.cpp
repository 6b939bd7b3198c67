#include "domain/interval.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "domain/non_relational.hpp"
#include "smt/fold.hpp"
#include "smt/range.hpp"

namespace heddle::domain {

using smt::Range;
using smt::TermOp;

namespace {

Interval interval(std::uint32_t width, const Range& range) {
  return {static_cast<std::uint8_t>(width), range};
}

std::optional<Interval> checked(std::uint32_t width, const Range& range) {
  if (range.low > range.high || range.signed_low > range.signed_high) return std::nullopt;
  const Range less = smt::reduced(width, range);
  if (less.low > less.high) return std::nullopt;
  return interval(width, less);
}

smt::TermNode node(TermOp op, std::uint32_t width, std::uint8_t arity, std::uint64_t payload = 0) {
  smt::TermNode made;
  made.op = op;
  made.width = static_cast<std::uint8_t>(width);
  made.arity = arity;
  made.payload = payload;
  return made;
}

Interval apply(const smt::TermNode& shape, const Interval& operand) {
  return interval(shape.width, smt::range_of(shape, operand.width, {&operand.range, 1}));
}

}  // namespace

Interval IntervalLattice::constant(std::uint32_t width, std::uint64_t bits) {
  return interval(width, smt::exact_range(width, bits & smt::mask_of(width)));
}

std::optional<std::uint64_t> IntervalLattice::constant_of(const Interval& value) {
  const Range range = smt::reduced(value.width, value.range);
  if (range.low != range.high) return std::nullopt;
  return range.low;
}

Interval IntervalLattice::unary(TermOp op, const Interval& operand) {
  return apply(node(op, operand.width, 1), operand);
}

Interval IntervalLattice::binary(TermOp op, const Interval& left, const Interval& right) {
  const std::uint32_t width = smt::gives_truth(op) ? 1 : left.width;
  const Range operands[] = {left.range, right.range};
  return interval(width, smt::range_of(node(op, width, 2), left.width, operands));
}

Interval IntervalLattice::ite(const Interval& condition, const Interval& then,
                              const Interval& otherwise) {
  if (const auto known = constant_of(condition)) return *known != 0 ? then : otherwise;
  return join(then, otherwise);
}

Interval IntervalLattice::resize_unsigned(const Interval& value, std::uint32_t width) {
  if (width < value.width) return extract(value, 0, width);
  return width == value.width ? value : apply(node(TermOp::zext, width, 1), value);
}

Interval IntervalLattice::resize_signed(const Interval& value, std::uint32_t width) {
  if (width < value.width) return extract(value, 0, width);
  return width == value.width ? value : apply(node(TermOp::sext, width, 1), value);
}

Interval IntervalLattice::extract(const Interval& value, std::uint32_t low, std::uint32_t width) {
  return apply(node(TermOp::extract, width, 1, low), value);
}

Interval IntervalLattice::top(std::uint32_t width) {
  return interval(width, smt::full_range(width));
}

bool IntervalLattice::covers(const Interval& value, const Interval& other) {
  const Range &mine = value.range, &its = other.range;
  return mine.low <= its.low && its.high <= mine.high && mine.signed_low <= its.signed_low &&
         its.signed_high <= mine.signed_high;
}

Interval IntervalLattice::join(const Interval& left, const Interval& right) {
  const Range &a = left.range, &b = right.range;
  return interval(left.width,
                  {std::min(a.low, b.low), std::max(a.high, b.high),
                   std::min(a.signed_low, b.signed_low), std::max(a.signed_high, b.signed_high)});
}

Interval IntervalLattice::widen(const Interval& older, const Interval& newer) const {
  Range range = older.range;
  const Range& its = newer.range;
  const std::uint32_t width = older.width;
  if (its.low < range.low) range.low = thresholds_.unsigned_at_most(width, its.low);
  if (its.high > range.high) range.high = thresholds_.unsigned_at_least(width, its.high);
  if (its.signed_low < range.signed_low)
    range.signed_low = thresholds_.signed_at_most(width, its.signed_low);
  if (its.signed_high > range.signed_high)
    range.signed_high = thresholds_.signed_at_least(width, its.signed_high);
  return interval(width, range);
}

std::optional<Interval> IntervalLattice::meet(const Interval& left, const Interval& right) {
  const Range &a = left.range, &b = right.range;
  return checked(left.width,
                 {std::max(a.low, b.low), std::min(a.high, b.high),
                  std::max(a.signed_low, b.signed_low), std::min(a.signed_high, b.signed_high)});
}

std::optional<Interval> IntervalLattice::without(const Interval& value, std::uint64_t bits) {
  Range range = smt::reduced(value.width, value.range);
  const std::int64_t number = smt::signed_value(value.width, bits);
  if (range.low == range.high && range.low == bits) return std::nullopt;
  // No bound wraps: it moves only where there is another value beyond it.
  if (range.low == bits) ++range.low;
  if (range.high == bits) --range.high;
  if (range.signed_low == number) ++range.signed_low;
  if (range.signed_high == number) --range.signed_high;
  return checked(value.width, range);
}

std::optional<Interval> IntervalLattice::restrict_left(Order order, const Interval& left,
                                                       const Interval& right) {
  Range range = left.range;
  switch (order) {
    case Order::unsigned_less:
      if (right.range.high == 0) return std::nullopt;
      range.high = std::min(range.high, right.range.high - 1);
      break;
    case Order::unsigned_at_most:
      range.high = std::min(range.high, right.range.high);
      break;
    case Order::signed_less:
      if (right.range.signed_high == smt::full_range(left.width).signed_low) return std::nullopt;
      range.signed_high = std::min(range.signed_high, right.range.signed_high - 1);
      break;
    case Order::signed_at_most:
      range.signed_high = std::min(range.signed_high, right.range.signed_high);
      break;
  }
  return checked(left.width, range);
}

std::optional<Interval> IntervalLattice::restrict_right(Order order, const Interval& left,
                                                        const Interval& right) {
  Range range = right.range;
  switch (order) {
    case Order::unsigned_less:
      if (left.range.low == smt::mask_of(left.width)) return std::nullopt;
      range.low = std::max(range.low, left.range.low + 1);
      break;
    case Order::unsigned_at_most:
      range.low = std::max(range.low, left.range.low);
      break;
    case Order::signed_less:
      if (left.range.signed_low == smt::full_range(left.width).signed_high) return std::nullopt;
      range.signed_low = std::max(range.signed_low, left.range.signed_low + 1);
      break;
    case Order::signed_at_most:
      range.signed_low = std::max(range.signed_low, left.range.signed_low);
      break;
  }
  return checked(right.width, range);
}

bool IntervalLattice::fits_unsigned(const Interval& value, std::uint32_t width) {
  return value.range.high <= smt::mask_of(width);
}

bool IntervalLattice::fits_signed(const Interval& value, std::uint32_t width) {
  const Range all = smt::full_range(width);
  return value.range.signed_low >= all.signed_low && value.range.signed_high <= all.signed_high;
}

Interval IntervalLattice::reduced(const Interval& value) {
  return interval(value.width, smt::reduced(value.width, value.range));
}

std::optional<std::vector<std::uint64_t>> IntervalLattice::values(const Interval& value,
                                                                  std::size_t at_most) {
  const Range range = smt::reduced(value.width, value.range);
  const std::uint64_t extent = range.high - range.low;
  const std::uint64_t signed_extent =
      static_cast<std::uint64_t>(range.signed_high) - static_cast<std::uint64_t>(range.signed_low);
  if (at_most == 0 || std::min(extent, signed_extent) >= at_most) return std::nullopt;
  std::vector<std::uint64_t> result;
  if (extent <= signed_extent) {
    for (std::uint64_t i = 0; i <= extent; ++i) result.push_back(range.low + i);
  } else {
    for (std::uint64_t i = 0; i <= signed_extent; ++i)
      result.push_back((static_cast<std::uint64_t>(range.signed_low) + i) &
                       smt::mask_of(value.width));
    std::sort(result.begin(), result.end());
  }
  return result;
}

std::uint64_t IntervalLattice::hash(const Interval& value) {
  const Range& range = value.range;
  std::uint64_t hash = base::combine(range.low, range.high);
  hash = base::combine(hash, static_cast<std::uint64_t>(range.signed_low));
  return base::combine(hash, static_cast<std::uint64_t>(range.signed_high));
}

std::unique_ptr<Domain> make_interval(const ir::Program& program) {
  return std::make_unique<NonRelationalDomain<IntervalLattice>>(
      "interval", Merge::join, program, IntervalLattice(Thresholds(program)));
}

}  // namespace heddle::domain
