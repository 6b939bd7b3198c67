// Traces lose the steps and switches that they do not need, in the time that there is.
#include "machine/shorten.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "unit/machine/program_maker.hpp"

namespace heddle::testing {
namespace {

const verdict::Property property{{Check::assertion}};

// Main starts a thread and then fails; the thread has three steps.
ir::Program failing_program() {
  Maker m;
  const auto f = m.function("main"), t = m.routine("worker");
  const auto x = m.global("x");
  m.spawn(f, t);
  for (int i = 0; i < 3; ++i) {
    m.store(f, x, 1);
    m.store(t, x, 2);
  }
  m.then(f, ir::Fail{ir::FailKind::assertion, "condition"});
  return std::move(m).finish(f);
}

// The steps of these threads, one after the other, up to the failure.
verdict::Unsafe run(const machine::Machine& machine, const std::vector<unsigned>& threads) {
  verdict::Unsafe result;
  machine::State state = machine.initial();
  for (const unsigned thread : threads) {
    const ir::EdgeId edge = machine.edges(state, thread)[0];
    result.trace.steps.push_back({thread, edge, std::nullopt});
    const auto step = machine.step(state, thread, edge, std::nullopt);
    if (step.violation) result.violation = *step.violation;
  }
  return result;
}

TEST(Shorten, DropsWhatAnotherThreadNeedNotDo) {
  const ir::Program program = failing_program();
  const machine::Machine machine(program, property);
  const verdict::Unsafe found = run(machine, {0, 1, 0, 1, 0, 1, 0, 0});
  ASSERT_EQ(found.violation.check, Check::assertion);
  const verdict::Unsafe shorter = machine::shorten(found, machine, property, {});
  EXPECT_EQ(shorter.trace.steps.size(), 5U);
  for (const verdict::Step& step : shorter.trace.steps) EXPECT_EQ(step.thread, 0U);
  EXPECT_EQ(shorter.violation.edge, found.violation.edge);
}

// Even to cut so long a trace up again and again would take minutes.
TEST(Shorten, ChangesNothingWithoutTime) {
  const ir::Program program = failing_program();
  const machine::Machine machine(program, property);
  verdict::Unsafe found = run(machine, {0});
  for (unsigned i = 0; i < 200'000; ++i)
    found.trace.steps.push_back({i % 2, found.trace.steps[0].edge, std::nullopt});
  const base::Budget none(std::chrono::milliseconds(0), UINT64_MAX);
  const verdict::Unsafe same = machine::shorten(found, machine, property, none);
  EXPECT_EQ(same.trace.steps.size(), found.trace.steps.size());
}

}  // namespace
}  // namespace heddle::testing
