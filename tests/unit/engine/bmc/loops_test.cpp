// The order in which unrolled code is executed, on control flow of all shapes.
#include "engine/bmc/loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::bmc::LocKey;
using engine::bmc::Loops;

struct Parsed {
  explicit Parsed(const std::string& body)
      : program(
            frontend::parse_text("test.c", prelude + body + " int main(void) { return f(7); }")),
        function(find()),
        loops(program, function) {}

  ir::FunId find() const {
    for (std::uint32_t i = 0; i < program.functions().size(); ++i)
      if (program.functions()[i].name == "f") return {i};
    ADD_FAILURE() << "no function f";
    return {};
  }
  const std::vector<ir::LocId>& locations() const { return program.function(function).locations; }

  // Locations that some path from the entry leads to.
  std::set<ir::LocId> reachable() const {
    std::set<ir::LocId> seen{program.function(function).entry};
    std::vector<ir::LocId> open(seen.begin(), seen.end());
    while (!open.empty()) {
      const ir::LocId at = open.back();
      open.pop_back();
      for (const ir::EdgeId edge : program.out(at)) {
        const ir::LocId to = program.edge(edge).to;
        if (to.valid() && seen.insert(to).second) open.push_back(to);
      }
    }
    return seen;
  }
  std::set<ir::LocId> heads() const {
    std::set<ir::LocId> found;
    for (const ir::LocId at : reachable())
      if (loops.is_head(at)) found.insert(at);
    return found;
  }
  std::size_t depth() const {
    std::size_t deepest = 0;
    for (const ir::LocId at : reachable()) deepest = std::max(deepest, loops.around(at).size());
    return deepest;
  }

  ir::Program program;
  ir::FunId function;
  Loops loops;
};

// Every step goes forward in the order of keys, into the next round of a loop where it goes back.
// Returns the number of steps back.
std::size_t expect_forward(const Parsed& parsed) {
  std::size_t back = 0;
  std::set<LocKey> keys;
  for (const ir::LocId from : parsed.reachable()) {
    const std::vector<std::uint32_t> rounds(parsed.loops.around(from).size(), 5);
    const LocKey here = parsed.loops.key(from, rounds);
    EXPECT_TRUE(keys.insert(here).second) << "two locations with one key";
    for (const ir::EdgeId edge : parsed.program.out(from)) {
      const ir::LocId to = parsed.program.edge(edge).to;
      if (!to.valid()) continue;
      const std::size_t common = parsed.loops.common(from, to);
      std::vector<std::uint32_t> next(rounds.begin(),
                                      rounds.begin() + static_cast<std::ptrdiff_t>(common));
      const bool again = parsed.loops.is_head(to) && common == parsed.loops.around(to).size();
      if (again) {
        ++next.back();
        ++back;
      }
      next.resize(parsed.loops.around(to).size(), 0);
      EXPECT_LT(here, parsed.loops.key(to, next)) << from.value << " to " << to.value;
    }
  }
  return back;
}

TEST(BmcLoops, StraightCodeHasNone) {
  const Parsed parsed("int f(int x) { if (x > 3) x = 1; else x = 2; return x; }");
  EXPECT_EQ(parsed.heads().size(), 0u);
  EXPECT_EQ(expect_forward(parsed), 0u);
}

TEST(BmcLoops, OneInsideTheOther) {
  const Parsed parsed(
      "int f(int x) { int s = 0; for (int i = 0; i < x; i++) for (int j = 0; j < i; j++) s += j;"
      "  return s; }");
  EXPECT_EQ(parsed.heads().size(), 2u);
  EXPECT_EQ(parsed.depth(), 2u);
  EXPECT_EQ(expect_forward(parsed), 2u);
}

TEST(BmcLoops, OneAfterTheOther) {
  const Parsed parsed(
      "int f(int x) { int s = 0; for (int i = 0; i < x; i++) s++; while (s > 3) s--; return s; }");
  EXPECT_EQ(parsed.heads().size(), 2u);
  EXPECT_EQ(parsed.depth(), 1u);
  EXPECT_EQ(expect_forward(parsed), 2u);
}

TEST(BmcLoops, WithTwoEntries) {
  const Parsed parsed(
      "int f(int x) { if (x > 5) goto b; a: x--; b: x -= 2; if (x > 0) goto a; return x; }");
  EXPECT_EQ(parsed.heads().size(), 1u);
  EXPECT_EQ(parsed.depth(), 1u);
  EXPECT_EQ(expect_forward(parsed), 1u);
}

TEST(BmcLoops, TwoEntriesOnTwoLevels) {
  const Parsed parsed(
      "int f(int x) {"
      "  if (x > 9) goto inner;"
      "  outer: x--;"
      "  again: x -= 2;"
      "  inner: if (x > 4) goto again;"
      "  if (x > 0) goto outer;"
      "  return x; }");
  EXPECT_GE(parsed.depth(), 1u);  // two, unless the head cuts both loops
  EXPECT_GE(expect_forward(parsed), 1u);
}

TEST(BmcLoops, JumpsOutOfTwoAtOnce) {
  const Parsed parsed(
      "int f(int x) { for (;;) { while (x > 2) { if (x == 7) goto out; if (x == 6) break; x--; }"
      "  if (x == 5) continue; x++; } out: return x; }");
  EXPECT_EQ(parsed.heads().size(), 2u);
  EXPECT_EQ(parsed.depth(), 2u);
  EXPECT_GE(expect_forward(parsed), 2u);
}

TEST(BmcLoops, ThatNobodyLeaves) {
  const Parsed parsed("int f(int x) { l: goto l; }");
  EXPECT_EQ(parsed.heads().size(), 1u);
  EXPECT_EQ(expect_forward(parsed), 1u);
}

TEST(BmcLoops, LaterRoundsComeLaterThanAllOfEarlierOnes) {
  const Parsed parsed("int f(int x) { while (x > 3) { x--; x ^= 2; } return x; }");
  std::vector<ir::LocId> inside;
  for (const ir::LocId at : parsed.reachable())
    if (!parsed.loops.around(at).empty()) inside.push_back(at);
  ASSERT_GE(inside.size(), 2u);
  for (const ir::LocId early : inside)
    for (const ir::LocId late : inside)
      EXPECT_LT(parsed.loops.key(early, {1}), parsed.loops.key(late, {2}));
  // What follows the loop waits for all rounds.
  const auto returns = [&](ir::LocId at) {
    const auto out = parsed.program.out(at);
    return out.size() == 1 &&
           std::holds_alternative<ir::Return>(parsed.program.edge(out[0]).statement);
  };
  std::size_t after = 0;
  for (const ir::LocId at : parsed.reachable()) {
    if (!returns(at)) continue;
    ++after;
    for (const ir::LocId late : inside)
      EXPECT_LT(parsed.loops.key(late, {1000}), parsed.loops.key(at, {}));
  }
  EXPECT_GT(after, 0u);
}

}  // namespace
}  // namespace heddle::testing
