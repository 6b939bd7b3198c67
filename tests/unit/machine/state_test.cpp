// States as values: copies, equality, hashes, and the set that stores them.
#include <gtest/gtest.h>

#include <unordered_map>

#include "machine/state_set.hpp"
#include "unit/machine/program_maker.hpp"

namespace heddle::testing {
namespace {

using machine::Machine;
using machine::State;

// Two threads that allocate, store and call, without touching each other's memory.
ir::Program independent_threads(ir::DataModel model) {
  Maker m(model);
  const auto x = m.global("x"), y = m.global("y");
  const auto helper = m.function("helper");
  const auto local = m.var(helper, "local", m.b.pointer_to(m.i32));
  m.then(helper, ir::Alloc{local, m.size(4), ir::AllocKind::stack, ir::Contents::unset, "l"});
  m.then(helper, ir::Store{m.reg(local), m.num(3)});
  std::vector<ir::FunId> routines;
  for (const ir::GlobalId g : {x, y}) {
    const auto f = m.routine(g == x ? "a" : "b");
    const auto block = m.var(f, "block", m.b.pointer_to(m.i32));
    m.then(f, ir::Alloc{block, m.size(8), ir::AllocKind::heap, ir::Contents::unset, ""});
    m.then(f, ir::Store{m.reg(block), m.num(5)});
    m.then(f, ir::Call{m.b.function_address(helper), {}, std::nullopt});
    m.store(f, g, 1);
    m.edge(m.here[f], m.here[f], ir::Skip{});
    routines.push_back(f);
  }
  const auto f = m.function("main");
  for (const ir::FunId routine : routines) m.spawn(f, routine);
  m.then(f, ir::Exit{ir::ExitScope::thread});
  return std::move(m).finish(f);
}

State run_order(const Machine& machine, const std::vector<verdict::ThreadNumber>& order) {
  State state = machine.initial();
  for (const verdict::ThreadNumber t : order)
    EXPECT_EQ(machine.step(state, t, machine.edges(state, t)[0]).outcome, machine::Outcome::moved);
  return state;
}

TEST(State, DoesNotDependOnTheInterleaving) {
  for (const ir::DataModel model : {ir::DataModel::lp64, ir::DataModel::ilp32}) {
    const ir::Program p = independent_threads(model);
    const verdict::Property property = everything();
    const Machine machine(p, property);
    std::vector<verdict::ThreadNumber> in_turn(3, 0), one_by_one(3, 0), backwards(3, 0);
    for (int i = 0; i < 7; ++i) in_turn.insert(in_turn.end(), {1, 2});
    one_by_one.insert(one_by_one.end(), 7, 1), one_by_one.insert(one_by_one.end(), 7, 2);
    backwards.insert(backwards.end(), 7, 2), backwards.insert(backwards.end(), 7, 1);
    const State a = run_order(machine, in_turn), b = run_order(machine, one_by_one),
                c = run_order(machine, backwards);
    EXPECT_EQ(a.hash(), b.hash());
    EXPECT_TRUE(a == b);
    EXPECT_EQ(a.hash(), c.hash());
    EXPECT_TRUE(a == c);
  }
}

TEST(State, ACopyIsNotTouchedByLaterSteps) {
  const ir::Program p = independent_threads(ir::DataModel::lp64);
  const verdict::Property property = everything();
  const Machine machine(p, property);
  State state = run_order(machine, {0, 0});
  const State copy = state, same = run_order(machine, {0, 0});
  const std::uint64_t hash = copy.hash();
  for (int i = 0; i < 4; ++i) {
    machine.step(state, 1, machine.edges(state, 1)[0]);
    EXPECT_FALSE(state == copy);
    EXPECT_NE(state.hash(), hash);
    EXPECT_TRUE(copy == same);
    EXPECT_EQ(copy.hash(), hash);
  }
}

TEST(State, OneByteOrBitMakesADifference) {
  State a;
  machine::Object object =
      machine::Memory::fresh_object(ir::AllocKind::heap, {}, 8, ir::Contents::unset);
  a.add_object(0x1000000, object);
  State b = a;
  b.write_object(0).set[7] = 1;
  EXPECT_FALSE(a == b);
  State c = a;
  c.set_holder(0);
  EXPECT_FALSE(a == c);
  State moved;
  moved.add_object(0x1000010, object);
  EXPECT_FALSE(a == moved);
  EXPECT_NE(a.hash(), moved.hash());
}

TEST(StateSet, AgreesWithEqualityOnEveryReachableState) {
  const ir::Program p = independent_threads(ir::DataModel::lp64);
  const verdict::Property property = everything();
  const Machine machine(p, property);
  machine::StateSet set, other;
  std::vector<State> seen{machine.initial()};
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash{{seen[0].hash(), 0}};
  EXPECT_TRUE(set.insert(seen[0]).fresh);
  for (std::size_t at = 0; at < seen.size(); ++at)
    for (verdict::ThreadNumber t = 0; t < machine.thread_count(seen[at]); ++t)
      for (const ir::EdgeId edge : machine.edges(seen[at], t)) {
        State next = seen[at];
        if (machine.step(next, t, edge).outcome != machine::Outcome::moved) continue;
        std::optional<std::size_t> known;
        const auto [first, last] = by_hash.equal_range(next.hash());
        for (auto i = first; i != last; ++i)
          if (seen[i->second] == next) known = i->second;
        other.insert(next);  // a second set must not be confused by the first one's marks
        const auto entry = set.insert(next);
        EXPECT_EQ(entry.fresh, !known);
        EXPECT_EQ(entry.number, known.value_or(seen.size()));
        if (known) continue;
        by_hash.emplace(next.hash(), seen.size());
        seen.push_back(std::move(next));
      }
  EXPECT_GT(seen.size(), 50U);
  EXPECT_EQ(set.size(), seen.size());
}

}  // namespace
}  // namespace heddle::testing
