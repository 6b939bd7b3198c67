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
    const std::uint32_t width = random.terms().width(entry.term);
    const Range range = random.terms().range(entry.term);
    for (std::size_t i = 0; i < RandomTerms::assignments; ++i) {
      ASSERT_EQ(evaluators[i](entry.term), entry.values[i])
          << "seed " << seed << ", term " << made << " of width " << width;
      const auto with_sign =
          static_cast<std::int64_t>(testing::extend_sign(width, 64, entry.values[i]));
      ASSERT_TRUE(range.low <= entry.values[i] && entry.values[i] <= range.high) << seed;
      ASSERT_TRUE(range.signed_low <= with_sign && with_sign <= range.signed_high) << seed;
    }
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

// Every operator over every other one, with all constants and all values of three bits (of four
// where shifts are involved): what any two rules do to each other.
class OperatorPair {
 public:
  OperatorPair(TermOp outer, TermOp inner) : outer_(outer), inner_(inner) {
    const bool shifts = testing::is_shift(outer) || testing::is_shift(inner);
    width_ = shifts ? 4 : 3;
    x_ = terms_.variable(width_);
    y_ = terms_.variable(width_);
    for (std::uint64_t x = 0; x < size(); ++x)
      for (std::uint64_t y = 0; y < size(); ++y)
        evaluators_.emplace_back(terms_, [this, x, y](Term term) { return term == x_ ? x : y; });
  }

  void check() {
    check_inner([](std::uint64_t, std::uint64_t y) { return y; }, y_);
    for (std::uint64_t k = 0; k < size(); ++k)
      check_inner([k](std::uint64_t, std::uint64_t) { return k; }, terms_.constant(width_, k));
  }

 private:
  std::uint64_t size() const { return std::uint64_t{1} << width_; }

  template <class Function>
  void check_inner(const Function& second, Term second_term) {
    const Term inner = terms_.binary(inner_, x_, second_term);
    const std::uint32_t width = terms_.width(inner);
    const auto inner_value = [&](std::uint64_t x, std::uint64_t y) {
      return testing::reference(inner_, width_, x, second(x, y));
    };
    for (std::uint64_t k = 0; k <= testing::low_bits(width); ++k) {
      const Term constant = terms_.constant(width, k);
      compare(terms_.binary(outer_, inner, constant), [&](std::uint64_t x, std::uint64_t y) {
        return testing::reference(outer_, width, inner_value(x, y), k);
      });
      compare(terms_.binary(outer_, constant, inner), [&](std::uint64_t x, std::uint64_t y) {
        return testing::reference(outer_, width, k, inner_value(x, y));
      });
    }
    const Term other = width == 1 ? terms_.equal(x_, y_) : x_;
    const auto other_value = [&](std::uint64_t x, std::uint64_t y) {
      return width == 1 ? (x == y ? 1u : 0u) : x;
    };
    compare(terms_.binary(outer_, inner, other), [&](std::uint64_t x, std::uint64_t y) {
      return testing::reference(outer_, width, inner_value(x, y), other_value(x, y));
    });
    compare(terms_.binary(outer_, other, inner), [&](std::uint64_t x, std::uint64_t y) {
      return testing::reference(outer_, width, other_value(x, y), inner_value(x, y));
    });
  }

  template <class Function>
  void compare(Term term, const Function& expected) {
    for (std::uint64_t x = 0; x < size(); ++x)
      for (std::uint64_t y = 0; y < size(); ++y)
        if (evaluators_[x * size() + y](term) != expected(x, y)) {
          ADD_FAILURE() << "operator " << static_cast<int>(outer_) << " over "
                        << static_cast<int>(inner_) << ", x " << x << ", y " << y;
          return;
        }
  }

  TermOp outer_, inner_;
  std::uint32_t width_ = 0;
  Terms terms_{};
  Term x_{}, y_{};
  std::vector<Terms::Evaluator> evaluators_{};
};

TEST(TermValues, AreKeptByEveryPairOfOperators) {
  for (const TermOp outer : testing::binary_ops)
    for (const TermOp inner : testing::binary_ops) {
      const bool truth = testing::yields_truth(inner);
      if (!truth || !testing::is_shift(outer)) OperatorPair(outer, inner).check();
      if (HasFailure()) return;
    }
}

// ---- rules by name ------------------------------------------------------------

