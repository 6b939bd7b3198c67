// Answers leave only with evidence that was checked.
#include "portfolio/portfolio.hpp"

#include <gtest/gtest.h>

#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using verdict::Check;

portfolio::Answer answer_on(const std::string& text, const std::set<Check>& checks) {
  Silent silent;
  return portfolio::solve(frontend::parse_text("test.c", prelude + text), {checks},
                          base::Budget(std::chrono::seconds(60), 4ULL << 30), {}, silent);
}

TEST(Portfolio, AnnotatesWhatWasReplayed) {
  const auto answer = answer_on(R"(
int x;
void *worker(void *p) { x = x + 1; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  x = x + 1;
  pthread_join(a, 0);
  if (x != 2) reach_error();
  return 0;
})",
                                {Check::error_call});
  const auto& unsafe = std::get<verdict::Unsafe>(answer.verdict);
  EXPECT_EQ(answer.trace.steps.size(), unsafe.trace.steps.size());
  EXPECT_EQ(answer.trace.routines, (std::vector<std::string>{"main", "worker"}));
}

TEST(Portfolio, OverflowIsAskedOnDemand) {
  const std::string text = "int x = 2147483647; int main(void) { x = x + 1; return 0; }";
  EXPECT_TRUE(std::holds_alternative<verdict::Safe>(answer_on(text, {Check::race}).verdict));
  const auto answer = answer_on(text, {Check::overflow});
  ASSERT_TRUE(std::holds_alternative<verdict::Unsafe>(answer.verdict));
  EXPECT_EQ(std::get<verdict::Unsafe>(answer.verdict).violation.check, Check::overflow);
}

const std::string sleeper = R"(
pthread_mutex_t m;
pthread_cond_t c;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
)";

TEST(Portfolio, AThreadMayWaitForEverWhileOthersRun) {
  const auto answer = answer_on(sleeper + R"(
volatile int tick;
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  for (;;) tick = !tick;
})",
                                {Check::deadlock});
  ASSERT_TRUE(std::holds_alternative<verdict::Unsafe>(answer.verdict));
  const auto& violation = std::get<verdict::Unsafe>(answer.verdict).violation;
  EXPECT_EQ(violation.check, Check::deadlock);
  EXPECT_EQ(violation.stuck, std::vector<verdict::ThreadNumber>{1});
  ASSERT_EQ(answer.trace.waiting.size(), 1U);
  EXPECT_EQ(answer.trace.waiting.front().thread, 1U);
}

TEST(Portfolio, TheEndOfTheProcessIsNoDeadlock) {
  const auto answer = answer_on(sleeper + R"(
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  return 0;
})",
                                {Check::deadlock});
  EXPECT_TRUE(std::holds_alternative<verdict::Safe>(answer.verdict));
}

TEST(Portfolio, ASignallerThatRunsOnIsNoDeadlock) {
  const auto answer = answer_on(sleeper + R"(
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  for (;;) pthread_cond_signal(&c);
})",
                                {Check::deadlock});
  EXPECT_TRUE(std::holds_alternative<verdict::Safe>(answer.verdict));
}

}  // namespace
}  // namespace heddle::testing
