// Circuits give what ir/arithmetic gives: forwards, from inputs to outputs, and backwards,
// where a solver looks for inputs.
#include "smt/bitblast.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "smt/cadical.hpp"
#include "smt/circuits.hpp"
#include "unit/smt/propagating_sat.hpp"
#include "unit/smt/random_terms.hpp"

namespace heddle::smt {
namespace {

using testing::PropagatingSat;
using testing::RandomTerms;

void assume(std::vector<Lit>& assumptions, const Bits& bits, std::uint64_t value) {
  for (std::size_t i = 0; i < bits.size(); ++i)
    assumptions.push_back(((value >> i) & 1) != 0 ? bits[i] : ~bits[i]);
}

// ---- forwards -----------------------------------------------------------------

// One operator's circuit over two inputs, built without the simplification of terms.
class Bench {
 public:
  Bench(TermOp op, std::uint32_t width) : op_(op), width_(width) {
    for (std::uint32_t i = 0; i < width; ++i) left_.push_back(sat_.fresh());
    for (std::uint32_t i = 0; i < width; ++i) right_.push_back(sat_.fresh());
    output_ = build();
  }
  // Constants as right operand: gates fold.
  Bench(TermOp op, std::uint32_t width, std::uint64_t constant) : op_(op), width_(width) {
    for (std::uint32_t i = 0; i < width; ++i) left_.push_back(sat_.fresh());
    for (std::uint32_t i = 0; i < width; ++i)
      right_.push_back(((constant >> i) & 1) != 0 ? sat_.yes() : sat_.no());
    output_ = build();
  }

  void check(std::uint64_t left, std::uint64_t right) {
    std::vector<Lit> assumptions;
    assume(assumptions, left_, left);
    assume(assumptions, right_, right);
    ASSERT_EQ(sat_.solve(assumptions, {}), SatAnswer::sat);
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < output_.size(); ++i)
      result |= static_cast<std::uint64_t>(sat_.value(output_[i]) ? 1 : 0) << i;
    ASSERT_EQ(result, testing::reference(op_, width_, left, right))
        << "operator " << static_cast<int>(op_) << ", width " << width_ << ": " << left << ", "
        << right;
  }

 private:
  Bits build() {
    if (testing::yields_truth(op_)) return {build_truth()};
    Bits result;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (op_ == TermOp::bit_and) result.push_back(gates_.both(left_[i], right_[i]));
      if (op_ == TermOp::bit_or) result.push_back(gates_.either(left_[i], right_[i]));
      if (op_ == TermOp::bit_xor) result.push_back(gates_.differ(left_[i], right_[i]));
    }
    return result.empty() ? build_arithmetic() : result;
  }
  // clang-format off
  Bits build_arithmetic() {
    switch (op_) {
      case TermOp::add: return add(gates_, left_, right_, gates_.no());
      case TermOp::sub: return subtract(gates_, left_, right_);
      case TermOp::mul: return multiply(gates_, left_, right_, width_);
      case TermOp::udiv: return divide_unsigned(gates_, left_, right_).quotient;
      case TermOp::urem: return divide_unsigned(gates_, left_, right_).remainder;
      case TermOp::sdiv: return divide_signed(gates_, left_, right_).quotient;
      case TermOp::srem: return divide_signed(gates_, left_, right_).remainder;
      case TermOp::shl: return shift(gates_, ShiftTo::left, left_, right_, gates_.no());
      case TermOp::lshr: return shift(gates_, ShiftTo::right, left_, right_, gates_.no());
      case TermOp::ashr: return shift(gates_, ShiftTo::right, left_, right_, left_.back());
      default: break;
    }
    ADD_FAILURE() << "an operator without a circuit";
    return {};
  }
  Lit build_truth() {
    switch (op_) {
      case TermOp::eq: return equal(gates_, left_, right_);
      case TermOp::ult: return less_unsigned(gates_, left_, right_);
      case TermOp::ule: return ~less_unsigned(gates_, right_, left_);
      case TermOp::slt: return less_signed(gates_, left_, right_);
      case TermOp::sle: return ~less_signed(gates_, right_, left_);
      case TermOp::sadd_overflows: return add_overflows_signed(gates_, left_, right_, gates_.no());
      case TermOp::uadd_overflows: return carry_out(gates_, left_, right_, gates_.no());
      case TermOp::ssub_overflows:
        return add_overflows_signed(gates_, left_, complement(right_), gates_.yes());
      case TermOp::usub_overflows: return less_unsigned(gates_, left_, right_);
      case TermOp::smul_overflows: return multiply_overflows_signed(gates_, left_, right_);
      case TermOp::umul_overflows: return multiply_overflows_unsigned(gates_, left_, right_);
      default: break;
    }
    ADD_FAILURE() << "an operator without a circuit";
    return gates_.no();
  }
  // clang-format on