class Rules : public ::testing::Test {
 protected:
  Term k(std::uint64_t bits) { return terms.constant(32, bits); }
  Term op(TermOp which, Term left, Term right) { return terms.binary(which, left, right); }
  Term plus(Term left, Term right) { return op(TermOp::add, left, right); }
  Term minus(Term left, Term right) { return op(TermOp::sub, left, right); }
  Term below(Term left, Term right) { return op(TermOp::ult, left, right); }
  Term less(Term left, Term right) { return op(TermOp::slt, left, right); }
  Term is(Term left, Term right) { return terms.equal(left, right); }
  Term both(Term left, Term right) { return terms.and_(left, right); }
  Term either(Term left, Term right) { return terms.or_(left, right); }
  Term no(Term truth) { return terms.not_(truth); }

  Terms terms{};
  Term x = terms.variable(32), y = terms.variable(32), byte = terms.variable(8);
  Term a = terms.variable(1), b = terms.variable(1), c = terms.variable(1);
};

TEST_F(Rules, ShareEqualTerms) {
  EXPECT_EQ(plus(x, y), plus(y, x));
  EXPECT_EQ(both(a, b), both(b, a));
  EXPECT_EQ(terms.constant(8, 0x1ff), terms.constant(8, 0xff));
  EXPECT_NE(terms.variable(8), terms.variable(8));
}

TEST_F(Rules, CollectConstants) {
  EXPECT_EQ(plus(plus(x, k(1)), k(2)), plus(x, k(3)));
  EXPECT_EQ(minus(plus(x, k(5)), k(5)), x);
  EXPECT_EQ(plus(plus(x, k(1)), plus(y, k(2))), plus(plus(x, y), k(3)));
  EXPECT_EQ(minus(plus(x, k(7)), plus(x, k(3))), k(4));
  EXPECT_EQ(minus(k(3), minus(k(5), x)), minus(x, k(2)));
  EXPECT_EQ(op(TermOp::mul, plus(x, k(1)), k(12)), plus(op(TermOp::mul, x, k(12)), k(12)));
  EXPECT_EQ(is(plus(x, k(3)), k(10)), is(x, k(7)));
  EXPECT_EQ(is(plus(x, y), plus(y, x)), terms.yes());
  EXPECT_EQ(is(plus(x, y), x), is(y, k(0)));
}

TEST_F(Rules, CancelOpposites) {
  EXPECT_EQ(minus(plus(x, y), y), x);
  EXPECT_EQ(plus(minus(x, y), y), x);
  EXPECT_EQ(minus(x, x), k(0));
  EXPECT_EQ(terms.unary(TermOp::neg, terms.unary(TermOp::neg, x)), x);
  EXPECT_EQ(no(no(a)), a);
  EXPECT_EQ(op(TermOp::bit_xor, op(TermOp::bit_xor, x, y), y), x);
}

TEST_F(Rules, KnowNeutralAndAbsorbingElements) {
  EXPECT_EQ(op(TermOp::bit_and, x, k(0)), k(0));
  EXPECT_EQ(op(TermOp::bit_or, x, k(0)), x);
  EXPECT_EQ(op(TermOp::bit_or, x, k(0xffffffff)), k(0xffffffff));
  EXPECT_EQ(op(TermOp::mul, x, k(1)), x);
  EXPECT_EQ(op(TermOp::udiv, x, k(1)), x);
  EXPECT_EQ(op(TermOp::sdiv, x, k(0)), k(0));
  EXPECT_EQ(op(TermOp::srem, x, k(0xffffffff)), k(0));
  EXPECT_EQ(op(TermOp::shl, x, k(32)), x);
}

TEST_F(Rules, TurnPowersOfTwoIntoShifts) {
  EXPECT_EQ(op(TermOp::mul, x, k(8)), op(TermOp::shl, x, k(3)));
  EXPECT_EQ(op(TermOp::udiv, x, k(8)), op(TermOp::lshr, x, k(3)));
  EXPECT_EQ(op(TermOp::urem, x, k(8)), op(TermOp::bit_and, x, k(7)));
  EXPECT_EQ(is(op(TermOp::mul, x, k(4)), k(6)), terms.no());
}

TEST_F(Rules, DecideConjunctions) {
  EXPECT_EQ(both(a, no(a)), terms.no());
  EXPECT_EQ(both(a, both(a, b)), both(a, b));
  EXPECT_EQ(both(a, both(no(a), b)), terms.no());
  EXPECT_EQ(both(a, either(a, b)), a);
  EXPECT_EQ(either(a, both(a, b)), a);
  EXPECT_EQ(both(a, either(no(a), b)), both(a, b));
  EXPECT_EQ(either(a, both(no(a), b)), either(a, b));
  EXPECT_EQ(either(both(a, b), both(a, no(b))), a);
  EXPECT_EQ(both(both(a, b), both(c, no(b))), terms.no());
  Term chain = a;
  for (int i = 0; i < 5; ++i) chain = both(chain, terms.variable(1));
  EXPECT_EQ(both(chain, a), chain);
  EXPECT_EQ(both(no(a), chain), terms.no());
  EXPECT_EQ(terms.implies(chain, a), terms.yes());
}

