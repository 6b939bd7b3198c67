// The stateless search: the known numbers of executions, the same answers as the
// search that remembers states, and the reasons not to know.
#include <gtest/gtest.h>

#include "bench/families.hpp"
#include "check/replay.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::explore::DporMode;
using engine::explore::LocalSteps;
using engine::explore::Options;
using engine::explore::SearchMode;
using verdict::Check;

Explored run(const std::string& text, const std::set<Check>& checks, Options options = {}) {
  options.search = SearchMode::stateless;
  return explored(text, checks, options);
}

std::string with_two_workers(const std::string& globals, const std::string& first,
                             const std::string& second) {
  return globals + "\nvoid *first(void *p) { " + first + " return 0; }\nvoid *second(void *p) { " +
         second + R"( return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
)";
}

void expect_replay(const Explored& found, Check check) {
  ASSERT_TRUE(found.unsafe());
  const auto& unsafe = std::get<verdict::Unsafe>(found.verdict);
  EXPECT_EQ(unsafe.violation.check, check);
  const auto replayed =
      check::replay(found.program, verdict::Property{{check}}, unsafe.trace, unsafe.violation);
  EXPECT_TRUE(replayed.confirmed) << replayed.reason;
}

TEST(Stateless, RunsTheKnownNumberOfExecutionsOfEachFamily) {
  const verdict::Property property{{Check::assertion}};
  for (const bench::Family& family : bench::families()) {
    for (const bench::Family::Size& size : family.sizes) {
      if (size.traces > 1200) continue;
      const ir::Program program = portfolio::prepare(
          frontend::parse_text("family.c", family.program(size.number)), property);
      engine::explore::Explore explore({.search = SearchMode::stateless});
      Silent silent;
      const verdict::Verdict verdict =
          explore.run(program, property, base::Budget(std::chrono::minutes(2), 4ULL << 30), silent);
      EXPECT_TRUE(std::holds_alternative<verdict::Safe>(verdict)) << family.name;
      EXPECT_EQ(explore.statistics().executions, size.traces) << family.name << size.number;
      EXPECT_EQ(explore.statistics().blocked_executions, 0U) << family.name << size.number;
    }
  }
}

TEST(Stateless, RunsEachDifferentExecutionOnce) {
  const std::string text = with_two_workers("int x, y; pthread_mutex_t m;",
                                            "x = 1; pthread_mutex_lock(&m); y = x; "
                                            "pthread_mutex_unlock(&m);",
                                            "y = 2; pthread_mutex_lock(&m); x = y; "
                                            "pthread_mutex_unlock(&m);");
  const Explored few = run(text, {Check::assertion});
  const Explored all = run(text, {Check::assertion}, {.dpor = DporMode::none});
  EXPECT_TRUE(few.safe());
  EXPECT_TRUE(all.safe());
  EXPECT_EQ(few.statistics.executions, all.statistics.traces);
  EXPECT_LT(few.statistics.executions, all.statistics.executions);
  EXPECT_EQ(few.statistics.blocked_executions, 0U);
}

TEST(Stateless, SourceSetsBeginSomeExecutionsInVain) {
  const bench::Family family = bench::families()[1];
  const Explored optimal =
      run(family.text.substr(0, 0) + "enum { N = 4 };" + family.text, {Check::assertion});
  const Explored source =
      run("enum { N = 4 };" + family.text, {Check::assertion}, {.dpor = DporMode::source});
  EXPECT_EQ(optimal.statistics.executions, source.statistics.executions);
  EXPECT_EQ(optimal.statistics.blocked_executions, 0U);
  EXPECT_GT(source.statistics.blocked_executions, 0U);
}

TEST(Stateless, FindsWhatOnlyOneOrderShows) {
  const std::string text = with_two_workers("int x, y;", "x = 1; if (y == 0) { x = 2; }",
                                            "y = 1; if (x == 2) reach_error();");
  for (const DporMode mode : {DporMode::optimal, DporMode::source, DporMode::none}) {
    const Explored found = run(text, {Check::error_call}, {.dpor = mode});
    expect_replay(found, Check::error_call);
  }
}