  TermOp op_;
  std::uint32_t width_;
  PropagatingSat sat_{};
  Gates gates_{sat_};
  Bits left_{}, right_{}, output_{};
};

bool has_circuit(TermOp op, std::uint32_t width) {
  return !testing::is_shift(op) || (width & (width - 1)) == 0;
}

std::uint64_t corner_or_random(std::mt19937_64& random, std::uint32_t width) {
  const std::uint64_t most = testing::low_bits(width);
  const std::uint64_t corners[] = {0, 1, 2, most, most - 1, most >> 1, (most >> 1) + 1};
  const std::uint64_t which = random() % 20;
  if (which < 7) return corners[which] & most;
  if (which < 12) return (random() % 100) & most;
  return (random() >> (random() % width)) & most;
}

TEST(Circuits, AreExactForAllInputsOfFewBits) {
  for (const TermOp op : testing::binary_ops)
    for (std::uint32_t width = 1; width <= 5; ++width) {
      if (!has_circuit(op, width)) continue;
      Bench bench(op, width);
      for (std::uint64_t left = 0; left <= testing::low_bits(width); ++left)
        for (std::uint64_t right = 0; right <= testing::low_bits(width); ++right) {
          bench.check(left, right);
          if (HasFatalFailure()) return;
        }
    }
}

TEST(Circuits, AreExactForManyInputsOfManyBits) {
  std::mt19937_64 random(7);
  for (const TermOp op : testing::binary_ops)
    for (const std::uint32_t width : {6u, 7u, 8u, 16u, 32u, 64u}) {
      if (!has_circuit(op, width)) continue;
      Bench bench(op, width);
      for (std::uint32_t i = 0; i < 2000 / width; ++i) {
        bench.check(corner_or_random(random, width), corner_or_random(random, width));
        if (HasFatalFailure()) return;
      }
    }
}

TEST(Circuits, AreExactWithConstantOperands) {
  std::mt19937_64 random(8);
  for (const TermOp op : testing::binary_ops)
    for (const std::uint32_t width : {1u, 2u, 4u, 8u, 32u, 64u})
      for (int round = 0; round < 12; ++round) {
        const std::uint64_t right = corner_or_random(random, width);
        Bench bench(op, width, right);
        for (int i = 0; i < 10; ++i) {
          bench.check(corner_or_random(random, width), right);
          if (HasFatalFailure()) return;
        }
      }
}

TEST(Circuits, ShareGates) {
  PropagatingSat sat;
  Gates gates(sat);
  Bits left, right;
  for (int i = 0; i < 8; ++i) left.push_back(sat.fresh());
  for (int i = 0; i < 8; ++i) right.push_back(sat.fresh());
  const Bits difference = subtract(gates, left, right);
  const std::uint64_t before = gates.count();
  EXPECT_EQ(subtract(gates, left, right), difference);
  EXPECT_EQ(gates.count(), before);
  less_unsigned(gates, left, right);  // the carries of the subtraction, and the last one
  EXPECT_EQ(gates.count(), before + 1);
  const Bits low = multiply(gates, left, right, 8);
  const Bits full = multiply(gates, left, right, 16);
  EXPECT_EQ(Bits(full.begin(), full.begin() + 8), low);
}

TEST(Gates, FoldConstantsAndEqualInputs) {
  PropagatingSat sat;
  Gates gates(sat);
  const Lit a = sat.fresh(), b = sat.fresh(), c = sat.fresh();
  EXPECT_EQ(gates.both(a, gates.yes()), a);
  EXPECT_EQ(gates.both(gates.no(), a), gates.no());
  EXPECT_EQ(gates.both(a, ~a), gates.no());
  EXPECT_EQ(gates.either(a, a), a);
  EXPECT_EQ(gates.differ(a, gates.yes()), ~a);
  EXPECT_EQ(gates.differ(a, ~a), gates.yes());
  EXPECT_EQ(gates.choose(a, b, b), b);
  EXPECT_EQ(gates.choose(a, gates.yes(), gates.no()), a);
  EXPECT_EQ(gates.odd(a, b, b), a);
  EXPECT_EQ(gates.odd(a, ~b, b), ~a);
  EXPECT_EQ(gates.majority(a, b, ~b), a);
  EXPECT_EQ(gates.majority(a, b, b), b);
  EXPECT_EQ(gates.count(), 0u);
  EXPECT_EQ(gates.both(a, b), gates.both(b, a));
  EXPECT_EQ(gates.differ(~a, b), ~gates.differ(b, a));
  EXPECT_EQ(gates.choose(~a, b, c), gates.choose(a, c, b));
  EXPECT_EQ(gates.choose(a, ~b, ~c), ~gates.choose(a, b, c));
  EXPECT_EQ(gates.odd(c, ~a, b), ~gates.odd(a, b, c));
  EXPECT_EQ(gates.majority(~c, ~b, ~a), ~gates.majority(a, b, c));
  const Lit three[] = {a, b, c}, again[] = {c, a, gates.yes(), b, a};
  EXPECT_EQ(gates.all(three), gates.all(again));
  const Lit never[] = {a, b, ~a};
  EXPECT_EQ(gates.all(never), gates.no());
}