TEST_F(Rules, CompareComparisons) {
  EXPECT_EQ(both(is(x, k(3)), is(x, k(4))), terms.no());
  EXPECT_EQ(both(is(x, k(3)), no(is(x, k(4)))), is(x, k(3)));
  EXPECT_EQ(both(below(x, k(3)), below(x, k(5))), below(x, k(3)));
  EXPECT_EQ(both(below(x, k(3)), below(k(7), x)), terms.no());
  EXPECT_EQ(both(less(x, k(3)), below(plus(x, k(1)), k(2))), below(plus(x, k(1)), k(2)));
  EXPECT_EQ(terms.implies(less(k(5), x), less(k(0), x)), terms.yes());
  EXPECT_EQ(terms.implies(is(x, k(0x80000000)), less(x, k(0))), terms.yes());
  EXPECT_EQ(both(below(x, k(10)), less(x, k(0))), terms.no());
}

TEST_F(Rules, SimplifyChoices) {
  EXPECT_EQ(terms.ite(a, x, x), x);
  EXPECT_EQ(terms.ite(no(a), x, y), terms.ite(a, y, x));
  EXPECT_EQ(terms.ite(a, terms.ite(a, x, y), k(1)), terms.ite(a, x, k(1)));
  EXPECT_EQ(terms.ite(a, x, terms.ite(a, x, y)), terms.ite(a, x, y));
  EXPECT_EQ(terms.ite(both(a, b), terms.ite(a, x, y), y), terms.ite(both(a, b), x, y));
  EXPECT_EQ(terms.ite(a, terms.ite(b, x, y), y), terms.ite(both(a, b), x, y));
  EXPECT_EQ(terms.ite(a, x, terms.ite(b, x, y)), terms.ite(either(a, b), x, y));
  EXPECT_EQ(terms.ite(a, b, terms.no()), both(a, b));
  EXPECT_EQ(terms.ite(a, terms.yes(), b), either(a, b));
  EXPECT_EQ(terms.ite(a, terms.no(), terms.yes()), no(a));
  EXPECT_EQ(terms.ite(a, a, b), either(a, b));
}

TEST_F(Rules, MoveIntoChoicesOfConstants) {
  const Term choice = terms.ite(a, k(1000), k(2000));
  EXPECT_EQ(is(choice, k(1000)), a);
  EXPECT_EQ(is(choice, k(2000)), no(a));
  EXPECT_EQ(is(choice, k(3000)), terms.no());
  EXPECT_EQ(below(choice, k(1500)), a);
  EXPECT_EQ(less(choice, k(5000)), terms.yes());
  EXPECT_EQ(plus(choice, k(4)), terms.ite(a, k(1004), k(2004)));
  EXPECT_EQ(minus(k(3000), choice), terms.ite(a, k(2000), k(1000)));
  const Term tree = terms.ite(b, choice, k(3000));
  EXPECT_EQ(is(tree, k(3000)), no(b));
  EXPECT_EQ(is(tree, k(2000)), both(b, no(a)));
  EXPECT_EQ(terms.zext(tree, 64),
            terms.ite(b, terms.ite(a, terms.constant(64, 1000), terms.constant(64, 2000)),
                      terms.constant(64, 3000)));
  EXPECT_EQ(terms.extract(choice, 0, 8),
            terms.ite(a, terms.constant(8, 1000), terms.constant(8, 2000)));
  EXPECT_EQ(is(choice, terms.ite(b, k(1), k(2))), terms.no());
  EXPECT_EQ(is(terms.ite(a, k(1), x), k(1)), either(a, is(x, k(1))));
  EXPECT_EQ(is(terms.ite(a, k(1), x), k(2)), both(no(a), is(x, k(2))));
}

