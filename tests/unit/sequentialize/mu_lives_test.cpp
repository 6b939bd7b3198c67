// Ends of objects of functions while memory unwinding runs the threads one after the other: which
// uses come too late is a matter of positions, not of the order in which threads are simulated.
#include <gtest/gtest.h>

#include "mu_programs.hpp"

namespace heddle::sequentialize {
namespace {

using namespace heddle::testing;

const std::string borrower = R"(
int *lent;
void lend(void) { int v = 1; lent = &v; }
void *lender(void *p) { lend(); return p; }
void *user(void *p) { if (lent) *lent += 1; return p; })";

std::string with_both(const std::string& first, const std::string& second) {
  return borrower + "int main(void) { pthread_t a, b; pthread_create(&a, 0, " + first +
         ", 0); pthread_create(&b, 0, " + second +
         ", 0); pthread_join(a, 0); pthread_join(b, 0); reach_error(); }";
}

// Shrunk from what the fuzzer found: the execution that used the variable too late was no
// execution.
TEST(MuLives, ExecutionsThatUseAVariableTooLateDoNotCount) {
  expect_found(with_both("lender", "user"));
  expect_found(with_both("user", "lender"));
}

TEST(MuLives, ErrorsAfterUsesInTimeAreFound) {
  const auto program = [](const std::string& of_the_lender, const std::string& of_the_user) {
    return R"(
int *lent, used;
void lend(void) { int v = 1; lent = &v; if (used) { int seen = v; lent = 0; )" +
           of_the_lender + R"( } }
void *lender(void *p) { lend(); return p; }
void *user(void *p) { int *known = lent; if (known) { *known = 5; used = 1; )" +
           of_the_user + R"( } return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, lender, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
})";
  };
  expect_found(program("if (seen == 5) reach_error();", ""), {1, 2, 3, 4});
  expect_found(program("", "reach_error();"), {1, 2, 3});
  expect_not_found(program("if (seen == 1) reach_error();", ""));
}

TEST(MuLives, VariablesLentOneAfterTheOtherAreToldApart) {
  const auto program = [](int rounds) {
    const std::string last = std::to_string(rounds - 1);
    return R"(
int sum;
void *add(void *p) { sum += *(int *)p; return p; }
void lend(int i) { int v = i; pthread_t t; pthread_create(&t, 0, add, &v); pthread_join(t, 0);
  if (i == )" +
           last + R"( && sum == 10 * )" + last + R"( + 10) reach_error(); }
int main(void) {
  for (int i = 0; i < )" +
           std::to_string(rounds) + R"(; i++) { sum = 10 * i + 10 - i; lend(i); }
  return 0;
})";
  };
  MuOptions options;
  for (const int rounds : {2, 7}) {  // more than are known at a time
    const Checked found = check(program(rounds), options, {1, 2, 4, 8});
    EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict)) << rounds;
    EXPECT_EQ(found.unreplayed, 0U) << rounds;
  }
}

// The user may be simulated first: what it finds in the variable is a guess.
TEST(MuLives, VariablesThatAreUsedBeforeTheyAreMadeEndToo) {
  for (const MuVariant variant : variants) {
    MuOptions options;
    options.variant = variant;
    options.later_blocks = Switch::on;
    const Checked found = check(with_both("user", "lender"), options, {1, 2, 3});
    EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict))
        << "variant " << static_cast<int>(variant);
    EXPECT_EQ(found.unreplayed, 0U) << "variant " << static_cast<int>(variant);
  }
}

TEST(MuLives, WhatAThreadLendsThatIsSimulatedLaterIsFound) {
  Silent silent;
  portfolio::Mu mu({.variant = MuVariant::inter_thread}, {}, portfolio::Explorer::not_asked);
  const verdict::Verdict found =
      mu.run(program_of(R"(
pthread_mutex_t m;
int *lent;
void lend(void) {
  int v = 2;
  pthread_mutex_lock(&m);
  lent = &v;
  pthread_mutex_unlock(&m);
  if (v == 3) reach_error();
}
void *user(void *p) {
  pthread_mutex_lock(&m);
  if (lent) *lent += 1;
  pthread_mutex_unlock(&m);
  return p;
}
void *lender(void *p) { lend(); return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, lender, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
})"),
             {{Check::error_call}}, base::Budget(std::chrono::seconds(60), 4ULL << 30), silent);
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found));
}

// Inside of a section the use is as late as the section may turn out to be.
TEST(MuLives, UsesInSectionsHappenWithTheSection) {
  expect_found(R"(
int *lent, count;
void lend(void) { int v = 1; lent = &v; }
void *lender(void *p) { lend(); return p; }
void *user(void *p) {
  __VERIFIER_atomic_begin();
  if (lent) { *lent += 1; count = 1; }
  __VERIFIER_atomic_end();
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, lender, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (count == 1) reach_error();
  return 0;
})");
}

}  // namespace
}  // namespace heddle::sequentialize