TEST(BitBlaster, GivesRandomTermsTheirValues) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::vector<std::uint32_t> widths =
        seed % 3 == 0   ? std::vector<std::uint32_t>{8, 16, 32}
        : seed % 3 == 1 ? std::vector<std::uint32_t>{static_cast<std::uint32_t>(seed % 8 + 1)}
                        : std::vector<std::uint32_t>{4, 8};
    RandomTerms random(seed, widths);
    PropagatingSat sat;
    BitBlaster blaster(random.terms(), sat);
    std::vector<RandomTerms::Entry> made;
    for (int i = 0; i < 50; ++i) {
      made.push_back(random.grow());
      ASSERT_EQ(blaster.bits(made.back().term).size(), random.terms().width(made.back().term));
    }
    for (std::size_t assignment = 0; assignment < RandomTerms::assignments; ++assignment) {
      std::vector<Lit> assumptions;
      for (const auto& [variable, values] : random.variables())
        assume(assumptions, blaster.bits(variable), values[assignment]);
      ASSERT_EQ(sat.solve(assumptions, {}), SatAnswer::sat) << "seed " << seed;
      for (const RandomTerms::Entry& entry : made)
        ASSERT_EQ(blaster.value(entry.term), entry.values[assignment]) << "seed " << seed;
    }
  }
}

TEST(BitBlaster, TakesDeepTerms) {
  Terms terms;
  const Term x = terms.variable(2), y = terms.variable(2);
  Term deep = x;
  std::uint64_t expected = 2;
  for (int i = 0; i < 100000; ++i) {
    deep = terms.binary(TermOp::bit_xor, terms.binary(TermOp::add, deep, y), x);
    expected = ((expected + 1) & 3) ^ 2;
  }
  Terms::Evaluator evaluator(terms, [&](Term variable) { return variable == x ? 2u : 1u; });
  EXPECT_EQ(evaluator(deep), expected);
  PropagatingSat sat;
  BitBlaster blaster(terms, sat);
  std::vector<Lit> assumptions;
  blaster.bits(deep);
  assume(assumptions, blaster.bits(x), 2);
  assume(assumptions, blaster.bits(y), 1);
  ASSERT_EQ(sat.solve(assumptions, {}), SatAnswer::sat);
  EXPECT_EQ(blaster.value(deep), expected);
}

// ---- backwards ----------------------------------------------------------------

class Inverse : public ::testing::Test {
 protected:
  SatAnswer solve(Term truth) {
    const Lit literal = blaster.literal(truth);
    return sat->solve(std::span(&literal, 1), {});
  }
  Term number(std::uint32_t width, std::uint64_t bits) { return terms.constant(width, bits); }
  std::uint64_t evaluate(Term term) {
    return Terms::Evaluator(terms, [&](Term variable) { return blaster.value(variable); })(term);
  }
  // No inputs make the two differ.
  void expect_same(Term left, Term right, const char* what) {
    EXPECT_EQ(solve(terms.not_(terms.equal(left, right))), SatAnswer::unsat) << what;
  }

  Terms terms{};
  std::unique_ptr<Sat> sat = make_cadical();
  BitBlaster blaster{terms, *sat};
};

TEST_F(Inverse, FactorsNumbers) {
  const Term x = terms.variable(16), y = terms.variable(16);
  const auto proper = [&](Term factor) {
    return terms.and_(terms.binary(TermOp::ult, number(16, 1), factor),
                      terms.binary(TermOp::ult, factor, number(16, 256)));
  };
  const Term both = terms.and_(proper(x), proper(y));
  const Term product = terms.binary(TermOp::mul, x, y);
  ASSERT_EQ(solve(terms.and_(both, terms.equal(product, number(16, 58483)))), SatAnswer::sat);
  EXPECT_EQ(blaster.value(x) * blaster.value(y), 58483u);  // 233 * 251
  EXPECT_EQ(blaster.value(product), 58483u);
  EXPECT_EQ(solve(terms.and_(both, terms.equal(product, number(16, 64499)))), SatAnswer::unsat)
      << "64499 is prime";
}

