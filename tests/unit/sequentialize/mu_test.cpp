// Memory unwinding: every variant finds what the paper's examples break, calls nothing broken
// that is not, and spends no position on what nobody can notice.
#include "sequentialize/mu.hpp"

#include <gtest/gtest.h>

#include "engine/bmc/bmc.hpp"
#include "portfolio/sequentialized.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using sequentialize::MuOptions;
using sequentialize::MuVariant;
using sequentialize::Switch;
using verdict::Check;

constexpr std::array variants{MuVariant::explicit_reads, MuVariant::implicit_reads,
                              MuVariant::mixed_reads, MuVariant::intra_thread,
                              MuVariant::inter_thread};

constexpr std::array fine_variants{MuVariant::explicit_reads, MuVariant::implicit_reads,
                                   MuVariant::mixed_reads};

ir::Program program_of(const std::string& text) {
  return portfolio::prepare(frontend::parse_text("test.c", prelude + text), {{Check::error_call}});
}

struct Checked {
  verdict::Verdict verdict{};
  std::uint32_t unreplayed = 0;
};

Checked check(const std::string& text, MuOptions options, std::vector<std::uint32_t> bounds) {
  Silent silent;
  engine::bmc::Options limits;
  limits.bounds = std::move(bounds);
  portfolio::Mu mu(options, limits);
  Checked result;
  result.verdict = mu.run(program_of(text), {{Check::error_call}},
                          base::Budget(std::chrono::seconds(60), 4ULL << 30), silent);
  result.unreplayed = mu.statistics().unreplayed;
  return result;
}

// One sequential program.
verdict::Verdict check_once(const ir::Program& program, const MuOptions& options) {
  Silent silent;
  const sequentialize::Facts facts(program);
  engine::bmc::Options limits;
  limits.bounds = {6};
  engine::bmc::Bmc bmc(limits);
  return bmc.run(sequentialize::sequentialize_by_unwinding(program, facts, options).program,
                 {{Check::error_call}}, base::Budget(std::chrono::seconds(60), 4ULL << 30), silent);
}

void expect_found(const std::string& text, std::vector<std::uint32_t> bounds = {1, 2, 3}) {
  for (const MuVariant variant : variants) {
    MuOptions options;
    options.variant = variant;
    const Checked found = check(text, options, bounds);
    EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict))
        << "variant " << static_cast<int>(variant);
    EXPECT_EQ(found.unreplayed, 0U) << "variant " << static_cast<int>(variant);
  }
}

void expect_not_found(const std::string& text) {
  for (const MuVariant variant : variants) {
    MuOptions options;
    options.variant = variant;
    const Checked found = check(text, options, {1, 2});
    EXPECT_FALSE(std::holds_alternative<verdict::Unsafe>(found.verdict))
        << "variant " << static_cast<int>(variant);
    EXPECT_EQ(found.unreplayed, 0U) << "variant " << static_cast<int>(variant);
  }
}

// Two threads that both add one to x.
std::string two_updates(const std::string& before, const std::string& after) {
  return R"(
int x;
pthread_mutex_t m;
void *worker(void *p) {
  )" + before +
         R"(
  int v = x;
  x = v + 1;
  )" + after +
         R"(
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2) reach_error();
  return 0;
})";
}

const std::string lost_update = two_updates("", "");
const std::string locked_update =
    two_updates("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);");

TEST(Mu, FindsALostUpdate) { expect_found(lost_update); }

TEST(Mu, ABoundOfTheUserMayBeLarge) {
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(check(lost_update, {}, {120}).verdict));
}

TEST(Mu, LocksKeepUpdates) { expect_not_found(locked_update); }

TEST(Mu, EachWriteByItselfShowsThatTheBoundIsEnough) {
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    EXPECT_TRUE(
        std::holds_alternative<verdict::Safe>(check(locked_update, options, {1, 2}).verdict));
  }
}

// The two threads of the paper's example, with one round each.
TEST(Mu, FindsTheFibonacciNumberOfOneInterleaving) {
  expect_found(R"(
int i = 1, j = 1;
void *f1(void *p) { i = i + j; return 0; }
void *f2(void *p) { j = j + i; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f1, 0);
  pthread_create(&b, 0, f2, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (j == 3) reach_error();
  return 0;
})");
}

TEST(Mu, SectionsAreSeenAsAWhole) {
  const std::string pair = R"(
int x, y;
void *worker(void *p) {
  __VERIFIER_atomic_begin();
  x = 1;
  y = 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  BEGIN
  int u = x;
  int v = y;
  END
  if (u != v) reach_error();
  return 0;
})";
  const auto with = [&](const std::string& begin, const std::string& end) {
    std::string text = pair;
    text.replace(text.find("BEGIN"), 5, begin);
    text.replace(text.find("END"), 3, end);
    return text;
  };
  expect_not_found(with("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"));
  expect_found(with("", ""));
}

// Each sees the other's write, or one comes first: they cannot both come first.
TEST(Mu, SectionsAtOnePositionSeeNoneOfEachOther) {
  const std::string crossed = R"(
int x, y;
void *left(void *p) {
  __VERIFIER_atomic_begin();
  x = y + 1;
  __VERIFIER_atomic_end();
  return 0;
}
void *right(void *p) {
  __VERIFIER_atomic_begin();
  y = x + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x RELATION y) reach_error();
  return 0;
})";
  const auto with = [&](const std::string& relation) {
    std::string text = crossed;
    text.replace(text.find("RELATION"), 8, relation);
    return text;
  };
  expect_not_found(with("=="));
  expect_found(with("<"));
  expect_found(with(">"));
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    EXPECT_TRUE(std::holds_alternative<verdict::Safe>(check(with("=="), options, {2}).verdict));
  }
}

