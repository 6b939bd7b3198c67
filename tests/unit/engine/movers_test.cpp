// The lock discipline: what is protected is not interleaved, and an access that breaks the
// discipline is noticed, whatever the reduction has put off or brought forward.
#include <gtest/gtest.h>

#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::explore::Movers;
using engine::explore::PersistentSteps;
using verdict::Check;

constexpr Check asked[] = {Check::error_call, Check::race, Check::deadlock};

void expect_same_answers(const std::string& text) {
  for (const Check check : asked) {
    const std::string wanted =
        explored(text, {check}, {.persistent_steps = PersistentSteps::off, .movers = Movers::off})
            .answer();
    EXPECT_EQ(explored(text, {check}).answer(), wanted) << verdict::to_string(check);
    EXPECT_EQ(explored(text, {check}, {.persistent_steps = PersistentSteps::off}).answer(), wanted)
        << verdict::to_string(check);
  }
}

const std::string counters = R"(
int x, y;
pthread_mutex_t m;
void *worker(void *p) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    x++; y--; x++;
    pthread_mutex_unlock(&m);
  }
  return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (x != 8) reach_error();
  return 0; })";

TEST(Movers, ACriticalSectionIsOneMove) {
  expect_same_answers(counters);
  const Explored with =
      explored(counters, {Check::race}, {.persistent_steps = PersistentSteps::off});
  const Explored without = explored(
      counters, {Check::race}, {.persistent_steps = PersistentSteps::off, .movers = Movers::off});
  EXPECT_GT(with.statistics.protected_steps, 0U);
  EXPECT_EQ(without.statistics.protected_steps, 0U);
  EXPECT_LT(with.statistics.states, without.statistics.states);
  EXPECT_EQ(with.statistics.misled_searches, 0U) << "main's read behind the joins is exempt";
}

// The worker's access without the lock lies on a path that random executions hardly take, so the
// discipline is learnt, relied on and broken.
TEST(Movers, ABrokenDisciplineIsNoticed) {
  const std::string text = R"(
int x, step;
pthread_mutex_t m;
void *careful(void *p) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    int before = x;
    x = before + 1;
    if (x != before + 1) reach_error();
    pthread_mutex_unlock(&m);
  }
  return 0; }
void *careless(void *p) {
  int seen = 0;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    seen = seen * 4 + x;
    pthread_mutex_unlock(&m);
  }
  if (seen == 27) x = 7;
  return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, careful, 0);
  pthread_create(&u, 0, careless, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0; })";
  expect_same_answers(text);
}

TEST(Movers, AThreadThatEndsEarlyHidesNothing) {
  // Main never joins: its write to x may meet the worker's section.
  expect_same_answers(R"(
int x;
pthread_mutex_t m;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  x = 1;
  if (x != 1) reach_error();
  pthread_mutex_unlock(&m);
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  for (int i = 0; i < 3; i++) {}
  x = 2;
  return 0; })");
}

// Random executions never take that input, so x seems to belong to m. Nobody else takes the lock,
// so the search lets the worker run to its end first: main must be noticed although it is alone
// then.
TEST(Movers, ToHaveEndedIsNotToBeJoined) {
  const std::string text = R"(
int x;
pthread_mutex_t m;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  int before = x;
  x = before + 1;
  if (x != before + 1) reach_error();
  pthread_mutex_unlock(&m);
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  for (int i = 0; i < 300; i++) {}
  if (__VERIFIER_nondet_int() == 12345) x = 7;
  return 0; })";
  EXPECT_EQ(explored(text, {Check::error_call}).answer(), "unsafe");
  const Explored race = explored(text, {Check::race});
  EXPECT_EQ(race.answer(), "unsafe");
  EXPECT_EQ(race.statistics.misled_searches, 1U);
}

TEST(Movers, AnUnlockByAnotherThreadIsNoticed) {
  expect_same_answers(R"(
int x;
pthread_mutex_t m;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  int before = x;
  x = before + 1;
  if (x != before + 1) reach_error();
  pthread_mutex_unlock(&m);
  return 0; }
void *thief(void *p) { pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, 0);
  pthread_create(&v, 0, thief, 0);
  return 0; })");
}

TEST(Movers, WhoOnlyTriesSeesTheLockTaken) {
  expect_same_answers(R"(
int pthread_mutex_trylock(pthread_mutex_t *);
int x;
pthread_mutex_t m;
void *worker(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  if (pthread_mutex_trylock(&m) != 0) reach_error();
  return 0; })");
}

TEST(Movers, LocksInOppositeOrderStillDeadlock) {
  const Explored found = explored(R"(
int x;
pthread_mutex_t a, b;
void *worker(void *p) {
  pthread_mutex_lock(&b); pthread_mutex_lock(&a); x++;
  pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); x++;
  pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  return 0; })",
                                  {Check::deadlock});
  EXPECT_EQ(found.answer(), "unsafe");
}

TEST(Movers, ABrokenOffSearchKnowsNoEndlessWaits) {
  // The discipline is broken while only some of the states are known.
  expect_same_answers(R"(
int pthread_cond_broadcast(pthread_cond_t *);
int x;
signed char c;
pthread_mutex_t m;
pthread_cond_t cond;
void *wakes(void *p) {
  c = 0;
  pthread_mutex_lock(&m);
  x = 1;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&m);
  return 0; }
void *waits(void *p) {
  pthread_mutex_lock(&m);
  while (!x) pthread_cond_wait(&cond, &m);
  if (c != 3) reach_error();
  pthread_mutex_unlock(&m);
  return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, wakes, 0);
  pthread_create(&u, 0, waits, 0);
  pthread_join(u, 0);
  return 0; })");
}

TEST(Movers, AStructWithItsLock) {
  const std::string text = R"(
struct account { pthread_mutex_t m; int balance; } accounts[2];
void *worker(void *p) {
  struct account *mine = p;
  pthread_mutex_lock(&mine->m);
  mine->balance++; mine->balance++;
  pthread_mutex_unlock(&mine->m);
  return 0; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, worker, &accounts[i / 2]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  if (accounts[0].balance != 4) reach_error();
  return 0; })";
  const Explored found = explored(text, {Check::race});
  EXPECT_EQ(found.answer(), "safe");
  EXPECT_GT(found.statistics.protected_steps, 0U);
}

}  // namespace
}  // namespace heddle::testing
