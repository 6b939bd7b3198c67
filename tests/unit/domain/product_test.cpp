#include "domain/product.hpp"

#include <gtest/gtest.h>

#include "domain/bdd.hpp"
#include "domain/interval.hpp"
#include "domain/value.hpp"
#include "unit/domain/small_scope.hpp"

namespace heddle::domain {
namespace {

using testing::AllCells;
using testing::cell_of;
using testing::SmallProgram;

TEST(ProductDomain, WhatOnePartKnowsTheOthersLearn) {
  SmallProgram p;
  const ir::RegId x = p.var(p.i32);
  const ir::ExprId read = p.b.reg(x);
  const ir::ExprId low = p.less(read, p.num(p.i32, 6)), high = p.less(p.num(p.i32, 4), read);
  const ir::Program program = p.finish();
  std::vector<std::unique_ptr<Domain>> parts;
  parts.push_back(make_value(program));
  parts.push_back(make_interval(program));
  const auto domain = make_product(program, std::move(parts));
  EXPECT_EQ(domain->name(), "value+interval");
  EXPECT_EQ(domain->merge(), Merge::separate);
  const auto store = domain->initial();
  const AllCells scope(program);
  const Cell cell = cell_of(program, x);
  store->havoc(cell, 0);
  ASSERT_TRUE(store->assume(low, scope));
  EXPECT_EQ(store->known(cell), std::nullopt);
  ASSERT_TRUE(store->assume(high, scope));
  const auto& both = dynamic_cast<const ProductStore&>(*store);
  EXPECT_EQ(both.part(1).known(cell), 5U);
  EXPECT_EQ(both.part(0).known(cell), 5U) << "the value domain cannot see this alone";
}

TEST(ProductDomain, AValueMustBePossibleForAllParts) {
  SmallProgram p;
  const ir::RegId x = p.var(p.u8);
  const ir::ExprId read = p.b.reg(x);
  const ir::ExprId small = p.less(read, p.num(p.u8, 4));
  const ir::ExprId odd =
      p.b.cast(p.b.bool_type(), p.b.binary(ir::Op::bit_and, read, p.num(p.u8, 1)));
  const ir::Program program = p.finish();
  std::vector<std::unique_ptr<Domain>> parts;
  parts.push_back(make_interval(program));
  parts.push_back(make_bdd(program));
  const auto domain = make_product(program, std::move(parts));
  EXPECT_EQ(domain->merge(), Merge::join);
  const auto store = domain->initial();
  const AllCells scope(program);
  store->havoc(cell_of(program, x), 0);
  ASSERT_TRUE(store->assume(small, scope));
  ASSERT_TRUE(store->assume(odd, scope));
  EXPECT_EQ(store->values(read, scope, 4), (std::vector<std::uint64_t>{1, 3}));
}

}  // namespace
}  // namespace heddle::domain
