// ir/arithmetic against what the compiler of this test computes, over edge values of
// every width and sign.
#include "ir/arithmetic.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace heddle::ir {
namespace {

template <class T>
Type type_for() {
  Type type;
  type.size = sizeof(T);
  type.width = sizeof(T) * 8;
  if constexpr (std::is_same_v<T, bool>) {
    type.kind = TypeKind::boolean;
    type.width = 1;
  } else if constexpr (std::is_floating_point_v<T>) {
    type.kind = TypeKind::floating;
  } else {
    type.kind = TypeKind::integer;
    type.is_signed = std::is_signed_v<T>;
  }
  return type;
}

template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else if constexpr (std::is_same_v<T, bool>)
    return value ? 1 : 0;
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

template <class T>
std::vector<T> samples() {
  using L = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) return {false, true};
  if constexpr (std::is_floating_point_v<T>)
    return {T(0),     T(-0.0),     T(1),          T(-1),          T(0.5),
            T(-2.5),  T(127.9),    T(300),        T(-300),        T(70000.5),
            T(1e9),   T(-2.1e9),   T(2.1e9),      T(3e9),         T(4e9),
            T(5e9),   T(-9e18),    T(9e18),       T(1.0e19),      L::max(),
            L::min(), L::lowest(), L::infinity(), -L::infinity(), L::denorm_min()};
  else
    return {T(0),
            T(1),
            T(2),
            T(3),
            T(7),
            T(8),
            T(31),
            T(100),
            T(-1),
            T(-2),
            T(-7),
            T(-8),
            L::min(),
            T(L::min() + 1),
            T(L::min() / 2),
            L::max(),
            T(L::max() - 1),
            T(L::max() / 2)};
}

// Wrapping arithmetic is done in an unsigned type no narrower than int, then converted.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
class Integers : public ::testing::Test {};
using IntegerTypes = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                      std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(Integers, IntegerTypes);

TYPED_TEST(Integers, WrapsLikeTheCompiler) {
  using T = TypeParam;
  using W = Wrapping<T>;
  const Type type = type_for<T>();
  for (const T a : samples<T>()) {
    EXPECT_EQ(apply_unary(Op::neg, type, bits_of(a)), bits_of(T(W(0) - W(a))));
    EXPECT_EQ(apply_unary(Op::bit_not, type, bits_of(a)), bits_of(T(~W(a))));
    EXPECT_EQ(apply_unary(Op::logical_not, type, bits_of(a)), a == 0 ? 1U : 0U);
    for (const T b : samples<T>()) {
      const auto apply = [&](Op op) { return apply_binary(op, type, bits_of(a), bits_of(b)); };
      EXPECT_EQ(apply(Op::add), bits_of(T(W(a) + W(b))));
      EXPECT_EQ(apply(Op::sub), bits_of(T(W(a) - W(b))));
      EXPECT_EQ(apply(Op::mul), bits_of(T(W(a) * W(b))));
      EXPECT_EQ(apply(Op::bit_and), bits_of(T(a & b)));
      EXPECT_EQ(apply(Op::bit_or), bits_of(T(a | b)));
      EXPECT_EQ(apply(Op::bit_xor), bits_of(T(a ^ b)));
      EXPECT_EQ(apply(Op::eq), a == b ? 1U : 0U);
      EXPECT_EQ(apply(Op::ne), a != b ? 1U : 0U);
      EXPECT_EQ(apply(Op::lt), a < b ? 1U : 0U) << +a << " < " << +b;
      EXPECT_EQ(apply(Op::le), a <= b ? 1U : 0U) << +a << " <= " << +b;
    }
  }
}

TYPED_TEST(Integers, DividesTowardsZero) {
  using T = TypeParam;
  const Type type = type_for<T>();
  for (const T a : samples<T>())
    for (const T b : samples<T>()) {
      const bool overflows =
          std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == T(-1);
      if (b == 0 || overflows) continue;
      EXPECT_EQ(apply_binary(Op::div, type, bits_of(a), bits_of(b)), bits_of(T(a / b)));
      EXPECT_EQ(apply_binary(Op::rem, type, bits_of(a), bits_of(b)), bits_of(T(a % b)));
    }
  const std::uint64_t lowest = bits_of(std::numeric_limits<T>::min());
  EXPECT_EQ(apply_binary(Op::div, type, lowest, 0), 0U);
  if (std::is_signed_v<T>) {  // wraps, as everything else does
    EXPECT_EQ(apply_binary(Op::div, type, lowest, bits_of(T(-1))), lowest);
    EXPECT_EQ(apply_binary(Op::rem, type, lowest, bits_of(T(-1))), 0U);
  }
}

