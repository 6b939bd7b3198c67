// The search over a domain: what each domain proves, finds and must leave open.
#include <gtest/gtest.h>

#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::explore::DomainKind;
using engine::explore::LocalSteps;
using engine::explore::Movers;
using engine::explore::Options;
using engine::explore::PersistentSteps;
using engine::explore::Refining;
using verdict::Check;

const std::set<Check> errors{Check::error_call};

// All variables kept, few variables at first, and every step interleaved must agree.
std::string over(DomainKind domain, const std::string& text,
                 const std::set<Check>& checks = errors) {
  const std::string kept =
      explored(text, checks, {.domain = domain, .refining = Refining::off}).answer();
  EXPECT_EQ(explored(text, checks, {.domain = domain}).answer(), kept) << "with refinement";
  EXPECT_EQ(explored(text, checks,
                     {.local_steps = LocalSteps::off, .domain = domain, .refining = Refining::off})
                .answer(),
            kept)
      << "every step interleaved";
  EXPECT_EQ(explored(text, checks,
                     {.persistent_steps = PersistentSteps::off,
                      .movers = Movers::off,
                      .domain = domain,
                      .refining = Refining::off})
                .answer(),
            kept)
      << "local steps only";
  return kept;
}

std::string sequential(const std::string& body) {
  return "int main(void) {" + body + " return 0; }";
}

std::string two_threads(const std::string& shared, const std::string& first,
                        const std::string& second, const std::string& after) {
  return shared + "void *first(void *p) {" + first + " return 0; }" + "void *second(void *p) {" +
         second + " return 0; }" +
         "int main(void) { pthread_t a, b; pthread_create(&a, 0, first, 0);"
         "pthread_create(&b, 0, second, 0); pthread_join(a, 0); pthread_join(b, 0);" +
         after + " return 0; }";
}

TEST(Domains, SymbolicSolvesForInputs) {
  const std::string text = sequential(
      "unsigned x = __VERIFIER_nondet_int(); if (x * 3 == 123456 && x < 100000) reach_error();");
  const Explored found = explored(text, errors, {.domain = DomainKind::symbolic});
  ASSERT_EQ(found.answer(), "unsafe");
  bool given = false;
  for (const verdict::Step& step : std::get<verdict::Unsafe>(found.verdict).trace.steps)
    given = given || step.input == 41152u;
  EXPECT_TRUE(given);
}

TEST(Domains, SymbolicIsExactWhereTryingValuesIsNot) {
  const std::string narrowed =
      "int x = __VERIFIER_nondet_int(); if (x > 500 && (char)x == 7) reach_error();";
  EXPECT_EQ(over(DomainKind::symbolic, sequential(narrowed)), "unsafe");
  const std::string even = "int x = __VERIFIER_nondet_int(); if ((x + x) % 2 != 0) reach_error();";
  EXPECT_EQ(over(DomainKind::symbolic, sequential(even)), "safe");
}

TEST(Domains, SymbolicThroughMemoryAndThreads) {
  const auto text = [](const std::string& wrong) {
    return two_threads("int x, y;", "x = __VERIFIER_nondet_int();", "y = x;",
                       "if (" + wrong + ") reach_error();");
  };
  EXPECT_EQ(over(DomainKind::symbolic, text("y != x && y != 0")), "safe");
  EXPECT_EQ(over(DomainKind::symbolic, text("y != x && x == 77")), "unsafe");
}

TEST(Domains, UnknownValuesLeadBothWays) {
  EXPECT_EQ(over(DomainKind::value,
                 sequential("int x = __VERIFIER_nondet_int(), n = 0; if (x * x > 5) n = 1;"
                            "if (n > 1) reach_error();")),
            "safe");
  EXPECT_EQ(over(DomainKind::value,
                 sequential("int x = __VERIFIER_nondet_int(); if (x * x == 49) reach_error();")),
            "unsafe");
}

TEST(Domains, IntervalsProveLoopsWithoutBound) {
  const std::string text =
      two_threads("int x, turns; pthread_mutex_t m;",
                  "while (__VERIFIER_nondet_int()) { pthread_mutex_lock(&m); if (x < 100) x++;"
                  "pthread_mutex_unlock(&m); }",
                  "while (__VERIFIER_nondet_int()) { pthread_mutex_lock(&m); if (x > 0) x--;"
                  "pthread_mutex_unlock(&m); }",
                  "if (x < 0 || x > 100) reach_error();");
  const Explored found = explored(text, errors, {.domain = DomainKind::interval});
  EXPECT_EQ(found.answer(), "safe");
  EXPECT_GT(found.statistics.joins, 0u);
}

