// What one comparison with a constant says about another: x < 3 implies x < 5 and
// excludes x == 7. Each is an interval of a circle of numbers, signed or not.
#include "smt/term.hpp"

#include "smt/fold.hpp"

namespace heddle::smt {

std::optional<Terms::Interval> Terms::interval_of(Term truth) const {
  bool negated = false;
  if (has(truth, TermOp::bit_not)) {
    truth = node(truth).args[0];
    negated = true;
  }
  const TermNode& shape = node(truth);
  if (shape.op != TermOp::eq && shape.op != TermOp::ult && shape.op != TermOp::slt)
    return std::nullopt;
  const bool bound_is_right = is_constant(shape.args[1]);
  if (!bound_is_right && !is_constant(shape.args[0])) return std::nullopt;
  Interval result;
  result.unknown = shape.args[bound_is_right ? 0 : 1];
  const std::uint64_t bound = value(shape.args[bound_is_right ? 1 : 0]);
  const std::uint64_t mask = mask_of(width(result.unknown));
  const std::uint64_t lowest = shape.op == TermOp::slt ? top_bit(width(result.unknown)) : 0;
  std::uint64_t end = bound;  // inclusive
  result.start = bound;
  if (shape.op != TermOp::eq) {
    result.start = bound_is_right ? lowest : (bound + 1) & mask;
    end = bound_is_right ? (bound - 1) & mask : (lowest - 1) & mask;
    if (bound == (bound_is_right ? lowest : (lowest - 1) & mask)) return std::nullopt;  // never
  }
  if (negated) {
    const std::uint64_t start = result.start;
    result.start = (end + 1) & mask;
    end = (start - 1) & mask;
  }
  result.extent = (end - result.start) & mask;
  const TermNode& unknown = node(result.unknown);
  if (unknown.op == TermOp::add && is_constant(unknown.args[1])) {
    result.start = (result.start - value(unknown.args[1])) & mask;
    result.unknown = unknown.args[0];
  }
  return result;
}

Terms::Decision Terms::compare_intervals(const Interval& known, const Interval& asked) const {
  const std::uint64_t mask = mask_of(width(known.unknown));
  const auto within = [&](std::uint64_t start, std::uint64_t extent) {
    const std::uint64_t offset = (known.start - start) & mask;
    return offset <= extent && known.extent <= extent - offset;
  };
  if (within(asked.start, asked.extent)) return Decision::yes;
  const std::uint64_t outside = (asked.start + asked.extent + 1) & mask;
  return within(outside, mask - asked.extent - 1) ? Decision::no : Decision::open;
}

}  // namespace heddle::smt