TEST_F(Inverse, FindsDividends) {
  const Term x = terms.variable(32), y = terms.variable(32);
  const Term quotient = terms.binary(TermOp::sdiv, x, y), rest = terms.binary(TermOp::srem, x, y);
  const Term wanted = terms.and_(terms.equal(quotient, number(32, 0xfffffff9)),
                                 terms.equal(rest, number(32, 0xfffffffd)));
  ASSERT_EQ(solve(wanted), SatAnswer::sat);
  const auto a = static_cast<std::int32_t>(blaster.value(x));
  const auto b = static_cast<std::int32_t>(blaster.value(y));
  ASSERT_NE(b, 0);
  EXPECT_EQ(a / b, -7);
  EXPECT_EQ(a % b, -3);
  EXPECT_EQ(evaluate(wanted), 1u);
  EXPECT_EQ(solve(terms.and_(terms.equal(y, number(32, 0)),
                             terms.not_(terms.equal(quotient, number(32, 0))))),
            SatAnswer::unsat)
      << "division by zero gives zero";
}

TEST_F(Inverse, FindsRootsOfOne) {
  const Term x = terms.variable(32);
  const Term root = terms.equal(terms.binary(TermOp::mul, x, x), number(32, 1));
  const Term other = terms.and_(terms.not_(terms.equal(x, number(32, 1))),
                                terms.not_(terms.equal(x, number(32, 0xffffffff))));
  ASSERT_EQ(solve(terms.and_(root, other)), SatAnswer::sat);
  const std::uint64_t found = blaster.value(x);
  EXPECT_EQ((found * found) & 0xffffffff, 1u);
}

TEST_F(Inverse, ProvesLawsOfDivision) {
  const Term x = terms.variable(6), y = terms.variable(6);
  for (const auto& [divide, rest] :
       {std::pair{TermOp::udiv, TermOp::urem}, std::pair{TermOp::sdiv, TermOp::srem}}) {
    const Term whole = terms.binary(TermOp::mul, terms.binary(divide, x, y), y);
    const Term back = terms.binary(TermOp::add, whole, terms.binary(rest, x, y));
    expect_same(terms.ite(terms.equal(y, number(6, 0)), x, back), x, "x / y * y + x % y == x");
  }
}

TEST_F(Inverse, ProvesOverflowByWiderArithmetic) {
  const Term x = terms.variable(6), y = terms.variable(6);
  const auto wide = [&](TermOp op, testing::Sign sign) {
    const auto extend = [&](Term term) {
      return sign == testing::Sign::counted ? terms.sext(term, 12) : terms.zext(term, 12);
    };
    const Term exact = terms.binary(op, extend(x), extend(y));
    return terms.not_(terms.equal(exact, extend(terms.extract(exact, 0, 6))));
  };
  using enum TermOp;
  for (const auto& [predicate, op] :
       std::initializer_list<std::pair<TermOp, TermOp>>{{sadd_overflows, add},
                                                        {uadd_overflows, add},
                                                        {ssub_overflows, sub},
                                                        {usub_overflows, sub},
                                                        {smul_overflows, mul},
                                                        {umul_overflows, mul}})
    expect_same(terms.binary(predicate, x, y), wide(op, testing::reference_of(predicate).sign),
                "overflow");
}

TEST_F(Inverse, ProvesMultiplicationByConstants) {
  const Term x = terms.variable(8), y = terms.variable(8);
  for (std::uint64_t factor = 0; factor < 256; factor += 7) {
    const Term general = terms.binary(TermOp::mul, x, y);  // y is not known to be the factor
    const Term special = terms.binary(TermOp::mul, x, number(8, factor));
    EXPECT_EQ(solve(terms.and_(terms.equal(y, number(8, factor)),
                               terms.not_(terms.equal(general, special)))),
              SatAnswer::unsat)
        << factor;
  }
}

TEST_F(Inverse, KeepsClausesBetweenQueries) {
  const Term x = terms.variable(32), y = terms.variable(32);
  const Term sum = terms.binary(TermOp::add, x, y);
  EXPECT_EQ(blaster.value(sum), 0u) << "never asked for";
  ASSERT_EQ(solve(terms.equal(sum, number(32, 100))), SatAnswer::sat);
  EXPECT_EQ((blaster.value(x) + blaster.value(y)) & 0xffffffff, 100u);
  const std::uint64_t gates = blaster.statistics().gates;
  ASSERT_EQ(solve(terms.equal(sum, number(32, 7))), SatAnswer::sat);
  EXPECT_EQ((blaster.value(x) + blaster.value(y)) & 0xffffffff, 7u);
  EXPECT_EQ(blaster.statistics().gates, gates + 1) << "one more conjunction, no second adder";
}

}  // namespace
}  // namespace heddle::smt
