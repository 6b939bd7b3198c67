// Threads that are alike: exchanged where nothing tells them apart, and nowhere else.
#include <gtest/gtest.h>

#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::explore::Movers;
using engine::explore::PersistentSteps;
using engine::explore::Symmetric;
using verdict::Check;

struct Compared {
  Explored with{};
  Explored without{};
};

// The other reductions are off: they would leave little to tell apart.
Compared compared(const std::string& text, Check check = Check::error_call) {
  Compared both;
  both.with =
      explored(text, {check}, {.persistent_steps = PersistentSteps::off, .movers = Movers::off});
  both.without = explored(text, {check},
                          {.persistent_steps = PersistentSteps::off,
                           .movers = Movers::off,
                           .symmetry = Symmetric::off});
  EXPECT_EQ(both.with.answer(), both.without.answer()) << text;
  EXPECT_EQ(explored(text, {check}).answer(), both.without.answer()) << text;
  EXPECT_EQ(both.without.statistics.symmetric_states, 0U);
  return both;
}

std::string three_threads(const std::string& shared, const std::string& body,
                          const std::string& after, const std::string& argument = "0") {
  return shared + "void *work(void *p) {" + body + " return 0; }" +
         "int main(void) { pthread_t t[3];"
         "for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)(long)" +
         argument + "); for (int i = 0; i < 3; i++) pthread_join(t[i], 0);" + after +
         " return 0; }";
}

const std::string locked = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";

TEST(Symmetry, WhichOfThreeThreadsIsWhichDoesNotMatter) {
  const Compared both =
      compared(three_threads("int x; pthread_mutex_t m;", locked, "if (x != 3) reach_error();"));
  EXPECT_EQ(both.with.answer(), "safe");
  EXPECT_EQ(both.with.statistics.no_symmetry, "");
  EXPECT_GT(both.with.statistics.symmetric_states, 0U);
  EXPECT_LT(2 * both.with.statistics.states, both.without.statistics.states);
}

TEST(Symmetry, HidesNoLostUpdate) {
  const std::string shared = "_Atomic int x;";
  EXPECT_EQ(
      compared(three_threads(shared, "x = x + 1;", "if (x == 1) reach_error();")).with.answer(),
      "unsafe");
  EXPECT_EQ(
      compared(three_threads(shared, "x = x + 1;", "if (x == 0) reach_error();")).with.answer(),
      "safe");
}

TEST(Symmetry, HidesNoRaceAndNoDeadlock) {
  EXPECT_EQ(compared(three_threads("int x; pthread_mutex_t m;", locked + "if (x == 2) x = 2;", ""),
                     Check::race)
                .with.answer(),
            "unsafe");
  const std::string both_ways =
      "pthread_mutex_lock(&m); int mine = x++; pthread_mutex_unlock(&m);"
      "pthread_mutex_lock(mine == 0 ? &a : &b); pthread_mutex_lock(mine == 0 ? &b : &a);";
  EXPECT_EQ(
      compared(three_threads("int x; pthread_mutex_t m, a, b;", both_ways, ""), Check::deadlock)
          .with.answer(),
      "unsafe");
}

TEST(Symmetry, ThreadsWithDifferentArgumentsAreNotAlike) {
  const Compared both = compared(
      three_threads("_Atomic int x;", "x = x + (int)(long)p;", "if (x > 3) reach_error();", "i"));
  EXPECT_EQ(both.with.statistics.symmetric_states, 0U);
  EXPECT_EQ(both.with.statistics.states, both.without.statistics.states);
}

TEST(Symmetry, HandlesThatNobodyUsesTellNothingApart) {
  const Compared both = compared(
      "_Atomic int x; void *work(void *p) { x = x + 1; if (x > 3) reach_error(); return 0; }"
      "int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, work, 0);"
      "return 0; }");
  EXPECT_EQ(both.with.answer(), "safe");
  EXPECT_GT(both.with.statistics.symmetric_states, 0U);
}

