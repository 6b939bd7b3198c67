// Functions that call themselves: how deep they are expanded rises with the other bounds, as far
// as the code stays small enough.
#include <gtest/gtest.h>

#include "portfolio/portfolio.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using portfolio::Choice;
using sequentialize::Growth;
using verdict::Check;

portfolio::Answer answer(const std::string& text, portfolio::Options options) {
  Silent silent;
  return portfolio::solve(frontend::parse_text("test.c", prelude + text), {{Check::error_call}},
                          base::Budget(std::chrono::seconds(60), 4ULL << 30), options, silent);
}

portfolio::Options with(Choice engine) {
  portfolio::Options options;
  options.engine = engine;
  return options;
}

portfolio::Options bmc_alone() {
  portfolio::Options options = with(Choice::lazy);
  options.lazy_checkers.explorer = portfolio::Explorer::not_asked;
  return options;
}

bool unsafe(const portfolio::Answer& answer) {
  return std::holds_alternative<verdict::Unsafe>(answer.verdict);
}
bool safe(const portfolio::Answer& answer) {
  return std::holds_alternative<verdict::Safe>(answer.verdict);
}
std::string why(const portfolio::Answer& answer) {
  const auto* unknown = std::get_if<verdict::Unknown>(&answer.verdict);
  return unknown == nullptr ? "" : unknown->detail;
}

// One thread goes down six times; the number that it comes back with depends on the other one.
std::string six_deep(const std::string& broken_if) {
  return R"(
int x, depth;
int down(int n) { return n == 0 ? x : 1 + down(n - 1); }
void *worker(void *p) { depth = down(6); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  x = 1;
  pthread_join(a, 0);
  if ()" +
         broken_if + R"() reach_error();
  return 0;
})";
}
const std::string error_six_deep = six_deep("depth == 7");
const std::string no_error_six_deep = six_deep("depth < 6 || depth > 7");

TEST(Recursion, AnErrorSixCallsDeepIsFound) {
  for (const portfolio::Options& options : {with(Choice::lazy), bmc_alone(), with(Choice::mu)}) {
    const portfolio::Answer found = answer(error_six_deep, options);
    EXPECT_TRUE(unsafe(found)) << why(found);
    EXPECT_EQ(found.sequentialized.unreplayed, 0U);
  }
}

TEST(Recursion, SixCallsAreProved) {
  for (const portfolio::Options& options : {with(Choice::lazy), bmc_alone()}) {
    const portfolio::Answer found = answer(no_error_six_deep, options);
    EXPECT_TRUE(safe(found)) << why(found);
  }
}

// A depth that the user has asked for stays.
TEST(Recursion, TheUsersDepthIsABound) {
  portfolio::Options lazy = with(Choice::lazy), mu = with(Choice::mu);
  lazy.lazy.limits.recursion_growth = mu.mu.limits.recursion_growth = Growth::none;
  lazy.bmc.bounds = mu.bmc.bounds = {1, 8};
  EXPECT_EQ(why(answer(error_six_deep, lazy)), "'down' calls itself more than 3 times");
  EXPECT_FALSE(unsafe(answer(error_six_deep, mu)));
  lazy.lazy.limits.recursion = mu.mu.limits.recursion = 6;
  EXPECT_TRUE(unsafe(answer(error_six_deep, lazy)));
  EXPECT_TRUE(unsafe(answer(error_six_deep, mu)));
}

// The code doubles with each call.
std::string fibonacci(int n, const std::string& broken_if) {
  return R"(
int x, y;
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
void *first(void *p) { x = fib()" +
         std::to_string(n) + R"(); return 0; }
void *second(void *p) { y = fib()" +
         std::to_string(n) + R"(); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if ()" +
         broken_if + R"() reach_error();
  return 0;
})";
}

TEST(Recursion, TwoCallsOfItself) {
  for (const portfolio::Options& options : {with(Choice::lazy), bmc_alone()}) {
    EXPECT_TRUE(safe(answer(fibonacci(6, "x + y != 16"), options)));
    EXPECT_TRUE(unsafe(answer(fibonacci(6, "x + y == 16"), options)));
  }
  EXPECT_TRUE(unsafe(answer(fibonacci(6, "x + y == 16"), with(Choice::mu))));
}

// Too deep to be expanded: the other bounds rise all the same, and that is no fault of the program.
TEST(Recursion, WhatIsTooDeepIsABound) {
  portfolio::Options options = bmc_alone();
  options.bmc.bounds = {1, 8, 64};
  const portfolio::Answer found = answer(fibonacci(40, "x + y == 16"), options);
  ASSERT_TRUE(std::holds_alternative<verdict::Unknown>(found.verdict));
  EXPECT_EQ(std::get<verdict::Unknown>(found.verdict).gap, verdict::Gap::bound);
  EXPECT_NE(why(found).find("calls itself more than"), std::string::npos) << why(found);
  EXPECT_EQ(found.sequentialized.programs, 3U);
}

TEST(Recursion, CodeThatGetsTooLargeIsABoundIfItWasSmallEnoughBefore) {
  portfolio::Options options = bmc_alone();
  options.lazy.limits.most_points = 500;
  options.bmc.bounds = {1, 64};
  const std::string many_threads = R"(
int x;
void *worker(void *p) { x = x + 1; return 0; }
int main(void) {
  pthread_t a;
  for (int i = 0; i < 3; i++) pthread_create(&a, 0, worker, 0);
  return 0;
})";
  const portfolio::Answer found = answer(many_threads, options);
  ASSERT_TRUE(std::holds_alternative<verdict::Unknown>(found.verdict));
  EXPECT_EQ(std::get<verdict::Unknown>(found.verdict).gap, verdict::Gap::bound) << why(found);
  EXPECT_NE(why(found).find("too large"), std::string::npos) << why(found);
  options.bmc.bounds = {64};
  EXPECT_EQ(std::get<verdict::Unknown>(answer(many_threads, options).verdict).gap,
            verdict::Gap::technique);
}

}  // namespace
}  // namespace heddle::testing
