#include "domain/symbolic.hpp"

#include <gtest/gtest.h>

#include "unit/domain/small_scope.hpp"

namespace heddle::domain {
namespace {

using ir::Op;
using testing::AllCells;
using testing::cell_of;
using testing::SmallProgram;

// Registers x and y, and what the tests say of them.
struct Symbolic : ::testing::Test {
  SmallProgram p{};
  ir::RegId x = p.var(p.i32), y = p.var(p.i32);
  ir::ExprId read_x = p.b.reg(x), read_y = p.b.reg(y);
  ir::ExprId below = p.less(read_x, p.num(p.i32, 10));
  ir::ExprId far_below = p.less(read_x, p.num(p.i32, 5));
  ir::ExprId positive = p.less(p.num(p.i32, 0), read_x);
  ir::ExprId ordered = p.less(read_x, read_y);
  ir::ExprId square = p.b.binary(Op::mul, read_x, read_x);
  ir::ExprId is_49 = p.b.binary(Op::eq, square, p.num(p.i32, 49));
  ir::ExprId is_hard = p.b.binary(Op::eq, p.b.binary(Op::mul, square, read_y),
                                  p.b.binary(Op::add, p.num(p.i32, 0x2345671), read_y));
  ir::ExprId next = p.plus(read_x, p.num(p.i32, 1));
  ir::ExprId half = p.b.binary(Op::lt, p.b.cast(p.b.float_type(64), read_x),
                               p.b.constant(p.b.float_type(64), 0x3fe0000000000000));
  ir::Program program = p.finish();
  SymbolicDomain domain{program};
  AllCells scope{program};
  Cell cx = cell_of(program, x), cy = cell_of(program, y);

  std::unique_ptr<Store> fresh() {
    auto store = domain.initial();
    store->havoc(cx, 0);
    store->havoc(cy, 0);
    return store;
  }
  static const SymbolicStore& as_symbolic(const Store& store) {
    return dynamic_cast<const SymbolicStore&>(store);
  }
};

TEST_F(Symbolic, FindsInputsThatTakeThePath) {
  const auto store = fresh();
  ASSERT_TRUE(store->assume(below, scope));
  ASSERT_TRUE(store->assume(positive, scope));
  ASSERT_TRUE(store->assume(is_49, scope));
  EXPECT_EQ(store->known(read_x, scope), 7U);
  EXPECT_EQ(store->values(square, scope, 3), (std::vector<std::uint64_t>{49}));
  const auto inputs = as_symbolic(*store).solve();
  ASSERT_TRUE(inputs);
  ASSERT_EQ(inputs->size(), 2U);
  EXPECT_EQ((*inputs)[0], 7U);
  EXPECT_FALSE(as_symbolic(*store).inexact());
}

TEST_F(Symbolic, RefutesWhatCannotBe) {
  const auto store = fresh();
  ASSERT_TRUE(store->assume(far_below, scope));
  ASSERT_TRUE(store->assume(positive, scope));
  EXPECT_EQ(store->values(read_x, scope, 4), (std::vector<std::uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(store->values(read_x, scope, 3), std::nullopt);
  EXPECT_FALSE(store->clone()->assume(is_49, scope));
  EXPECT_FALSE(store->clone()->assume(Equality::equal, std::uint64_t{5}, read_x, scope));
  EXPECT_TRUE(store->clone()->assume(Equality::equal, std::uint64_t{4}, read_x, scope));
}

TEST_F(Symbolic, StoresAreTheSameUpToTheNamesOfInputs) {
  const auto a = fresh(), b = fresh(), c = fresh();
  for (Store* store : {a.get(), b.get()}) ASSERT_TRUE(store->assume(below, scope));
  ASSERT_TRUE(c->assume(far_below, scope));
  for (Store* store : {a.get(), b.get(), c.get()}) store->assign(cy, next, scope);
  EXPECT_EQ(a->hash(), b->hash());
  EXPECT_TRUE(a->covers(*b));
  EXPECT_TRUE(b->covers(*a));
  EXPECT_TRUE(a->covers(*c));
  EXPECT_FALSE(c->covers(*a));
  const auto apart = fresh();
  ASSERT_TRUE(apart->assume(below, scope));
  EXPECT_TRUE(apart->covers(*a)) << "any two numbers cover one and its successor";
  EXPECT_FALSE(a->covers(*apart));
}

TEST_F(Symbolic, ConditionsOnLostInputsGoButTheInputsKeepTheirValues) {
  const auto store = fresh(), other = fresh();
  ASSERT_TRUE(store->assume(is_49, scope));
  store->havoc(cx, 0);
  EXPECT_TRUE(store->covers(*other));
  EXPECT_TRUE(other->covers(*store));
  EXPECT_TRUE(as_symbolic(*store).path().empty());
  const auto inputs = as_symbolic(*store).solve();
  ASSERT_TRUE(inputs);
  ASSERT_EQ(inputs->size(), 3U);
  EXPECT_EQ(static_cast<std::uint32_t>((*inputs)[0] * (*inputs)[0]), 49U);
}

// x * x * y == 0x2345671 + y is not answered without a conflict; so nobody knows inputs for it.
TEST_F(Symbolic, ConditionsThatNobodyHasSolvedAreNotDropped) {
  SymbolicDomain hasty(program, smt::Effort{0});
  const auto store = hasty.initial();
  store->havoc(cx, 0);
  store->havoc(cy, 0);
  ASSERT_TRUE(store->assume(is_hard, scope));
  ASSERT_GT(hasty.statistics().gave_up, 0U) << "the test asks for too little";
  store->havoc(cx, 0);
  store->havoc(cy, 0);
  store->covers(*store->clone());
  EXPECT_FALSE(as_symbolic(*store).path().empty());
  EXPECT_EQ(as_symbolic(*store).solve(), std::nullopt);
}

TEST_F(Symbolic, ConditionsStayWhileACellIsConnected) {
  const auto store = fresh();
  ASSERT_TRUE(store->assume(ordered, scope));  // x < y
  ASSERT_TRUE(store->assume(positive, scope));
  store->set(cx, 0);
  EXPECT_EQ(store->known(ordered, scope), 1U) << "y is above what x was, so above 1";
  EXPECT_FALSE(store->covers(*fresh()));
}

TEST_F(Symbolic, FloatingPointIsInexact) {
  const auto store = fresh();
  ASSERT_TRUE(store->clone()->assume(half, scope));
  ASSERT_TRUE(store->assume(half, scope));
  EXPECT_TRUE(as_symbolic(*store).inexact());
}

TEST_F(Symbolic, LimitsAreConditions) {
  const auto store = domain.initial();
  store->havoc(cx, 3);
  EXPECT_EQ(store->values(read_x, scope, 3), (std::vector<std::uint64_t>{0, 1, 2}));
}

}  // namespace
}  // namespace heddle::domain
