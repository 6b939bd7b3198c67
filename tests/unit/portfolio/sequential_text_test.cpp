// What stands above printed sequential programs.
#include "portfolio/sequential_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "passes/pipeline.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::portfolio {
namespace {

using sequentialize::LazyOptions;
using sequentialize::MuOptions;
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

TEST(SequentialText, TheHeadingSaysWhatTheNamesMean) {
  for (const Scheme& scheme : {Scheme{LazyOptions{}}, Scheme{MuOptions{}}}) {
    const std::string text = printed(scheme, {Check::error_call}), heading = heading_of(text);
    std::istringstream lines(heading);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
    EXPECT_NE(heading.find("\n  id1  "), std::string::npos) << heading;
  }
}

TEST(SequentialText, TheHeadingSaysWhatWasAsked) {
  const std::string some = heading_of(printed(LazyOptions{}, {Check::assertion}));
  EXPECT_NE(some.find("reach_error() stands for an assertion that fails.\n"), std::string::npos);
  EXPECT_EQ(some.find("Deadlocks"), std::string::npos) << some;
  LazyOptions marking;
  marking.markers = sequentialize::Switch::on;
  const std::string marked = heading_of(printed(marking, {Check::assertion}));
  EXPECT_NE(marked.find("sequentialization error"), std::string::npos) << marked;
  EXPECT_EQ(some.find("sequentialization error"), std::string::npos) << some;
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
