// The auditor of invariants, on invariants written by hand: right ones pass, and each way of being
// wrong is found.
#include "check/invariant.hpp"

#include <gtest/gtest.h>

#include "unit/engine/sequential/proved.hpp"

namespace heddle::check {
namespace {

using testing::proved;
using verdict::Check;
using verdict::Formula;
using verdict::InductiveInvariant;
using verdict::Number;
using verdict::Variable;
using Kind = Formula::Kind;

const verdict::Property asked{{Check::error_call, Check::deref}};

struct Hand {
  ir::Program program;
  InductiveInvariant invariant{};

  explicit Hand(const std::string& text) : program(testing::started_at_main(text, asked)) {}

  std::uint32_t reg(const std::string& name) {
    for (const ir::RegId id : program.function(program.entry()).registers)
      if (program.reg(id).name == name) {
        invariant.variables.push_back({Variable::Kind::reg, id, 0, {}});
        return static_cast<std::uint32_t>(invariant.variables.size() - 1);
      }
    ADD_FAILURE() << "no register " << name;
    return 0;
  }
  std::uint32_t cell(const std::string& name, std::uint64_t offset, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < program.globals().size(); ++i)
      if (program.globals()[i].name == name)
        invariant.cells.push_back({{i}, {}, offset, bytes, true});
    invariant.variables.push_back(
        {Variable::Kind::cell, {}, static_cast<std::uint32_t>(invariant.cells.size() - 1), {}});
    return static_cast<std::uint32_t>(invariant.variables.size() - 1);
  }
  std::uint32_t say(Kind kind, std::vector<std::pair<Number, std::uint32_t>> sum, Number constant,
                    Number divisor = 1) {
    invariant.formulas.push_back({kind, {}, std::move(sum), constant, divisor});
    return static_cast<std::uint32_t>(invariant.formulas.size() - 1);
  }
  std::uint32_t combine(Kind kind, std::vector<std::uint32_t> operands) {
    invariant.formulas.push_back({kind, std::move(operands), {}, 0, 1});
    return static_cast<std::uint32_t>(invariant.formulas.size() - 1);
  }
  void everywhere(std::uint32_t formula) {
    for (const ir::LocId at : program.function(program.entry()).locations)
      if (program.location(at).loop_head) invariant.at.emplace_back(at, formula);
  }
  InvariantResult check() const { return check_invariant(program, asked, invariant, {}); }
};

const std::string pair_of_counters = R"(int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x++; y++; }
  if (x != y) reach_error();
  return 0; })";

TEST(Invariant, TheRightOneIsConfirmed) {
  Hand hand(pair_of_counters);
  hand.everywhere(hand.say(Kind::is_zero, {{1, hand.reg("x")}, {-1, hand.reg("y")}}, 0));
  const InvariantResult result = hand.check();
  EXPECT_TRUE(result.confirmed) << result.reason;
  EXPECT_GT(result.questions, 0U);
}

TEST(Invariant, OneThatSaysNothingDoesNotExcludeTheViolation) {
  Hand hand(pair_of_counters);
  hand.everywhere(hand.combine(Kind::all, {}));
  const InvariantResult result = hand.check();
  EXPECT_FALSE(result.confirmed);
  EXPECT_NE(result.reason.find("the property is broken"), std::string::npos) << result.reason;
}

TEST(Invariant, OneThatDoesNotHoldAtTheStart) {
  Hand hand(pair_of_counters);
  hand.everywhere(hand.say(Kind::is_zero, {{1, hand.reg("x")}, {-1, hand.reg("y")}}, 1));
  EXPECT_FALSE(hand.check().confirmed);
  Hand nothing(pair_of_counters);
  nothing.everywhere(nothing.combine(Kind::any, {}));
  EXPECT_FALSE(nothing.check().confirmed);
}

