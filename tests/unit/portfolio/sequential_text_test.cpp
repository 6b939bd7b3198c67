// What stands above printed sequential programs.
#include "portfolio/sequential_text.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "passes/pipeline.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::portfolio {
namespace {

using sequentialize::LazyOptions;
using sequentialize::MuOptions;
using sequentialize::MuVariant;
using verdict::Check;

std::string printed(const Scheme& scheme, const std::set<Check>& checks) {
  const ir::Program program = passes::simplify(frontend::parse_text("count.c", R"(
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void reach_error(void);
int counter;
void *count(void *p) { counter++; /* "/*" */ return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (counter != 2) reach_error();
  return 0;
})"));
  return sequential_c(program, {checks}, scheme);
}

std::string heading_of(const std::string& text) {
  EXPECT_TRUE(text.starts_with("/*\n"));
  return text.substr(0, text.find("*/"));
}

std::vector<Scheme> schemes() {
  std::vector<Scheme> result;
  for (const auto scheduler :
       {sequentialize::Scheduler::rounds, sequentialize::Scheduler::statements,
        sequentialize::Scheduler::next_thread}) {
    LazyOptions options;
    options.scheduler = scheduler;
    result.emplace_back(options);
    options.rounds = 2;
    options.pc = sequentialize::PcForm::array;
    result.emplace_back(options);
    options.justified = sequentialize::Switch::off;
    result.emplace_back(options);
    options.conflicts = sequentialize::Switch::off;
    result.emplace_back(options);
  }
  for (const MuVariant variant :
       {MuVariant::explicit_reads, MuVariant::implicit_reads, MuVariant::mixed_reads,
        MuVariant::intra_thread, MuVariant::inter_thread}) {
    MuOptions options;
    options.variant = variant;
    result.emplace_back(options);
    options.shared_positions = sequentialize::Switch::off;
    result.emplace_back(options);
    options.positions = 1;
    result.emplace_back(options);
  }
  return result;
}

TEST(SequentialText, TheHeadingExplainsNamesThatAreThere) {
  for (const Scheme& scheme : schemes()) {
    const std::string text = printed(scheme, {Check::error_call});
    const std::string heading = heading_of(text), program = text.substr(heading.size());
    std::istringstream lines(heading);
    std::size_t explained = 0;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 100U);
      if (!line.starts_with("  ")) continue;
      std::istringstream names(line.substr(2, line.find("  ", 2) - 2));
      for (std::string name; std::getline(names, name, ',');) {
        name = std::regex_replace(name, std::regex(" "), "");
        name = std::regex_replace(name, std::regex("_x"), "_counter");
        EXPECT_NE(program.find(name), std::string::npos) << name << "\n" << heading;
        ++explained;
      }
    }
    EXPECT_GE(explained, 3U) << heading;
  }
}

TEST(SequentialText, TheHeadingSaysWhatWasAsked) {
  const std::string some = heading_of(printed(LazyOptions{}, {Check::assertion}));
  EXPECT_NE(some.find("reach_error() stands for an assertion that fails.\n"), std::string::npos);
  EXPECT_EQ(some.find("Deadlocks"), std::string::npos) << some;
  const std::string all =
      heading_of(printed(MuOptions{}, {Check::error_call, Check::overflow, Check::race}));
  EXPECT_NE(all.find("a call of reach_error() or a signed overflow"), std::string::npos) << all;
  EXPECT_NE(all.find("Deadlocks, data races and memory errors are not looked for."),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("t0 main, t1 count"), std::string::npos) << all;
}

}  // namespace
}  // namespace heddle::portfolio
