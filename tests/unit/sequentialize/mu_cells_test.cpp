// Memory unwinding of blocks and arrays: cells that are known beforehand, or found by address.
#include "mu_programs.hpp"

namespace heddle::testing {
namespace {

TEST(Mu, BlocksAreSharedByAddress) {
  expect_found(R"(
void *malloc(unsigned long);
int *block;
void *worker(void *p) { *block = 2; return 0; }
int main(void) {
  pthread_t a;
  block = malloc(sizeof(int));
  *block = 1;
  pthread_create(&a, 0, worker, 0);
  int seen = *block;
  pthread_join(a, 0);
  if (seen == 1 && *block == 2) reach_error();
  return 0;
})");
}

TEST(Mu, AGuessMayBeTheAddressOfALaterBlock) {
  const Checked found = check(R"(
void *malloc(unsigned long);
struct node { int value; struct node *next; } *head;
pthread_mutex_t m;
void *push(void *arg) {
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  pthread_mutex_lock(&m);
  n->next = head;
  head = n;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, push, 0);
  pthread_create(&b, 0, push, 0);
  pthread_mutex_lock(&m);
  int n = 0;
  for (struct node *at = head; at; at = at->next) n += at->value;
  pthread_mutex_unlock(&m);
  if (n == 2) reach_error();
  return 0;
})",
                              {}, {1, 2, 3});
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict));
  EXPECT_EQ(found.unreplayed, 0U);
}

// The reader is simulated before the thread that allocates what it reads.
TEST(Mu, ABlockMayBeAllocatedLater) {
  const auto text = [](const std::string& allocation, const std::string& wrong) {
    return R"(
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
struct node { int value, other; struct node *next; } *head;
void *reader(void *p) {
  struct node *n = head;
  if (n && )" +
           wrong + R"() reach_error();
  return 0;
}
void *writer(void *p) {
  struct node *n = )" +
           allocation + R"(;
  n->value = 1;
  n->next = 0;
  head = n;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  return 0;
})";
  };
  for (const MuVariant variant : variants) {
    MuOptions options;
    options.variant = variant;
    options.later_blocks = Switch::on;
    const auto answer = [&](const std::string& allocation, const std::string& wrong) {
      const Checked found = check(text(allocation, wrong), options, {1, 2, 3});
      EXPECT_EQ(found.unreplayed, 0U);
      return std::holds_alternative<verdict::Unsafe>(found.verdict);
    };
    EXPECT_TRUE(answer("malloc(sizeof *n)", "n->value == 1")) << static_cast<int>(variant);
    EXPECT_FALSE(answer("malloc(sizeof *n)", "n->value == 2")) << static_cast<int>(variant);
    EXPECT_TRUE(answer("malloc(sizeof *n)", "n->other == 2")) << static_cast<int>(variant);
    EXPECT_TRUE(answer("calloc(1, sizeof *n)", "n->other == 0")) << static_cast<int>(variant);
    EXPECT_FALSE(answer("calloc(1, sizeof *n)", "n->other == 2")) << static_cast<int>(variant);
  }
}

// One of two blocks that the same code allocates is shared; the other one is freed as usual.
TEST(Mu, GoesOnAfterABlockOfOneThreadIsFreed) {
  expect_found(R"(
void *calloc(unsigned long, unsigned long);
void free(void *);
struct node { int value; struct node *next; } *head;
void *worker(void *p) { head->value = head->value + 1; return 0; }
int main(void) {
  head = calloc(1, sizeof *head);
  head->next = calloc(1, sizeof *head);
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_join(a, 0);
  free(head->next);
  if (head->value == 1) reach_error();
  return 0;
})");
}

TEST(Mu, FindsWhatLiesInALargeArray) {
  expect_found(R"(
int cells[900], top;
void *worker(void *p) { cells[top] = 7; top = top + 1; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  if (top == 1 && cells[0] == 7) reach_error();
  return 0;
})");
}

// Along a wrong guess of the pointer the first bound meets what is undefined; it allows for too
// few threads to find the error.
TEST(Mu, GoesOnAfterWhatIsUndefinedAlongAWrongGuess) {
  const Checked found = check(R"(
int x, *p;
void *first(void *a) { p = &x; return 0; }
void *more(void *a) { return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  pthread_join(t, 0);
  *p = 1;
  for (int i = 0; i < 6; i++) pthread_create(&t, 0, more, 0);
  if (*p == 1) reach_error();
  return 0;
})",
                              {}, {1, 2, 3});
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict));
}

// The reader is simulated first, so that its pointer is a guess.
TEST(Mu, FollowsGuessedPointers) {
  MuOptions options;
  options.variant = MuVariant::inter_thread;
  const Checked found = check(R"(
int x, *p;
void *reader(void *a) {
  int *q = p;
  if (q) {
    *q = 5;
    if (x == 5) reach_error();
  }
  return 0;
}
void *writer(void *a) { p = &x; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  return 0;
})",
                              options, {1, 2, 3});
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict));
  EXPECT_EQ(found.unreplayed, 0U);
}

// With single writes a pointer is a choice among guesses, of which the right one is known by what
// is written in the end.
TEST(Mu, FollowsChoicesOfGuessedPointers) {
  expect_found(R"(
void *malloc(unsigned long);
struct node { int value, seen; } *top;
void *writer(void *p) {
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  top = n;
  return 0;
}
void *reader(void *p) {
  struct node *n = top;
  if (n) { n->value = 2; n->seen = 1; }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (top->value == 2) reach_error();
  return 0;
})");
}

TEST(Mu, WhatMainAllocatesIsKnownOrFound) {
  const std::string text = R"(
struct pair { int first, second; int more[3]; };
void *calloc(unsigned long, unsigned long);
void *worker(void *p) {
  struct pair *pair = p;
  pair->first = 1;
  pair->more[pair->second] = 2;
  return 0;
}
int main(void) {
  struct pair local = {0, 2, {0, 0, 0}}, *heap = calloc(1, sizeof *heap);
  pthread_t a, b;
  pthread_create(&a, 0, worker, &local);
  pthread_create(&b, 0, worker, heap);
  if (local.first + local.more[2] + heap->first + heap->more[0] == 4) reach_error();
  return 0;
})";
  for (const MuVariant variant : variants)
    for (const Switch known : {Switch::on, Switch::off}) {
      MuOptions options;
      options.variant = variant;
      options.main_objects = known;
      const Checked found = check(text, options, {1, 2, 3});
      EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict))
          << "variant " << static_cast<int>(variant) << (known == Switch::on ? " known" : " found");
      EXPECT_EQ(found.unreplayed, 0U);
    }
}

// An object that main has allocated only on some paths to the first start.
TEST(Mu, WhatMainMayNotHaveAllocatedIsNotLookedAt) {
  expect_found(R"(
void *malloc(unsigned long);
int *shared, sum;
void *worker(void *p) {
  if (shared) *shared = *shared + 1;
  sum = sum + 1;
  return 0;
}
int main(void) {
  if (__VERIFIER_nondet_int()) {
    shared = malloc(sizeof *shared);
    *shared = 0;
  }
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (!shared && sum == 1) reach_error();
  return 0;
})");
}

}  // namespace
}  // namespace heddle::testing
