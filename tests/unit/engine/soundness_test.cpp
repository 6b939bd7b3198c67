// What keeps the explorer from a wrong `safe`, and from alarms that are none.
#include <gtest/gtest.h>

#include "engine/explore/sharing_audit.hpp"
#include "machine/machine.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::explore::SharingAudit;
using verdict::Check;

// Steps a thread until it is about to store to the global `x`.
ir::EdgeId run_to_store(const machine::Machine& machine, machine::State& state,
                        machine::ThreadNumber thread) {
  for (int steps = 0; steps < 10'000; ++steps) {
    for (const ir::EdgeId edge : machine.edges(state, thread)) {
      const auto* store = std::get_if<ir::Store>(&machine.program().edge(edge).statement);
      if (store != nullptr && machine.program().expr(store->address).op == ir::Op::global_address &&
          machine.program().function(machine.program().function_of(edge)).origin ==
              ir::Origin::user)
        return edge;
      std::optional<std::uint64_t> input;
      if (machine.input_needed(state, thread, edge)) input = 0;
      if (machine.step(state, thread, edge, input).outcome == machine::Outcome::moved) break;
    }
  }
  ADD_FAILURE() << "thread " << thread << " never gets to its store";
  return {};
}

TEST(SharingAudit, FindsTwoThreadsAtWhatOneWasTakenToHaveAlone) {
  const ir::Program program = frontend::parse_text("test.c", prelude + R"(
int x;
void *worker(void *p) { x = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); x = 2; return 0; })");
  const verdict::Property property{{Check::error_call}};
  const machine::Machine machine(program, property);
  machine::State state = machine.initial();
  const ir::EdgeId in_main = run_to_store(machine, state, 0);
  const ir::EdgeId in_worker = run_to_store(machine, state, 1);
  SharingAudit right;
  right.note(machine, state, 0, in_main, SharingAudit::Belief::shared);
  right.note(machine, state, 1, in_worker, SharingAudit::Belief::shared);
  EXPECT_FALSE(right.contradicted());
  SharingAudit wrong;
  wrong.note(machine, state, 0, in_main, SharingAudit::Belief::unshared);
  EXPECT_FALSE(wrong.contradicted());
  wrong.note(machine, state, 1, in_worker, SharingAudit::Belief::shared);
  EXPECT_TRUE(wrong.contradicted());
}

TEST(Explore, AnUndefinedFunctionMayRaceUnseen) {
  const auto race = [](const std::string& body) {
    return explored(R"(
int x;
void mystery(int *);
void *worker(void *p) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);)" +
                        body + "return 0; }",
                    {Check::race})
        .answer();
  };
  EXPECT_EQ(race("mystery(&x); pthread_join(t, 0);"), "unknown");
  EXPECT_EQ(race("pthread_join(t, 0); mystery(&x);"), "safe");
}

TEST(Explore, ScanfWritesWhereItsArgumentsPoint) {
  EXPECT_EQ(explored(R"(
int x;
int scanf(const char *, ...);
void *worker(void *p) { scanf("%d", &x); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); x = 2; return 0; })",
                     {Check::race})
                .answer(),
            "unsafe");
}

TEST(Explore, NobodyAsksAnAbortedProcessForItsMemory) {
  const std::string start =
      "void *malloc(unsigned long); void abort(void); void exit(int);"
      "void lose(void) { malloc(4); }";
  EXPECT_EQ(explored(start + "int main(void) { lose(); abort(); }", {Check::leak}).answer(),
            "safe");
  EXPECT_EQ(explored(start + "int main(void) { lose(); exit(0); }", {Check::leak}).answer(),
            "unsafe");
}

TEST(Explore, AddressesDifferInTheirLowerHalves) {
  EXPECT_EQ(explored(R"(
void *malloc(unsigned long);
int a, b;
int main(void) {
  unsigned p = (unsigned)(unsigned long)malloc(4), q = (unsigned)(unsigned long)malloc(4);
  unsigned r = (unsigned)(unsigned long)&a, s = (unsigned)(unsigned long)&b;
  if (p == 0 || p == q || r == 0 || r == s || p == r) reach_error();
  return 0;
})",
                     {Check::error_call})
                .answer(),
            "safe");
}

TEST(Explore, AJoinedThreadHasNoHandleAnyMore) {
  const Explored found = explored(R"(
int pthread_detach(pthread_t);
void *worker(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return pthread_detach(t);
})",
                                  {Check::error_call});
  ASSERT_TRUE(found.unknown());
  EXPECT_EQ(std::get<verdict::Unknown>(found.verdict).gap, verdict::Gap::undefined);
}

}  // namespace
}  // namespace heddle::testing
