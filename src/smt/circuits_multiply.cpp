// Multiplication by shifting and adding, division by restoring subtraction.
#include <algorithm>
#include <utility>

#include "smt/circuits.hpp"

namespace heddle::smt {
namespace {

std::size_t open_bits(const Gates& gates, BitSpan bits) {
  return static_cast<std::size_t>(std::count_if(
      bits.begin(), bits.end(), [&](Lit bit) { return bit != gates.yes() && bit != gates.no(); }));
}

bool is_constant(const Gates& gates, BitSpan bits) { return open_bits(gates, bits) == 0; }

// The factor's digits -1, 0 and 1, no two neighbours both non-zero: the fewest additions.
std::vector<int> signed_digits(const Gates& gates, BitSpan factor, std::size_t width) {
  std::vector<int> digits(width, 0);
  int carry = 0;
  const auto bit = [&](std::size_t i) {
    return i < factor.size() && factor[i] == gates.yes() ? 1 : 0;
  };
  for (std::size_t i = 0; i < width; ++i) {
    const int sum = bit(i) + carry;
    digits[i] = sum != 1 ? 0 : bit(i + 1) != 0 ? -1 : 1;
    carry = sum == 2 || digits[i] == -1 ? 1 : 0;
  }
  return digits;
}

Bits shifted(const Gates& gates, BitSpan bits, std::size_t by, std::size_t width) {
  Bits row(width, gates.no());
  for (std::size_t i = 0; i < bits.size() && i + by < width; ++i) row[i + by] = bits[i];
  return row;
}

Bits multiply_by_constant(Gates& gates, BitSpan left, BitSpan factor, std::size_t width) {
  Bits result(width, gates.no());
  const std::vector<int> digits = signed_digits(gates, factor, width);
  for (std::size_t i = 0; i < width; ++i) {
    if (digits[i] == 0) continue;
    const Bits row = shifted(gates, left, i, width);
    result = digits[i] > 0 ? add(gates, result, row, gates.no()) : subtract(gates, result, row);
  }
  return result;
}

// One step of long division: the remainder so far gets the next digit and, if the divisor
// fits, loses it. `fits` tells.
Bits restore(Gates& gates, const Bits& remainder, BitSpan divisor, Lit rest_is_zero, Lit& fits) {
  const BitSpan low = divisor.first(remainder.size());
  fits = gates.both(rest_is_zero, ~less_unsigned(gates, remainder, low));
  return choose(gates, fits, subtract(gates, remainder, low), remainder);
}

Bits keep_if(Gates& gates, Lit condition, BitSpan bits) {
  return choose(gates, condition, bits, Bits(bits.size(), gates.no()));
}

}  // namespace

Bits multiply(Gates& gates, BitSpan left, BitSpan right, std::size_t width) {
  if (is_constant(gates, left)) std::swap(left, right);
  if (is_constant(gates, right)) return multiply_by_constant(gates, left, right, width);
  if (open_bits(gates, left) < open_bits(gates, right)) std::swap(left, right);
  Bits result(width, gates.no());
  for (std::size_t i = 0; i < right.size() && i < width; ++i) {
    Bits row;
    for (const Lit bit : left) row.push_back(gates.both(bit, right[i]));
    result = add(gates, result, shifted(gates, row, i, width), gates.no());
  }
  return result;
}

Lit multiply_overflows_unsigned(Gates& gates, BitSpan left, BitSpan right) {
  const std::size_t width = left.size();
  const Bits product = multiply(gates, left, right, 2 * width);
  return ~gates.none(BitSpan(product).subspan(width));
}

// The high half of the signed product is that of the unsigned one, less each operand whose
// partner is negative. Low halves are shared with the product that wraps.
Lit multiply_overflows_signed(Gates& gates, BitSpan left, BitSpan right) {
  const std::size_t width = left.size();
  const Bits product = multiply(gates, left, right, 2 * width);
  Bits high(product.begin() + static_cast<std::ptrdiff_t>(width), product.end());
  high = subtract(gates, high, keep_if(gates, left.back(), right));
  high = subtract(gates, high, keep_if(gates, right.back(), left));
  Bits sign(width, product[width - 1]);
  return ~equal(gates, high, sign);
}

Division divide_unsigned(Gates& gates, BitSpan left, BitSpan right) {
  const std::size_t width = left.size();
  Bits rest_is_zero(width + 1, gates.yes());  // [i]: the divisor's bits from i on are zero
  for (std::size_t i = width; i-- > 0;)
    rest_is_zero[i] = gates.both(rest_is_zero[i + 1], ~right[i]);
  const Lit nonzero = ~rest_is_zero[0];
  Division result{Bits(width, gates.no()), {}};
  for (std::size_t i = width; i-- > 0;) {
    result.remainder.insert(result.remainder.begin(), left[i]);
    Lit fits{};
    result.remainder =
        restore(gates, result.remainder, right, rest_is_zero[result.remainder.size()], fits);
    result.quotient[i] = gates.both(fits, nonzero);
  }
  result.remainder = keep_if(gates, nonzero, result.remainder);
  return result;
}

Division divide_signed(Gates& gates, BitSpan left, BitSpan right) {
  const Division sizes = divide_unsigned(gates, negate_if(gates, left.back(), left),
                                         negate_if(gates, right.back(), right));
  return {negate_if(gates, gates.differ(left.back(), right.back()), sizes.quotient),
          negate_if(gates, left.back(), sizes.remainder)};
}

}  // namespace heddle::smt
