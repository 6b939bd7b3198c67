// Horn clauses with and without a solution. What comes back is not taken on trust: every clause
// is tried on small numbers under the solution.
#include "smt/horn.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

namespace heddle::smt {
namespace {

using Values = std::map<Integer, Wide>;

Wide evaluate(const Integers& integers, Integer id, const Values& values) {
  const IntegerNode& node = integers.node(id);
  const auto arg = [&](std::size_t i) { return evaluate(integers, node.args[i], values); };
  const auto floor_mod = [](Wide a, Wide b) { return ((a % b) + b) % b; };
  switch (node.op) {
    case IntegerOp::constant:
      return node.payload;
    case IntegerOp::variable:
      return values.at(id);
    case IntegerOp::add:
      return arg(0) + arg(1);
    case IntegerOp::scale:
      return arg(0) * node.payload;
    case IntegerOp::quotient:
      return (arg(0) - floor_mod(arg(0), node.payload)) / node.payload;
    case IntegerOp::remainder:
      return floor_mod(arg(0), node.payload);
    case IntegerOp::choose:
      return arg(0) != 0 ? arg(1) : arg(2);
    case IntegerOp::yes:
      return 1;
    case IntegerOp::no:
      return 0;
    case IntegerOp::negation:
      return arg(0) == 0;
    case IntegerOp::both:
      return arg(0) != 0 && arg(1) != 0;
    case IntegerOp::either:
      return arg(0) != 0 || arg(1) != 0;
    case IntegerOp::at_most:
      return arg(0) <= arg(1);
    case IntegerOp::equal:
      return arg(0) == arg(1);
  }
  return 0;
}

// One loop over two counters.
struct Loop {
  Integers z{};
  HornSystem system{};
  Predicate at = system.add_predicate(2);
  Integer x = z.variable(), y = z.variable();

  Application now() const { return {at, {x, y}}; }
  void starts(Wide a, Wide b) {
    system.add_clause({{}, z.yes(), Application{at, {z.constant(a), z.constant(b)}}});
  }
  void moves(Integer guard, Integer next_x, Integer next_y) {
    system.add_clause({now(), guard, Application{at, {next_x, next_y}}});
  }
  void never(Integer bad) { system.add_clause({now(), bad, {}}); }
  Integer plus(Integer a, Wide b) { return z.add(a, z.constant(b)); }

  bool holds(const HornResult& result, const Application& application, const Values& values) {
    Values inner;
    for (std::size_t i = 0; i < application.arguments.size(); ++i)
      inner[result.formals[application.predicate.number][i]] =
          evaluate(z, application.arguments[i], values);
    return evaluate(z, result.solution[application.predicate.number], inner) != 0;
  }
  void expect_solution(const HornResult& result) {
    ASSERT_EQ(result.answer, HornResult::Answer::solved) << result.reason;
    for (Wide a = -4; a <= 12; ++a)
      for (Wide b = -4; b <= 12; ++b) {
        const Values values{{x, a}, {y, b}};
        for (const HornClause& clause : system.clauses()) {
          if (clause.body && !holds(result, *clause.body, values)) continue;
          if (evaluate(z, clause.constraint, values) == 0) continue;
          EXPECT_TRUE(clause.head && holds(result, *clause.head, values))
              << static_cast<int>(a) << ' ' << static_cast<int>(b);
        }
      }
  }
};

TEST(Horn, FindsThatTwoCountersStayEqual) {
  Loop loop;
  loop.starts(0, 0);
  loop.moves(loop.z.yes(), loop.plus(loop.x, 1), loop.plus(loop.y, 1));
  loop.never(loop.z.negation(loop.z.equal(loop.x, loop.y)));
  loop.expect_solution(solve(loop.z, loop.system, {}));
}

TEST(Horn, FindsABoundAndAParity) {
  Loop loop;
  loop.starts(0, 0);
  loop.moves(loop.z.less(loop.x, loop.z.constant(10)), loop.plus(loop.x, 2), loop.y);
  loop.never(loop.z.less(loop.z.constant(11), loop.x));
  loop.never(loop.z.equal(loop.z.remainder(loop.x, 2), loop.z.constant(1)));
  loop.expect_solution(solve(loop.z, loop.system, {}));
}

TEST(Horn, UnderstandsChoices) {
  Loop loop;
  loop.starts(0, 5);
  const Integer small = loop.z.at_most(loop.x, loop.z.constant(6));
  loop.moves(loop.z.yes(), loop.z.choose(small, loop.plus(loop.x, 1), loop.z.constant(0)),
             loop.z.choose(small, loop.y, loop.z.scale(loop.y, 1)));
  loop.never(loop.z.less(loop.z.constant(7), loop.x));
  loop.never(loop.z.negation(loop.z.equal(loop.y, loop.z.constant(5))));
  loop.expect_solution(solve(loop.z, loop.system, {}));
}

TEST(Horn, SaysThatThereIsNoSolution) {
  Loop loop;
  loop.starts(0, 0);
  loop.moves(loop.z.yes(), loop.plus(loop.x, 1), loop.y);
  loop.never(loop.z.equal(loop.x, loop.z.constant(3)));
  EXPECT_EQ(solve(loop.z, loop.system, {}).answer, HornResult::Answer::refuted);
}

TEST(Horn, PredicatesWithoutArguments) {
  Integers z;
  HornSystem system;
  const Predicate first = system.add_predicate(0), second = system.add_predicate(0);
  system.add_clause({{}, z.yes(), Application{first, {}}});
  system.add_clause({Application{second, {}}, z.yes(), {}});
  const HornResult result = solve(z, system, {});
  ASSERT_EQ(result.answer, HornResult::Answer::solved) << result.reason;
  EXPECT_TRUE(z.is_no(result.solution[1]));
  system.add_clause({Application{first, {}}, z.yes(), Application{second, {}}});
  EXPECT_EQ(solve(z, system, {}).answer, HornResult::Answer::refuted);
}

TEST(Horn, StopsWhenTheTimeIsUp) {
  Loop loop;  // no linear invariant tells these apart: the proof would go on for ever
  loop.starts(1, 1);
  loop.moves(loop.z.yes(), loop.z.add(loop.x, loop.y), loop.z.add(loop.x, loop.z.scale(loop.y, 2)));
  loop.never(loop.z.equal(loop.x, loop.z.scale(loop.y, 3)));
  const base::Budget budget(std::chrono::milliseconds(200), UINT64_MAX);
  const HornResult result = solve(loop.z, loop.system, budget);
  EXPECT_TRUE(result.answer == HornResult::Answer::solved ||
              result.answer == HornResult::Answer::out_of_budget)
      << result.reason;
  EXPECT_LT(budget.elapsed_seconds(), 30);
}

TEST(Horn, AnswersTheSameAgain) {
  const auto shape = [] {
    Loop loop;
    loop.starts(0, 3);
    loop.moves(loop.z.less(loop.x, loop.z.constant(100)), loop.plus(loop.x, 1),
               loop.plus(loop.y, 1));
    loop.never(loop.z.less(loop.y, loop.x));
    const HornResult result = solve(loop.z, loop.system, {});
    EXPECT_EQ(result.answer, HornResult::Answer::solved);
    return result.solution.empty() ? Integer{} : result.solution[0];
  };
  EXPECT_EQ(shape(), shape());
}

}  // namespace
}  // namespace heddle::smt
