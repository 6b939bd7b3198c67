// What the constructors of integer formulas simplify, and that they do not change the meaning.
#include "smt/integer.hpp"

#include <gtest/gtest.h>

namespace heddle::smt {
namespace {

TEST(Integers, KeepTheConstantOfASumApart) {
  Integers z;
  const Integer x = z.variable();
  EXPECT_EQ(z.add(z.add(x, z.constant(3)), z.constant(-3)), x);
  EXPECT_EQ(z.add(z.constant(4), z.add(x, z.constant(3))), z.add(x, z.constant(7)));
  EXPECT_EQ(z.subtract(z.add(x, z.constant(9)), x), z.constant(9));
  EXPECT_EQ(z.shifted(z.add(x, z.constant(5))).base, x);
  EXPECT_TRUE(z.shifted(z.add(x, z.constant(5))).offset == 5);
}

TEST(Integers, CompareWhatDiffersByAConstant) {
  Integers z;
  const Integer x = z.variable(), y = z.variable();
  EXPECT_TRUE(z.is_no(z.equal(x, z.add(x, z.constant(1)))));
  EXPECT_TRUE(z.is_yes(z.less(x, z.add(x, z.constant(1)))));
  EXPECT_TRUE(z.is_yes(z.at_most(x, x)));
  EXPECT_FALSE(z.is_yes(z.equal(x, y)));
  EXPECT_FALSE(z.is_no(z.equal(x, y)));
  EXPECT_EQ(z.equal(x, y), z.equal(y, x));
}

TEST(Integers, SeeThroughTruthValuesAsNumbers) {
  Integers z;
  const Integer truth = z.at_most(z.variable(), z.constant(0));
  const Integer number = z.choose(truth, z.constant(1), z.constant(0));
  EXPECT_EQ(z.equal(number, z.constant(1)), truth);
  EXPECT_EQ(z.equal(z.constant(0), number), z.negation(truth));
  EXPECT_TRUE(z.is_no(z.equal(number, z.constant(2))));
  EXPECT_EQ(z.at_most(z.constant(1), number), truth);
}

TEST(Integers, RoundDown) {
  Integers z;
  EXPECT_EQ(z.quotient(z.constant(-7), 2), z.constant(-4));
  EXPECT_EQ(z.remainder(z.constant(-7), 2), z.constant(1));
  EXPECT_EQ(z.quotient(z.constant(7), 2), z.constant(3));
  EXPECT_EQ(z.remainder(z.constant(-8), 4), z.constant(0));
}

TEST(Integers, KnowContradictions) {
  Integers z;
  const Integer a = z.at_most(z.variable(), z.variable());
  EXPECT_TRUE(z.is_no(z.both(a, z.negation(a))));
  EXPECT_TRUE(z.is_yes(z.either(a, z.negation(a))));
}

}  // namespace
}  // namespace heddle::smt
