// Concurrent protocols, sequentialized by hand: a scheduler loop and a program counter for each
// thread.
#include <gtest/gtest.h>

#include "unit/engine/sequential/proved.hpp"

namespace heddle {
namespace {

using engine::sequential::Options;
using engine::sequential::Switch;
using testing::proved;
using verdict::Check;

std::string peterson(const std::string& second_wait) {
  return R"(int flag0, flag1, turn, in0, in1;
  int main(void) {
    int pc0 = 0, pc1 = 0;
    while (1) {
      if (__VERIFIER_nondet_int()) {
        switch (pc0) {
          case 0: flag0 = 1; pc0 = 1; break;
          case 1: turn = 1; pc0 = 2; break;
          case 2: pc0 = flag1 ? 3 : 4; break;
          case 3: pc0 = turn == 1 ? 2 : 4; break;
          case 4: in0 = 1; if (in1) reach_error(); pc0 = 5; break;
          case 5: in0 = 0; flag0 = 0; pc0 = 0; break;
        }
      } else {
        switch (pc1) {
          case 0: flag1 = 1; pc1 = 1; break;
          case 1: turn = 0; pc1 = 2; break;
          case 2: pc1 = flag0 ? 3 : 4; break;
          case 3: pc1 = )" +
         second_wait + R"( ? 2 : 4; break;
          case 4: in1 = 1; if (in0) reach_error(); pc1 = 5; break;
          case 5: in1 = 0; flag1 = 0; pc1 = 0; break;
        }
      }
    }
  })";
}

const std::string locked_counters = R"(int lock, x, y;
  int main(void) {
    int pc0 = 0, pc1 = 0, seen = 0;
    while (1) {
      if (__VERIFIER_nondet_int()) {
        switch (pc0) {
          case 0: if (!lock) { lock = 1; pc0 = 1; } break;
          case 1: seen = x; pc0 = 2; break;
          case 2: x = seen + 1; pc0 = 3; break;
          case 3: y = y + 1; pc0 = 4; break;
          case 4: lock = 0; pc0 = 0; break;
        }
      } else {
        switch (pc1) {
          case 0: if (!lock) { lock = 2; pc1 = 1; } break;
          case 1: if (x != y) reach_error(); pc1 = 2; break;
          case 2: lock = 0; pc1 = 0; break;
        }
      }
    }
  })";

TEST(Protocols, PetersonExcludes) {
  const auto result = proved(peterson("turn == 0"));
  EXPECT_EQ(result.answer(), "safe");
  EXPECT_GT(result.statistics.nodes, 10U);
}

TEST(Protocols, PetersonWithAWrongWaitDoesNot) {
  EXPECT_NE(proved(peterson("turn == 1")).answer(), "safe");
}

TEST(Protocols, TwoCountersUnderOneLock) { EXPECT_EQ(proved(locked_counters).answer(), "safe"); }

TEST(Protocols, WithoutTheLockThereIsNoProof) {
  std::string text = locked_counters;
  text.replace(text.find("if (!lock) { lock = 2; pc1 = 1; }"), 33, "pc1 = 1;");
  EXPECT_NE(proved(text).answer(), "safe");
}

// The solver has to find what is otherwise split by values.
TEST(Protocols, ProgramCountersAsNumbersOfTheSolver) {
  const std::string text = R"(int x;
  int main(void) {
    int pc = 0;
    while (1) {
      switch (pc) {
        case 0: x = 5; pc = 1; break;
        case 1: if (x != 5) reach_error(); pc = 2; break;
        case 2: x = x + __VERIFIER_nondet_int(); pc = 0; break;
      }
    }
  })";
  EXPECT_EQ(proved(text).answer(), "safe");
  Options options;
  options.split_by_values = Switch::off;
  const auto unsplit = proved(text, {Check::error_call}, options);
  EXPECT_EQ(unsplit.answer(), "safe");
  EXPECT_EQ(unsplit.statistics.nodes, 1U);
}

TEST(Protocols, TooManyNodesSplitLess) {
  Options options;
  options.most_nodes = 8;
  const auto result = proved(locked_counters, {Check::error_call}, options);
  EXPECT_LE(result.statistics.nodes, 8U);
  EXPECT_EQ(result.answer(), "safe");
}

}  // namespace
}  // namespace heddle
