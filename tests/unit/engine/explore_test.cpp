// The explorer's answers on small programs, and that its reduction changes none.
#include "engine/explore/explore.hpp"

#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "machine/oracle.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::explore::LocalSteps;
using engine::explore::Options;
using verdict::Check;

struct Case {
  std::string name;
  std::string text;
  std::set<Check> broken;  // of error calls, deadlocks and races
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> cases() {
  return {
      {"LostUpdate",
       R"(
int x;
void *worker(void *p) { x = x + 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2) reach_error();
  return 0;
})",
       {Check::error_call, Check::race}},
      {"LockedCounter",
       R"(
int x;
pthread_mutex_t m;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  x = x + 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2) reach_error();
  return 0;
})",
       {}},
      {"CrossedLocks",
       R"(
pthread_mutex_t m, n;
void *worker(void *p) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
})",
       {Check::deadlock}},
      // An assumption that fails ends its execution, but not what others did before it.
      {"FailedAssumeHidesNobody",
       R"(
int x;
void *worker(void *p) { __VERIFIER_assume(0); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  reach_error();
  return 0;
})",
       {Check::error_call}},
      {"LocalLoopHidesNobody",
       R"(
void *worker(void *p) { for (;;) {} return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  reach_error();
  return 0;
})",
       {Check::error_call}},
      {"InputLoopHidesNobody",
       R"(
void *worker(void *p) { for (;;) if (__VERIFIER_nondet_int()) continue; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  reach_error();
  return 0;
})",
       {Check::error_call}},
      {"ProcessEndHidesNobody",
       R"(
int x;
void *worker(void *p) { reach_error(); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  return 0;
})",
       {Check::error_call}},
      {"RaceWithinAtomicSection",
       R"(
int x;
void *worker(void *p) { x = 1; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  __VERIFIER_atomic_begin();
  int local = 3;
  local = local + 1;
  x = local;
  __VERIFIER_atomic_end();
  pthread_join(a, 0);
  return 0;
})",
       {Check::race}},
      {"AtomicSectionsDoNotRace",
       R"(
int x;
void *worker(void *p) {
  __VERIFIER_atomic_begin();
  x = x + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  __VERIFIER_atomic_begin();
  x = x + 1;
  __VERIFIER_atomic_end();
  pthread_join(a, 0);
  if (x != 2) reach_error();
  return 0;
})",
       {}},
      {"SharedLocal",
       R"(
void *worker(void *p) { *(int *)p = 5; return 0; }
int main(void) {
  pthread_t a;
  int local = 0;
  pthread_create(&a, 0, worker, &local);
  if (local == 5) reach_error();
  pthread_join(a, 0);
  return 0;
})",
       {Check::error_call, Check::race}},
      {"LostSignal",
       R"(
pthread_mutex_t m;
pthread_cond_t c;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_cond_signal(&c);
  pthread_join(a, 0);
  return 0;
})",
       {Check::deadlock}},
  };
}

class ExploreCase : public ::testing::TestWithParam<Case> {};

TEST_P(ExploreCase, AnswersWithAndWithoutReductionAsTheOracle) {
  for (const Check check : {Check::error_call, Check::deadlock, Check::race}) {
    const std::string wanted = GetParam().broken.contains(check) ? "unsafe" : "safe";
    const Explored reduced = explored(GetParam().text, {check});
    const Explored full = explored(GetParam().text, {check}, {.local_steps = LocalSteps::off});
    EXPECT_EQ(reduced.answer(), wanted) << verdict::to_string(check);
    EXPECT_EQ(full.answer(), wanted) << verdict::to_string(check);
    if (wanted == "safe") {
      EXPECT_LE(reduced.statistics.states, full.statistics.states);
    }
    const auto oracle = machine::ask_oracle(reduced.program, verdict::Property{{check}});
    EXPECT_EQ(oracle.violated.contains(check), wanted == "unsafe") << verdict::to_string(check);
  }
}

TEST_P(ExploreCase, EveryTraceReplays) {
  for (const Check check : GetParam().broken) {
    const Explored found = explored(GetParam().text, {check});
    ASSERT_TRUE(found.unsafe());
    const auto& unsafe = std::get<verdict::Unsafe>(found.verdict);
    const auto replayed =
        check::replay(found.program, verdict::Property{{check}}, unsafe.trace, unsafe.violation);
    EXPECT_TRUE(replayed.confirmed) << replayed.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Small, ExploreCase, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return instance.param.name; });

