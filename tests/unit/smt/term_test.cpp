// Simplification keeps every value, and decides what a symbolic executor relies on.
#include "smt/term.hpp"

#include <gtest/gtest.h>

#include "unit/smt/random_terms.hpp"

namespace heddle::smt {
namespace {

using testing::RandomTerms;

void check_random_terms(std::uint64_t seed, const std::vector<std::uint32_t>& widths, int count) {
  RandomTerms random(seed, widths);
  std::vector<Terms::Evaluator> evaluators;
  for (std::size_t i = 0; i < RandomTerms::assignments; ++i)
    evaluators.emplace_back(random.terms(),
                            [&random, i](Term variable) { return random.value_of(variable, i); });
  for (int made = 0; made < count; ++made) {
    const RandomTerms::Entry entry = random.grow();
    for (std::size_t i = 0; i < RandomTerms::assignments; ++i)
      ASSERT_EQ(evaluators[i](entry.term), entry.values[i])
          << "seed " << seed << ", term " << made << " of width "
          << random.terms().width(entry.term);
  }
}

TEST(TermValues, AreKeptInSmallWidths) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const auto width = static_cast<std::uint32_t>(seed % 8 + 1);
    check_random_terms(seed, {width}, 300);
    if (HasFatalFailure()) return;
  }
}

TEST(TermValues, AreKeptInMixedWidths) {
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    check_random_terms(seed, {4, 8, 16, 32, 64}, 400);
    if (HasFatalFailure()) return;
  }
}

TEST(TermValues, AreKeptInWideWidths) {
  for (std::uint64_t seed = 2000; seed < 2060; ++seed) {
    check_random_terms(seed, {seed % 2 == 0 ? 32u : 64u}, 400);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace heddle::smt