TEST(Domains, IntervalsFindWhatIsReal) {
  const std::string text = sequential(
      "int n = 0; while (__VERIFIER_nondet_int()) if (n < 3) n++;"
      "if (n == 2) reach_error();");
  EXPECT_EQ(explored(text, errors, {.domain = DomainKind::interval}).answer(), "unsafe");
}

TEST(Domains, ACoarseDomainDoesNotGuess) {
  // No interval tells that x and y are equal.
  const std::string text = sequential(
      "int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x += 2; y += 2; }"
      "if (x != y) reach_error();");
  EXPECT_EQ(explored(text, errors, {.domain = DomainKind::interval}).answer(), "unknown");
}

TEST(Domains, RefinementKeepsWhatAPathNeeds) {
  const std::string text =
      two_threads("int needed, idle;", "needed = 1; idle = 5;", "if (idle > 3) idle = 7;",
                  "if (needed != 1) reach_error();");
  const Explored found = explored(text, errors, {.domain = DomainKind::value});
  EXPECT_EQ(found.answer(), "safe");
  EXPECT_GT(found.statistics.spurious, 0u);
  EXPECT_GT(found.statistics.refinements, 0u);
}

TEST(Domains, UnknownIndices) {
  const auto text = [](const std::string& wrong) {
    return sequential(
        "int a[4] = {1, 2, 3, 4}; unsigned i = __VERIFIER_nondet_int() & 3; a[i] = 9;"
        "unsigned j = __VERIFIER_nondet_int() & 3; int x = a[j]; if (" +
        wrong + ") reach_error();");
  };
  EXPECT_EQ(over(DomainKind::symbolic, text("i == j && x != 9")), "safe");
  EXPECT_EQ(over(DomainKind::symbolic, text("i != j && x == 4")), "unsafe");
  EXPECT_EQ(over(DomainKind::interval, text("x > 9 || x < 1")), "safe");
}

TEST(Domains, RacesThroughUnknownIndices) {
  const auto text = [](const std::string& mask) {
    return two_threads("int a[4];", "unsigned i = __VERIFIER_nondet_int() & 3; a[i] = 1;",
                       "a[" + mask + "] = 2;", "");
  };
  EXPECT_EQ(over(DomainKind::symbolic, text("2"), {Check::race}), "unsafe");
  EXPECT_EQ(over(DomainKind::interval, text("2"), {Check::race}), "unsafe");
}

TEST(Domains, CompareExchangeOnUnknownWords) {
  const std::string text = sequential(
      "int x = __VERIFIER_nondet_int(), e = 5; int *p = &x;"
      "_Bool done = __atomic_compare_exchange_n(p, &e, 6, 0, 5, 5);"
      "if (done ? *p != 6 : e == 5) reach_error();");
  EXPECT_EQ(over(DomainKind::symbolic, text), "safe");
}

TEST(Domains, DeadlocksAreSeen) {
  const std::string text =
      two_threads("pthread_mutex_t m, n; int x;",
                  "x = __VERIFIER_nondet_int(); pthread_mutex_lock(&m); pthread_mutex_lock(&n);"
                  "pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
                  "pthread_mutex_lock(&n); pthread_mutex_lock(&m);"
                  "pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
                  "");
  for (const DomainKind domain : {DomainKind::value, DomainKind::interval, DomainKind::bdd,
                                  DomainKind::product, DomainKind::symbolic})
    EXPECT_EQ(over(domain, text, {Check::deadlock}), "unsafe");
}

TEST(Domains, ArgumentsAndResultsAreFollowed) {
  const std::string text =
      "int twice(int x) { return 2 * x; }"
      "void *worker(void *p) { int n = (int)(long)p; if (n > 5 && n < 7 && twice(n) != 12)"
      "reach_error(); return 0; }"
      "int main(void) { pthread_t t; int n = __VERIFIER_nondet_int() & 7;"
      "pthread_create(&t, 0, worker, (void *)(long)n); pthread_join(t, 0); return 0; }";
  EXPECT_EQ(over(DomainKind::symbolic, text), "safe");
}

