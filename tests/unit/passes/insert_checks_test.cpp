// Overflow checks: where they go, under which condition, and where none goes.
#include "passes/insert_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tiny.hpp"

namespace heddle::passes {
namespace {

using namespace ir;
using Texts = std::vector<std::string>;

struct OverflowTest : testing::Test {
  Tiny t;
  ExprId g = t.global("g", t.int_type);
  RegId x = t.reg("x", t.int_type), y = t.reg("y", t.int_type);

  Texts checked(Statement statement) {
    t.then(std::move(statement));
    t.then(Return{});
    Texts texts = statements(insert_overflow_checks(t.finish()), t.main);
    std::sort(texts.begin(), texts.end());
    return texts;
  }
  ExprId sum() { return t.b.binary(Op::add, t.b.reg(x), t.b.reg(y)); }
};

TEST_F(OverflowTest, BranchesBeforeTheEdge) {
  EXPECT_EQ(checked(Store{g, sum()}),
            (Texts{"assume !add_overflows(x, y)", "assume add_overflows(x, y)",
                   "fail overflow: x + y", "return", "store g = x + y"}));
}

TEST_F(OverflowTest, CountsOnlyTheArmThatIsEvaluated) {
  const ExprId small = t.b.binary(Op::lt, t.b.reg(x), t.number(9));
  const Texts texts = checked(Store{g, t.b.select(small, sum(), t.b.reg(x))});
  EXPECT_NE(std::find(texts.begin(), texts.end(), "assume x < 9 && add_overflows(x, y)"),
            texts.end());
}

TEST_F(OverflowTest, NegationAndDivision) {
  const Texts negated = checked(Store{g, t.b.unary(Op::neg, t.b.reg(x))});
  EXPECT_NE(std::find(negated.begin(), negated.end(), "assume sub_overflows(0, x)"), negated.end());
}

TEST_F(OverflowTest, DividesTheLowestByMinusOne) {
  const Texts texts = checked(Store{g, t.b.binary(Op::div, t.b.reg(x), t.b.reg(y))});
  EXPECT_NE(std::find(texts.begin(), texts.end(), "assume x == -2147483648 && y == -1"),
            texts.end());
}

TEST_F(OverflowTest, SeesConstantsThatOverflow) {
  const Texts texts = checked(Store{g, t.b.binary(Op::add, t.number(2147483647), t.number(1))});
  EXPECT_NE(std::find(texts.begin(), texts.end(), "fail overflow: 2147483647 + 1"), texts.end());
}

TEST_F(OverflowTest, LeavesUnsignedPointersAndCastsAlone) {
  const TypeId word = t.b.int_type(32, false);
  const ExprId u = t.b.reg(t.reg("u", word));
  const ExprId narrow = t.b.cast(t.b.int_type(8, true), t.b.binary(Op::add, u, u));
  EXPECT_EQ(checked(Store{t.b.ptr_add(g, t.b.reg(x)), t.b.cast(t.int_type, narrow)}).size(), 2u);
}

TEST_F(OverflowTest, ChecksABranchOnceBeforeBothArms) {
  const LocId branch = t.at;
  const ExprId positive = t.b.binary(Op::lt, t.number(0), sum());
  t.then(Assume{positive});
  t.b.add_edge(branch, t.at, Assume{t.b.negation(positive)}, {});
  const Texts texts = checked(Skip{});
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "fail overflow: x + y"), 1);
}

}  // namespace
}  // namespace heddle::passes
