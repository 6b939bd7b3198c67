// What the ordering interface promises, on both implementations; and plain SAT.
#include "smt/ordering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "base/check.hpp"
#include "smt/cadical.hpp"
#include "smt/clock_ordering.hpp"
#include "smt/minisat_ordering.hpp"

namespace heddle::smt {
namespace {

enum class Kind { theory, clocks };

class OrderingTest : public testing::TestWithParam<Kind> {
 protected:
  SatAnswer solve(std::vector<Lit> assumptions = {}) {
    return solver->solve(assumptions, base::Budget());
  }
  std::size_t place(Node node) const {
    const std::vector<Node> order = solver->order();
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), node) - order.begin());
  }

  std::unique_ptr<Ordering> solver =
      GetParam() == Kind::theory ? make_theory_ordering() : make_clock_ordering();
};

INSTANTIATE_TEST_SUITE_P(Both, OrderingTest, testing::Values(Kind::theory, Kind::clocks),
                         [](const auto& tested) {
                           return tested.param == Kind::theory ? "theory" : "clocks";
                         });

TEST_P(OrderingTest, UnconditionalOrdersDecideLiterals) {
  const Node first = solver->add_node();
  const Node second = solver->add_node();
  const Node third = solver->add_node();
  const Node free = solver->add_node();
  solver->add_order(first, second);
  solver->add_order(second, third);
  EXPECT_TRUE(solver->surely_before(first, third));
  EXPECT_FALSE(solver->surely_before(third, first));
  EXPECT_FALSE(solver->surely_before(first, first));
  EXPECT_EQ(solver->before(first, third), solver->yes());
  EXPECT_EQ(solver->before(third, first), solver->no());
  const Lit order = solver->before(first, free);
  EXPECT_FALSE(solver->constant(order));
  EXPECT_EQ(solver->before(first, free), order);
  EXPECT_EQ(solver->before(free, first), ~order);
}

TEST_P(OrderingTest, OrderFollowsTheLiterals) {
  const Node first = solver->add_node();
  const Node second = solver->add_node();
  const Lit order = solver->before(first, second);
  ASSERT_EQ(solve({order}), SatAnswer::sat);
  EXPECT_LT(place(first), place(second));
  ASSERT_EQ(solve({~order}), SatAnswer::sat);
  EXPECT_GT(place(first), place(second));
}

TEST_P(OrderingTest, ACycleIsRefusedOnlyWhileItsLiteralsAreTrue) {
  std::vector<Node> nodes;
  std::vector<Lit> when;
  for (int count = 0; count < 5; ++count) nodes.push_back(solver->add_node());
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    when.push_back(solver->fresh());
    solver->add_order_if(when[at], nodes[at], nodes[(at + 1) % nodes.size()]);
  }
  EXPECT_EQ(solve(when), SatAnswer::unsat);
  EXPECT_EQ(solve({when[0], when[1], when[2], when[3]}), SatAnswer::sat);
  EXPECT_FALSE(solver->value(when[4]));
  solver->add_clause({when[4]});
  EXPECT_EQ(solve({when[0], when[1], when[2], when[3]}), SatAnswer::unsat);
  EXPECT_EQ(solve(), SatAnswer::sat);
}

TEST_P(OrderingTest, ANodeIsNeverBeforeItself) {
  const Node node = solver->add_node();
  const Lit when = solver->fresh();
  solver->add_order_if(when, node, node);
  EXPECT_EQ(solve({when}), SatAnswer::unsat);
  EXPECT_EQ(solve(), SatAnswer::sat);
}

TEST_P(OrderingTest, AReadSeesTheLastWrite) {
  const Node first = solver->add_node();
  const Node second = solver->add_node();
  const Node read = solver->add_node();
  solver->add_order(first, second);
  solver->add_order(second, read);
  const Cell cell = solver->add_cell();
  const Lit guard = solver->fresh();
  const Write early = solver->add_write(cell, first, solver->yes());
  const Write late = solver->add_write(cell, second, guard);
  const std::vector<Source> sources{{early, solver->fresh()}, {late, solver->fresh()}};
  solver->add_clause({sources[0].chosen, sources[1].chosen});
  solver->add_clause({~sources[1].chosen, guard});
  solver->add_read(cell, read, sources);
  ASSERT_EQ(solve({guard}), SatAnswer::sat);
  EXPECT_TRUE(solver->value(sources[1].chosen));
  EXPECT_FALSE(solver->value(sources[0].chosen));
  ASSERT_EQ(solve({~guard}), SatAnswer::sat);
  EXPECT_TRUE(solver->value(sources[0].chosen));
  EXPECT_EQ(solve({guard, sources[0].chosen}), SatAnswer::unsat);
}

