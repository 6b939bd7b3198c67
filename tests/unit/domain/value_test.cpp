#include "domain/value.hpp"

#include <gtest/gtest.h>

#include "unit/domain/small_scope.hpp"

namespace heddle::domain {
namespace {

using ir::Op;
using testing::AllCells;
using testing::cell_of;
using testing::SmallProgram;

TEST(ValueDomain, LearnsEqualities) {
  SmallProgram p;
  const ir::RegId r = p.var(p.i32);
  const ir::ExprId is_seven =
      p.b.binary(Op::eq, p.plus(p.b.reg(r), p.num(p.i32, 2)), p.num(p.i32, 9));
  const ir::Program program = p.finish();
  const auto domain = make_value(program);
  const auto store = domain->initial();
  const AllCells scope(program);
  const Cell memory = testing::word(0x1000);
  store->havoc(memory, 0);
  store->load(cell_of(program, r), memory, p.i32, {});
  EXPECT_EQ(store->known(memory), std::nullopt);
  ASSERT_TRUE(store->assume(is_seven, scope));
  EXPECT_EQ(store->known(memory), 7U);
}

}  // namespace
}  // namespace heddle::domain
