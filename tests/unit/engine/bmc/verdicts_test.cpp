// Verdicts of the bounded model checker on small programs, with both encodings of the order.
#include <gtest/gtest.h>

#include "unit/engine/bmc/unrolled.hpp"

namespace heddle::testing {
namespace {

using verdict::Check;

const std::set<Check> errors{Check::error_call};
const std::set<Check> races{Check::race};
const std::set<Check> deadlocks{Check::deadlock};

// ---- assertions ----

std::string counter(const std::string& increment) {
  return "int x; pthread_mutex_t m;"
         "void *first(void *p) { " +
         increment +
         " return 0; }"
         "void *second(void *p) { " +
         increment + " return 0; }" + two_threads("if (x != 2) reach_error();");
}

TEST(BmcErrors, LostUpdate) {
  EXPECT_EQ(both(counter("x++;"), errors), "unsafe");
  EXPECT_EQ(both(counter("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"), errors),
            "safe");
  EXPECT_EQ(both(counter("__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();"), errors),
            "safe");
  EXPECT_EQ(both(counter("pthread_mutex_lock(&m); int y = x; pthread_mutex_unlock(&m);"
                         "pthread_mutex_lock(&m); x = y + 1; pthread_mutex_unlock(&m);"),
                 errors),
            "unsafe");
}

TEST(BmcErrors, AtomicReadModifyWrite) {
  const auto program = [](const std::string& body) {
    return "_Atomic int x; void *first(void *p) { " + body +
           " return 0; } void *second(void *p) { " + body + " return 0; }" +
           two_threads("if (x != 2) reach_error();");
  };
  EXPECT_EQ(both(program("x++;"), errors), "safe");
  EXPECT_EQ(both(program("x = x + 1;"), errors), "unsafe");
  EXPECT_EQ(both(program("int seen = x; while (!__c11_atomic_compare_exchange_strong("
                         "&x, &seen, seen + 1, 5, 5)) ;"),
                 errors),
            "safe");
}

std::string message(const std::string& send) {
  return "int data, flag;"
         "void *first(void *p) { " +
         send +
         " return 0; }"
         "void *second(void *p) { if (flag == 1 && data != 42) reach_error(); return 0; }" +
         two_threads("");
}

TEST(BmcErrors, MessageThroughAFlag) {
  EXPECT_EQ(both(message("data = 42; flag = 1;"), errors), "safe");
  EXPECT_EQ(both(message("flag = 1; data = 42;"), errors), "unsafe");
}

TEST(BmcErrors, StoreBufferingIsSequentiallyConsistent) {
  const auto program = [](const std::string& wrong) {
    return "int x, y, a = 1, b = 1;"
           "void *first(void *p) { x = 1; a = y; return 0; }"
           "void *second(void *p) { y = 1; b = x; return 0; }" +
           two_threads("if (" + wrong + ") reach_error();");
  };
  EXPECT_EQ(both(program("a == 0 && b == 0"), errors), "safe");
  EXPECT_EQ(both(program("a == 0 && b == 1"), errors), "unsafe");
  EXPECT_EQ(both(program("a == 1 && b == 1"), errors), "unsafe");
}

// Two readers agree on the order of two independent writes.
TEST(BmcErrors, WritesHaveOneOrder) {
  EXPECT_EQ(both(R"(
int x, y, r1, r2, r3, r4;
void *write_x(void *p) { x = 1; return 0; }
void *write_y(void *p) { y = 1; return 0; }
void *first(void *p) { r1 = x; r2 = y; return 0; }
void *second(void *p) { r3 = y; r4 = x; return 0; }
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, write_x, 0);
  pthread_create(&t[1], 0, write_y, 0);
  pthread_create(&t[2], 0, first, 0);
  pthread_create(&t[3], 0, second, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  if (r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0) reach_error();
  return 0;
})",
                 errors),
            "safe");
}

