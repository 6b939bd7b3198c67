// Memory errors and overflow, with both encodings of the order.
#include <gtest/gtest.h>

#include "unit/engine/bmc/unrolled.hpp"

namespace heddle::testing {
namespace {

using verdict::Check;

const std::set<Check> accesses{Check::deref, Check::free};

TEST(BmcMemory, UseAfterFreeInAnotherThread) {
  const auto program = [](const std::string& body) {
    return "void *malloc(unsigned long); void free(void *); int *shared; pthread_t t;"
           "void *first(void *p) { *shared = 1; return 0; }"
           "int main(void) { shared = malloc(4); pthread_create(&t, 0, first, 0); " +
           body + " return 0; }";
  };
  EXPECT_EQ(both(program("free(shared);"), accesses), "unsafe");
  EXPECT_EQ(both(program("pthread_join(t, 0); free(shared);"), accesses), "safe");
  EXPECT_EQ(both(program("pthread_join(t, 0); free(shared); free(shared);"), accesses), "unsafe");
  EXPECT_EQ(both(program("pthread_join(t, 0); free(shared + 1);"), accesses), "unsafe");
}

TEST(BmcMemory, NullUntilSomebodySetsIt) {
  const auto program = [](const std::string& guard) {
    return "int x; int *volatile p; void *first(void *q) { p = &x; return 0; }"
           "void *second(void *q) { " +
           guard + " *p = 3; return 0; }" + two_threads("");
  };
  EXPECT_EQ(both(program(""), accesses), "unsafe");
  EXPECT_EQ(both(program("if (p)"), accesses), "safe");
}

TEST(BmcMemory, IndexFromOutside) {
  const auto program = [](const std::string& limit) {
    return "int a[8]; int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); if (i < " +
           limit + ") a[i] = 1; return 0; }";
  };
  EXPECT_EQ(both(program("8"), accesses), "safe");
  EXPECT_EQ(both(program("9"), accesses), "unsafe");
}

// What comes in may be any address; those that it is compared with are followed.
TEST(BmcMemory, InputsMayBeAddresses) {
  const auto program = [](const std::string& wrong) {
    return "void *__VERIFIER_nondet_pointer(void); int x, y; int main(void) {"
           "int *p = __VERIFIER_nondet_pointer();"
           "if (p == &x || p == &y) { *p = 1; if (" +
           wrong + ") reach_error(); } return 0; }";
  };
  EXPECT_EQ(both(program("y == 1"), {Check::error_call}), "unsafe");
  EXPECT_EQ(both(program("x + y != 1"), {Check::error_call}), "safe");
}

// An address that is guessed is of no use before there is something at it.
TEST(BmcMemory, InputsAreNoAddressesOfWhatIsAllocatedLater) {
  const auto program = [](const std::string& wrong) {
    return "void *malloc(unsigned long); void *__VERIFIER_nondet_pointer(void); int x;"
           "int main(void) { int *p = __VERIFIER_nondet_pointer(); if (p == &x) x = 1; *p = 2;"
           "int *later = malloc(sizeof *later); if (" +
           wrong + ") reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("p == later || p == &x"), {Check::error_call}), "unsafe");
  EXPECT_NE(both(program("p == later"), {Check::error_call}), "unsafe");
}

TEST(BmcMemory, TheFrameOfTheCreatorEnds) {
  const auto program = [](const std::string& wait) {
    return "pthread_t t; void *first(void *p) { *(int *)p = 1; return 0; }"
           "void start(void) { int local = 0; pthread_create(&t, 0, first, &local); " +
           wait + " } int main(void) { start(); pthread_join(t, 0); return 0; }";
  };
  EXPECT_EQ(both(program(""), accesses), "unsafe");
  EXPECT_EQ(both("pthread_t t; void *first(void *p) { *(int *)p = 1; return 0; }"
                 "void start(void) { int local = 0; pthread_create(&t, 0, first, &local);"
                 "pthread_join(t, 0); } int main(void) { start(); return 0; }",
                 accesses),
            "safe");
}

// Whether a block that lives on is a leak is not looked into; without one there is none.
TEST(BmcMemory, BlocksThatLiveOnAreNoProof) {
  const std::set<Check> all{Check::deref, Check::free, Check::leak};
  const auto program = [](const std::string& thread, const std::string& body) {
    return "void *malloc(unsigned long); void free(void *); void abort(void); pthread_t t; int *p;"
           "void *first(void *q) { " +
           thread + " return 0; } int main(void) { " + body + " return 0; }";
  };
  EXPECT_EQ(both("int main(void) { return 0; }", all), "safe");
  EXPECT_EQ(both(program("", "p = malloc(4); free(p);"), all), "safe");
  EXPECT_EQ(both(program("", "p = malloc(4); if (__VERIFIER_nondet_int()) free(p);"), all),
            "unknown");
  EXPECT_EQ(both(program("", "p = malloc(4); abort();"), all), "safe");
  const std::string start = "p = malloc(4); pthread_create(&t, 0, first, 0); ";
  EXPECT_EQ(both(program("free(p);", start + "pthread_join(t, 0);"), all), "safe");
  EXPECT_EQ(both(program("free(p);", start), all), "unknown");
  const Unrolled left =
      unrolled(program("p = malloc(4);", "pthread_create(&t, 0, first, 0);"), all);
  ASSERT_EQ(left.answer(), "unknown");
  EXPECT_EQ(left.gap().gap, verdict::Gap::unsupported);
}

TEST(BmcMemory, UndefinedBehaviourThatNobodyAsksAboutIsNoProof) {
  const Unrolled found = unrolled("int *p; int main(void) { return *p; }", {Check::error_call});
  ASSERT_EQ(found.answer(), "unknown");
  EXPECT_EQ(found.gap().gap, verdict::Gap::undefined);
}

TEST(BmcOverflow, OfASharedSum) {
  const auto program = [](const std::string& start) {
    return "int x = " + start +
           "; pthread_mutex_t m;"
           "void *first(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return "
           "0; }"
           "void *second(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
           "return 0; }" +
           two_threads("");
  };
  EXPECT_EQ(both(program("2147483645"), {Check::overflow}), "safe");
  EXPECT_EQ(both(program("2147483646"), {Check::overflow}), "unsafe");
}

TEST(BmcOverflow, OfAProductOfInputs) {
  const auto program = [](const std::string& limit) {
    return "int main(void) { int a = __VERIFIER_nondet_int(); if (a < 0 || a > " + limit +
           ") return 0; return a * a; }";
  };
  EXPECT_EQ(both(program("46340"), {Check::overflow}), "safe");
  EXPECT_EQ(both(program("46341"), {Check::overflow}), "unsafe");
}

// Freeing is a write of the whole block.
TEST(BmcMemory, FreeingRaces) {
  const auto program = [](const std::string& body) {
    return "void *malloc(unsigned long); void free(void *); int *shared; pthread_t t;"
           "void *first(void *p) { return *shared == 7 ? p : 0; }"
           "int main(void) { shared = malloc(4); *shared = 7; pthread_create(&t, 0, first, 0); " +
           body + " return 0; }";
  };
  EXPECT_EQ(both(program("free(shared); pthread_join(t, 0);"), {Check::race}), "unsafe");
  EXPECT_EQ(both(program("pthread_join(t, 0); free(shared);"), {Check::race}), "safe");
}

// An exchange that fails only reads.
TEST(BmcMemory, FailedExchangesDoNotRaceWithReads) {
  const auto program = [](const std::string& expected) {
    return "int x; void *first(void *p) { int e = " + expected +
           "; __atomic_compare_exchange_n(&x, &e, 2, 0, 5, 5); return 0; }"
           "void *second(void *p) { return x ? p : 0; }" +
           two_threads("");
  };
  EXPECT_EQ(both(program("0"), {Check::race}), "unsafe");
  EXPECT_EQ(both(program("1"), {Check::race}), "safe");
}

}  // namespace
}  // namespace heddle::testing