// After its own write a section still sees nothing of what others write at the same position.
TEST(Mu, ASectionSeesWhatItHasWritten) {
  const std::string text = R"(
int x, y, seen_x, seen_y;
void *left(void *p) {
  __VERIFIER_atomic_begin();
  x = 5;
  seen_x = x;
  seen_y = y;
  __VERIFIER_atomic_end();
  return 0;
}
void *right(void *p) {
  __VERIFIER_atomic_begin();
  y = x + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (seen_x != 5 || seen_y == 6 || (seen_y == 0) != (y == 6)) reach_error();
  return 0;
})";
  expect_not_found(text);
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    EXPECT_TRUE(std::holds_alternative<verdict::Safe>(check(text, options, {2}).verdict));
  }
}

// Four threads that have nothing to do with each other, and one that sees them all.
TEST(Mu, WritesThatDoNotDependOnEachOtherShareAPosition) {
  const ir::Program program = program_of(R"(
int x[4];
void *worker(void *p) { x[(int)(long)p] = 1; return 0; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], 0, worker, (void *)(long)i);
  if (x[0] + x[1] + x[2] + x[3] == 4) reach_error();
  return 0;
})");
  for (const MuVariant variant : fine_variants)
    for (const Switch shared : {Switch::on, Switch::off}) {
      MuOptions options;
      options.variant = variant;
      options.positions = 2;
      options.shared_positions = shared;
      const verdict::Verdict verdict = check_once(program, options);
      EXPECT_EQ(std::holds_alternative<verdict::Unsafe>(verdict), shared == Switch::on)
          << "variant " << static_cast<int>(variant);
      EXPECT_FALSE(std::holds_alternative<verdict::Safe>(verdict));
    }
}

TEST(Mu, PositionsOfSingleWritesAreBits) {
  const ir::Program program = program_of(lost_update);
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    options.positions = sequentialize::most_writes;
    EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(check_once(program, options)));
    ++options.positions;
    EXPECT_THROW(check_once(program, options), sequentialize::Rejected);
  }
}

// What a section would have done that goes beyond a bound is not known, whatever it wrote before.
TEST(Mu, ASectionThatIsBrokenOffProvesNothing) {
  const std::string text = R"(
int x, y;
void *worker(void *p) {
  __VERIFIER_atomic_begin();
  x = 1;
  for (int i = 0; i < 40; ++i) y = y + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  if (y == 40) reach_error();
  return 0;
})";
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    EXPECT_FALSE(std::holds_alternative<verdict::Safe>(check(text, options, {1, 2}).verdict));
  }
}

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

TEST(Mu, ThreadsOfALoopShareOneCode) {
  const ir::Program program = program_of(R"(
int x;
void *worker(void *p) { int v = x; x = v + 1; return 0; }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
  if (x == 3) reach_error();
  return 0;
})");
  const sequentialize::Facts facts(program);
  const auto made = sequentialize::sequentialize_by_unwinding(program, facts, {});
  EXPECT_EQ(made.counters.threads, 2U);
  EXPECT_EQ(made.positions.size(), 2U);
}

// A thread that waits for ever does not keep others from going wrong.
TEST(Mu, WaitingThreadsStop) {
  expect_found(R"(
pthread_mutex_t m;
int x;
void *worker(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  x = 1;
  if (x == 1) reach_error();
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

// The threads run inside of main's loop, however much code that is.
TEST(Mu, ALoopThatStartsThreadsGoesRoundAtTheLowestBound) {
  std::string steps;
  for (int i = 0; i < 40; ++i) steps += "sum += *next; ";
  const std::string text =
      "int one = 1, two = 2, *next = &one, y; void *worker(void *p) { int sum = 0; " + steps +
      R"( y = y + (sum == 40); return 0; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0);
  if (y == 3) reach_error();
  next = &two;
  return 0;
})";
  MuOptions options;
  options.variant = MuVariant::inter_thread;
  const Checked found = check(text, options, {1});
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict));
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

// ---- what is tried beside rising bounds ---------------------------------------------

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

// The thread stops between two steps that no loop, lock or wait stands between.
TEST(Mu, AThreadInARowMayStopBeforeAnyStep) {
  Silent silent;
  portfolio::Mu mu({.variant = MuVariant::in_turn}, {});
  const verdict::Verdict found =
      mu.run(program_of(R"(
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
})"),
             {{Check::error_call}}, base::Budget(std::chrono::seconds(60), 4ULL << 30), silent);
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found));
  EXPECT_EQ(mu.statistics().programs, 1U);
  EXPECT_GT(mu.statistics().states, 0U);
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

TEST(Mu, WhatNobodyCanNoticeTakesNoPosition) {
  const ir::Program program = program_of(lost_update);
  const sequentialize::Facts facts(program);
  MuOptions noticed;
  noticed.fresh_blocks = noticed.quiet_cells = Switch::off;
  const auto fewer = sequentialize::sequentialize_by_unwinding(program, facts, {});
  const auto more = sequentialize::sequentialize_by_unwinding(program, facts, noticed);
  EXPECT_LT(fewer.counters.switch_points, more.counters.switch_points);
}

// Main ends the process, so what others would do later does not count; but what they did before
// does, wherever main stands in the sequential program.
TEST(Mu, TheEndOfTheProcessHidesNothingBefore) {
  expect_found(R"(
int x;
void *idle(void *p) { return 0; }
void *worker(void *p) { if (x == 0) reach_error(); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, idle, 0);
  pthread_create(&b, 0, worker, 0);
  x = 1;
  return 0;
})");
}

}  // namespace
}  // namespace heddle::testing
