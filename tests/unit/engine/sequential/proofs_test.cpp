// Invariants of small sequential programs: found and confirmed where they exist, and never
// claimed where the program breaks its property.
#include <gtest/gtest.h>

#include "unit/engine/sequential/proved.hpp"

namespace heddle {
namespace {

using testing::proved;
using testing::Proved;
using verdict::Check;

// For programs that are not safe: whatever comes out, it is no confirmed proof.
void expect_no_proof(const std::string& text, const std::set<Check>& checks = {Check::error_call}) {
  const base::Budget budget(std::chrono::milliseconds(1500), 4ULL << 30);
  const Proved result = proved(text, checks, {}, budget);
  EXPECT_NE(result.answer(), "safe") << text;
}

TEST(Proofs, TwoCountersStayEqual) {
  EXPECT_EQ(proved(R"(int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) { x++; y++; }
    if (x != y) reach_error();
    return 0; })")
                .answer(),
            "safe");
}

TEST(Proofs, ACounterStaysBelowItsLimit) {
  EXPECT_EQ(proved(R"(int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    int x = 0;
    while (x < n) x++;
    if (x != n) reach_error();
    return 0; })")
                .answer(),
            "safe");
}

TEST(Proofs, EqualityHoldsEvenWhereItWrapsAround) {
  EXPECT_EQ(proved(R"(int main(void) {
    unsigned x = __VERIFIER_nondet_int(), y = x;
    while (__VERIFIER_nondet_int()) { x--; y--; x += 3; y += 3; }
    if (x != y) reach_error();
    return 0; })")
                .answer(),
            "safe");
}

TEST(Proofs, IntegersThatNeverWrapWouldBeWrong) {
  expect_no_proof(R"(int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int()) x++;
    if (x < 0) reach_error();
    return 0; })");
  expect_no_proof(R"(int main(void) {
    unsigned char x = 0;
    while (__VERIFIER_nondet_int()) { if (x + 1 < x) {} x++; if (x < 1) reach_error(); }
    return 0; })");
  expect_no_proof(R"(int main(void) {
    int x = __VERIFIER_nondet_int(), y = x + 1;
    if (y <= x) reach_error();
    return 0; })");
}

TEST(Proofs, AWrongClaimIsNotProved) {
  expect_no_proof(R"(int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) { x++; if (x > 3) y++; }
    if (y > 2) reach_error();
    return 0; })");
}

TEST(Proofs, NestedLoops) {
  EXPECT_EQ(proved(R"(int main(void) {
    int sum = 0;
    for (int i = 0; i < 10; i++)
      for (int k = 0; k < 10; k++) { sum = i + k; if (sum > 18) reach_error(); }
    return 0; })")
                .answer(),
            "safe");
}

TEST(Proofs, ArraysByIndex) {
  EXPECT_EQ(proved(R"(int a[5];
  int main(void) {
    for (;;) {
      int k = __VERIFIER_nondet_int();
      if (k < 0 || k >= 5) continue;
      a[k] = 1;
      if (a[2] != 0 && a[2] != 1) reach_error();
    } })",
                   {Check::error_call, Check::deref})
                .answer(),
            "safe");
  expect_no_proof(R"(int a[5];
  int main(void) {
    for (;;) {
      int k = __VERIFIER_nondet_int();
      if (k < 0 || k > 5) continue;
      a[k] = 1;
    } })");
}

TEST(Proofs, PointersAndStructsOnTheStack) {
  EXPECT_EQ(proved(R"(struct pair { int a, b; struct pair *next; };
  int main(void) {
    struct pair s = {0, 0, 0}, t = {0, 7, &s};
    s.next = &t;
    struct pair *p = &s;
    while (__VERIFIER_nondet_int()) {
      if (p->a > 1000) p->a = 0;
      p->a++;
      p = p->next;
    }
    if (t.b != 7 || s.a < 0) reach_error();
    return 0; })",
                   {Check::error_call, Check::deref})
                .answer(),
            "safe");
}

TEST(Proofs, UseAfterTheEndOfABlockIsNotProved) {
  expect_no_proof(R"(int main(void) {
    int *p = 0;
    while (__VERIFIER_nondet_int()) { int x = 1; if (p) *p = 2; p = &x; if (x == 2) x = 3; }
    return 0; })");
}

TEST(Proofs, HeapBlocks) {
  const std::string heap = "void *malloc(unsigned long); void free(void *);";
  EXPECT_EQ(proved(heap + R"(int main(void) {
    while (__VERIFIER_nondet_int()) {
      int *p = malloc(4);
      *p = 5;
      if (*p != 5) reach_error();
      free(p);
    }
    return 0; })",
                   {Check::error_call, Check::deref, Check::free})
                .answer(),
            "safe");
  expect_no_proof(heap + R"(int main(void) {
    int *p = malloc(4);
    while (__VERIFIER_nondet_int()) { *p = 1; if (__VERIFIER_nondet_int()) free(p); }
    return 0; })");
}

TEST(Proofs, UnsetMemoryHoldsAnything) {
  expect_no_proof(R"(int main(void) {
    int a[2];
    int *p = a;
    if (p[1] == 77) reach_error();
    return 0; })");
  EXPECT_EQ(proved(R"(int main(void) {
    int a[2];
    int *p = a;
    int first = p[1];
    while (__VERIFIER_nondet_int()) if (p[1] != first) reach_error();
    return 0; })")
                .answer(),
            "safe");
}

TEST(Proofs, DivisionsRemaindersAndMasks) {
  EXPECT_EQ(proved(R"(int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int()) { x = x + 2; if (x > 100) x = 0; }
    if (x % 2 != 0 || (x & 1) != 0 || x / 2 > 50) reach_error();
    return 0; })")
                .answer(),
            "safe");
  expect_no_proof(R"(int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x % 2 == -1) reach_error();
    return 0; })");
}

TEST(Proofs, CallsAreNotTaken) {
  const Proved result = proved(
      "int f(void) { return __VERIFIER_nondet_int(); }"
      "int main(void) { return f(); }");
  EXPECT_NE(result.answer().find("unknown"), std::string::npos);
  EXPECT_NE(result.answer().find("a call"), std::string::npos) << result.answer();
}

TEST(Proofs, OverflowAsTheProperty) {
  EXPECT_EQ(proved(R"(int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int()) if (x < 1000) x++;
    return 0; })",
                   {Check::overflow})
                .answer(),
            "safe");
  expect_no_proof(R"(int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int()) if (x < 2147483647) x++; else x = x + 1;
    return 0; })",
                  {Check::overflow});
}

}  // namespace
}  // namespace heddle
