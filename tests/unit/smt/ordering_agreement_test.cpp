// The ordering theory, the clocks and plain enumeration agree on random problems, with
// every switch of the theory on and off, under assumptions and step by step; and every
// model is right by the definition of the constraints.
#include <gtest/gtest.h>

#include "smt/clock_ordering.hpp"
#include "smt/minisat_ordering.hpp"
#include "unit/smt/ordering_problem.hpp"

namespace heddle::smt {
namespace {

TheoryOptions options_of(std::uint64_t bits) {
  TheoryOptions options;
  options.propagate_edges = (bits & 1) == 0;
  options.propagate_overwritten = (bits & 2) == 0;
  options.propagate_serialization = (bits & 4) == 0;
  options.propagate_sources = (bits & 8) == 0;
  options.probe_interval = (bits & 16) == 0 ? 1 : 0;
  return options;
}

struct Tally {
  int sat = 0;
  int unsat = 0;
  OrderingStatistics statistics{};

  void add(const OrderingStatistics& more) {
    for (const auto counter :
         {&OrderingStatistics::cycles, &OrderingStatistics::derived_edges,
          &OrderingStatistics::implied_edges, &OrderingStatistics::implied_sources,
          &OrderingStatistics::implied_guards, &OrderingStatistics::implied_orders,
          &OrderingStatistics::failed_literals, &OrderingStatistics::hyper_binaries})
      statistics.*counter += more.*counter;
  }
};

void expect_answer(Loaded& loaded, std::size_t stage, SatAnswer expected) {
  const SatAnswer answer = loaded.solve(stage);
  ASSERT_EQ(answer, expected);
  if (answer == SatAnswer::sat) {
    ASSERT_EQ(loaded.model_error(stage), "");
  }
}

TEST(OrderingAgreement, WithEnumeration) {
  std::mt19937_64 random(20240607);
  Tally tally;
  for (std::uint64_t number = 0; number < 6000; ++number) {
    SCOPED_TRACE(number);
    const Problem problem = random_problem(random, {});
    const auto theory = make_theory_ordering(options_of(number % 32));
    const auto all_on = make_theory_ordering();
    const auto clocks = make_clock_ordering();
    Loaded in_theory(problem, *theory);
    Loaded in_all_on(problem, *all_on);
    Loaded in_clocks(problem, *clocks);
    for (std::size_t stage = 0; stage < problem.stages.size(); ++stage) {
      const bool expected = satisfiable(problem, problem.stages[stage], problem.assumptions[stage]);
      ++(expected ? tally.sat : tally.unsat);
      const SatAnswer answer = expected ? SatAnswer::sat : SatAnswer::unsat;
      ASSERT_NO_FATAL_FAILURE(expect_answer(in_theory, stage, answer));
      ASSERT_NO_FATAL_FAILURE(expect_answer(in_all_on, stage, answer));
      ASSERT_NO_FATAL_FAILURE(expect_answer(in_clocks, stage, answer));
    }
  }
  EXPECT_GT(tally.sat, 2000);
  EXPECT_GT(tally.unsat, 2000);
}

TEST(OrderingAgreement, OfTheoryAndClocksOnLargerProblems) {
  std::mt19937_64 random(7);
  const ProblemSize size{.nodes = 16,
                         .cells = 3,
                         .writes = 14,
                         .reads = 12,
                         .sources = 5,
                         .variables = 60,
                         .clauses = 60,
                         .stages = 3};
  Tally tally;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    SCOPED_TRACE(number);
    const Problem problem = random_problem(random, size);
    const auto theory = make_theory_ordering(options_of(number % 32));
    const auto all_on = make_theory_ordering();
    const auto clocks = make_clock_ordering();
    Loaded in_theory(problem, *theory);
    Loaded in_all_on(problem, *all_on);
    Loaded in_clocks(problem, *clocks);
    for (std::size_t stage = 0; stage < problem.stages.size(); ++stage) {
      const SatAnswer answer = in_clocks.solve(stage);
      ASSERT_NE(answer, SatAnswer::out_of_budget);
      ++(answer == SatAnswer::sat ? tally.sat : tally.unsat);
      ASSERT_NO_FATAL_FAILURE(expect_answer(in_theory, stage, answer));
      ASSERT_NO_FATAL_FAILURE(expect_answer(in_all_on, stage, answer));
      if (answer == SatAnswer::sat) {
        ASSERT_EQ(in_clocks.model_error(stage), "");
      }
    }
    tally.add(theory->statistics());
  }
  EXPECT_GT(tally.sat, 300);
  EXPECT_GT(tally.unsat, 300);
  // Everything that the theory can do was done.
  EXPECT_GT(tally.statistics.cycles, 100U);
  EXPECT_GT(tally.statistics.derived_edges, 100U);
  EXPECT_GT(tally.statistics.implied_edges, 100U);
  EXPECT_GT(tally.statistics.implied_sources, 100U);
  EXPECT_GT(tally.statistics.implied_guards, 100U);
  EXPECT_GT(tally.statistics.implied_orders, 100U);
  EXPECT_GT(tally.statistics.failed_literals, 100U);
  EXPECT_GT(tally.statistics.hyper_binaries, 100U);
}

}  // namespace
}  // namespace heddle::smt
