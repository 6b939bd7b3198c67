// Memory unwinding: every variant finds what the paper's examples break, calls nothing broken
// that is not, and spends no position on what nobody can notice.
#include <functional>

#include "mu_programs.hpp"
#include "passes/pipeline.hpp"
#include "sequential_programs.hpp"

namespace heddle::testing {
namespace {

TEST(Mu, FindsALostUpdate) { expect_found(lost_update); }

TEST(Mu, ABoundOfTheUserMayBeLarge) {
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(check(lost_update, {}, {120}).verdict));
}

TEST(Mu, LocksKeepUpdates) { expect_not_found(locked_update); }

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

TEST(Mu, WhatNobodyCanNoticeTakesNoPosition) {
  const ir::Program program = program_of(lost_update);
  const sequentialize::Facts facts(program);
  MuOptions noticed;
  noticed.fresh_blocks = noticed.quiet_cells = Switch::off;
  const auto fewer = sequentialize::sequentialize_by_unwinding(program, facts, {});
  const auto more = sequentialize::sequentialize_by_unwinding(program, facts, noticed);
  EXPECT_LT(fewer.counters.switch_points, more.counters.switch_points);
}

// In every variant: the program as C, and what bmc says of that.
void print_and_check(const std::string& text,
                     const std::function<void(const std::string&, const verdict::Verdict&)>& see) {
  const ir::Program program = program_of(text);
  const sequentialize::Facts facts(program);
  for (const MuVariant variant : variants) {
    SCOPED_TRACE("variant " + std::to_string(static_cast<int>(variant)));
    MuOptions options;
    options.variant = variant;
    options.positions = is_coarse(variant) ? 4 : 8;
    options.emission.wording = sequentialize::Wording::plain;
    const std::string printed =
        sequentialize::as_c(sequentialize::sequentialize_by_unwinding(program, facts, options));
    engine::bmc::Bmc bmc({.bounds = {4}, .free_iterations = 50});
    Silent silent;
    see(printed,
        bmc.run(passes::simplify(frontend::parse_text("sequential.c", printed)),
                {{Check::error_call}}, base::Budget(std::chrono::seconds(60), 4ULL << 30), silent));
  }
}

void expect_no_library(const std::string& printed) {
  for (const char* call : {"alloc(", "free(", "memset(", "__atomic", "__sync"})
    EXPECT_EQ(printed.find(call), std::string::npos) << call << " in\n" << printed;
}

// Records of threads that are started one after the other and in a loop, variables of functions
// that only one thread knows of and that others do, accesses that are atomic.
TEST(Mu, PrintsWhatIsAllocatedAsVariables) {
  const std::string text = R"(
int x, *lent;
_Atomic int count;
void add(int *to) { *to = *to + 1; }
void *worker(void *p) {
  int local = 0, rounds[2] = {0};
  for (int i = 0; i < 2; i++) { int inner = 0; add(&inner); add(&rounds[i]); local += inner; }
  count++;
  if (local == 2 && rounds[1] == 1) x = x + *lent;
  return 0;
}
void start(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
}
int main(void) {
  pthread_t t;
  int one = 1;
  lent = &one;
  start();
  for (int i = 0; i < 2; i++) pthread_create(&t, 0, worker, 0);
  int other = 1;
  lent = &other;
  pthread_join(t, 0);
  if (x == 3) reach_error();
  return 0;
})";
  print_and_check(text, [](const std::string& printed, const verdict::Verdict& verdict) {
    expect_no_library(printed);
    EXPECT_FALSE(std::holds_alternative<verdict::Safe>(verdict));
  });
}

TEST(Mu, PrintedVariablesHideNothing) {
  const std::string text = R"(
int x;
void *worker(void *p) { int mine = *(int *)p; x = x + mine; return 0; }
int main(void) {
  pthread_t a, b;
  int one = 1;
  pthread_create(&a, 0, worker, &one);
  int two = 2;
  pthread_create(&b, 0, worker, &two);
  pthread_join(b, 0);
  if (x == 3) reach_error();
  return 0;
})";
  print_and_check(text, [](const std::string& printed, const verdict::Verdict& verdict) {
    expect_no_library(printed);
    EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(verdict));
  });
}

// The thread is simulated before the variable is there; that it guesses its address may not let it
// change the value that the variable is about to get.
TEST(Mu, PrintsNoVariableThatIsThereTooEarly) {
  const std::string text = R"(
int *lent;
void *worker(void *p) {
  __VERIFIER_atomic_begin();
  if (lent != 0) *lent += 1;
  __VERIFIER_atomic_end();
  return 0;
}
void lend(void) {
  int value = 1;
  lent = &value;
  if (value == 3) reach_error();
  lent = 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  lend();
  return 0;
})";
  print_and_check(text, [](const std::string& printed, const verdict::Verdict& verdict) {
    expect_no_library(printed);
    EXPECT_FALSE(std::holds_alternative<verdict::Unsafe>(verdict));
  });
}

// The same where the thread only reads, and what it reads never changes once others know of it.
TEST(Mu, PrintsNoVariableThatIsReadTooEarly) {
  const std::string text = R"(
int *lent;
void *worker(void *p) {
  int *known = lent;
  if (known != 0 && *known != 1) reach_error();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int value = 1;
  lent = &value;
  pthread_join(t, 0);
  return 0;
})";
  print_and_check(text, [](const std::string& printed, const verdict::Verdict& verdict) {
    expect_no_library(printed);
    EXPECT_FALSE(std::holds_alternative<verdict::Unsafe>(verdict));
  });
}

// The same where there may be several of them.
TEST(Mu, PrintsNoVariableOfALoopThatIsThereTooEarly) {
  const std::string text = R"(
int *lent;
void *worker(void *p) {
  __VERIFIER_atomic_begin();
  if (lent != 0) *lent += 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  for (int i = 0; i < 2; i++) {
    int value = 1;
    lent = &value;
    if (value == 3) reach_error();
    lent = 0;
  }
  return 0;
})";
  print_and_check(text, [](const std::string& printed, const verdict::Verdict& verdict) {
    expect_no_library(printed);
    EXPECT_FALSE(std::holds_alternative<verdict::Unsafe>(verdict));
  });
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
