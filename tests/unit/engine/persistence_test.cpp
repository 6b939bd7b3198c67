// Steps on shared memory that nobody else may still interfere with: that they are taken
// alone, and that none is which somebody may interfere with after all.
#include <gtest/gtest.h>

#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::explore::Movers;
using engine::explore::PersistentSteps;
using verdict::Check;

struct Both {
  Explored with, without;
};

Both both(const std::string& text, Check check) {
  return {
      explored(text, {check}, {.movers = Movers::off}),
      explored(text, {check}, {.persistent_steps = PersistentSteps::off, .movers = Movers::off})};
}

void expect_fewer_states(const std::string& text, Check check, const std::string& answer,
                         std::uint64_t factor = 2) {
  const Both found = both(text, check);
  EXPECT_EQ(found.with.answer(), answer);
  EXPECT_EQ(found.without.answer(), answer);
  EXPECT_GT(found.with.statistics.persistent_steps, 0U);
  EXPECT_EQ(found.without.statistics.persistent_steps, 0U);
  EXPECT_LT(found.with.statistics.states * factor, found.without.statistics.states);
  EXPECT_EQ(found.with.statistics.misled_searches, 0U);
}

TEST(Persistence, WhatOthersAreDoneWithIsNotInterleaved) {
  // Both touch x in turn; what each does afterwards concerns nobody but main after the joins.
  expect_fewer_states(R"(
int x, a, b;
void *first(void *p) { x++; a = 1; a++; a++; a++; return 0; }
void *second(void *p) { x++; b = 1; b++; b++; b++; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a + b != 8) reach_error();
  return 0; })",
                      Check::error_call, "safe");
}

TEST(Persistence, ArgumentsOfThreadsAreToldApart) {
  expect_fewer_states(R"(
int cells[3];
void *worker(void *p) { int *mine = p; for (int i = 0; i < 4; i++) *mine += 1; return 0; }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, &cells[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0; })",
                      Check::race, "safe", 100);
}

TEST(Persistence, WhoWaitsForThisThreadIsNoThreat) {
  expect_fewer_states(R"(
int x, y;
pthread_mutex_t m;
void *holder(void *p) {
  pthread_mutex_lock(&m);
  for (int i = 0; i < 3; i++) x++;
  pthread_mutex_unlock(&m);
  return 0; }
void *aside(void *p) { for (int i = 0; i < 3; i++) y++; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, holder, 0);
  pthread_create(&u, 0, aside, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(u, 0);
  y++;
  return 0; })",
                      Check::race, "safe");
}

TEST(Persistence, AThreadThatIsCreatedLaterCounts) {
  EXPECT_EQ(explored(R"(
int x;
void *late(void *p) { x = 1; return 0; }
void *early(void *p) { pthread_t t; pthread_create(&t, 0, late, 0); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, early, 0);
  if (x) reach_error();
  return 0; })",
                     {Check::error_call})
                .answer(),
            "unsafe");
}

TEST(Persistence, ACallbackOfTheOtherThreadCounts) {
  EXPECT_EQ(explored(R"(
int x;
void set(void) { x = 1; }
void (*hook)(void) = set;
void *worker(void *p) { hook(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  if (x) reach_error();
  return 0; })",
                     {Check::error_call})
                .answer(),
            "unsafe");
}

TEST(Persistence, AFrameThatEndsCounts) {
  const std::string text = R"(
int *shared;
void *worker(void *p) { int *mine = shared; if (mine) *mine = 1; return 0; }
void lend(void) { int local = 0; shared = &local; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  lend();
  pthread_join(t, 0);
  return 0; })";
  const Both found = both(text, Check::deref);
  EXPECT_EQ(found.with.answer(), "unsafe");
  EXPECT_EQ(found.without.answer(), "unsafe");
}

TEST(Persistence, TheProcessMayEndBeforeTheBlockIsKept) {
  const Both found = both(R"(
void *malloc(unsigned long);
int *kept;
void *worker(void *p) { kept = malloc(4); *kept = 1; kept = 0; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  return 0; })",
                          Check::leak);
  EXPECT_EQ(found.with.answer(), found.without.answer());
}

TEST(Persistence, ASectionIsJudgedAsAWhole) {
  // The section waits for m and then touches x, which main reads.
  const std::string text = R"(
int x;
pthread_mutex_t m;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return 0; }
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_unlock(&m);
  if (x) reach_error();
  return 0; })";
  EXPECT_EQ(explored(text, {Check::error_call}).answer(), "unsafe");
  EXPECT_EQ(explored(text, {Check::race}).answer(), "unsafe");
}

}  // namespace
}  // namespace heddle::testing