TEST(BmcErrors, WhatComesAfterTheEndDoesNotCount) {
  const auto program = [](const std::string& body) {
    return "void exit(int); int x;"
           "void *first(void *p) { if (x == 1) reach_error(); return 0; }"
           "int main(void) { pthread_t t; pthread_create(&t, 0, first, 0); " +
           body + " }";
  };
  EXPECT_EQ(both(program("__VERIFIER_atomic_begin(); x = 1; exit(0);"), errors), "safe");
  EXPECT_EQ(both(program("x = 1; exit(0);"), errors), "unsafe");
  EXPECT_EQ(both(program("return 0; x = 1;"), errors), "safe");
}

TEST(BmcErrors, AssumptionsEndTheThreadThatMakesThem) {
  const auto program = [](const std::string& body) {
    return "int x; void *first(void *p) { __VERIFIER_assume(0); x = 1; return 0; }"
           "int main(void) { pthread_t t; pthread_create(&t, 0, first, 0);" +
           body + " return 0; }";
  };
  EXPECT_EQ(both(program("reach_error();"), errors), "unsafe");
  EXPECT_EQ(both(program("if (x) reach_error();"), errors), "safe");
  EXPECT_EQ(both(program("pthread_join(t, 0); reach_error();"), errors), "safe");
}

TEST(BmcErrors, ArithmeticOnAllInputs) {
  EXPECT_EQ(both("int main(void) { unsigned a = __VERIFIER_nondet_int(); "
                 "if (a * a == 49 && a > 7 && a < 60000) reach_error();"
                 "return 0; }",
                 errors),
            "safe");
  const Unrolled found = unrolled(
      "int x; void *first(void *p) { x = __VERIFIER_nondet_int(); return 0; }"
      "int main(void) { pthread_t t; pthread_create(&t, 0, first, 0); pthread_join(t, 0);"
      "  if (x * 3 == 123456789) reach_error(); return 0; }",
      errors);
  EXPECT_EQ(found.answer(), "unsafe");
}

TEST(BmcErrors, UnsetMemoryHoldsAnyValueAndKeepsIt) {
  EXPECT_EQ(both("void *malloc(unsigned long); int main(void) { int *p = malloc(4);"
                 "if (*p == 77) reach_error(); return 0; }",
                 errors),
            "unsafe");
  EXPECT_EQ(both("void *malloc(unsigned long); int main(void) { int *p = malloc(4);"
                 "int a = *p, b = *p; if (a != b) reach_error(); return 0; }",
                 errors),
            "safe");
}

