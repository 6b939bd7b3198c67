// Folding and dead code: what goes, and what must stay.
#include <gtest/gtest.h>

#include "passes/dead_code.hpp"
#include "passes/fold.hpp"
#include "passes/pipeline.hpp"
#include "tiny.hpp"

namespace heddle::passes {
namespace {

using namespace ir;
using Texts = std::vector<std::string>;

TEST(Fold, PutsConstantsAndCopiesIntoExpressions) {
  Tiny t;
  const ExprId g = t.global("g", t.int_type);
  const RegId x = t.reg("x", t.int_type), y = t.reg("y", t.int_type), z = t.reg("z", t.int_type);
  t.then(Assign{x, t.number(4)});
  t.then(Load{y, g});
  t.then(Assign{z, t.b.reg(y)});
  t.then(Store{g, t.b.binary(Op::add, t.b.reg(x), t.b.binary(Op::mul, t.b.reg(z), t.b.reg(x)))});
  t.then(Return{});
  EXPECT_EQ(statements(simplify(t.finish()), t.main),
            (Texts{"y = load g", "store g = 4 + y * 4", "return"}));
}

TEST(Fold, ForgetsACopyWhenItsSourceChanges) {
  Tiny t;
  const ExprId g = t.global("g", t.int_type);
  const RegId x = t.reg("x", t.int_type), old = t.reg("old", t.int_type);
  t.then(Load{x, g});
  t.then(Assign{old, t.b.reg(x)});
  t.then(Assign{x, t.b.binary(Op::add, t.b.reg(x), t.number(1))});
  t.then(Store{g, t.b.reg(old)});
  t.then(Store{g, t.b.reg(x)});
  t.then(Return{});
  EXPECT_EQ(
      statements(simplify(t.finish()), t.main),
      (Texts{"x = load g", "old = x", "x = x + 1", "store g = old", "store g = x", "return"}));
}

// x is 0 before a loop that counts it up: it is not constant at the loop's head.
TEST(Fold, JoinsWhatLoopsChange) {
  Tiny t;
  const ExprId g = t.global("g", t.int_type);
  const RegId x = t.reg("x", t.int_type);
  t.then(Assign{x, t.number(0)});
  const LocId head = t.at;
  const ExprId more = t.b.binary(Op::lt, t.b.reg(x), t.number(3));
  t.then(Assume{more});
  t.b.add_edge(t.at, head, Assign{x, t.b.binary(Op::add, t.b.reg(x), t.number(1))}, {});
  t.at = t.b.add_location(t.main);
  t.b.add_edge(head, t.at, Assume{t.b.negation(more)}, {});
  t.then(Store{g, t.b.reg(x)});
  t.then(Return{});
  EXPECT_EQ(
      statements(simplify(t.finish()), t.main),
      (Texts{"x = 0", "assume x < 3", "assume 3 <= x", "x = x + 1", "store g = x", "return"}));
}

TEST(Fold, RemovesBranchesThatCannotBeTaken) {
  Tiny t;
  const ExprId g = t.global("g", t.int_type);
  const RegId x = t.reg("x", t.int_type);
  t.then(Assign{x, t.number(1)});
  const LocId branch = t.at;
  const ExprId zero = t.b.binary(Op::eq, t.b.reg(x), t.number(0));
  t.then(Assume{zero});
  t.then(Store{g, t.number(1)});
  t.then(Return{});
  t.at = t.b.add_location(t.main);
  t.b.add_edge(branch, t.at, Assume{t.b.negation(zero)}, {});
  t.then(Store{g, t.number(2)});
  t.then(Return{});
  EXPECT_EQ(statements(simplify(t.finish()), t.main), (Texts{"store g = 2", "return"}));
}

TEST(Fold, KeepsAnAssumptionThatNeverHolds) {
  Tiny t;
  const ExprId g = t.global("g", t.int_type);
  t.then(Assume{t.b.constant(t.b.bool_type(), 0)});
  t.then(Store{g, t.number(2)});
  t.then(Return{});
  EXPECT_EQ(statements(simplify(t.finish()), t.main), (Texts{"assume 0"}));
}

TEST(Fold, ReadsAnAwaitedValueAsTheNewOne) {
  Tiny t;
  const ExprId g = t.global("g", t.int_type);
  const RegId x = t.reg("x", t.int_type);
  t.then(Assign{x, t.number(7)});
  t.then(Await{x, g, t.b.binary(Op::eq, t.b.reg(x), t.number(0))});
  t.then(Return{});
  EXPECT_EQ(statements(simplify(t.finish()), t.main),
            (Texts{"x = await g until x == 0 [seq_cst]", "return"}));
}

TEST(DeadCode, DropsAHavocThatIsOverwrittenButKeepsLoads) {
  Tiny t;
  const ExprId g = t.global("g", t.int_type);
  const RegId x = t.reg("x", t.int_type), y = t.reg("y", t.int_type);
  t.then(Havoc{x});
  t.then(Load{y, g});
  t.then(Load{x, g});
  t.then(Store{g, t.b.reg(x)});
  t.then(Return{});
  EXPECT_EQ(statements(remove_dead_code(t.finish()), t.main),
            (Texts{"y = load g", "x = load g", "store g = x", "return"}));
}

TEST(DeadCode, KeepsAHavocThatSomePathReads) {
  Tiny t;
  const ExprId g = t.global("g", t.int_type);
  const RegId x = t.reg("x", t.int_type), c = t.reg("c", t.int_type);
  t.then(Havoc{x});
  t.then(Load{c, g});
  const LocId branch = t.at;
  const ExprId zero = t.b.binary(Op::eq, t.b.reg(c), t.number(0));
  t.then(Assume{zero});
  t.then(Assign{x, t.number(1)});
  const LocId join = t.at;
  t.b.add_edge(branch, join, Assume{t.b.negation(zero)}, {});
  t.then(Store{g, t.b.reg(x)});
  t.then(Return{});
  const Texts texts = statements(remove_dead_code(t.finish()), t.main);
  EXPECT_EQ(texts.front(), "x = any value");
  EXPECT_EQ(texts.size(), 7u);
}

TEST(DeadCode, MergesArmsThatDoTheSameAndKeepsEndlessLoops) {
  Tiny t;
  const RegId x = t.reg("x", t.int_type);
  t.then(Havoc{x});
  const LocId branch = t.at;
  const ExprId zero = t.b.binary(Op::eq, t.b.reg(x), t.number(0));
  t.then(Assume{zero});
  t.b.add_edge(branch, t.at, Assume{t.b.negation(zero)}, {});
  t.b.add_edge(t.at, t.at, Skip{}, {});
  const Program program = remove_dead_code(t.finish());
  EXPECT_EQ(statements(program, t.main), (Texts{"skip"}));
  const LocId entry = program.function(t.main).entry;
  EXPECT_EQ(program.edge(program.out(entry)[0]).to, entry);
}

TEST(DeadCode, EmptiesFunctionsThatNothingRefersTo) {
  Tiny t;
  const FunId used = t.function("used", {}), unused = t.function("unused", {});
  t.then(Call{t.b.function_address(used), {}, {}});
  t.then(Return{});
  t.into(used);
  t.then(Return{});
  t.into(unused);
  t.then(Return{});
  const Program program = remove_dead_code(t.finish());
  EXPECT_EQ(statements(program, used), (Texts{"return"}));
  EXPECT_EQ(statements(program, unused), Texts{});
}

}  // namespace
}  // namespace heddle::passes
