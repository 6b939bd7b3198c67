// Values from outside: exact where the program only compares them, and else never a proof.
#include <gtest/gtest.h>

#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::explore::InputMode;
using verdict::Check;

std::string answer(const std::string& body, InputMode inputs = InputMode::tried) {
  return explored("int main(void) {" + body + " return 0; }", {Check::error_call},
                  {.inputs = inputs})
      .answer();
}

TEST(Inputs, EqualityWithAConstantIsFound) {
  EXPECT_EQ(answer("if (__VERIFIER_nondet_int() == 421234) reach_error();"), "unsafe");
}

TEST(Inputs, ComparisonsAreExact) {
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); if (x > 10 && x < 5) reach_error();"), "safe");
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); if (x > 10 && x < 12) reach_error();"),
            "unsafe");
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); if (x < -1000000) reach_error();"), "unsafe");
}

TEST(Inputs, SignednessOfTheComparisonCounts) {
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); if (x < 0 && (unsigned)x < 5) reach_error();"),
            "safe");
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); if (x < 0 && (unsigned)x > 5) reach_error();"),
            "unsafe");
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); if ((long)x == 4294967295) reach_error();"),
            "safe");
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int();"
                   "if ((unsigned long)(unsigned)x == 4294967295) reach_error();"),
            "unsafe");
}

TEST(Inputs, NarrowingIsNotFollowed) {
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); if (x > 500 && (char)x == 7) reach_error();"),
            "unknown");
}

TEST(Inputs, LoopsOverChoicesEnd) {
  EXPECT_EQ(answer("int n = 0; while (__VERIFIER_nondet_int()) n = !n; if (n > 1) reach_error();"),
            "safe");
}

TEST(Inputs, ArithmeticOnAnInputIsNeverSafe) {
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); if (x * 3 == 123456) reach_error();"),
            "unknown");
}

TEST(Inputs, WhatCannotBeTriedIsSolved) {
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); if (x * 3 == 123456) reach_error();",
                   InputMode::solved),
            "unsafe");
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); if (x * 2 == 123457) reach_error();",
                   InputMode::solved),
            "safe");
}

TEST(Inputs, AssumptionsNarrow) {
  EXPECT_EQ(answer("int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x == 3);"
                   "if (x != 3) reach_error();"),
            "safe");
}

TEST(Inputs, UnsetLocalsHoldAnything) {
  EXPECT_EQ(answer("_Bool b; _Bool *p = &b; if (*p) reach_error();"), "unsafe");
}

}  // namespace
}  // namespace heddle::testing
