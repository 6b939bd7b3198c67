// Ripple-carry addition and comparison, and barrel shifters.
#include "smt/circuits.hpp"

namespace heddle::smt {

Bits complement(BitSpan bits) {
  Bits result;
  result.reserve(bits.size());
  for (const Lit bit : bits) result.push_back(~bit);
  return result;
}

Bits choose(Gates& gates, Lit condition, BitSpan then, BitSpan otherwise) {
  Bits result;
  result.reserve(then.size());
  for (std::size_t i = 0; i < then.size(); ++i)
    result.push_back(gates.choose(condition, then[i], otherwise[i]));
  return result;
}

Bits add(Gates& gates, BitSpan left, BitSpan right, Lit carry) {
  Bits sum;
  sum.reserve(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (i > 0) carry = gates.majority(left[i - 1], right[i - 1], carry);
    sum.push_back(gates.odd(left[i], right[i], carry));
  }
  return sum;
}

Bits subtract(Gates& gates, BitSpan left, BitSpan right) {
  return add(gates, left, complement(right), gates.yes());
}

Bits negate(Gates& gates, BitSpan bits) {
  return subtract(gates, Bits(bits.size(), gates.no()), bits);
}

Bits negate_if(Gates& gates, Lit condition, BitSpan bits) {
  Bits flipped;
  flipped.reserve(bits.size());
  for (const Lit bit : bits) flipped.push_back(gates.differ(bit, condition));
  return add(gates, flipped, Bits(bits.size(), gates.no()), condition);
}

Lit carry_out(Gates& gates, BitSpan left, BitSpan right, Lit carry) {
  for (std::size_t i = 0; i < left.size(); ++i) carry = gates.majority(left[i], right[i], carry);
  return carry;
}

// The carry into the sign differs from the carry out of it.
Lit add_overflows_signed(Gates& gates, BitSpan left, BitSpan right, Lit carry) {
  const std::size_t top = left.size() - 1;
  const Lit into = carry_out(gates, left.first(top), right.first(top), carry);
  return gates.both(~gates.differ(left[top], right[top]), gates.differ(left[top], into));
}

Lit equal(Gates& gates, BitSpan left, BitSpan right) {
  Bits same;
  same.reserve(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) same.push_back(~gates.differ(left[i], right[i]));
  return gates.all(same);
}

// No carry comes out of left - right.
Lit less_unsigned(Gates& gates, BitSpan left, BitSpan right) {
  return ~carry_out(gates, left, complement(right), gates.yes());
}

Lit less_signed(Gates& gates, BitSpan left, BitSpan right) {
  Bits lifted_left(left.begin(), left.end()), lifted_right(right.begin(), right.end());
  lifted_left.back() = ~lifted_left.back();
  lifted_right.back() = ~lifted_right.back();
  return less_unsigned(gates, lifted_left, lifted_right);
}

Bits shift(Gates& gates, ShiftTo direction, BitSpan bits, BitSpan amount, Lit filler) {
  Bits current(bits.begin(), bits.end());
  const std::size_t width = bits.size();
  for (std::size_t stage = 0; (std::size_t{1} << stage) < width; ++stage) {
    const std::size_t by = std::size_t{1} << stage;
    Bits moved(width, filler);
    for (std::size_t i = 0; i + by < width; ++i) {
      if (direction == ShiftTo::left)
        moved[i + by] = current[i];
      else
        moved[i] = current[i + by];
    }
    current = choose(gates, amount[stage], moved, current);
  }
  return current;
}

}  // namespace heddle::smt
