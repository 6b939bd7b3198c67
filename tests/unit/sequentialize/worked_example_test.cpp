// The thesis' example of how threads are controlled (its figures 4.4 and 4.5): a mutex, a thread
// that is started and one that joins it. What we print for it is compared with a golden outline,
// and what it means with what the two orders of the two sections mean.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "portfolio/sequential_text.hpp"
#include "portfolio/sequentialized.hpp"
#include "sequential_programs.hpp"

namespace heddle::sequentialize {
namespace {

const std::string folder = std::string(HEDDLE_SOURCE_DIR) + "/tests/unit/sequentialize/golden/";

std::string read_text(const std::string& name) {
  std::ifstream in(folder + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

ir::Program example(const std::string& expected) {
  const std::string text =
      std::regex_replace(read_text("lock_and_join.c"), std::regex("EXPECTED"), expected);
  return passes::simplify(frontend::parse_text("lock_and_join.c", text));
}

// The steps of the user's program, the places where threads stop, and what happens to the user's
// variable, each as it is printed: not what stands in the models of the library, nor the layout of
// its types, nor the numbers of temporaries, which depend on them.
std::string outline(const std::string& text) {
  const std::regex wanted(
      R"(\s*(/\* t\d .*|switch \(pc\d\).*|pc\d = .*|choice = .*|.*\bnumber\b.*|.*reach_error\(\).*))");
  const std::regex temporary(R"(\b(t\d_r)\d+(_\d+)?\b)");
  std::istringstream in(text.substr(text.find("int main(void) {")));
  std::string result, line, last;
  while (std::getline(in, line)) {
    if (!std::regex_match(line, wanted) || line == last) continue;
    result += std::regex_replace(line, temporary, "$1") + "\n";
    last = line;
  }
  return result;
}

std::string printed(const LazyOptions& options) {
  const verdict::Property property{{verdict::Check::assertion}};
  return portfolio::sequential_c(example("number == 1 || number == 2"), property, options);
}

TEST(WorkedExample, IsPrintedAsItWas) {
  const std::string text = outline(printed({}));
  EXPECT_EQ(text, outline(printed({}))) << "not the same again";
  EXPECT_EQ(text, read_text("lock_and_join.outline"))
      << "If this is how it should be, the new outline is:\n"
      << text;
}

// Each thread is at its section as a whole, or has not begun it: two orders are left of the
// accesses to the variable, whoever schedules.
TEST(WorkedExample, TwoInterleavingsRemain) {
  const ir::Program program = example("1");
  const Facts facts(program);
  for (const Scheduler scheduler : {Scheduler::rounds, Scheduler::next_thread})
    EXPECT_EQ(interleavings_left(program, facts, scheduler), 2U);
}

struct Expectation {
  std::string condition;
  std::string verdict;
};
const std::vector<Expectation> expectations{
    {"number == 1 || number == 2", "safe"}, {"number == 1", "unsafe"}, {"number == 2", "unsafe"}};

TEST(WorkedExample, BothOrdersAndNoOthersHappen) {
  for (const auto& [condition, verdict] : expectations) {
    SCOPED_TRACE(condition);
    const ir::Program program = example(condition);
    for (const Scheduler scheduler : {Scheduler::rounds, Scheduler::next_thread}) {
      LazyOptions options;
      options.scheduler = scheduler;
      EXPECT_EQ(verdict_of(lazily(program, options).program), verdict);
    }
    for (const MuVariant variant : {MuVariant::explicit_reads, MuVariant::mixed_reads}) {
      MuOptions options;
      options.variant = variant;
      portfolio::Mu mu(options, {.bounds = {1, 2}});
      EXPECT_EQ(ask(mu, program), verdict);
    }
  }
}

}  // namespace
}  // namespace heddle::sequentialize