TEST(Stateless, FindsRaces) {
  expect_replay(run(with_two_workers("int x;", "x = 1;", "x = 2;"), {Check::race}), Check::race);
  // The access in the section is atomic, the other one is not.
  expect_replay(run(with_two_workers("int x, y;",
                                     "__VERIFIER_atomic_begin(); y = 1; x = 1; "
                                     "__VERIFIER_atomic_end();",
                                     "int z = x;"),
                    {Check::race}),
                Check::race);
  // The reader never gets beyond its assumption, but it reads.
  expect_replay(
      run(with_two_workers("int x;", "__VERIFIER_assume(x == 5);", "x = 1; x = 2;"), {Check::race}),
      Check::race);
  EXPECT_TRUE(run(with_two_workers("int x; pthread_mutex_t m;",
                                   "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
                                   "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);"),
                  {Check::race})
                  .safe());
}

TEST(Stateless, FindsDeadlocks) {
  const std::string locks = "pthread_mutex_t m, n;";
  const std::string m_then_n =
      "pthread_mutex_lock(&m); pthread_mutex_lock(&n); "
      "pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);";
  const std::string n_then_m =
      "pthread_mutex_lock(&n); pthread_mutex_lock(&m); "
      "pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);";
  expect_replay(run(with_two_workers(locks, m_then_n, n_then_m), {Check::deadlock}),
                Check::deadlock);
  EXPECT_TRUE(run(with_two_workers(locks, m_then_n, m_then_n), {Check::deadlock}).safe());
  // The signal is lost where it comes first.
  expect_replay(run(with_two_workers("pthread_mutex_t m; pthread_cond_t c;",
                                     "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); "
                                     "pthread_mutex_unlock(&m);",
                                     "pthread_mutex_lock(&m); pthread_cond_signal(&c); "
                                     "pthread_mutex_unlock(&m);"),
                    {Check::deadlock}),
                Check::deadlock);
}

TEST(Stateless, AThreadThatSpinsWaits) {
  // One place is read in a round, or several, or a compare-and-exchange fails.
  for (const std::string spin : {"while (!flag);", "while (!flag || !other);",
                                 "int zero; do { zero = 1; } while "
                                 "(!__atomic_compare_exchange_n(&flag, &zero, 7, 0, 5, 5));"}) {
    const std::string text = with_two_workers(
        "int flag, other, x;", spin + " if (x != 1) reach_error();", "x = 1; other = 1; flag = 1;");
    const Explored found = run(text, {Check::error_call});
    EXPECT_TRUE(found.safe()) << spin;
    EXPECT_LT(found.statistics.executions, 20U) << spin;
  }
}

TEST(Stateless, ALoopWithoutEndIsNeverSafe) {
  const Explored found = run(with_two_workers("int x;", "for (;;) x = !x;", "x = 1;"),
                             {Check::error_call}, {.deepest_execution = 40});
  EXPECT_TRUE(found.unknown());
}

TEST(Stateless, TheEndOfTheProcessHidesNothing) {
  const std::string text = R"(
int x;
void *worker(void *p) { x = 1; reach_error(); return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, worker, 0); return x; }
)";
  expect_replay(run(text, {Check::error_call}), Check::error_call);
}

TEST(Stateless, UseAfterFreeInOneOrder) {
  const std::string text = R"(
void *malloc(unsigned long);
void free(void *);
int *p, seen;
void *worker(void *q) { seen = *p; return 0; }
int main(void) {
  pthread_t a;
  p = malloc(sizeof *p);
  *p = 1;
  pthread_create(&a, 0, worker, 0);
  free(p);
  pthread_join(a, 0);
  return 0;
}
)";
  expect_replay(run(text, {Check::deref}), Check::deref);
}

TEST(Stateless, EveryInputIsTriedInEveryOrder) {
  const std::string text = with_two_workers("int x;", "x = __VERIFIER_nondet_uchar() == 3;",
                                            "if (x == 1) reach_error();");
  expect_replay(run(text, {Check::error_call}), Check::error_call);
  const std::string computed = with_two_workers("int x;", "x = __VERIFIER_nondet_int() * 3;",
                                                "if (x == 123456) reach_error();");
  EXPECT_TRUE(
      run(computed, {Check::error_call}, {.inputs = engine::explore::InputMode::tried}).unknown());
  expect_replay(run(computed, {Check::error_call}), Check::error_call);
}

