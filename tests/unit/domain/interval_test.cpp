#include "domain/interval.hpp"

#include <gtest/gtest.h>

#include "domain/non_relational.hpp"
#include "unit/domain/small_scope.hpp"

namespace heddle::domain {
namespace {

using ir::Op;
using testing::AllCells;
using testing::cell_of;
using testing::SmallProgram;

const smt::Range& range_of(const Store& store, const Cell& cell) {
  static smt::Range range;
  range = dynamic_cast<const NonRelational<IntervalLattice>&>(store).value(cell).range;
  return range;
}

TEST(IntervalDomain, NarrowsThroughCastsAndSums) {
  SmallProgram p;
  const ir::RegId c = p.var(p.u8);
  const ir::ExprId wide = p.b.cast(p.i32, p.b.reg(c));
  const ir::ExprId condition =
      p.less(p.plus(wide, p.num(p.i32, -10)), p.num(p.i32, 5));  // c - 10 < 5
  const ir::ExprId at_least = p.b.negation(p.less(wide, p.num(p.i32, 3)));
  const ir::Program program = p.finish();
  const auto domain = make_interval(program);
  const auto store = domain->initial();
  const AllCells scope(program);
  store->havoc(cell_of(program, c), 0);
  ASSERT_TRUE(store->assume(condition, scope));
  ASSERT_TRUE(store->assume(at_least, scope));
  EXPECT_EQ(range_of(*store, cell_of(program, c)).low, 3U);
  EXPECT_EQ(range_of(*store, cell_of(program, c)).high, 14U);
}

TEST(IntervalDomain, WhatIsLearntOfACopyIsLearntOfMemory) {
  SmallProgram p;
  const ir::RegId r = p.var(p.i32), s = p.var(p.i32);
  const ir::ExprId condition = p.less(p.b.reg(r), p.num(p.i32, 10));
  const ir::ExprId next = p.plus(p.b.reg(s), p.num(p.i32, 1));
  const ir::ExprId same = p.b.binary(Op::eq, p.b.reg(r), p.b.reg(s));
  const ir::Program program = p.finish();
  const auto domain = make_interval(program);
  const auto store = domain->initial();
  const AllCells scope(program);
  const Cell memory = testing::word(0x1000);
  store->havoc(memory, 0);
  store->load(cell_of(program, r), memory, p.i32, {});
  ASSERT_TRUE(store->assume(condition, scope));
  store->load(cell_of(program, s), memory, p.i32, {});
  EXPECT_EQ(store->known(same, scope), 1U);
  EXPECT_EQ(range_of(*store, memory).signed_high, 9);
  store->store(memory, p.i32, {}, next, scope);
  EXPECT_EQ(range_of(*store, memory).signed_high, 10);
  EXPECT_EQ(range_of(*store, cell_of(program, r)).signed_high, 9);
}

// while (i < 10) i++;
TEST(IntervalDomain, WideningStopsAtTheBoundOfALoop) {
  SmallProgram p;
  const ir::RegId i = p.var(p.i32);
  const ir::ExprId below = p.less(p.b.reg(i), p.num(p.i32, 10)), done = p.b.negation(below);
  const ir::ExprId next = p.plus(p.b.reg(i), p.num(p.i32, 1));
  const ir::Program program = p.finish();
  const auto domain = make_interval(program);
  const AllCells scope(program);
  const Cell cell = cell_of(program, i);
  auto head = domain->initial();
  head->set(cell, 0);
  for (int round = 0;; ++round) {
    ASSERT_LT(round, 20);
    auto body = head->clone();
    ASSERT_TRUE(body->assume(below, scope));
    body->assign(cell, next, scope);
    if (head->covers(*body)) break;
    body->join(*head);
    head->widen(*body);
  }
  ASSERT_TRUE(head->assume(done, scope));
  EXPECT_EQ(head->known(cell), 10U);
}

TEST(IntervalDomain, FollowsBothArmsOfAnOr) {
  SmallProgram p;
  const ir::RegId x = p.var(p.u32);
  const ir::ExprId outside =
      p.b.select(p.less(p.b.reg(x), p.num(p.u32, 5)), p.num(p.b.bool_type(), 1),
                 p.b.select(p.less(p.num(p.u32, 90), p.b.reg(x)),
                            p.less(p.b.reg(x), p.num(p.u32, 100)), p.num(p.b.bool_type(), 0)));
  const ir::Program program = p.finish();
  const auto domain = make_interval(program);
  const auto store = domain->initial();
  store->havoc(cell_of(program, x), 0);
  ASSERT_TRUE(store->assume(outside, AllCells(program)));
  EXPECT_EQ(range_of(*store, cell_of(program, x)).low, 0U);
  EXPECT_EQ(range_of(*store, cell_of(program, x)).high, 99U);
}

TEST(IntervalDomain, ListsFewValuesAcrossZero) {
  SmallProgram p;
  const ir::RegId x = p.var(p.i8);
  const ir::ExprId low = p.less(p.num(p.i8, -3), p.b.reg(x)),
                   high = p.less(p.b.reg(x), p.num(p.i8, 2));
  const ir::ExprId read = p.b.reg(x);
  const ir::Program program = p.finish();
  const auto domain = make_interval(program);
  const auto store = domain->initial();
  const AllCells scope(program);
  store->havoc(cell_of(program, x), 0);
  ASSERT_TRUE(store->assume(low, scope));
  ASSERT_TRUE(store->assume(high, scope));
  EXPECT_EQ(store->values(read, scope, 4), (std::vector<std::uint64_t>{0, 1, 254, 255}));
  EXPECT_EQ(store->values(read, scope, 3), std::nullopt);
  ASSERT_TRUE(store->assume(Equality::different, std::uint64_t{254}, read, scope));
  EXPECT_EQ(store->values(read, scope, 4), (std::vector<std::uint64_t>{0, 1, 255}));
  EXPECT_FALSE(store->assume(Equality::equal, std::uint64_t{2}, read, scope));
}

}  // namespace
}  // namespace heddle::domain
