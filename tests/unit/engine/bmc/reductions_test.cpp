// Each reduction on and off: the same answers, and a counter that shows the difference.
#include <gtest/gtest.h>

#include "unit/engine/bmc/unrolled.hpp"

namespace heddle::testing {
namespace {

using engine::bmc::Options;
using verdict::Check;

const std::set<Check> errors{Check::error_call};

// A thread that waits by asking again and again.
std::string spinning(const std::string& wrong) {
  return "_Atomic int flag; int x; void *first(void *p) { x = 1; flag = 1; return 0; }"
         "void *second(void *p) { while (!flag) ; if (" +
         wrong + ") reach_error(); return 0; }" + two_threads("");
}

TEST(BmcReductions, RoundsThatChangeNothing) {
  const Options off{.bounds = {1, 2, 3}, .drop_spinning = Switch::off};
  const Unrolled dropped = unrolled(spinning("x != 1"), errors);
  EXPECT_EQ(dropped.answer(), "safe");
  EXPECT_GT(dropped.statistics.spins_dropped, 0u);
  // Without it there is always one more round.
  const Unrolled kept = unrolled(spinning("x != 1"), errors, off);
  EXPECT_EQ(kept.answer(), "unknown");
  EXPECT_EQ(kept.statistics.spins_dropped, 0u);
  EXPECT_EQ(both(spinning("x == 1"), errors), "unsafe");
  EXPECT_EQ(both(spinning("x == 1"), errors, off), "unsafe");
}

TEST(BmcReductions, ARoundThatCountsIsNotDropped) {
  const std::string program =
      "_Atomic int flag; int rounds; void *first(void *p) { flag = 1; return 0; }"
      "void *second(void *p) { int n = 0; while (!flag) n++; rounds = n; return 0; }" +
      two_threads("if (rounds == 3) reach_error();");
  const Unrolled found = unrolled(program, errors, {.bounds = {1, 2, 3, 4}});
  EXPECT_EQ(found.answer(), "unsafe");
  EXPECT_EQ(found.statistics.spins_dropped, 0u);
  EXPECT_GE(found.statistics.bound, 3u);
}

TEST(BmcReductions, ARoundThatWritesIsNotDropped) {
  const std::string program =
      "_Atomic int flag, rounds; void *first(void *p) { if (rounds == 2) flag = 1; return 0; }"
      "void *second(void *p) { while (!flag) rounds++; reach_error(); return 0; }" +
      two_threads("");
  EXPECT_EQ(both(program, errors, {.bounds = {1, 2, 3, 4}}), "unsafe");
}

std::string waiting(const std::string& wrong) {
  return "pthread_mutex_t m; pthread_cond_t c; int ready;"
         "void *first(void *p) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c);"
         "pthread_mutex_unlock(&m); return 0; }"
         "void *second(void *p) { pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m);"
         "if (" +
         wrong + ") reach_error(); pthread_mutex_unlock(&m); return 0; }" + two_threads("");
}

TEST(BmcReductions, SpuriousWakeUpsInARow) {
  const Options off{.bounds = {1, 2, 3}, .drop_wake_ups = Switch::off};
  const Unrolled dropped = unrolled(waiting("!ready"), errors);
  EXPECT_EQ(dropped.answer(), "safe");
  EXPECT_GT(dropped.statistics.wake_ups_dropped, 0u);
  const Unrolled kept = unrolled(waiting("!ready"), errors, off);
  EXPECT_EQ(kept.answer(), "unknown");
  EXPECT_EQ(kept.statistics.wake_ups_dropped, 0u);
  EXPECT_EQ(both(waiting("ready"), errors), "unsafe");
  EXPECT_EQ(both(waiting("ready"), errors, off), "unsafe");
}

TEST(BmcReductions, WakeUpsThatSomebodyCountsAreNotDropped) {
  const std::string program =
      "pthread_mutex_t m; pthread_cond_t c; int ready, woken;"
      "void *first(void *p) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c);"
      "pthread_mutex_unlock(&m); return 0; }"
      "void *second(void *p) { pthread_mutex_lock(&m);"
      "while (!ready) { pthread_cond_wait(&c, &m); woken++; }"
      "pthread_mutex_unlock(&m); return 0; }" +
      two_threads("if (woken == 3) reach_error();");
  const Unrolled found = unrolled(program, errors, {.bounds = {1, 2, 3, 4}});
  EXPECT_EQ(found.answer(), "unsafe");
}

// Who tries the lock without waiting sees how long it is given back.
TEST(BmcReductions, WakeUpsStayWhereSomebodyTriesALock) {
  const std::string called =
      "int pthread_mutex_trylock(pthread_mutex_t *); pthread_mutex_t m; pthread_cond_t c; int "
      "ready;"
      "void *first(void *p) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c);"
      "pthread_mutex_unlock(&m); return 0; }"
      "void *second(void *p) { pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m);"
      "pthread_mutex_unlock(&m); return 0; }" +
      two_threads("if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);");
  EXPECT_EQ(unrolled(called, errors, {.bounds = {1, 2}}).statistics.wake_ups_dropped, 0u);
  EXPECT_GT(unrolled(waiting("!ready"), errors).statistics.wake_ups_dropped, 0u);
}

std::string locked(const std::string& wrong) {
  return "int x; pthread_mutex_t m; void *first(void *p) { pthread_mutex_lock(&m); x++;"
         "pthread_mutex_unlock(&m); return 0; } void *second(void *p) { pthread_mutex_lock(&m);"
         "x += 2; pthread_mutex_unlock(&m); return 0; }" +
         two_threads("if (" + wrong + ") reach_error();");
}

TEST(BmcReductions, SourcesThatAReadCannotSee) {
  const Options off{.prune_sources = Switch::off};
  for (const auto& [wrong, expected] :
       {std::pair<std::string, std::string>{"x != 3", "safe"}, {"x == 3", "unsafe"}}) {
    EXPECT_EQ(both(locked(wrong), errors), expected);
    EXPECT_EQ(both(locked(wrong), errors, off), expected);
  }
  const Unrolled pruned = unrolled(locked("x != 3"), errors);
  const Unrolled all = unrolled(locked("x != 3"), errors, off);
  EXPECT_LT(pruned.statistics.sources, all.statistics.sources);
  EXPECT_GT(pruned.statistics.pruned_sources, all.statistics.pruned_sources);
}

TEST(BmcReductions, MemoryOfOneThreadAlone) {
  const auto program = [](const std::string& wrong) {
    return "int a[3], b[3], x; void *first(void *p) { for (int i = 0; i < 3; i++) a[i] = i;"
           "x = a[2]; return 0; } void *second(void *p) { for (int i = 0; i < 3; i++) b[i] = i;"
           "if (x == b[2]) b[0] = 7; return 0; }" +
           two_threads("if (" + wrong + ") reach_error();");
  };
  const Options off{.local_memory = Switch::off};
  for (const auto& [wrong, expected] :
       {std::pair<std::string, std::string>{"b[0] != 7 && b[0] != 0", "safe"},
        {"b[0] == 7", "unsafe"},
        {"b[0] == 0", "unsafe"}}) {
    EXPECT_EQ(both(program(wrong), errors), expected);
    EXPECT_EQ(both(program(wrong), errors, off), expected);
  }
  const Unrolled local = unrolled(program("x > 2"), errors);
  const Unrolled all = unrolled(program("x > 2"), errors, off);
  EXPECT_EQ(local.answer(), "safe");
  EXPECT_EQ(all.answer(), "safe");
  EXPECT_LT(local.statistics.nodes, all.statistics.nodes);
  EXPECT_LT(local.statistics.events, all.statistics.events);
}

TEST(BmcReductions, NoneOfThem) {
  const Options off{.bounds = {1, 2, 3, 4},
                    .drop_spinning = Switch::off,
                    .drop_wake_ups = Switch::off,
                    .prune_sources = Switch::off,
                    .local_memory = Switch::off};
  const std::set<Check> checks{Check::error_call, Check::race, Check::deadlock};
  EXPECT_EQ(both(locked("x != 3"), checks, off), "safe");
  EXPECT_EQ(both(locked("x == 3"), checks, off), "unsafe");
  EXPECT_EQ(both(waiting("ready"), checks, off), "unsafe");
  EXPECT_EQ(both(spinning("x == 1"), {Check::error_call}, off), "unsafe");
}

TEST(BmcReductions, EveryTraceReplays) {
  for (const std::string& text : {spinning("x == 1"), waiting("ready"), locked("x == 3")}) {
    const Unrolled found = unrolled(text, errors);
    EXPECT_EQ(found.answer(), "unsafe");
    EXPECT_EQ(found.statistics.unreplayed, 0u);
  }
}

// Not even then is the life of an object a matter of one thread.
TEST(BmcReductions, LifetimesStayShared) {
  const std::string program =
      "void *malloc(unsigned long); void free(void *); int *shared; pthread_t t;"
      "void *first(void *p) { *shared = 1; return 0; }"
      "int main(void) { shared = malloc(4); pthread_create(&t, 0, first, 0); free(shared);"
      "return 0; }";
  const std::set<Check> accesses{Check::deref, Check::free};
  EXPECT_EQ(both(program, accesses, {.local_memory = Switch::off}), "unsafe");
  EXPECT_EQ(both(program, accesses), "unsafe");
}

// The lock is 0 or 1, so whoever finds it taken has changed nothing.
TEST(BmcReductions, ReadsGiveOnlyWhatSomebodyWrites) {
  const auto program = [](const std::string& wrong) {
    return "int taken, x;"
           "void work(void) { while (__atomic_exchange_n(&taken, 1, 5)) ; x++; "
           "__atomic_store_n(&taken, 0, 5); }"
           "void *first(void *p) { work(); return 0; } void *second(void *p) { work(); return 0; "
           "}" +
           two_threads("if (" + wrong + ") reach_error();");
  };
  const Options off{.bounds = {1, 2}, .narrow_reads = Switch::off};
  EXPECT_EQ(both(program("x != 2"), errors), "safe");
  EXPECT_EQ(both(program("x != 2"), errors, off), "unknown");
  EXPECT_EQ(both(program("x == 2"), errors), "unsafe");
  EXPECT_EQ(both(program("x == 2"), errors, off), "unsafe");
  EXPECT_GT(unrolled(program("x != 2"), errors).statistics.reads_narrowed, 0u);
  EXPECT_EQ(unrolled(program("x != 2"), errors, off).statistics.reads_narrowed, 0u);
}

}  // namespace
}  // namespace heddle::testing
