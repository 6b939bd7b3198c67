// Unrolled loops: enough rounds change nothing, too few are never called safe, and only the
// scheduler's loop is left.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "portfolio/sequentialized.hpp"
#include "sequential_programs.hpp"
#include "sequentialize/mu.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {
namespace {

struct Looping {
  std::string name;
  std::string text;
  std::uint32_t enough;  // rounds of every loop
  std::string verdict;
};

std::string one_thread(const std::string& globals, const std::string& worker,
                       const std::string& main) {
  return globals + " void *f(void *a) { " + worker +
         " return a; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); " + main +
         " return 0; }";
}

const std::vector<Looping> programs{
    {"a loop that counts",
     one_thread("int c;", "for (int i = 0; i < 3; i++) c++;",
                "pthread_join(t, 0); assert(c == 3);"),
     3, "safe"},
    {"lost updates in a loop",
     one_thread("int c;", "for (int i = 0; i < 2; i++) c++;",
                "c++; pthread_join(t, 0); assert(c == 3);"),
     2, "unsafe"},
    {"a loop in a loop that starts anew",
     one_thread("int c;", "for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) c++;",
                "pthread_join(t, 0); assert(c == 4);"),
     2, "safe"},
    {"a loop with two entries",
     one_thread("int c;",
                "int n = 0; if (c) goto in; again: n++; in: n++; if (n < 5) goto again; c = n;",
                "pthread_join(t, 0); assert(c == 6);"),
     2, "safe"},
    {"a loop around a call and an atomic section",
     one_thread(
         "int c; void add(void) { __VERIFIER_atomic_begin(); c++; __VERIFIER_atomic_end(); }",
         "for (int i = 0; i < 2; i++) add();", "add(); pthread_join(t, 0); assert(c == 3);"),
     2, "safe"},
    {"threads from a loop",
     "int c; void *f(void *a) { __sync_fetch_and_add(&c, 1); return a; }"
     "int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0);"
     " for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(c == 2); return 0; }",
     2, "safe"},
};

std::string lazy_verdict(const Looping& looping, std::optional<std::uint32_t> unwind) {
  LazyOptions options;
  options.limits.unwind = unwind;
  return verdict_of(lazily(program_of(looping.text), options).program);
}

std::string mu_verdict(const Looping& looping, std::optional<std::uint32_t> unwind) {
  MuOptions options;
  options.variant = MuVariant::explicit_reads;
  options.limits.unwind = unwind;
  portfolio::Mu mu(options, {.bounds = {1, 2, 4}});
  return ask(mu, program_of(looping.text));
}

TEST(Unwind, EnoughRoundsChangeNothing) {
  for (const Looping& looping : programs) {
    SCOPED_TRACE(looping.name);
    EXPECT_EQ(lazy_verdict(looping, std::nullopt), looping.verdict);
    EXPECT_EQ(lazy_verdict(looping, looping.enough), looping.verdict);
    EXPECT_EQ(mu_verdict(looping, looping.enough), looping.verdict);
  }
}

TEST(Unwind, TooFewRoundsAreNeverSafe) {
  for (const Looping& looping : programs) {
    SCOPED_TRACE(looping.name);
    if (looping.verdict != "safe") continue;
    const std::string few = std::to_string(looping.enough - 1);
    const std::string why = "unknown: a loop goes round more than " + few + " times";
    EXPECT_EQ(lazy_verdict(looping, looping.enough - 1), why);
    EXPECT_EQ(mu_verdict(looping, looping.enough - 1), why);
  }
}

TEST(Unwind, NoLoopIsLeftInTheThreads) {
  for (const Looping& looping : programs) {
    SCOPED_TRACE(looping.name);
    const ir::Program program = program_of(looping.text);
    const auto has_loops = [&](const ExpansionLimits& limits) {
      bool found = false;
      for (const ThreadCode& code : expand_threads(program, Facts(program).points_to, limits))
        for (const CodePoint& point : code.points)
          found = found || point.loop_head || point.in_cycle;
      return found;
    };
    ExpansionLimits limits;
    EXPECT_TRUE(has_loops(limits));
    limits.unwind = 2;
    EXPECT_FALSE(has_loops(limits));
  }
}

// A thread that never leaves its loop does not keep others from what they break.
TEST(Unwind, AThreadMayStopBeforeTheBound) {
  for (const std::string loop :
       {"while (1) i = !i;",
        "__VERIFIER_atomic_begin(); while (1) i = !i; __VERIFIER_atomic_end();"}) {
    const Looping endless{"", one_thread("int c;", "int i = 0; c = 1; " + loop, "assert(c == 0);"),
                          1, "unsafe"};
    EXPECT_EQ(lazy_verdict(endless, 1), "unsafe") << loop;
    EXPECT_EQ(mu_verdict(endless, 1), "unsafe") << loop;
  }
}

TEST(Unwind, RejectsWhatGetsTooLarge) {
  const ir::Program program = program_of(programs[2].text);
  LazyOptions options;
  options.limits.most_points = 2'000;
  EXPECT_NO_THROW(lazily(program, options));
  options.limits.unwind = 200;
  EXPECT_THROW(lazily(program, options), Rejected);
}

// Lines of the text that jump to a line before them.
std::size_t backward_jumps(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> labels;
  std::size_t found = 0;
  for (std::string line; std::getline(in, line);) {
    const std::size_t jump = line.find("goto ");
    if (line.starts_with('L')) labels.insert(line.substr(0, line.find(':')));
    if (jump == std::string::npos) continue;
    const std::size_t target = jump + std::string("goto ").size();
    found += labels.contains(line.substr(target, line.find(';', target) - target)) ? 1 : 0;
  }
  return found;
}

TEST(Unwind, OnlyTheSchedulerJumpsBack) {
  for (const Looping& looping : programs) {
    SCOPED_TRACE(looping.name);
    const ir::Program program = program_of(looping.text);
    LazyOptions options;
    options.emission.wording = Wording::plain;
    EXPECT_GT(backward_jumps(as_c(lazily(program, options))), 1U);
    options.limits.unwind = 2;
    EXPECT_EQ(backward_jumps(as_c(lazily(program, options))), 1U);
  }
}

TEST(Unwind, PrintsCThatCompiles) {
  for (std::size_t i = 0; i < programs.size(); ++i) {
    SCOPED_TRACE(programs[i].name);
    const ir::Program program = program_of(programs[i].text);
    const Facts facts(program);
    LazyOptions lazy;
    MuOptions mu;
    lazy.emission.wording = mu.emission.wording = Wording::plain;
    lazy.limits.unwind = mu.limits.unwind = 2;
    for (const Sequential& made : {sequentialize_lazily(program, facts, lazy),
                                   sequentialize_by_unwinding(program, facts, mu)})
      EXPECT_TRUE(compiles(as_c(made)));
  }
}

}  // namespace
}  // namespace heddle::sequentialize
