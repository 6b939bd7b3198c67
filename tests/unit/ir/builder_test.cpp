// What the builder makes of expressions on the way.
#include "ir/builder.hpp"

#include <gtest/gtest.h>

#include <array>

#include "ir/arithmetic.hpp"

namespace heddle::ir {
namespace {

constexpr std::array comparisons{Op::eq, Op::ne, Op::lt, Op::le};

struct BuilderTest : testing::Test {
  ProgramBuilder b{DataModel::lp64};
  FunId main =
      b.declare_function("main", b.function_type(b.int_type(32, true), {}, false), Origin::user);
  std::size_t foregone = 0;

  // All values of a byte or a truth value, widened, against a number.
  void compare(TypeId narrow, TypeId wide, std::uint64_t number) {
    const ExprId value = b.reg(b.add_temporary(main, narrow));
    const ExprId constant = b.constant(wide, number);
    for (const Op op : comparisons) {
      const auto results = [&](bool swapped) {
        std::array<bool, 2> seen{};
        const std::uint64_t count = std::uint64_t{1} << b.type(narrow).width;
        for (std::uint64_t bits = 0; bits < count; ++bits) {
          const std::uint64_t widened = convert(b.type(narrow), b.type(wide), bits);
          const std::uint64_t other = b.expr(constant).payload;
          seen[apply_binary(op, b.type(wide), swapped ? other : widened,
                            swapped ? widened : other)] = true;
        }
        return seen;
      };
      const ExprId cast = b.cast(wide, value);
      expect(b.binary(op, cast, constant), results(false));
      expect(b.binary(op, constant, cast), results(true));
    }
  }
  void expect(ExprId made, const std::array<bool, 2>& results) {
    if (!b.is_constant(made)) return;
    ++foregone;
    const bool result = b.expr(made).payload != 0;
    EXPECT_TRUE(results[result ? 1 : 0]);
    EXPECT_FALSE(results[result ? 0 : 1]);
  }
};

TEST_F(BuilderTest, ForegoneComparisonsHoldForAllValues) {
  const std::array narrow{b.bool_type(), b.int_type(8, false), b.int_type(8, true)};
  const std::array wide{b.int_type(8, false), b.int_type(8, true), b.int_type(32, false),
                        b.int_type(32, true), b.int_type(64, false)};
  for (const TypeId from : narrow)
    for (const TypeId to : wide)
      for (const std::int64_t number : {-129, -128, -127, -1, 0, 1, 2, 127, 128, 255, 256, 300})
        compare(from, to, static_cast<std::uint64_t>(number));
  EXPECT_GT(foregone, 100U);
  const ExprId truth = b.cast(b.int_type(8, false), b.reg(b.add_temporary(main, b.bool_type())));
  EXPECT_TRUE(b.is_constant(b.binary(Op::lt, truth, b.constant(b.int_type(8, false), 2))));
}

TEST_F(BuilderTest, ComparesNothingWhereTheTypeLeavesNoChoice) {
  const TypeId type = b.int_type(32, false);
  const ExprId value = b.reg(b.add_temporary(main, type)), zero = b.constant(type, 0);
  const ExprId is_below = b.binary(Op::lt, value, zero);
  EXPECT_TRUE(b.is_constant(is_below));
  EXPECT_EQ(b.expr(is_below).payload, 0U);
  EXPECT_FALSE(b.is_constant(b.binary(Op::lt, zero, value)));
  const TypeId number = b.int_type(32, true);
  const ExprId truth = b.cast(number, b.binary(Op::eq, value, zero));
  EXPECT_EQ(b.binary(Op::ne, truth, b.constant(number, ~std::uint64_t{0})),
            b.constant(b.bool_type(), 1));
}

}  // namespace
}  // namespace heddle::ir
