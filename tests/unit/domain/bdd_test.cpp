#include "domain/bdd.hpp"

#include <gtest/gtest.h>

#include "unit/domain/small_scope.hpp"

namespace heddle::domain {
namespace {

using ir::Op;
using testing::AllCells;
using testing::cell_of;
using testing::SmallProgram;

TEST(BddDomain, RemembersWhichValuesGoTogether) {
  SmallProgram p;
  const ir::RegId flag = p.var(p.b.bool_type()), count = p.var(p.i32);
  const ir::ExprId set = p.b.reg(flag);
  const ir::ExprId value = p.b.select(set, p.num(p.i32, 3), p.num(p.i32, -1));
  const ir::ExprId read = p.b.reg(count);
  const ir::ExprId is_three = p.b.binary(Op::eq, read, p.num(p.i32, 3));
  const ir::Program program = p.finish();
  const auto domain = make_bdd(program);
  const auto store = domain->initial();
  const AllCells scope(program);
  store->havoc(cell_of(program, flag), 0);
  store->assign(cell_of(program, count), value, scope);
  EXPECT_EQ(store->values(read, scope, 8), (std::vector<std::uint64_t>{3, 0xffffffff}));
  const auto other = store->clone();
  ASSERT_TRUE(store->assume(is_three, scope));
  EXPECT_EQ(store->known(set, scope), 1U);
  ASSERT_TRUE(other->assume(Equality::different, cell_of(program, flag), is_three, scope) == false);
}

TEST(BddDomain, JoinIsExact) {
  SmallProgram p;
  const ir::RegId x = p.var(p.i32), y = p.var(p.u8);
  const ir::ExprId read = p.b.reg(x), other = p.b.reg(y);
  const ir::ExprId sum = p.plus(read, p.b.cast(p.i32, other));
  const ir::Program program = p.finish();
  const auto domain = make_bdd(program);
  const AllCells scope(program);
  auto joined = domain->initial();
  joined->set(cell_of(program, x), 1);
  joined->set(cell_of(program, y), 9);
  for (const std::uint64_t value : {2, 3, 7}) {
    auto one = domain->initial();
    one->set(cell_of(program, x), value);
    one->set(cell_of(program, y), 10 - value);
    EXPECT_FALSE(joined->covers(*one));
    joined->join(*one);
    EXPECT_TRUE(joined->covers(*one));
  }
  EXPECT_EQ(joined->values(read, scope, 8), (std::vector<std::uint64_t>{1, 2, 3, 7}));
  EXPECT_EQ(joined->known(sum, scope), 10U);
  // A value far from zero is not related to others any more.
  auto far = domain->initial();
  far->set(cell_of(program, x), 100000);
  far->set(cell_of(program, y), 0);
  EXPECT_EQ(far->known(cell_of(program, x)), std::nullopt);
  joined->join(*far);
  EXPECT_EQ(joined->values(read, scope, 8), std::nullopt);
  EXPECT_EQ(joined->values(other, scope, 8), (std::vector<std::uint64_t>{0, 3, 7, 8, 9}));
}

}  // namespace
}  // namespace heddle::domain
