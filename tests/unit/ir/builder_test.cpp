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

TEST_F(BuilderTest, WhatIsComparedWithItself) {
  const ExprId whole = b.reg(b.add_temporary(main, b.int_type(32, true)));
  const ExprId real = b.reg(b.add_temporary(main, b.float_type(64)));
  const ExprId yes = b.constant(b.bool_type(), 1), no = b.constant(b.bool_type(), 0);
  EXPECT_EQ(b.binary(Op::eq, whole, whole), yes);
  EXPECT_EQ(b.binary(Op::le, whole, whole), yes);
  EXPECT_EQ(b.binary(Op::ne, whole, whole), no);
  EXPECT_EQ(b.binary(Op::lt, whole, whole), no);
  for (const Op op : comparisons) EXPECT_FALSE(b.is_constant(b.binary(op, real, real)));  // NaN
}

TEST_F(BuilderTest, AddressesOfVariablesAreCompared) {
  const TypeId word = b.int_type(32, true), size = b.size_type();
  const TypeId pair = b.declare_record(RecordKind::struct_record, "pair");
  b.complete_record(pair, {{"first", word, 0, {}}, {"second", word, 4, {}}}, 8, 4);
  const auto variable = [&](const std::string& name, GlobalKind kind) {
    Global global;
    global.name = name;
    global.type = pair;
    global.kind = kind;
    return b.global_address(b.add_global(std::move(global)));
  };
  const ExprId x = variable("x", GlobalKind::variable), y = variable("y", GlobalKind::variable);
  const ExprId text = variable("text", GlobalKind::string_literal);
  const ExprId other = variable("other", GlobalKind::string_literal);
  const auto number = [&](ExprId address) { return b.cast(size, address); };
  const auto result = [&](ExprId left, ExprId right) -> std::string {
    const ExprId made = b.binary(Op::eq, left, right), opposite = b.binary(Op::ne, left, right);
    if (!b.is_constant(made)) return "open";
    EXPECT_NE(b.expr(made).payload, b.expr(opposite).payload);
    return b.expr(made).payload != 0 ? "same" : "different";
  };
  const ExprId null = b.constant(size, 0), one = b.constant(size, 1);
  EXPECT_EQ(result(number(x), null), "different");
  EXPECT_EQ(result(number(b.field(x, 1)), null), "different");
  EXPECT_EQ(result(number(b.ptr_add(x, one)), null), "open");  // behind its end
  EXPECT_EQ(result(b.function_address(main), b.function_address(main)), "same");
  EXPECT_EQ(result(number(x), number(y)), "different");
  EXPECT_EQ(result(number(b.field(x, 0)), number(b.field(y, 0))), "different");
  EXPECT_EQ(result(number(b.field(x, 0)), number(x)), "same");
  EXPECT_EQ(result(number(b.field(x, 0)), number(b.field(x, 1))), "different");
  EXPECT_EQ(result(number(b.ptr_add(b.field(x, 0), one)), number(b.field(x, 1))), "same");
  EXPECT_EQ(result(number(b.ptr_add(x, one)), number(y)), "open");  // y may lie there
  EXPECT_EQ(result(number(x), number(b.function_address(main))), "different");
  EXPECT_EQ(result(number(text), number(other)), "open");  // they may be one
  EXPECT_EQ(result(number(x), b.constant(size, 4096)), "open");
  EXPECT_EQ(b.binary(Op::sub, number(b.field(x, 1)), number(x)), b.constant(size, 4));
  EXPECT_EQ(b.binary(Op::sub, number(x), number(b.field(x, 1))),
            b.constant(size, ~std::uint64_t{3}));
  EXPECT_FALSE(b.is_constant(b.binary(Op::sub, number(x), number(y))));
  const auto real = [&](ExprId address) { return b.cast(b.float_type(64), number(address)); };
  EXPECT_EQ(result(real(b.field(x, 0)), real(b.field(x, 1))), "open");  // it may be rounded
  const TypeId half = b.int_type(32, false);
  EXPECT_EQ(result(b.cast(half, number(x)), b.constant(half, 0)), "open");
}

}  // namespace
}  // namespace heddle::ir
