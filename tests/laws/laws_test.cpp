// Every domain is a lattice of over-approximations: it keeps what the machine can do, and
// covers, join and widen behave as an order, its upper bound, and an end of every chain.
#include <gtest/gtest.h>

#include <functional>

#include "domain/bdd.hpp"
#include "domain/interval.hpp"
#include "domain/product.hpp"
#include "domain/symbolic.hpp"
#include "domain/value.hpp"
#include "laws/parity.hpp"
#include "laws/walk.hpp"

namespace heddle::laws {
namespace {

using domain::Domain;
using domain::Store;

// Whether join is the least upper bound, and what covers each other has one hash; or join is just
// some upper bound.
enum class Claim { lattice, upper_bound };

struct Subject {
  std::string name{};
  std::function<std::unique_ptr<Domain>(const ir::Program&)> make{};
  Claim claim = Claim::lattice;
  Widths widths = Widths::all;
  std::uint64_t worlds = 300;
};

std::unique_ptr<Domain> make_symbolic(const ir::Program& program) {
  return std::make_unique<domain::SymbolicDomain>(program, smt::Effort{30});
}

std::unique_ptr<Domain> make_interval_and_bdd(const ir::Program& program) {
  std::vector<std::unique_ptr<Domain>> parts;
  parts.push_back(domain::make_interval(program));
  parts.push_back(domain::make_bdd(program));
  return domain::make_product(program, std::move(parts));
}

std::unique_ptr<Domain> make_interval_and_symbolic(const ir::Program& program) {
  std::vector<std::unique_ptr<Domain>> parts;
  parts.push_back(domain::make_interval(program));
  parts.push_back(make_symbolic(program));
  return domain::make_product(program, std::move(parts));
}

void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }

class Laws : public ::testing::TestWithParam<Subject> {};

// Calls back with a world, a domain over it, and chance.
template <class Body>
void in_worlds(const Subject& subject, std::uint64_t first, const Body& body) {
  for (std::uint64_t seed = first; seed < first + subject.worlds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    const World world(rng, subject.widths);
    const std::unique_ptr<Domain> domain = subject.make(world.program());
    body(world, *domain, rng);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

std::unique_ptr<Store> some_store(const World& world, Domain& domain, Rng& rng) {
  Walk walk(world, domain, rng);
  const int steps = rng.between(0, 8);
  for (int i = 0; i < steps; ++i) walk.step();
  return std::move(walk.owned());
}

void expect_equivalent(const Store& left, const Store& right, const char* law) {
  EXPECT_TRUE(left.covers(right)) << law;
  EXPECT_TRUE(right.covers(left)) << law;
  if (left.covers(right) && right.covers(left)) {
    EXPECT_EQ(left.hash(), right.hash()) << law;
  }
}

std::unique_ptr<Store> joined(const Store& left, const Store& right) {
  std::unique_ptr<Store> result = left.clone();
  result->join(right);
  return result;
}

TEST_P(Laws, StoresKeepWhatTheMachineCanDo) {
  in_worlds(GetParam(), 0, [](const World& world, Domain& domain, Rng& rng) {
    Walk walk(world, domain, rng);
    for (int i = 0; i < 25; ++i) {
      walk.step();
      ASSERT_EQ(walk.complaint(), "") << walk.history();
    }
  });
}

TEST_P(Laws, CoversIsAnOrder) {
  in_worlds(GetParam(), 10000, [](const World& world, Domain& domain, Rng& rng) {
    Walk walk(world, domain, rng);
    std::unique_ptr<Store> older = walk.store().clone();
    ASSERT_TRUE(older->covers(*older->clone()));
    for (int i = 0; i < 8; ++i) {
      // Both directions of a chain: assumes go down, joins go up.
      const std::unique_ptr<Store> other = some_store(world, domain, rng);
      const auto above = joined(*other, *older);
      const auto top = joined(*above, *some_store(world, domain, rng));
      ASSERT_TRUE(above->covers(*above->clone()));
      ASSERT_TRUE(top->covers(*above));
      ASSERT_TRUE(above->covers(*other));
      ASSERT_TRUE(top->covers(*other)) << "not transitive";
      older = some_store(world, domain, rng);
    }
  });
}

TEST_P(Laws, CoveredStoresHoldNoMore) {
  in_worlds(GetParam(), 20000, [](const World& world, Domain& domain, Rng& rng) {
    Walk walk(world, domain, rng);
    for (int i = 0; i < 8; ++i) walk.step();
    const std::unique_ptr<Store> other = some_store(world, domain, rng);
    if (other->covers(walk.store())) {
      for (const Assignment& sample : walk.samples())
        ASSERT_TRUE(Walk::holds(world, *other, sample)) << walk.history();
    }
    const auto both = joined(*other, walk.store());
    for (const Assignment& sample : walk.samples())
      ASSERT_TRUE(Walk::holds(world, *both, sample)) << walk.history();
  });
}

TEST_P(Laws, JoinIsAnUpperBound) {
  const Claim claim = GetParam().claim;
  in_worlds(GetParam(), 30000, [claim](const World& world, Domain& domain, Rng& rng) {
    const auto a = some_store(world, domain, rng), b = some_store(world, domain, rng),
               c = some_store(world, domain, rng);
    const auto both = joined(*a, *b);
    ASSERT_TRUE(both->covers(*a));
    ASSERT_TRUE(both->covers(*b));
    const auto three = joined(*both, *c);
    ASSERT_TRUE(three->covers(*both));
    ASSERT_TRUE(three->covers(*c));
    if (claim == Claim::upper_bound) return;
    expect_equivalent(*joined(*a, *a), *a, "idempotent");
    expect_equivalent(*both, *joined(*b, *a), "commutative");
    expect_equivalent(*three, *joined(*a, *joined(*b, *c)), "associative");
    if (a->covers(*b)) expect_equivalent(*both, *a, "least");
  });
}

TEST_P(Laws, WideningEndsEveryChain) {
  in_worlds(GetParam(), 40000, [](const World& world, Domain& domain, Rng& rng) {
    auto wide = some_store(world, domain, rng);
    std::size_t changes = 0;
    for (int i = 0; i < 60; ++i) {
      const auto newer = joined(*wide, *some_store(world, domain, rng));
      const auto before = wide->clone();
      wide->widen(*newer);
      ASSERT_TRUE(wide->covers(*before));
      ASSERT_TRUE(wide->covers(*newer));
      if (!before->covers(*wide)) ++changes;
    }
    // All that random stores add is there long before the end.
    for (int i = 0; i < 20; ++i) {
      const auto newer = joined(*wide, *some_store(world, domain, rng));
      const auto before = wide->clone();
      wide->widen(*newer);
      ASSERT_TRUE(before->covers(*wide)) << "still growing after " << changes << " changes";
    }
  });
}

// A loop that counts: each round makes one more value possible.
TEST_P(Laws, WideningEndsACountingLoop) {
  in_worlds(GetParam(), 50000, [](const World& world, Domain& domain, Rng& rng) {
    Walk walk(world, domain, rng);
    for (const Cell& cell : world.cells()) walk.store().set(cell, World::number(rng, cell.width));
    std::unique_ptr<Store> head = walk.store().clone();
    std::vector<std::pair<ir::RegId, ir::ExprId>> assignments;
    for (int i = 0; i < 3; ++i) {
      const ir::RegId to = rng.pick(world.registers());
      assignments.emplace_back(to, rng.pick(world.exprs_of(world.program().reg(to).type)));
    }
    const auto next = [&] {
      std::unique_ptr<Store> body = head->clone();
      for (const auto& [to, value] : assignments)
        body->assign(world.cell(to), value, world.scope());
      return joined(*head, *body);
    };
    int rounds = 0;
    for (; rounds < 1000 && !head->covers(*next()); ++rounds) head->widen(*next());
    ASSERT_LT(rounds, 1000);
  });
}

TEST_P(Laws, AssignIsMonotone) {
  if (GetParam().claim != Claim::lattice) GTEST_SKIP() << "not claimed";
  in_worlds(GetParam(), 60000, [](const World& world, Domain& domain, Rng& rng) {
    const auto small = some_store(world, domain, rng);
    const auto large = joined(*small, *some_store(world, domain, rng));
    for (int i = 0; i < 10; ++i) {
      const auto less = small->clone(), more = large->clone();
      const ir::RegId to = rng.pick(world.registers());
      const ir::ExprId value = rng.pick(world.exprs_of(world.program().reg(to).type));
      less->assign(world.cell(to), value, world.scope());
      more->assign(world.cell(to), value, world.scope());
      ASSERT_TRUE(more->covers(*less)) << "expr " << value.value;
    }
  });
}

// What a symbolic store says can happen, happens: nothing is over-approximated.
TEST(SymbolicDomain, ModelsAreExecutions) {
  int solved = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const World world(rng, Widths::all);
    domain::SymbolicDomain domain(world.program(), smt::Effort{300});
    Walk walk(world, domain, rng);
    for (int i = 0; i < 15; ++i) walk.step();
    auto& store = dynamic_cast<domain::SymbolicStore&>(walk.store());
    if (store.inexact()) continue;
    // Also where conditions have been dropped.
    if (rng.chance(50)) store.hash();
    if (rng.chance(50)) store.covers(*store.clone());
    const auto inputs = store.solve();
    if (domain.statistics().gave_up > 0) continue;
    ASSERT_TRUE(inputs) << "seed " << seed;
    ++solved;
    ASSERT_EQ(inputs->size(), store.inputs().size());
    const auto reached = walk.replay(*inputs);
    ASSERT_TRUE(reached) << "seed " << seed << "\n" << walk.history();
    ASSERT_TRUE(Walk::holds(world, store, *reached)) << "seed " << seed;
    for (const ir::ExprId condition : world.conditions())
      if (const auto known = store.known(condition, world.scope()))
        ASSERT_EQ(*known, world.value(condition, *reached)) << "seed " << seed;
      else
        for (const std::uint64_t value : {0, 1}) {
          const auto way = store.clone();
          ASSERT_TRUE(way->assume(domain::Equality::equal, value, condition, world.scope()))
              << "not known, and yet not possible";
        }
  }
  EXPECT_GT(solved, 100);
}

INSTANTIATE_TEST_SUITE_P(
    Domains, Laws,
    ::testing::Values(
        Subject{"parity", make_parity},

        Subject{"interval_and_bdd", make_interval_and_bdd, Claim::lattice, Widths::all, 30},
        Subject{"interval_and_symbolic", make_interval_and_symbolic, Claim::upper_bound,
                Widths::all, 10},
        Subject{"bdd", domain::make_bdd, Claim::lattice, Widths::all, 60},
        Subject{"bdd_small", domain::make_bdd, Claim::lattice, Widths::small, 60},
        Subject{"symbolic", make_symbolic, Claim::upper_bound, Widths::all, 20},
        Subject{"value", domain::make_value}, Subject{"interval", domain::make_interval},
        Subject{"interval_small", domain::make_interval, Claim::lattice, Widths::small}),
    [](const ::testing::TestParamInfo<Subject>& subject) { return subject.param.name; });

}  // namespace
}  // namespace heddle::laws