TYPED_TEST(Integers, JudgesOverflowInItsOwnType) {
  using T = TypeParam;
  const Type type = type_for<T>();
  for (const T a : samples<T>())
    for (const T b : samples<T>()) {
      T ignored;
      const auto apply = [&](Op op) { return apply_binary(op, type, bits_of(a), bits_of(b)); };
      EXPECT_EQ(apply(Op::add_overflows), __builtin_add_overflow(a, b, &ignored) ? 1U : 0U);
      EXPECT_EQ(apply(Op::sub_overflows), __builtin_sub_overflow(a, b, &ignored) ? 1U : 0U);
      EXPECT_EQ(apply(Op::mul_overflows), __builtin_mul_overflow(a, b, &ignored) ? 1U : 0U)
          << +a << " * " << +b;
    }
}

TYPED_TEST(Integers, JudgesUndefinedArithmetic) {
  using T = TypeParam;
  const Type type = type_for<T>();
  const bool judged = std::is_signed_v<T> && sizeof(T) >= 4;
  for (const T a : samples<T>())
    for (const T b : samples<T>()) {
      T ignored;
      const auto undefined = [&](Op op) {
        return overflows_binary(op, type, bits_of(a), bits_of(b));
      };
      EXPECT_EQ(undefined(Op::add), judged && __builtin_add_overflow(a, b, &ignored));
      EXPECT_EQ(undefined(Op::sub), judged && __builtin_sub_overflow(a, b, &ignored));
      EXPECT_EQ(undefined(Op::mul), judged && __builtin_mul_overflow(a, b, &ignored));
      const bool too_large = judged && a == std::numeric_limits<T>::min() && b == T(-1);
      EXPECT_EQ(undefined(Op::div), too_large);
      EXPECT_EQ(undefined(Op::rem), too_large);
      EXPECT_EQ(overflows_unary(Op::neg, type, bits_of(a)),
                judged && a == std::numeric_limits<T>::min());
    }
}

TYPED_TEST(Integers, ShiftsByEveryAmount) {
  using T = TypeParam;
  const Type type = type_for<T>();
  for (const T a : samples<T>())
    for (unsigned by = 0; by < sizeof(T) * 8; ++by) {
      EXPECT_EQ(apply_shift(Op::shl, type, bits_of(a), by), bits_of(T(Wrapping<T>(a) << by)));
      EXPECT_EQ(apply_shift(Op::shr, type, bits_of(a), by), bits_of(T(a >> by)));
    }
}

TYPED_TEST(Integers, ConvertsToEveryIntegerType) {
  using T = TypeParam;
  const Type from = type_for<T>();
  for (const T a : samples<T>()) {
    const auto to = [&](const Type& type) { return convert(from, type, bits_of(a)); };
    EXPECT_EQ(to(type_for<std::int8_t>()), bits_of(std::int8_t(a)));
    EXPECT_EQ(to(type_for<std::uint8_t>()), bits_of(std::uint8_t(a)));
    EXPECT_EQ(to(type_for<std::int16_t>()), bits_of(std::int16_t(a)));
    EXPECT_EQ(to(type_for<std::uint16_t>()), bits_of(std::uint16_t(a)));
    EXPECT_EQ(to(type_for<std::int32_t>()), bits_of(std::int32_t(a)));
    EXPECT_EQ(to(type_for<std::uint32_t>()), bits_of(std::uint32_t(a)));
    EXPECT_EQ(to(type_for<std::int64_t>()), bits_of(std::int64_t(a)));
    EXPECT_EQ(to(type_for<std::uint64_t>()), bits_of(std::uint64_t(a)));
    EXPECT_EQ(to(type_for<bool>()), bits_of(a != 0));
    EXPECT_EQ(to(type_for<float>()), bits_of(static_cast<float>(a)));
    EXPECT_EQ(to(type_for<double>()), bits_of(static_cast<double>(a)));
  }
}

template <class T>
class Reals : public ::testing::Test {};
using RealTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Reals, RealTypes);

TYPED_TEST(Reals, ComputesLikeTheCompiler) {
  using T = TypeParam;
  const Type type = type_for<T>();
  for (const T a : samples<T>()) {
    EXPECT_EQ(apply_unary(Op::neg, type, bits_of(a)), bits_of(T(-a)));
    for (const T b : samples<T>()) {
      const auto apply = [&](Op op) { return apply_binary(op, type, bits_of(a), bits_of(b)); };
      const auto same = [&](Op op, T expected) {
        if (std::isnan(expected)) return;  // the payload of a NaN is nobody's business
        EXPECT_EQ(apply(op), bits_of(expected)) << a << ' ' << b;
      };
      same(Op::add, a + b);
      same(Op::sub, a - b);
      same(Op::mul, a * b);
      same(Op::div, a / b);
      EXPECT_EQ(apply(Op::eq), a == b ? 1U : 0U);
      EXPECT_EQ(apply(Op::ne), a != b ? 1U : 0U);
      EXPECT_EQ(apply(Op::lt), a < b ? 1U : 0U);
      EXPECT_EQ(apply(Op::le), a <= b ? 1U : 0U);
    }
  }
}