// That a thread begins with one choice of inputs, and nobody minds, says nothing about another one
// that it might make later.
TEST(Stateless, AnInputThatChangesNothingHidesNoOtherOne) {
  const std::string text = with_two_workers("int x, late;",
                                            "__VERIFIER_atomic_begin(); "
                                            "if (__VERIFIER_nondet_bool()) { late = x; x = 7; } "
                                            "__VERIFIER_atomic_end();",
                                            "x = x + 1;");
  for (const DporMode mode : {DporMode::optimal, DporMode::source, DporMode::none}) {
    std::string failing = text;
    failing.replace(failing.rfind("return 0;"), 9, "if (late == 1 && x == 7) reach_error();");
    expect_replay(run(failing, {Check::error_call}, {.dpor = mode}), Check::error_call);
  }
  const Explored few = run(text, {Check::assertion});
  const Explored all = run(text, {Check::assertion}, {.dpor = DporMode::none});
  EXPECT_EQ(few.statistics.executions, all.statistics.traces);
  EXPECT_EQ(few.statistics.blocked_executions, 0U);
}

// Where somebody is about to access its object, unknown code is cut off; elsewhere it is not.
TEST(Stateless, UnknownCodeIsAnEventInSomePlacesOnly) {
  for (const std::string code : {"y = 2; unknown(&x);", "unknown(&x); y = 2;"}) {
    const Explored found = run(
        with_two_workers("_Atomic int x, y; void unknown(_Atomic int *);", "y = 1; x = 1;", code),
        {Check::race});
    EXPECT_TRUE(found.unknown());
    EXPECT_LT(found.statistics.executions, 50U);
    EXPECT_LT(found.statistics.events, 1000U);
  }
}

TEST(Stateless, WithoutLocalStepsTheAnswerIsTheSame) {
  const std::string text =
      with_two_workers("int x;", "x = x + 1;", "x = x + 1; if (x > 2) reach_error();");
  const Explored merged = run(text, {Check::error_call});
  const Explored single = run(text, {Check::error_call}, {.local_steps = LocalSteps::off});
  EXPECT_TRUE(merged.safe());
  EXPECT_TRUE(single.safe());
  EXPECT_LT(merged.statistics.events, single.statistics.events);
}

TEST(Stateless, GivesUpOnVeryManyThreads) {
  const Explored found = run(R"(
int x;
void *worker(void *p) { x = 1; return 0; }
int main(void) {
  pthread_t a;
  for (int i = 0; i < 600; i++) pthread_create(&a, 0, worker, 0);
  return 0;
}
)",
                             {Check::error_call});
  EXPECT_TRUE(found.unknown());
  EXPECT_EQ(found.statistics.executions, 0U);
}

TEST(Stateless, AutomaticallyGoesOnWithStates) {
  const bench::Family fib = bench::families()[2];
  const Explored by_executions = explored("enum { N = 3 };" + fib.text, {Check::error_call},
                                          {.search = SearchMode::automatic});
  EXPECT_TRUE(by_executions.safe());
  EXPECT_GT(by_executions.statistics.executions, 0U);
  EXPECT_EQ(by_executions.statistics.states, 0U);
  const Explored by_states =
      explored(with_two_workers("int x;", "for (;;) x = !x;", "x = 1;"), {Check::error_call},
               {.search = SearchMode::automatic, .deepest_execution = 40},
               base::Budget(std::chrono::seconds(20), std::uint64_t{4} << 30));
  EXPECT_TRUE(by_states.safe());
  EXPECT_GT(by_states.statistics.executions, 0U);
  EXPECT_GT(by_states.statistics.states, 0U);
}

TEST(Stateless, SaysHowMuchItHasSeen) {
  const bench::Family fib = bench::families()[2];
  const Explored found =
      explored("enum { N = 8 };" + fib.text, {Check::error_call}, {.search = SearchMode::stateless},
               base::Budget(std::chrono::milliseconds(300), std::uint64_t{4} << 30));
  ASSERT_TRUE(found.unknown());
  const verdict::Progress& reached = std::get<verdict::Unknown>(found.verdict).reached;
  EXPECT_GT(reached.executions, 0U);
  ASSERT_TRUE(reached.share.has_value());
  EXPECT_GT(*reached.share, 0.0);
  EXPECT_LT(*reached.share, 1.0);
}

}  // namespace
}  // namespace heddle::testing