TEST(Invariant, OneThatAStepBreaks) {
  Hand hand(pair_of_counters);
  const std::uint32_t x = hand.reg("x"), y = hand.reg("y");
  const std::uint32_t same = hand.say(Kind::is_zero, {{1, x}, {-1, y}}, 0);
  hand.everywhere(hand.combine(Kind::all, {same, hand.say(Kind::at_most_zero, {{1, x}}, -7)}));
  const InvariantResult result = hand.check();
  EXPECT_FALSE(result.confirmed);
  EXPECT_NE(result.reason.find("does not keep"), std::string::npos) << result.reason;
}

// True of integers, but not of an int.
TEST(Invariant, OneThatBreaksByWrapAround) {
  Hand hand(R"(int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int()) x++;
    if (x < 0) reach_error();
    return 0; })");
  hand.everywhere(hand.say(Kind::at_most_zero, {{-1, hand.reg("x")}}, 0));
  EXPECT_FALSE(hand.check().confirmed);
}

TEST(Invariant, SumsDoNotWrapAround) {
  // x + y <= 2^31 - 1 as a sum of integers; as ints it would always hold.
  Hand hand(R"(int main(void) {
    int x = 2147483647, y = 0;
    while (__VERIFIER_nondet_int()) { y = 1; }
    if (y == 1 && x == 2147483647) reach_error();
    return 0; })");
  hand.everywhere(
      hand.say(Kind::at_most_zero, {{1, hand.reg("x")}, {1, hand.reg("y")}}, -2147483647));
  EXPECT_FALSE(hand.check().confirmed);
  // The same with 64 bits, where the sum needs more than a term can hold.
  Hand wide(R"(int main(void) {
    unsigned long x = 0xffffffffffffffffUL, y = 0;
    while (__VERIFIER_nondet_int()) {
      if (y < 5) y++;
      x = __VERIFIER_nondet_int() ? 0xffffffffffffffffUL : 0;
    }
    if (x == 7 && y == 6) reach_error();
    return 0; })");
  const std::uint32_t x = wide.reg("x"), y = wide.reg("y");
  const Number most = (Number{1} << 64) - 1;
  const auto says = [&](Number limit) {
    return wide.combine(Kind::all, {wide.say(Kind::at_most_zero, {{1, x}, {1, y}}, -limit),
                                    wide.say(Kind::at_most_zero, {{1, y}}, -5)});
  };
  wide.everywhere(says(most + 3));
  EXPECT_FALSE(wide.check().confirmed);  // y gets to 5
  wide.invariant.at.clear();
  wide.everywhere(says(most + 5));
  const InvariantResult result = wide.check();
  EXPECT_TRUE(result.confirmed) << result.reason;
}

TEST(Invariant, EveryLoopNeedsACutPoint) {
  Hand hand(pair_of_counters);
  const InvariantResult result = hand.check();
  EXPECT_FALSE(result.confirmed);
  EXPECT_NE(result.reason.find("cut point"), std::string::npos) << result.reason;
}

TEST(Invariant, Divisibility) {
  const std::string text = R"(int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int()) x += 2;
    if (x & 1) reach_error();
    return 0; })";
  Hand even(text);
  even.everywhere(even.say(Kind::divisible, {{1, even.reg("x")}}, 0, 2));
  EXPECT_TRUE(even.check().confirmed) << even.check().reason;
  Hand by_six(text);
  by_six.everywhere(by_six.say(Kind::divisible, {{1, by_six.reg("x")}}, 0, 6));
  EXPECT_FALSE(by_six.check().confirmed);
}

TEST(Invariant, MemoryIsReadAndWrittenByCells) {
  const std::string text = R"(int g[2];
  int main(void) {
    while (__VERIFIER_nondet_int()) { g[0] = 4; if (g[1] != 0) reach_error(); }
    return 0; })";
  Hand hand(text);
  hand.everywhere(hand.say(Kind::is_zero, {{1, hand.cell("g", 4, 4)}}, 0));
  EXPECT_TRUE(hand.check().confirmed) << hand.check().reason;
  Hand wrong(text);
  wrong.everywhere(wrong.say(Kind::is_zero, {{1, wrong.cell("g", 0, 4)}}, 0));
  EXPECT_FALSE(wrong.check().confirmed);
}

