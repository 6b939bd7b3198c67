// Arithmetic out of gates: exact, of any width.
#pragma once

#include <cstddef>
#include <span>

#include "smt/gates.hpp"

namespace heddle::smt {

using BitSpan = std::span<const Lit>;

Bits complement(BitSpan bits);
Bits choose(Gates& gates, Lit condition, BitSpan then, BitSpan otherwise);

Bits add(Gates& gates, BitSpan left, BitSpan right, Lit carry);
Bits subtract(Gates& gates, BitSpan left, BitSpan right);
Bits negate(Gates& gates, BitSpan bits);
Bits negate_if(Gates& gates, Lit condition, BitSpan bits);
Lit carry_out(Gates& gates, BitSpan left, BitSpan right, Lit carry);
Lit add_overflows_signed(Gates& gates, BitSpan left, BitSpan right, Lit carry);

Lit equal(Gates& gates, BitSpan left, BitSpan right);
Lit less_unsigned(Gates& gates, BitSpan left, BitSpan right);
Lit less_signed(Gates& gates, BitSpan left, BitSpan right);

// Of unsigned operands, cut to that many bits.
Bits multiply(Gates& gates, BitSpan left, BitSpan right, std::size_t width);
Lit multiply_overflows_unsigned(Gates& gates, BitSpan left, BitSpan right);
Lit multiply_overflows_signed(Gates& gates, BitSpan left, BitSpan right);

// By zero: both are zero. The lowest signed value by -1 wraps.
struct Division {
  Bits quotient{};
  Bits remainder{};
};
Division divide_unsigned(Gates& gates, BitSpan left, BitSpan right);
Division divide_signed(Gates& gates, BitSpan left, BitSpan right);

enum class ShiftTo { left, right };
// The width is a power of two, the amount is taken modulo it. `filler` comes in at the end.
Bits shift(Gates& gates, ShiftTo direction, BitSpan bits, BitSpan amount, Lit filler);

}  // namespace heddle::smt
