// The generator repeats itself, covers what it claims to, and the shrinker shrinks.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "generate/generator.hpp"
#include "generate/native.hpp"
#include "generate/shrink.hpp"

namespace heddle::generate {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Generator, SameSeedSameText) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_EQ(to_c(generate(seed)), to_c(generate(seed))) << "seed " << seed;
  }
}

TEST(Generator, SmallProgramsAreSmall) {
  std::size_t full = 0, small = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    full += count_statements(generate(seed));
    small += count_statements(generate(seed, Size::small));
  }
  EXPECT_LT(small * 4, full * 3);
}

TEST(Generator, TinyProgramsAreSmallerStillAndDoSomething) {
  std::size_t full = 0, tiny = 0, without_errors = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    full += count_statements(generate(seed));
    const Program program = generate(seed, Size::tiny);
    tiny += count_statements(program);
    const std::string text = to_c(program);
    if (!contains(text, "reach_error()") && !contains(text, "assert(")) ++without_errors;
  }
  EXPECT_LT(tiny * 4, full * 3);
  EXPECT_LT(without_errors, 20U);
}

TEST(Generator, EveryFourthOfMixedProgramsHasManyThreads) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Size size = seed % 4 == 3 ? Size::many : Size::full;
    EXPECT_EQ(to_c(generate(seed, Size::mixed)), to_c(generate(seed, size)));
  }
  EXPECT_TRUE(contains(to_c(generate(3, Size::many)), "worker3"));
}

TEST(Generator, SeedsGiveDifferentPrograms) {
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 500; ++seed) texts.insert(to_c(generate(seed)));
  EXPECT_GE(texts.size(), 480U);
}

TEST(Generator, EveryConstructAppears) {
  std::map<std::string, int> uses;
  for (const char* construct : {"pthread_mutex_lock",
                                "pthread_mutex_trylock",
                                "PTHREAD_MUTEX_RECURSIVE",
                                "PTHREAD_MUTEX_ERRORCHECK",
                                "pthread_cond_wait",
                                "pthread_cond_signal",
                                "pthread_cond_broadcast",
                                "sem_wait",
                                "sem_trywait",
                                "pthread_rwlock_rdlock",
                                "pthread_rwlock_wrlock",
                                "pthread_barrier_wait",
                                "pthread_spin_lock",
                                "_Atomic",
                                "atomic_compare_exchange_strong",
                                "atomic_fetch_add",
                                "__sync_bool_compare_and_swap",
                                "__sync_fetch_and_add",
                                "__atomic_load_n",
                                "__atomic_store_n",
                                "__VERIFIER_atomic_begin",
                                "__VERIFIER_nondet_bool",
                                "__VERIFIER_assume(",
                                "struct ",
                                " : 3;",
                                "calloc",
                                "malloc",
                                "_Bool ",
                                "unsigned char",
                                "handles[i]",
                                "pthread_exit",
                                "switch (",
                                "do {",
                                "for (",
                                "while (",
                                "else {",
                                "static void step",
                                "static void lend",
                                "static void start",
                                "&l",
                                "reach_error()",
                                "assert("}) {
    uses[construct] = 0;
  }
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = to_c(generate(seed));
    for (auto& [construct, count] : uses) count += contains(text, construct) ? 1 : 0;
  }
  for (const auto& [construct, count] : uses) EXPECT_GE(count, 5) << construct;
}

TEST(Printer, LeavesOutWhatNothingMentions) {
  Program program;
  program.declarations = {{"x", "int x;"}, {"y", "int y;"}, {"p", "int *p = &y;"}};
  program.functions = {{"unused", "void unused(void)", {}, {{"x = 1;", {}, {}, 0}}},
                       {"main", "int main(void)", {{"l", "int l;"}}, {{"*p = 1;", {}, {}, 0}}}};
  EXPECT_EQ(to_c(program), "int y;\nint *p = &y;\n\nint main(void) {\n  *p = 1;\n}\n");
  EXPECT_EQ(count_statements(program), 1U);
}

// Puts the fault as deep into the first worker as its statements go.
void plant(Block& block) {
  for (Statement& statement : block) {
    if (!statement.bodies.empty()) return plant(statement.bodies.front());
  }
  block.push_back({"planted($0);", {{"($0 + $1)", {{"3", {}}, {"4", {}}}}}, {}, 0});
}

TEST(Shrinker, ShrinksAPlantedFaultToAFewStatements) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Program program = generate(seed);
    for (Function& function : program.functions) {
      if (function.name == "worker1") plant(function.body);
    }
    const StillFails still_fails = [](const Program& candidate) {
      const std::string text = to_c(candidate);
      return contains(text, "planted(") && contains(text, "pthread_create(");
    };
    ASSERT_TRUE(still_fails(program)) << "seed " << seed;
    const Program small = shrink(program, still_fails);
    EXPECT_TRUE(still_fails(small)) << "seed " << seed;
    EXPECT_LE(count_statements(small), 2U) << to_c(small);
    EXPECT_TRUE(contains(to_c(small), "planted(0);")) << to_c(small);
  }
}

TEST(Shrinker, StopsWhenItsAttemptsAreUsedUp) {
  std::size_t calls = 0;
  shrink(
      generate(1),
      [&](const Program&) {
        ++calls;
        return false;
      },
      5);
  EXPECT_EQ(calls, 5U);
}

TEST(Native, TellsErrorsFromSuccessAndEndlessRuns) {
  Native native;
  EXPECT_EQ(native.run("int main(void) { return 0; }", 3).finished, 3);
  EXPECT_EQ(native.run("void reach_error(void); int main(void) { reach_error(); }", 3).failed, 3);
  EXPECT_EQ(native.run("#include <assert.h>\nint main(void) { assert(0); }", 3).failed, 3);
  EXPECT_EQ(native.run("int main(void) { for (;;) ; }", 3).endless, 1);
  EXPECT_THROW(native.run("this is not C", 1), std::runtime_error);
}

}  // namespace
}  // namespace heddle::generate
