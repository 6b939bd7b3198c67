#include "ir/arithmetic.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace heddle::ir {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

std::uint64_t mask(std::uint32_t width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

float as_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
double as_double(std::uint64_t bits) { return std::bit_cast<double>(bits); }

template <class Real>
std::uint64_t real_bits(Real value) {
  if constexpr (sizeof(Real) == 4)
    return std::bit_cast<std::uint32_t>(value);
  else
    return std::bit_cast<std::uint64_t>(value);
}

template <class Real>
std::uint64_t apply_real(Op op, Real left, Real right) {
  switch (op) {
    case Op::add:
      return real_bits(left + right);
    case Op::sub:
      return real_bits(left - right);
    case Op::mul:
      return real_bits(left * right);
    case Op::div:
      return real_bits(left / right);
    case Op::eq:
      return left == right;
    case Op::ne:
      return left != right;
    case Op::lt:
      return left < right;
    case Op::le:
      return left <= right;
    default:
      break;
  }
  CHECK(false, "the front end builds no other operator over floating types");
  return 0;
}

bool signed_overflows(Op op, const Type& type, std::uint64_t left, std::uint64_t right) {
  const Wide a = as_signed(type, left), b = as_signed(type, right);
  const Wide exact = op == Op::add_overflows ? a + b : op == Op::sub_overflows ? a - b : a * b;
  const Wide limit = static_cast<Wide>(1) << (type.width - 1);
  return exact < -limit || exact >= limit;
}

bool unsigned_overflows(Op op, const Type& type, std::uint64_t left, std::uint64_t right) {
  const UnsignedWide a = left, b = right;
  if (op == Op::sub_overflows) return a < b;
  const UnsignedWide exact = op == Op::add_overflows ? a + b : a * b;
  return (exact >> type.width) != 0;
}

std::uint64_t divide(Op op, const Type& type, std::uint64_t left, std::uint64_t right) {
  if (right == 0) return 0;
  if (!type.is_signed) return op == Op::div ? left / right : left % right;
  const Wide a = as_signed(type, left), b = as_signed(type, right);
  return truncate(type, static_cast<std::uint64_t>(op == Op::div ? a / b : a % b));
}

// What cvttsd2si and its wider emulations give: the "integer indefinite" value out of range.
std::uint64_t real_to_integer(double value, const Type& to) {
  if (to.kind == TypeKind::boolean) return value != 0;
  if (!to.is_signed && to.width == 64) {
    if (!(value > -1.0 && value < 18446744073709551616.0)) return std::uint64_t{1} << 63;
    return static_cast<std::uint64_t>(value);
  }
  const bool narrow = to.width < 32 || (to.width == 32 && to.is_signed);
  const double bound = narrow ? 2147483648.0 : 9223372036854775808.0;
  if (!(value >= -bound && value < bound))
    return truncate(to, narrow ? 0x80000000ULL : std::uint64_t{1} << 63);
  return truncate(to, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
}

template <class Real>
std::uint64_t integer_to_real(const Type& from, std::uint64_t bits) {
  return from.is_signed ? real_bits(static_cast<Real>(as_signed(from, bits)))
                        : real_bits(static_cast<Real>(bits));
}

}  // namespace

std::uint64_t truncate(const Type& type, std::uint64_t bits) { return bits & mask(type.width); }

std::int64_t as_signed(const Type& type, std::uint64_t bits) {
  const unsigned shift = 64 - type.width;
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

std::uint64_t apply_unary(Op op, const Type& type, std::uint64_t operand) {
  switch (op) {
    case Op::neg:
      if (type.kind != TypeKind::floating) return truncate(type, 0 - operand);
      return type.width == 32 ? real_bits(-as_float(operand)) : real_bits(-as_double(operand));
    case Op::bit_not:
      return truncate(type, ~operand);
    case Op::logical_not:
      return operand == 0;
    default:
      break;
  }
  CHECK(false, "not a unary operator");
  return 0;
}

std::uint64_t apply_binary(Op op, const Type& type, std::uint64_t left, std::uint64_t right) {
  if (type.kind == TypeKind::floating)
    return type.width == 32 ? apply_real(op, as_float(left), as_float(right))
                            : apply_real(op, as_double(left), as_double(right));
  switch (op) {
    case Op::add:
      return truncate(type, left + right);
    case Op::sub:
      return truncate(type, left - right);
    case Op::mul:
      return truncate(type, left * right);
    case Op::div:
    case Op::rem:
      return divide(op, type, left, right);
    case Op::bit_and:
      return left & right;
    case Op::bit_or:
      return left | right;
    case Op::bit_xor:
      return left ^ right;
    case Op::eq:
      return left == right;
    case Op::ne:
      return left != right;
    case Op::lt:
      return type.is_signed ? as_signed(type, left) < as_signed(type, right) : left < right;
    case Op::le:
      return type.is_signed ? as_signed(type, left) <= as_signed(type, right) : left <= right;
    case Op::add_overflows:
    case Op::sub_overflows:
    case Op::mul_overflows:
      return type.is_signed ? signed_overflows(op, type, left, right)
                            : unsigned_overflows(op, type, left, right);
    default:
      break;
  }
  CHECK(false, "not a binary operator over integers");
  return 0;
}

bool overflows_unary(Op op, const Type& type, std::uint64_t operand) {
  return op == Op::neg && overflows_binary(Op::sub, type, 0, operand);
}

bool overflows_binary(Op op, const Type& type, std::uint64_t left, std::uint64_t right) {
  if (type.kind != TypeKind::integer || !type.is_signed || type.width < 32) return false;
  switch (op) {
    case Op::add:
      return signed_overflows(Op::add_overflows, type, left, right);
    case Op::sub:
      return signed_overflows(Op::sub_overflows, type, left, right);
    case Op::mul:
      return signed_overflows(Op::mul_overflows, type, left, right);
    case Op::div:
    case Op::rem:
      return left == std::uint64_t{1} << (type.width - 1) && as_signed(type, right) == -1;
    default:
      return false;
  }
}

std::uint64_t apply_shift(Op op, const Type& type, std::uint64_t left, std::uint64_t amount) {
  const std::uint64_t by = amount & (type.width - 1);  // widths are powers of two
  if (op == Op::shl) return truncate(type, left << by);
  if (!type.is_signed) return left >> by;
  return truncate(type, static_cast<std::uint64_t>(as_signed(type, left) >> by));
}

std::uint64_t convert(const Type& from, const Type& to, std::uint64_t bits) {
  if (from.kind == TypeKind::floating && to.kind == TypeKind::floating) {
    if (from.width == to.width) return bits;
    return to.width == 32 ? real_bits(static_cast<float>(as_double(bits)))
                          : real_bits(static_cast<double>(as_float(bits)));
  }
  if (from.kind == TypeKind::floating)
    return real_to_integer(from.width == 32 ? as_float(bits) : as_double(bits), to);
  if (to.kind == TypeKind::floating)
    return to.width == 32 ? integer_to_real<float>(from, bits)
                          : integer_to_real<double>(from, bits);
  if (to.kind == TypeKind::boolean) return bits != 0;
  if (from.is_signed) return truncate(to, static_cast<std::uint64_t>(as_signed(from, bits)));
  return truncate(to, bits);
}

std::uint64_t extract_bits(const Type& field_type, BitRange range, std::uint64_t unit) {
  const std::uint64_t raw = (unit >> range.offset) & mask(range.width);
  if (!field_type.is_signed) return raw;
  const unsigned shift = 64 - range.width;
  return truncate(field_type,
                  static_cast<std::uint64_t>(static_cast<std::int64_t>(raw << shift) >> shift));
}

std::uint64_t insert_bits(BitRange range, std::uint64_t unit, std::uint64_t value) {
  const std::uint64_t field = mask(range.width) << range.offset;
  return (unit & ~field) | ((value << range.offset) & field);
}

}  // namespace heddle::ir