TEST(Invariant, AWriteThroughAnyPointerCounts) {
  const std::string text = R"(char g[8];
  int main(void) {
    while (1) {
      unsigned char k = __VERIFIER_nondet_uchar();
      if (k >= LIMIT) continue;
      g[k] = 1;
      if (g[7] != 0) reach_error();
    }
    return 0; })";
  const auto with_limit = [&](const std::string& limit) {
    std::string result = text;
    return result.replace(result.find("LIMIT"), 5, limit);
  };
  Hand safe(with_limit("7"));
  safe.everywhere(safe.say(Kind::is_zero, {{1, safe.cell("g", 7, 1)}}, 0));
  EXPECT_TRUE(safe.check().confirmed) << safe.check().reason;
  Hand hit(with_limit("8"));
  hit.everywhere(hit.say(Kind::is_zero, {{1, hit.cell("g", 7, 1)}}, 0));
  EXPECT_FALSE(hit.check().confirmed);
  std::string unchecked = with_limit("9");
  unchecked.replace(unchecked.find("if (g[7]"), 30, ";");
  Hand beyond(unchecked);
  beyond.everywhere(beyond.combine(Kind::all, {}));
  EXPECT_NE(beyond.check().reason.find("invalid"), std::string::npos) << beyond.check().reason;
}

TEST(Invariant, MalformedOnesAreRefused) {
  Hand overlapping("int g[2]; int main(void) { while (1) g[0] = 1; }");
  overlapping.cell("g", 0, 4);
  overlapping.cell("g", 2, 4);
  overlapping.everywhere(overlapping.combine(Kind::all, {}));
  EXPECT_FALSE(overlapping.check().confirmed);
  Hand outside("int g[2]; int main(void) { while (1) g[0] = 1; }");
  outside.cell("g", 6, 4);
  outside.everywhere(outside.combine(Kind::all, {}));
  EXPECT_FALSE(outside.check().confirmed);
  Hand circular(pair_of_counters);
  circular.everywhere(circular.combine(Kind::negation, {0}));
  EXPECT_FALSE(circular.check().confirmed);
  Hand unnamed(pair_of_counters);
  unnamed.everywhere(unnamed.say(Kind::is_zero, {{1, 3}}, 0));
  EXPECT_FALSE(unnamed.check().confirmed);
}

// What the engine has found, with one thing changed.
TEST(Invariant, TamperingIsNoticed) {
  const auto found = proved(pair_of_counters);
  ASSERT_EQ(found.answer(), "safe");
  const auto refused = [&](const InductiveInvariant& changed) {
    return !check_invariant(found.program, {{Check::error_call}}, changed, {}).confirmed;
  };
  InductiveInvariant dropped = *found.invariant();
  for (auto& [at, formula] : dropped.at) {
    dropped.formulas.push_back({Kind::all, {}, {}, 0, 1});
    formula = static_cast<std::uint32_t>(dropped.formulas.size() - 1);
  }
  EXPECT_TRUE(refused(dropped));
  InductiveInvariant negated = *found.invariant();
  for (auto& [at, formula] : negated.at) {
    negated.formulas.push_back({Kind::negation, {formula}, {}, 0, 1});
    formula = static_cast<std::uint32_t>(negated.formulas.size() - 1);
  }
  EXPECT_TRUE(refused(negated));
  InductiveInvariant elsewhere = *found.invariant();
  elsewhere.at.clear();
  EXPECT_TRUE(refused(elsewhere));
}

TEST(Invariant, AnotherPropertyIsNotCovered) {
  const auto found = proved(pair_of_counters, {Check::error_call});
  ASSERT_EQ(found.answer(), "safe");
  // Signed overflow is possible here, and its checks are no part of this program: but the failing
  // of an assertion that is not asked about must not count either.
  const auto other = proved(R"(int main(void) {
    while (__VERIFIER_nondet_int()) {}
    reach_error();
    return 0; })",
                            {Check::overflow});
  EXPECT_EQ(other.answer(), "safe");
  EXPECT_FALSE(
      check_invariant(other.program, {{Check::error_call}}, *other.invariant(), {}).confirmed);
}

}  // namespace
}  // namespace heddle::check
