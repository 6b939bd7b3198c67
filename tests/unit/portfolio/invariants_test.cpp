// Unbounded proofs of concurrent programs, by way of a sequential one.
#include "portfolio/invariants.hpp"

#include <gtest/gtest.h>

#include "unit/engine/explored.hpp"

namespace heddle {
namespace {

using verdict::Check;

struct Result {
  verdict::Verdict verdict{};
  portfolio::InvariantStatistics statistics{};

  bool safe() const { return std::holds_alternative<verdict::Safe>(verdict); }
  std::string why() const {
    const auto* unknown = std::get_if<verdict::Unknown>(&verdict);
    return unknown == nullptr ? "" : unknown->detail;
  }
};

Result proved(const std::string& text, const std::set<Check>& checks = {Check::error_call},
              std::chrono::seconds time = std::chrono::seconds(100)) {
  const verdict::Property property{checks};
  const ir::Program program =
      portfolio::prepare(frontend::parse_text("test.c", testing::prelude + text), property);
  portfolio::Invariants engine({}, {});
  testing::Silent silent;
  Result result;
  result.verdict = engine.run(program, property, base::Budget(time, 4ULL << 30), silent);
  result.statistics = engine.statistics();
  return result;
}

std::string two_threads(const std::string& first, const std::string& second) {
  return "void *one(void *p) { for (;;) {" + first + "} }\n" + "void *two(void *p) { for (;;) {" +
         second + "} }\n" +
         R"(int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    return 0; })";
}

const std::string peterson_first =
    "flag0 = 1; turn = 1; while (flag1 && turn == 1) {} in = 1; if (in != 1) reach_error(); "
    "flag0 = 0;";
const std::string peterson_second =
    "flag1 = 1; turn = 0; while (flag0 && turn == 0) {} in = 2; if (in != 2) reach_error(); "
    "flag1 = 0;";
const std::string peterson_shared = "int flag0, flag1, turn, in;\n";

TEST(Invariants, PetersonForEver) {
  const Result result = proved(peterson_shared + two_threads(peterson_first, peterson_second));
  EXPECT_TRUE(result.safe()) << result.why();
  EXPECT_EQ(result.statistics.threads, 3U);
  EXPECT_GT(result.statistics.questions, 0U);
}

TEST(Invariants, WithoutItsTurnPetersonIsNotProved) {
  std::string second = peterson_second;
  second.replace(second.find("while (flag0 && turn == 0) {}"), 29, "");
  EXPECT_FALSE(proved(peterson_shared + two_threads(peterson_first, second)).safe());
}

// Counters that nothing bounds, in atomic sections.
const std::string count_both = "__VERIFIER_atomic_begin(); x++; y++; __VERIFIER_atomic_end();";

TEST(Invariants, CountersStayEqual) {
  const Result result = proved("int x, y;\n" + two_threads(count_both, R"(
    __VERIFIER_atomic_begin(); if (x != y) reach_error(); __VERIFIER_atomic_end();)"));
  EXPECT_TRUE(result.safe()) << result.why();
  EXPECT_GT(result.statistics.engine.predicates, 0U);
}

TEST(Invariants, AReaderThatMaySeeOneAloneIsNotProved) {
  const Result result =
      proved("int x, y;\n" + two_threads(count_both, "if (x != y) reach_error();"),
             {Check::error_call}, std::chrono::seconds(5));
  EXPECT_FALSE(result.safe());
}

TEST(Invariants, RacesAreNotWhatASequentialProgramIsAskedAbout) {
  const Result result = proved("int x;\n" + two_threads("x++;", "x++;"), {Check::race});
  EXPECT_FALSE(result.safe());
  EXPECT_NE(result.why().find("assertions"), std::string::npos) << result.why();
}

}  // namespace
}  // namespace heddle
