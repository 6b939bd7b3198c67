// The meaning of every operator on constants.
#pragma once

#include <cstdint>

#include "smt/term.hpp"

namespace heddle::smt {

constexpr std::uint64_t mask_of(std::uint32_t width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
constexpr std::uint64_t top_bit(std::uint32_t width) { return std::uint64_t{1} << (width - 1); }
constexpr std::int64_t signed_value(std::uint32_t width, std::uint64_t bits) {
  return static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
}
bool gives_truth(TermOp op);  // the result has one bit, whatever the width of the operands
bool is_commutative(TermOp op);

// The width is that of the operands.
std::uint64_t fold_unary(TermOp op, std::uint32_t width, std::uint64_t operand);
std::uint64_t fold_binary(TermOp op, std::uint32_t width, std::uint64_t left, std::uint64_t right);

}  // namespace heddle::smt