TEST(Domains, BddsRelateSmallNumbers) {
  // The two are always equal, though neither has one value.
  const std::string text = two_threads(
      "_Bool a, b; pthread_mutex_t m;",
      "while (__VERIFIER_nondet_int()) { pthread_mutex_lock(&m); a = !a; b = !b;"
      "pthread_mutex_unlock(&m); }",
      "pthread_mutex_lock(&m); if (a != b) reach_error(); pthread_mutex_unlock(&m);", "");
  EXPECT_EQ(over(DomainKind::bdd, text), "safe");
  EXPECT_EQ(over(DomainKind::product, text), "safe");
}

// A thread that spins for one input only must not keep the others from running with that input.
TEST(Domains, ALoopThatEndsForSomeInputsOnlyPutsNobodyOff) {
  const std::string text =
      "_Atomic int shared = 1; void *look(void *p) { if (shared == 0) reach_error(); return 0; }"
      "int main(void) { pthread_t t; pthread_create(&t, 0, look, 0);"
      "int x = __VERIFIER_nondet_int(); shared = x; while (x == 0) ; pthread_join(t, 0); return 0; "
      "}";
  for (const DomainKind domain : {DomainKind::interval, DomainKind::product, DomainKind::symbolic})
    EXPECT_EQ(over(domain, text), "unsafe");
  for (const DomainKind domain : {DomainKind::value, DomainKind::bdd})
    EXPECT_NE(over(domain, text), "safe");
}

// What others do before an assumption fails has happened.
TEST(Domains, AnAssumptionThatFailsForSomeInputsHidesNobody) {
  const std::string text =
      "_Atomic int shared = 1; void *look(void *p) { if (shared < 0) reach_error(); return 0; }"
      "int main(void) { pthread_t t; pthread_create(&t, 0, look, 0);"
      "int x = __VERIFIER_nondet_int(); shared = x; __VERIFIER_assume(x > 0); pthread_join(t, 0);"
      "return 0; }";
  for (const DomainKind domain : {DomainKind::interval, DomainKind::product, DomainKind::symbolic})
    EXPECT_EQ(over(domain, text), "unsafe");
  for (const DomainKind domain : {DomainKind::value, DomainKind::bdd})
    EXPECT_NE(over(domain, text), "safe");
}

const std::string adds_under_lock = "pthread_mutex_lock(&m); x += y; pthread_mutex_unlock(&m);";

// What a lock protects is taken alone in every domain, though nobody knows its value.
TEST(Domains, CriticalSectionsAreNotInterleaved) {
  const std::string text =
      two_threads("int x; pthread_mutex_t m;",
                  "int y = __VERIFIER_nondet_uchar() % 4;" + adds_under_lock + adds_under_lock,
                  "int y = __VERIFIER_nondet_uchar() % 4;" + adds_under_lock + adds_under_lock,
                  "if (x > 12) reach_error();");
  for (const DomainKind domain : {DomainKind::interval, DomainKind::symbolic}) {
    const Options plain{.persistent_steps = PersistentSteps::off,
                        .movers = Movers::off,
                        .domain = domain,
                        .refining = Refining::off};
    const Options reduced{.domain = domain, .refining = Refining::off};
    const Explored all = explored(text, errors, plain), few = explored(text, errors, reduced);
    EXPECT_EQ(all.answer(), "safe");
    EXPECT_EQ(few.answer(), "safe");
    EXPECT_EQ(all.statistics.persistent_steps, 0U);
    EXPECT_GT(few.statistics.persistent_steps, 0U);
    EXPECT_GT(few.statistics.protected_steps, 0U);
    EXPECT_LT(2 * few.statistics.states, all.statistics.states);
  }
}

// An index that nobody knows may be that of the word that the other thread is about to write.
TEST(Domains, AnUnknownAddressIsInterleaved) {
  const std::string text =
      two_threads("_Atomic int a[2], seen;",
                  "unsigned i = __VERIFIER_nondet_uchar() % 2; a[i] = 1; a[1 - i] = 2;",
                  "if (a[0] == 1 && a[1] == 0) seen = 1;", "if (seen) reach_error();");
  for (const DomainKind domain : {DomainKind::interval, DomainKind::symbolic})
    EXPECT_EQ(over(domain, text), "unsafe");
}

}  // namespace
}  // namespace heddle::testing
