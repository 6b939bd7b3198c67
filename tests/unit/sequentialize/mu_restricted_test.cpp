// What memory unwinding tries beside rising bounds: guesses that leave little to choose.
#include "mu_programs.hpp"

namespace heddle::testing {
namespace {

const std::vector<std::uint32_t> usual = engine::bmc::Options{}.bounds;

// Nobody need switch, but there are many threads and many rounds.
TEST(Mu, FindsErrorsBehindManyThreadsInARow) {
  const Checked found = check(R"(
int limit = 60;
void *more(void *p) { int seen = limit; limit = seen + 1; return 0; }
void *count(void *p) {
  int rounds, bound = limit;
  for (rounds = 0; rounds < bound; rounds++);
  if (rounds == 120) reach_error();
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 60; i++) pthread_create(&t, 0, more, 0);
  pthread_create(&t, 0, count, 0);
  return 0;
})",
                              {}, usual);
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict));
}

// The explorer, which is asked first, finds it with threads in a row.
void expect_found_in_a_row(const std::string& text) {
  Silent silent;
  portfolio::Mu mu({.variant = MuVariant::in_turn}, {});
  const verdict::Verdict found = mu.run(program_of(text), {{Check::error_call}},
                                        base::Budget(std::chrono::seconds(60), 4ULL << 30), silent);
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found)) << text;
  EXPECT_LE(mu.statistics().programs, 3U) << text;  // one for each number of threads
  EXPECT_GT(mu.statistics().states, 0U) << text;
}

// The thread stops between two steps that no loop, lock or wait stands between.
TEST(Mu, AThreadInARowMayStopBeforeAnyStep) {
  expect_found_in_a_row(R"(
int a, b;
void *worker(void *p) {
  for (int i = 1; i < 60; i++) { a = i; b = i; }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int seen = a;
  if (seen == 57 && b == 56) reach_error();
  return 0;
})");
}

// What stops last is tried first, so that the number of threads before it does not matter.
TEST(Mu, TheLastOfManyThreadsInARowStops) {
  expect_found_in_a_row(R"(
int count;
pthread_mutex_t m, n;
void *worker(void *p) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  count++;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  count--;
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return 0;
}
int main(void) {
  pthread_t t[300];
  for (int i = 0; i < 300; i++) pthread_create(&t[i], 0, worker, 0);
  pthread_mutex_lock(&m);
  if (count != 0) reach_error();
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 300; i++) pthread_join(t[i], 0);
  return 0;
})");
}

// One group needs no cells, so it takes accesses that these cannot stand for.
TEST(Mu, InARowMemoryIsMemory) {
  expect_found_in_a_row(R"(
int *unknown(void);
double sum;
int x, *p = &x;
void *worker(void *a) {
  if (a) *unknown() = 1;
  sum = sum + 0.5;
  char *bytes = (char *)&sum;
  bytes[x] = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  if (sum == 1.0) reach_error();
  return 0;
})");
}

TEST(Mu, FindsWhatAThreadReadsThatRunsBeforeTheOneThatAllocates) {
  const Checked found = check(R"(
void *malloc(unsigned long);
struct node { int value; struct node *next; } *head;
void *reader(void *p) {
  struct node *n = head;
  if (n && n->next && n->next->value == 1) reach_error();
  return 0;
}
void *writer(void *p) {
  for (int i = 1; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = head;
    head = n;
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  return 0;
})",
                              {.variant = MuVariant::in_turn}, usual);
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict));
}

// Only if the threads take steps in turn, all the way.
TEST(Mu, FindsErrorsBehindManySwitches) {
  const Checked found = check(R"(
int i = 3, j = 6;
void *first(void *p) {
  for (int k = 0; k < 12; k++) { __VERIFIER_atomic_begin(); i = j + 1; __VERIFIER_atomic_end(); }
  return 0;
}
void *second(void *p) {
  for (int k = 0; k < 12; k++) { __VERIFIER_atomic_begin(); j = i + 1; __VERIFIER_atomic_end(); }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  if (j >= 30) reach_error();
  return 0;
})",
                              {}, usual);
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict));
}

// There are more steps than groups, so no guess is right where each step goes to the next group.
TEST(Mu, ARestrictedGuessProvesNothing) {
  std::string steps;
  for (int i = 0; i < 120; ++i) steps += "x = x + 1; ";
  const std::string text = "int x; void *worker(void *p) { " + steps + R"( return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  x = 1000;
  if (x > 1200) reach_error();
  return 0;
})";
  Silent silent;
  MuOptions options;
  options.variant = MuVariant::inter_thread;
  portfolio::Mu mu(options, {});
  EXPECT_FALSE(std::holds_alternative<verdict::Safe>(
      mu.run(program_of(text), {{Check::error_call}},
             base::Budget(std::chrono::seconds(10), 4ULL << 30), silent)));
}

// Each of four threads writes, so no guess of three groups of one thread each is right.
TEST(Mu, TooFewGroupsProveNothing) {
  const std::string text = R"(
int x, y;
void *worker(void *p) { x = x + 1; y = y + 1; return 0; }
int main(void) {
  pthread_t a, b, c, d;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_create(&c, 0, worker, 0);
  pthread_create(&d, 0, worker, 0);
  __VERIFIER_assume(y == 4);
  if (x == 3) reach_error();
  return 0;
})";
  for (const MuVariant variant : {MuVariant::intra_thread, MuVariant::inter_thread}) {
    MuOptions options;
    options.variant = variant;
    const Checked low = check(text, options, {1});
    EXPECT_FALSE(std::holds_alternative<verdict::Safe>(low.verdict));
    const Checked found = check(text, options, {1, 2, 3, 4, 6, 8});
    EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict));
  }
}

}  // namespace
}  // namespace heddle::testing