TEST(Explore, ReductionSavesStates) {
  const std::string text = R"(
int x;
void *worker(void *p) { for (int i = 0; i < 5; i++) {} x = 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  return 0;
})";
  const Explored reduced = explored(text, {Check::error_call});
  const Explored full = explored(text, {Check::error_call}, {.local_steps = LocalSteps::off});
  EXPECT_LT(reduced.statistics.states * 4, full.statistics.states);
  EXPECT_GT(reduced.statistics.reduced_steps, 0U);
  EXPECT_EQ(full.statistics.reduced_steps, 0U);
}

TEST(Explore, SpinLoopsThatCountDoNotDiverge) {
  const std::string text = R"(
volatile _Atomic int flag;
int data;
void *worker(void *p) { data = 1; flag = 1; return 0; }
int main(void) {
  pthread_t t;
  unsigned spins = 0;
  pthread_create(&t, 0, worker, 0);
  while (!flag) spins++;
  if (data != 1) reach_error();
  return 0;
})";
  for (const Check check : {Check::error_call, Check::race, Check::deadlock}) {
    const Explored found = explored(text, {check});
    EXPECT_EQ(found.answer(), "safe");
    EXPECT_LT(found.statistics.states, 50U);
  }
}

TEST(Explore, KeepsTheSameStatesInEveryWay) {
  using engine::explore::Order;
  using engine::explore::ReachedKind;
  const std::string text = R"(
int x;
void *worker(void *p) { x++; x++; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  x++;
  pthread_join(a, 0);
  return 0;
})";
  const Explored compressed = explored(text, {Check::error_call}, {.local_steps = LocalSteps::off});
  ASSERT_TRUE(compressed.safe());
  for (const ReachedKind kind : {ReachedKind::partitioned, ReachedKind::flat}) {
    const Explored found =
        explored(text, {Check::error_call}, {.local_steps = LocalSteps::off, .reached = kind});
    EXPECT_TRUE(found.safe());
    EXPECT_EQ(found.statistics.states, compressed.statistics.states);
  }
  for (const Order order :
       {Order::switches, Order::threads, Order::depth_first, Order::breadth_first}) {
    const Explored found =
        explored(text, {Check::error_call}, {.local_steps = LocalSteps::off, .orders = {order}});
    EXPECT_TRUE(found.safe());
    EXPECT_EQ(found.statistics.states, compressed.statistics.states);
  }
}

TEST(Explore, LongLocalLoopsAreNotStored) {
  const Explored found = explored(R"(
int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 10000; i++) sum += i;
  if (sum != 49995000) reach_error();
  return 0;
})",
                                  {Check::error_call});
  EXPECT_TRUE(found.safe());
  EXPECT_LT(found.statistics.states, 20U);
  EXPECT_GT(found.statistics.steps, 10000U);
}

TEST(Explore, SwitchesAsLittleAsPossible) {
  const Explored found = explored(cases().front().text, {Check::error_call});
  ASSERT_TRUE(found.unsafe());
  std::size_t switches = 0;
  const auto& steps = std::get<verdict::Unsafe>(found.verdict).trace.steps;
  for (std::size_t i = 1; i < steps.size(); ++i) switches += steps[i].thread != steps[i - 1].thread;
  // main, one worker up to its read, the other one, the rest of the first, main.
  EXPECT_LE(switches, 4U);
}

TEST(Explore, StopsAtTheTimeLimit) {
  const std::string text = R"(
unsigned x, y;
void *worker(void *p) { for (;;) { x = x + 1; y = y + x; } return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  for (;;) y = y + 1;
  return 0;
})";
  const Explored found = explored(text, {Check::error_call}, {},
                                  base::Budget(std::chrono::milliseconds(200), 4ULL << 30));
  ASSERT_TRUE(found.unknown());
  EXPECT_EQ(std::get<verdict::Unknown>(found.verdict).gap, verdict::Gap::time);
  EXPECT_GT(std::get<verdict::Unknown>(found.verdict).reached.states, 0U);
}

TEST(Explore, UnaskedUndefinedBehaviourIsNeverSafe) {
  const Explored found = explored("int main(void) { int *p = 0; return *p; }", {Check::error_call});
  ASSERT_TRUE(found.unknown());
  EXPECT_EQ(std::get<verdict::Unknown>(found.verdict).gap, verdict::Gap::undefined);
}

}  // namespace
}  // namespace heddle::testing