TEST(BmcErrors, IrreducibleLoops) {
  const auto program = [](const std::string& wrong) {
    return "int main(void) { int x = __VERIFIER_nondet_uchar() % 8; int n = 0; if (x > 3) goto b;"
           "a: n++; b: x -= 2; n += 10; if (x > 0) goto a;"
           "if (" +
           wrong + ") reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("n == 43"), errors), "unsafe");  // b, and three more rounds: 7
  EXPECT_EQ(both(program("n == 44"), errors), "safe");    // a, and three more: not from below 4
}

// Memory is taken to begin as it is at the first start of a thread only if every path comes by.
TEST(BmcErrors, NotEveryPathStartsTheFirstThread) {
  const auto program = [](const std::string& setup, const std::string& call) {
    return "int y; pthread_t t, u; void *idle(void *p) { return 0; }"
           "void *reader(void *p) { if (y == 0) reach_error(); return 0; }" +
           setup + "int main(void) { " + call +
           " pthread_create(&u, 0, reader, 0); y = 7; return 0; }";
  };
  const std::string start = " y = 1; pthread_create(&t, 0, idle, 0); ";
  const std::string input = "__VERIFIER_nondet_int()";
  EXPECT_EQ(both(program("", "if (" + input + ") {" + start + "}"), errors), "unsafe");
  EXPECT_EQ(both(program("", "if (!" + input + ") {" + start + "}"), errors), "unsafe");
  EXPECT_EQ(both(program("", start), errors), "safe");
  for (const char* sign : {"", "!"}) {
    const std::string condition = sign + input;
    EXPECT_EQ(both(program("int f(void) { if (" + condition + ") return 1;" + start + "return 0; }",
                           "f();"),
                   errors),
              "unsafe");
    EXPECT_EQ(
        both(program("int f(void) { if (" + condition + ") {" + start + "return 0; } return 1; }",
                     "f();"),
             errors),
        "unsafe");
    EXPECT_EQ(both(program("void f(void) {" + start + "} void g(void) {}",
                           "void (*h)(void) = " + condition + " ? f : g; h();"),
                   errors),
              "unsafe");
  }
}

// ---- races ----

TEST(BmcRaces, UnorderedAccesses) {
  EXPECT_EQ(both(counter("x++;"), races), "unsafe");
  EXPECT_EQ(both(counter("x = 1;"), races), "unsafe");
  EXPECT_EQ(both(counter("int y = x; (void)y;"), races), "safe");
  EXPECT_EQ(both(counter("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"), races), "safe");
  EXPECT_EQ(both(counter("__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();"), races),
            "safe");
}

TEST(BmcRaces, OneSideProtectedIsNotEnough) {
  const auto program = [](const std::string& first, const std::string& second) {
    return "int x; pthread_mutex_t m, n; void *first(void *p) { " + first +
           " return 0; } void *second(void *p) { " + second + " return 0; }" + two_threads("");
  };
  EXPECT_EQ(both(program("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "x++;"), races),
            "unsafe");
  EXPECT_EQ(both(program("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
                         "pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n);"),
                 races),
            "unsafe");
  EXPECT_EQ(
      both(program("__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();", "x = 5;"), races),
      "unsafe");
}

TEST(BmcRaces, CreationAndJoinOrder) {
  EXPECT_EQ(both("int x; void *first(void *p) { x++; return 0; } int main(void) { pthread_t t;"
                 "x = 1; pthread_create(&t, 0, first, 0); pthread_join(t, 0); x = 2; return 0; }",
                 races),
            "safe");
  EXPECT_EQ(both("int x; void *first(void *p) { x++; return 0; } int main(void) { pthread_t t;"
                 "pthread_create(&t, 0, first, 0); x = 2; pthread_join(t, 0); return 0; }",
                 races),
            "unsafe");
}

TEST(BmcRaces, OverlappingBytes) {
  const auto program = [](const std::string& first, const std::string& second) {
    return "union { int word; char bytes[4]; } u; struct { char a, b; } s;"
           "void *first(void *p) { " +
           first +
           " return 0; }"
           "void *second(void *p) { " +
           second + " return 0; }" + two_threads("");
  };
  EXPECT_EQ(both(program("u.word = 1;", "u.bytes[3] = 1;"), races), "unsafe");
  EXPECT_EQ(both(program("u.bytes[0] = 1;", "u.bytes[3] = 1;"), races), "safe");
  EXPECT_EQ(both(program("s.a = 1;", "s.b = 1;"), races), "safe");
}

TEST(BmcRaces, OrderedByAFlagThatIsAtomic) {
  const auto program = [](const std::string& kind) {
    return "int data; " + kind +
           " int flag; void *first(void *p) { data = 1; flag = 1; return 0; }"
           "void *second(void *p) { if (flag) data = 2; return 0; }" +
           two_threads("");
  };
  EXPECT_EQ(both(program("_Atomic"), races), "safe");
  EXPECT_EQ(both(program(""), races), "unsafe");
}

TEST(BmcRaces, NothingRacesAfterTheEnd) {
  EXPECT_EQ(
      both("int x; void *first(void *p) { x = 1; return 0; }"
           "int main(void) { pthread_t t; pthread_create(&t, 0, first, 0); return 0; x = 2; }",
           races),
      "safe");
}

// ---- deadlocks ----

TEST(BmcDeadlocks, LockCycles) {
  const auto program = [](const std::string& l1, const std::string& l2) {
    const auto lock = [](const std::string& one, const std::string& two) {
      return "pthread_mutex_lock(&" + one + "); pthread_mutex_lock(&" + two +
             "); pthread_mutex_unlock(&" + two + "); pthread_mutex_unlock(&" + one + ");";
    };
    return "pthread_mutex_t a, b; void *first(void *p) { " + lock("a", "b") +
           " return 0; } void *second(void *p) { " + lock(l1, l2) + " return 0; }" +
           two_threads("");
  };
  EXPECT_EQ(both(program("b", "a"), deadlocks), "unsafe");
  EXPECT_EQ(both(program("a", "b"), deadlocks), "safe");
}

TEST(BmcDeadlocks, OneThreadAlone) {
  const std::string twice = "pthread_mutex_t m; int main(void) { pthread_mutex_lock(&m);";
  EXPECT_EQ(both(twice + "pthread_mutex_lock(&m); return 0; }", deadlocks), "unsafe");
  EXPECT_EQ(
      both(twice + "pthread_mutex_unlock(&m); pthread_mutex_lock(&m); return 0; }", deadlocks),
      "safe");
}

TEST(BmcDeadlocks, JoinOfAThreadThatIsBlocked) {
  const auto program = [](const std::string& before_join) {
    return "pthread_mutex_t m; void *first(void *p) { pthread_mutex_lock(&m);"
           "pthread_mutex_unlock(&m); return 0; }"
           "int main(void) { pthread_t t; pthread_mutex_lock(&m);"
           "pthread_create(&t, 0, first, 0);" +
           before_join + "pthread_join(t, 0); return 0; }";
  };
  EXPECT_EQ(both(program(""), deadlocks), "unsafe");
  EXPECT_EQ(both(program("pthread_mutex_unlock(&m);"), deadlocks), "safe");
}

std::string handover(const std::string& wait) {
  return "pthread_mutex_t m; pthread_cond_t c; int ready;"
         "void *first(void *p) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c);"
         "pthread_mutex_unlock(&m); return 0; }"
         "void *second(void *p) { pthread_mutex_lock(&m); " +
         wait + " if (!ready) reach_error(); pthread_mutex_unlock(&m); return 0; }" +
         two_threads("");
}

TEST(BmcDeadlocks, LostSignal) {
  EXPECT_EQ(both(handover("pthread_cond_wait(&c, &m);"), deadlocks), "unsafe");
  EXPECT_EQ(both(handover("while (!ready) pthread_cond_wait(&c, &m);"), deadlocks), "safe");
}

TEST(BmcDeadlocks, SpuriousWakeUps) {
  EXPECT_EQ(both(handover("if (!ready) pthread_cond_wait(&c, &m);"), errors), "unsafe");
  EXPECT_EQ(both(handover("while (!ready) pthread_cond_wait(&c, &m);"), errors), "safe");
}

TEST(BmcDeadlocks, WaitingBesideOneThatSpinsIsNotCalledSafe) {
  const std::string program =
      "pthread_mutex_t m; pthread_cond_t c; void *first(void *p) { pthread_mutex_lock(&m);"
      "pthread_cond_wait(&c, &m); return 0; }"
      "int main(void) { pthread_t t; pthread_create(&t, 0, first, 0); for (;;) ; }";
  EXPECT_EQ(both(program, deadlocks), "unknown");
  EXPECT_EQ(both(program, errors), "safe");
}

TEST(BmcDeadlocks, AHolderThatSpinsIsNoDeadlock) {
  const std::string answer = both(
      "pthread_mutex_t m; void *first(void *p) { pthread_mutex_lock(&m); return 0; }"
      "int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, first, 0);"
      "for (;;) ; }",
      deadlocks);
  EXPECT_TRUE(answer == "safe" || answer == "unknown") << answer;
}

TEST(BmcDeadlocks, TheEndOfTheProcessReleasesEverybody) {
  EXPECT_EQ(both("pthread_mutex_t m; void *first(void *p) { pthread_mutex_lock(&m); return 0; }"
                 "int main(void) { pthread_t t; pthread_mutex_lock(&m);"
                 "pthread_create(&t, 0, first, 0); return 0; }",
                 deadlocks),
            "safe");
}

}  // namespace
}  // namespace heddle::testing