// Only the first thread that was created is joined before main looks.
TEST(Symmetry, WhatMainDoesBetweenTwoJoinsCounts) {
  const std::string look =
      "void *work(void *p) { if (x++ == 1) while (1) ; return 0; }"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, work, 0);"
      "pthread_create(&b, 0, work, 0); pthread_join(a, 0); if (x == 2) reach_error();"
      "pthread_join(b, 0); return 0; }";
  EXPECT_EQ(compared("_Atomic int x;" + look).with.answer(), "unsafe");
}

TEST(Symmetry, WhatThreadsReturnTellsThemApart) {
  const auto text = [](const std::string& wrong) {
    return "_Atomic long x; void *work(void *p) { return (void *)(x++); }"
           "int main(void) { pthread_t a, b; void *first, *second;"
           "pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);"
           "pthread_join(a, &first); pthread_join(b, &second);"
           "if (" +
           wrong + ") reach_error(); return 0; }";
  };
  EXPECT_EQ(compared(text("first == (void *)1")).with.answer(), "unsafe");
  EXPECT_EQ(compared(text("first == (void *)0")).with.answer(), "unsafe");
  EXPECT_EQ(compared(text("first == second")).with.answer(), "safe");
}

TEST(Symmetry, SaysWhyThreadsAreNotExchanged) {
  const auto why = [](const std::string& shared, const std::string& body) {
    return compared(three_threads(shared, body, "")).with.statistics.no_symmetry;
  };
  EXPECT_EQ(why("pthread_t pthread_self(void); _Atomic unsigned long x;", "x = pthread_self();"),
            "a thread may look at its own handle");
  EXPECT_EQ(why("_Thread_local int l; int *_Atomic g;", "g = &l;"),
            "the address of a thread-local variable is taken");
  EXPECT_EQ(why("typedef struct { char size[56]; long align; } pthread_rwlock_t;"
                "int pthread_rwlock_rdlock(pthread_rwlock_t *); pthread_rwlock_t l;",
                "pthread_rwlock_rdlock(&l);"),
            "a thread's number is computed with");
}

TEST(Symmetry, AnInputIsNoHandle) {
  const Compared both = compared(three_threads(
      "_Atomic int x;", "x = __VERIFIER_nondet_uchar() % 2;", "if (x > 1) reach_error();"));
  EXPECT_EQ(both.with.statistics.no_symmetry, "");
  EXPECT_GT(both.with.statistics.symmetric_states, 0U);
}

// One block is a lock and the other a number, which must not be taken for that of the thread which
// holds a lock: a state does not say who called the library's function that allocates both.
TEST(Symmetry, BlocksFromTheHeapAreToldApartByWhoAskedForThem) {
  const auto text = [](const std::string& other) {
    return "void *aligned_alloc(unsigned long, unsigned long); _Atomic int number, *n; int x;"
           "int pthread_mutex_init(pthread_mutex_t *, const void *); pthread_mutex_t *m;"
           "void *work(void *p) { pthread_mutex_lock(m); x++; *n = x; pthread_mutex_unlock(m);"
           "return 0; } int main(void) { pthread_t a, b; m = aligned_alloc(8, sizeof *m);"
           "pthread_mutex_init(m, 0); n = " +
           other +
           "; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0); pthread_join(a, 0);"
           "pthread_join(b, 0); if (x != 2) reach_error(); return 0; }";
  };
  EXPECT_EQ(compared(text("aligned_alloc(8, sizeof *n)")).with.statistics.no_symmetry,
            "blocks from one place hold different things");
  const Compared both = compared(text("&number"));
  EXPECT_EQ(both.with.statistics.no_symmetry, "");
  EXPECT_GT(both.with.statistics.symmetric_states, 0U);
}

// A thread that has memory of its own is left alone: others may hold its address.
TEST(Symmetry, ThreadsWithMemoryOfTheirOwnStay) {
  const Compared both = compared(
      three_threads("int *_Atomic g;",
                    "int l = 0; g = &l; int *o = g; if (o == &l && l != 0) reach_error();", ""));
  EXPECT_EQ(both.with.statistics.symmetric_states, 0U);
}

}  // namespace
}  // namespace heddle::testing