TEST_F(Rules, UndoExtensions) {
  const Term wide = terms.zext(byte, 32), with_sign = terms.sext(byte, 32);
  EXPECT_EQ(is(wide, k(256)), terms.no());
  EXPECT_EQ(is(wide, k(5)), is(byte, terms.constant(8, 5)));
  EXPECT_EQ(is(with_sign, k(200)), terms.no());
  EXPECT_EQ(is(with_sign, k(0xfffffffe)), is(byte, terms.constant(8, 0xfe)));
  EXPECT_EQ(below(wide, k(256)), terms.yes());
  EXPECT_EQ(less(wide, k(0)), terms.no());
  EXPECT_EQ(less(with_sign, k(128)), terms.yes());
  EXPECT_EQ(terms.extract(with_sign, 0, 8), byte);
  EXPECT_EQ(terms.extract(wide, 8, 8), terms.constant(8, 0));
  EXPECT_EQ(terms.zext(terms.zext(byte, 16), 32), wide);
  EXPECT_EQ(terms.sext(terms.sext(byte, 16), 32), with_sign);
  EXPECT_EQ(terms.sext(terms.zext(byte, 16), 32), wide);
  EXPECT_EQ(terms.resize_unsigned(terms.resize_signed(byte, 32), 8), byte);
  const Term next = plus(with_sign, k(1));
  EXPECT_EQ(terms.extract(next, 0, 8), plus(byte, terms.constant(8, 1)));
  EXPECT_EQ(op(TermOp::sadd_overflows, with_sign, k(1)), terms.no());
  EXPECT_EQ(op(TermOp::smul_overflows, with_sign, with_sign), terms.no());
}

TEST_F(Rules, PutPartsTogether) {
  const auto part = [&](std::uint32_t i) { return terms.extract(x, 8 * i, 8); };
  EXPECT_EQ(terms.concat(part(3), terms.concat(part(2), terms.concat(part(1), part(0)))), x);
  EXPECT_EQ(terms.concat(terms.concat(part(3), part(2)), terms.concat(part(1), part(0))), x);
  EXPECT_EQ(terms.concat(terms.constant(24, 0), byte), terms.zext(byte, 32));
  EXPECT_EQ(terms.extract(terms.concat(byte, x), 32, 8), byte);
  EXPECT_EQ(terms.extract(terms.concat(byte, x), 0, 32), x);
  EXPECT_EQ(terms.extract(terms.extract(x, 4, 16), 4, 4), terms.extract(x, 8, 4));
}

TEST_F(Rules, KnowRanges) {
  const Term index = op(TermOp::urem, x, k(10));
  EXPECT_EQ(below(index, k(10)), terms.yes());
  EXPECT_EQ(less(plus(index, k(5)), k(15)), terms.yes());
  EXPECT_EQ(is(index, k(12)), terms.no());
  const Term rest = op(TermOp::srem, x, k(10));
  EXPECT_EQ(less(rest, k(10)), terms.yes());
  EXPECT_EQ(less(k(0xfffffff6), rest), terms.yes());
  EXPECT_EQ(op(TermOp::bit_and, index, k(0)), k(0));
  EXPECT_EQ(below(x, k(0)), terms.no());
  EXPECT_EQ(below(x, k(1)), is(x, k(0)));
  EXPECT_EQ(op(TermOp::sle, x, k(0x7fffffff)), terms.yes());
  EXPECT_EQ(op(TermOp::uadd_overflows, index, k(7)), terms.no());
  EXPECT_EQ(op(TermOp::srem, index, k(4)), op(TermOp::urem, index, k(4)));
}

TEST_F(Rules, TurnOverflowIntoComparison) {
  EXPECT_EQ(op(TermOp::sadd_overflows, x, k(1)), is(x, k(0x7fffffff)));
  EXPECT_EQ(op(TermOp::ssub_overflows, x, k(1)), is(x, k(0x80000000)));
  EXPECT_EQ(op(TermOp::uadd_overflows, x, k(1)), is(x, k(0xffffffff)));
  EXPECT_EQ(op(TermOp::usub_overflows, x, y), below(x, y));
  EXPECT_EQ(op(TermOp::smul_overflows, x, k(0xffffffff)), is(x, k(0x80000000)));
}

// What one construction costs is bounded, however the operands look.
TEST_F(Rules, StayLocal) {
  Term deep = x;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    deep = terms.ite(terms.variable(1), k(i), deep);
    deep = op(TermOp::bit_and, op(TermOp::bit_xor, deep, k(i * 77 + 1)), k(~(i * 13)));
  }
  const std::size_t before = terms.size();
  is(deep, k(5));
  terms.extract(deep, 3, 7);
  terms.zext(deep, 64);
  EXPECT_LT(terms.size(), before + 5000);
}

}  // namespace
}  // namespace heddle::smt