TYPED_TEST(Reals, ComparesNanWithNothing) {
  const Type type = type_for<TypeParam>();
  const std::uint64_t nan = bits_of(std::numeric_limits<TypeParam>::quiet_NaN());
  EXPECT_EQ(apply_binary(Op::eq, type, nan, nan), 0U);
  EXPECT_EQ(apply_binary(Op::ne, type, nan, nan), 1U);
  EXPECT_EQ(apply_binary(Op::lt, type, nan, bits_of(TypeParam(1))), 0U);
  EXPECT_EQ(apply_binary(Op::le, type, bits_of(TypeParam(1)), nan), 0U);
  EXPECT_EQ(convert(type, type_for<bool>(), nan), 1U);
}

template <class Real, class T>
void check_truncation() {
  const Type from = type_for<Real>(), to = type_for<T>();
  // Beyond the range of the type the conversion is undefined: not compared.
  const Real low = static_cast<Real>(std::numeric_limits<T>::min());
  const Real high = std::ldexp(Real(1), std::numeric_limits<T>::digits);
  for (const Real a : samples<Real>()) {
    if (!(std::trunc(a) >= low && std::trunc(a) < high)) continue;
    EXPECT_EQ(convert(from, to, bits_of(a)), bits_of(static_cast<T>(a))) << a;
  }
}

TYPED_TEST(Reals, TruncatesToIntegers) {
  check_truncation<TypeParam, std::int8_t>();
  check_truncation<TypeParam, std::uint8_t>();
  check_truncation<TypeParam, std::int16_t>();
  check_truncation<TypeParam, std::uint16_t>();
  check_truncation<TypeParam, std::int32_t>();
  check_truncation<TypeParam, std::uint32_t>();
  check_truncation<TypeParam, std::int64_t>();
  check_truncation<TypeParam, std::uint64_t>();
}

TYPED_TEST(Reals, ConvertsToTheOtherOne) {
  for (const TypeParam a : samples<TypeParam>()) {
    const Type from = type_for<TypeParam>();
    EXPECT_EQ(convert(from, type_for<float>(), bits_of(a)), bits_of(static_cast<float>(a)));
    EXPECT_EQ(convert(from, type_for<double>(), bits_of(a)), bits_of(static_cast<double>(a)));
    EXPECT_EQ(convert(from, type_for<bool>(), bits_of(a)), bits_of(a != 0));
  }
}

TEST(Reals, OutOfRangeGivesTheIndefiniteInteger) {
  const Type real = type_for<double>();
  EXPECT_EQ(convert(real, type_for<std::int32_t>(), bits_of(3e9)), 0x80000000U);
  EXPECT_EQ(convert(real, type_for<std::int64_t>(), bits_of(1e19)), std::uint64_t{1} << 63);
}

TEST(BitFields, MatchTheCompilersLayout) {
  struct Fields {
    signed a : 3;
    unsigned b : 5;
    signed c : 20;
  };
  const Type sign = type_for<std::int32_t>(), plain = type_for<std::uint32_t>();
  for (int a = -4; a < 4; ++a)
    for (unsigned b : {0U, 1U, 17U, 31U})
      for (int c : {-524288, -1, 0, 1, 524287}) {
        Fields native{};
        native.a = a;
        native.b = b;
        native.c = c;
        std::uint32_t unit = 0;
        unit = static_cast<std::uint32_t>(insert_bits({0, 3}, unit, bits_of(a)));
        unit = static_cast<std::uint32_t>(insert_bits({3, 5}, unit, b));
        unit = static_cast<std::uint32_t>(insert_bits({8, 20}, unit, bits_of(c)));
        EXPECT_EQ(unit & 0xfffffff, std::bit_cast<std::uint32_t>(native) & 0xfffffff);
        EXPECT_EQ(extract_bits(sign, {0, 3}, unit), bits_of(a));
        EXPECT_EQ(extract_bits(plain, {3, 5}, unit), b);
        EXPECT_EQ(extract_bits(sign, {8, 20}, unit), bits_of(c));
      }
}

}  // namespace
}  // namespace heddle::ir
