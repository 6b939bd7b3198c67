// Between which bounds the value of a term lies, seen from the bounds of its operands:
// as an unsigned and as a signed number. Sound, not exact.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "smt/term.hpp"

namespace heddle::smt {

// No range is empty. Both views hold of the same values.
Range full_range(std::uint32_t width);
Range exact_range(std::uint32_t width, std::uint64_t bits);
// As much as each view can learn from the other: the smallest ranges with the same values. Without
// any value: low is above high.
Range reduced(std::uint32_t width, const Range& range);
Range range_of(const TermNode& node, std::uint32_t operand_width, std::span<const Range> operands);

// Bounds of exact arithmetic, before it is cut to a width.
__extension__ using Wide = __int128;
struct WideRange {
  Wide low = 0;
  Wide high = 0;
};
// add, sub or mul, of the signed or of the unsigned view.
WideRange exact_signed(TermOp op, const Range& left, const Range& right);
WideRange exact_unsigned(TermOp op, const Range& left, const Range& right);
// Whether one of the overflow operators holds, if its operands' bounds tell. The width is theirs.
std::optional<bool> overflow_decided(TermOp op, std::uint32_t width, const Range& left,
                                     const Range& right);

}  // namespace heddle::smt
