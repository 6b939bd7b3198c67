// The oracle finds what is there, knows when it has not seen everything, and its
// traces are shortest.
#include "machine/oracle.hpp"

#include <gtest/gtest.h>

#include "unit/machine/program_maker.hpp"

namespace heddle::testing {
namespace {

ir::Program input_program(std::uint64_t limit, std::uint64_t bad) {
  Maker m;
  const auto f = m.function("main");
  const auto x = m.var(f, "x");
  m.then(f, ir::Havoc{x, limit});
  m.assert_that(f, m.ne(x, bad));
  return std::move(m).finish(f);
}

TEST(Oracle, TriesEveryValueOfASmallInput) {
  EXPECT_TRUE(machine::ask_oracle(input_program(4, 4), {{Check::assertion}}).safe());
  const auto answer = machine::ask_oracle(input_program(4, 3), {{Check::assertion}});
  EXPECT_TRUE(answer.complete);
  ASSERT_TRUE(answer.violated.contains(Check::assertion));
  EXPECT_EQ(answer.violated.at(Check::assertion).trace.steps[0].input, 3U);
}

TEST(Oracle, LargeInputsAreIncomplete) {
  const auto missed = machine::ask_oracle(input_program(0, 12345), {{Check::assertion}});
  EXPECT_FALSE(missed.complete);
  EXPECT_TRUE(missed.violated.empty());
  machine::OracleOptions options;
  options.candidates = {12345};
  const auto found = machine::ask_oracle(input_program(0, 12345), {{Check::assertion}}, options);
  EXPECT_TRUE(found.violated.contains(Check::assertion));
}

TEST(Oracle, ACutIsIncomplete) {
  Maker m;
  const auto f = m.function("main");
  m.then(f, ir::Unsupported{"asm"});
  const auto answer = machine::ask_oracle(std::move(m).finish(f), everything());
  EXPECT_FALSE(answer.complete);
  EXPECT_FALSE(answer.safe());
}

TEST(Oracle, StopsAtItsLimit) {
  Maker m;
  const auto f = m.function("main");
  const auto x = m.var(f, "x");
  m.edge(m.here[f], m.here[f], ir::Assign{x, m.plus(x, 1)});
  const ir::Program p = std::move(m).finish(f);
  machine::OracleOptions options;
  options.most_states = 100;
  const auto answer = machine::ask_oracle(p, everything(), options);
  EXPECT_FALSE(answer.complete);
  EXPECT_EQ(answer.states, 100U);
}

TEST(Oracle, FindsSeveralViolationsUnlessAskedForOne) {
  Maker m;
  const auto f = m.function("main");
  m.then(f, ir::Fail{ir::FailKind::assertion, "first"});
  m.then(f, ir::Skip{});
  m.then(f, ir::Fail{ir::FailKind::error_call, "second"});
  const ir::Program p = std::move(m).finish(f);
  const auto all = machine::ask_oracle(p, everything());
  EXPECT_EQ(all.violated.size(), 2U);
  EXPECT_EQ(all.violated.at(Check::assertion).trace.steps.size(), 1U);
  EXPECT_EQ(all.violated.at(Check::error_call).trace.steps.size(), 3U);
  machine::OracleOptions options;
  options.goal = machine::OracleGoal::first_violation;
  EXPECT_EQ(machine::ask_oracle(p, everything(), options).violated.size(), 1U);
}

// n threads of k private steps each: every combination of positions is a state of its own.
TEST(Oracle, ReducesNothing) {
  Maker m;
  const auto child = m.routine("child");
  const auto x = m.var(child, "x");
  for (int i = 1; i <= 3; ++i) m.then(child, ir::Assign{x, m.num(i)});
  m.edge(m.here[child], m.here[child], ir::Skip{});
  const auto f = m.function("main");
  m.spawn(f, child);
  m.spawn(f, child);
  m.edge(m.here[f], m.here[f], ir::Skip{});
  const auto answer = machine::ask_oracle(std::move(m).finish(f), everything());
  EXPECT_TRUE(answer.safe());
  EXPECT_EQ(answer.states, 1U + 4U + 16U);  // before, between and after the two spawns
}

}  // namespace
}  // namespace heddle::testing
