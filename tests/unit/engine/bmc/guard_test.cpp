// Conditions of paths: what they are after paths meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/bmc/state.hpp"

namespace heddle::testing {
namespace {

using engine::bmc::Guard;
using smt::Term;
using smt::Terms;

class BmcGuard : public ::testing::Test {
 protected:
  Guard of(std::initializer_list<Term> parts) {
    Guard guard(terms);
    for (const Term part : parts) guard.add(terms, part);
    return guard;
  }
  bool holds(Term term, unsigned assignment) {
    Terms::Evaluator evaluate(terms, [&](Term variable) -> std::uint64_t {
      return (assignment >> numbers.at(variable)) & 1;
    });
    return evaluate(term) != 0;
  }
  // The join of two guards that exclude each other, over all assignments.
  void expect_joined(const Guard& first, const Guard& second) {
    const auto [joined, choice] = Guard::join(terms, first, second);
    for (unsigned assignment = 0; assignment < 16; ++assignment) {
      const bool left = holds(first.term(), assignment), right = holds(second.term(), assignment);
      ASSERT_FALSE(left && right);
      EXPECT_EQ(holds(joined.term(), assignment), left || right) << assignment;
      if (left) {
        EXPECT_TRUE(holds(choice, assignment)) << assignment;
      }
      if (right) {
        EXPECT_FALSE(holds(choice, assignment)) << assignment;
      }
    }
  }

  Terms terms{};
  Term a = terms.variable(1), b = terms.variable(1), c = terms.variable(1), d = terms.variable(1);
  std::map<Term, unsigned> numbers{{a, 0}, {b, 1}, {c, 2}, {d, 3}};
};

TEST_F(BmcGuard, BothSidesOfABranchMakeWhatWasBefore) {
  const auto [joined, choice] = Guard::join(terms, of({a, b}), of({a, terms.not_(b)}));
  EXPECT_EQ(joined.term(), a);
  EXPECT_EQ(joined.parts(), std::vector<Term>{a});
  EXPECT_EQ(choice, b);
}

TEST_F(BmcGuard, JoinIsTheDisjunctionAndTellsTheTwoApart) {
  expect_joined(of({a, b}), of({a, terms.not_(b)}));
  expect_joined(of({a, b, c}), of({a, terms.not_(b)}));
  expect_joined(of({a, terms.not_(b)}), of({a, b, c}));
  expect_joined(of({a, b, c}), of({a, terms.not_(b), d}));
  expect_joined(of({terms.and_(a, b)}), of({terms.not_(a), c, d}));
  expect_joined(of({terms.or_(a, b), c}), of({terms.not_(a), terms.not_(b), d}));
}

TEST_F(BmcGuard, JoinKeepsTheCommonPart) {
  const auto [joined, choice] = Guard::join(terms, of({a, b, c}), of({a, terms.not_(b), d}));
  EXPECT_TRUE(std::binary_search(joined.parts().begin(), joined.parts().end(), a));
}

TEST_F(BmcGuard, ContradictionIsSeen) {
  EXPECT_TRUE(terms.is_false(of({a, b, terms.not_(a)}).term()));
  EXPECT_FALSE(terms.is_false(of({a, b, terms.not_(c)}).term()));
}

TEST_F(BmcGuard, TheSameConditionTwiceIsOnePart) {
  EXPECT_EQ(of({a, b, a, terms.yes()}).parts().size(), 2u);
}

}  // namespace
}  // namespace heddle::testing
