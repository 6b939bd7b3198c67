// Bounds are bounds on us: what they cut off is never called safe.
#include <gtest/gtest.h>

#include "unit/engine/bmc/unrolled.hpp"

namespace heddle::testing {
namespace {

using engine::bmc::Options;
using verdict::Check;
using verdict::Gap;

const std::set<Check> errors{Check::error_call};

const std::string open_loop =
    "int x;\n"
    "int main(void) {\n"
    "  int n = __VERIFIER_nondet_int();\n"
    "  while (n-- > 0)\n"
    "    x++;\n"
    "  if (x == 5) reach_error();\n"
    "  return 0;\n"
    "}\n";

TEST(BmcBounds, ALoopOfUnknownLengthIsNeverSafe) {
  const std::string program =
      "int main(void) { int n = __VERIFIER_nondet_int(), x = 0; while (n-- > 0) x += 2;"
      "if (x == 7) reach_error(); return 0; }";
  for (const std::vector<std::uint32_t>& bounds :
       std::vector<std::vector<std::uint32_t>>{{1}, {1, 2, 3}, {20}})
    EXPECT_EQ(both(program, errors, {.bounds = bounds}), "unknown");
}

TEST(BmcBounds, TheGapNamesTheLoop) {
  const Unrolled found = unrolled(open_loop, errors, {.bounds = {1, 2, 3}});
  ASSERT_EQ(found.answer(), "unknown");
  EXPECT_EQ(found.gap().gap, Gap::bound);
  EXPECT_EQ(found.gap().source.line, line_of(open_loop, "while"));
  EXPECT_EQ(found.statistics.bound, 3u);
}

TEST(BmcBounds, RiseUntilTheErrorIsInReach) {
  const Unrolled found = unrolled(open_loop, errors, {.bounds = {1, 2, 3, 4, 6, 8}});
  EXPECT_EQ(found.answer(), "unsafe");
  EXPECT_GT(found.statistics.bound, 3u);
  EXPECT_LE(found.statistics.bound, 6u);
}

TEST(BmcBounds, ConstantsDecideWithoutABound) {
  const auto program = [](const std::string& wrong) {
    return "int main(void) { int s = 0; for (int i = 0; i < 100; i++)"
           "for (int j = 0; j < 3; j++) s += i; if (" +
           wrong + ") reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("s != 14850"), errors, {.bounds = {1}}), "safe");
  EXPECT_EQ(both(program("s == 14850"), errors, {.bounds = {1}}), "unsafe");
}

TEST(BmcBounds, LargeLoopsAreCutAtLowBoundsUnlessTold) {
  const std::string program =
      "int x; void *count(void *p) { for (int i = 0; i < 100; i++) x = i; return 0; }"
      "int main(void) { pthread_t t; pthread_create(&t, 0, count, 0);"
      "if (x == 99) reach_error(); return 0; }";
  using engine::bmc::Switch;
  EXPECT_EQ(both(program, errors, {.bounds = {1}}), "unknown");
  EXPECT_EQ(both(program, errors, {.bounds = {1}, .cut_large_loops = Switch::off}), "unsafe");
}

TEST(BmcBounds, AnInputThatIsBoundedBoundsTheLoop) {
  const std::string program =
      "int main(void) { int n = __VERIFIER_nondet_uchar() & 7, x = 0; while (n-- > 0) x += 2;"
      "if (x == 15) reach_error(); return 0; }";
  EXPECT_EQ(both(program, errors, {.bounds = {1, 4}}), "unknown");
  const Unrolled found = unrolled(program, errors, {.bounds = {1, 4, 8}});
  EXPECT_EQ(found.answer(), "safe");
  EXPECT_EQ(found.statistics.bound, 8u);
}

TEST(BmcBounds, Recursion) {
  const auto program = [](const std::string& argument) {
    return "int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }"
           "int main(void) { if (sum(" +
           argument + ") == 16) reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("20"), errors, {.bounds = {1}}), "safe");
  const Unrolled open = unrolled(program("__VERIFIER_nondet_int()"), errors, {.bounds = {1, 2}});
  ASSERT_EQ(open.answer(), "unknown");
  EXPECT_EQ(open.gap().gap, Gap::bound);
}

TEST(BmcBounds, ALoopThatNobodyLeavesIsNoError) {
  EXPECT_EQ(both("int x; int main(void) { for (;;) x = 1 - x; reach_error(); }", errors,
                 {.bounds = {1, 2}}),
            "unknown");
  EXPECT_EQ(both("int main(void) { for (;;) ; reach_error(); }", errors, {.bounds = {1}}), "safe");
}

TEST(BmcBounds, LimitsOfTheUnfolding) {
  const std::string program =
      "int x; void *first(void *p) { for (int i = 0; i < 50; i++) x++; return 0; }"
      "void *second(void *p) { for (int i = 0; i < 50; i++) x++; return 0; }" +
      two_threads("if (x < 0) reach_error();");
  const Unrolled nodes = unrolled(program, errors, {.bounds = {20}, .most_nodes = 50});
  ASSERT_EQ(nodes.answer(), "unknown");
  EXPECT_EQ(nodes.gap().gap, Gap::bound);
  const Unrolled rounds = unrolled(program, errors, {.bounds = {20}, .free_iterations = 10});
  ASSERT_EQ(rounds.answer(), "unknown");
  EXPECT_EQ(rounds.gap().gap, Gap::bound);
}

TEST(BmcBounds, NoTimeNoAnswer) {
  const Unrolled found =
      unrolled(open_loop, errors, {}, base::Budget(std::chrono::milliseconds(0), 4ULL << 30));
  ASSERT_EQ(found.answer(), "unknown");
  EXPECT_EQ(found.gap().gap, Gap::time);
}

TEST(BmcBounds, ObjectsOfOpenSize) {
  const auto program = [](const std::string& index) {
    return "void *malloc(unsigned long); int main(void) { unsigned n = __VERIFIER_nondet_uchar() & "
           "15;"
           "if (n == 0) return 0; char *p = malloc(n); p[" +
           index + "] = 1; return 0; }";
  };
  EXPECT_EQ(both(program("n - 1"), {Check::deref}), "safe");
  EXPECT_EQ(both(program("n"), {Check::deref}), "unsafe");
}

TEST(BmcBounds, TheSameRunGivesTheSameAnswer) {
  const std::string program =
      "int x; void *first(void *p) { x++; x *= 2; return 0; }"
      "void *second(void *p) { x += 3; return 0; }" +
      two_threads("if (x == 2) reach_error();");
  const Unrolled one = unrolled(program, errors), two = unrolled(program, errors);
  ASSERT_EQ(one.answer(), "unsafe");
  ASSERT_EQ(two.answer(), "unsafe");
  EXPECT_EQ(std::get<verdict::Unsafe>(one.verdict).trace.steps,
            std::get<verdict::Unsafe>(two.verdict).trace.steps);
}

}  // namespace
}  // namespace heddle::testing