// Two nodes that each read and then write: as an atomic increment or a lock.
TEST_P(OrderingTest, TwoAtomicUpdatesNeverReadTheSameWrite) {
  const Node start = solver->add_node();
  const Node left = solver->add_node();
  const Node right = solver->add_node();
  solver->add_order(start, left);
  solver->add_order(start, right);
  const Cell cell = solver->add_cell();
  const Write initial = solver->add_write(cell, start, solver->yes());
  const Write by_left = solver->add_write(cell, left, solver->yes());
  const Write by_right = solver->add_write(cell, right, solver->yes());
  const std::vector<Source> of_left{{initial, solver->fresh()}, {by_right, solver->fresh()}};
  const std::vector<Source> of_right{{initial, solver->fresh()}, {by_left, solver->fresh()}};
  solver->add_clause({of_left[0].chosen, of_left[1].chosen});
  solver->add_clause({of_right[0].chosen, of_right[1].chosen});
  solver->add_read(cell, left, of_left);
  solver->add_read(cell, right, of_right);
  EXPECT_EQ(solve({of_left[0].chosen, of_right[0].chosen}), SatAnswer::unsat);
  EXPECT_EQ(solve({of_left[1].chosen, of_right[1].chosen}), SatAnswer::unsat);
  ASSERT_EQ(solve({of_left[0].chosen}), SatAnswer::sat);
  EXPECT_TRUE(solver->value(of_right[1].chosen));
  EXPECT_LT(place(left), place(right));
}

TEST_P(OrderingTest, WritesAddedLaterCount) {
  const Node write = solver->add_node();
  const Node between = solver->add_node();
  const Node read = solver->add_node();
  solver->add_order(write, between);
  solver->add_order(between, read);
  const Cell cell = solver->add_cell();
  const std::vector<Source> sources{{solver->add_write(cell, write, solver->yes()), solver->yes()}};
  solver->add_read(cell, read, sources);
  EXPECT_EQ(solve(), SatAnswer::sat);
  const Lit guard = solver->fresh();
  solver->add_write(cell, between, guard);
  EXPECT_EQ(solve({guard}), SatAnswer::unsat);
  EXPECT_EQ(solve(), SatAnswer::sat);
}

TEST_P(OrderingTest, MisuseIsAnInternalError) {
  const Node first = solver->add_node();
  const Node second = solver->add_node();
  solver->add_order(first, second);
  solver->add_order(second, first);
  EXPECT_THROW(solver->surely_before(first, second), base::InternalError);
}

TEST_P(OrderingTest, NodesComeFirst) {
  solver->add_node();
  EXPECT_EQ(solve(), SatAnswer::sat);
  EXPECT_THROW(solver->add_node(), base::InternalError);
}

// More pigeons than holes: too hard for a moment.
void add_pigeons(Sat& sat, std::size_t holes) {
  std::vector<std::vector<Lit>> in(holes + 1, std::vector<Lit>(holes));
  for (auto& row : in)
    for (Lit& literal : row) literal = sat.fresh();
  for (const auto& row : in) sat.add_clause(row);
  for (std::size_t hole = 0; hole < holes; ++hole)
    for (std::size_t one = 0; one <= holes; ++one)
      for (std::size_t other = 0; other < one; ++other)
        sat.add_clause({~in[one][hole], ~in[other][hole]});
}

TEST_P(OrderingTest, StopsWhenTheBudgetIsSpent) {
  add_pigeons(*solver, 14);
  const base::Budget budget(std::chrono::milliseconds(50), UINT64_MAX);
  EXPECT_EQ(solver->solve({}, budget), SatAnswer::out_of_budget);
  // Nothing is lost: what is easy is still answered.
  EXPECT_EQ(solve({solver->no()}), SatAnswer::unsat);
}

TEST_P(OrderingTest, SolvesPlainProblemsToTheEnd) {
  add_pigeons(*solver, 6);
  EXPECT_EQ(solve(), SatAnswer::unsat);
  EXPECT_EQ(solve(), SatAnswer::unsat);
}

TEST(Cadical, AnswersUnderAssumptionsAndAfterMoreClauses) {
  const auto sat = make_cadical();
  const Lit first = sat->fresh();
  const Lit second = sat->fresh();
  const Lit unused = sat->fresh();
  sat->add_clause({first, second});
  const std::vector<Lit> assumptions{~first};
  ASSERT_EQ(sat->solve(assumptions, base::Budget()), SatAnswer::sat);
  EXPECT_TRUE(sat->value(second));
  EXPECT_TRUE(sat->value(sat->yes()));
  EXPECT_NE(sat->value(unused), sat->value(~unused));
  sat->add_clause({~second});
  EXPECT_EQ(sat->solve(assumptions, base::Budget()), SatAnswer::unsat);
  ASSERT_EQ(sat->solve({}, base::Budget()), SatAnswer::sat);
  EXPECT_TRUE(sat->value(first));
  const base::Budget spent(std::chrono::milliseconds(0), UINT64_MAX);
  EXPECT_EQ(sat->solve({}, spent), SatAnswer::out_of_budget);
}

}  // namespace
}  // namespace heddle::smt
