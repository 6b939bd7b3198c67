#include "smt/bdd.hpp"

#include <gtest/gtest.h>

#include <random>

namespace heddle::smt {
namespace {

TEST(Bdd, ListsWhatItIsTrueUnder) {
  const std::vector<int> variables = {1, 3, 130};
  const Bdd a = Bdd::variable(1), b = Bdd::variable(3), c = Bdd::variable(130);
  const Bdd f = *either(*both(a, b), c);
  EXPECT_EQ(assignments(f, variables, 8), (std::vector<std::uint64_t>{4, 6, 5, 3, 7}));
  EXPECT_EQ(assignments(f, variables, 4), std::nullopt);
  EXPECT_EQ(*Bdd::from_assignments(variables, {4, 6, 5, 3, 7}), f);
  EXPECT_EQ(*exists(f, {130}), Bdd::yes());
  EXPECT_EQ(*except(f, c), *except(*both(a, b), c));
  EXPECT_TRUE(except(a, a)->is_no());
  EXPECT_EQ(*renamed(*both(a, b), {1, 3}, {2, 4}), *both(Bdd::variable(2), Bdd::variable(4)));
}

TEST(Bdd, AgreesWithTruthTables) {
  std::mt19937_64 random(5);
  std::vector<int> variables;
  for (int i = 0; i < 6; ++i) variables.push_back(100 * i + 7);
  // A table is a set of assignments, bit i of it for assignment i.
  const auto listed_in = [&](std::uint64_t table) {
    std::vector<std::uint64_t> result;
    for (std::uint64_t order = 0; order < 64; ++order) {
      std::uint64_t bits = 0;  // the first variable counts most in the order
      for (std::uint64_t i = 0; i < 6; ++i) bits |= ((order >> (5 - i)) & 1) << i;
      if (((table >> bits) & 1) != 0) result.push_back(bits);
    }
    return result;
  };
  const auto made = [&](std::uint64_t table) {
    return *Bdd::from_assignments(variables, listed_in(table));
  };
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t a = random() & random(), b = random();
    EXPECT_EQ(*both(made(a), made(b)), made(a & b));
    EXPECT_EQ(*either(made(a), made(b)), made(a | b));
    EXPECT_EQ(*except(made(a), made(b)), made(a & ~b));
    EXPECT_EQ(assignments(made(a), variables, 64), listed_in(a));
  }
}

// Equality of numbers has no small diagram where all bits of one come before the other.
TEST(Bdd, SaysWhereThereIsNoRoomAndGoesOn) {
  // An unlucky order: x before y, and their bits compared in pairs.
  std::optional<Bdd> pairs = Bdd::yes();
  int done = 0;
  for (; pairs && done < 40; ++done) {
    const Bdd x = Bdd::variable(done), y = Bdd::variable(500 + done);
    const std::optional<Bdd> differ = either(*except(x, y), *except(y, x));
    ASSERT_TRUE(differ);
    pairs = except(*pairs, *differ);
  }
  EXPECT_FALSE(pairs) << "2^40 nodes cannot fit";
  EXPECT_GT(done, 10);
  EXPECT_EQ(*both(Bdd::variable(1), Bdd::variable(2)), *both(Bdd::variable(2), Bdd::variable(1)));
  EXPECT_TRUE(except(Bdd::variable(3), Bdd::variable(3))->is_no());
}

}  // namespace
}  // namespace heddle::smt
