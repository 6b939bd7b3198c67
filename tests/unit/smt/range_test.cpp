// Ranges against every value that they stand for, at small widths.
#include "smt/range.hpp"

#include <gtest/gtest.h>

#include <random>

#include "smt/fold.hpp"

namespace heddle::smt {
namespace {

bool has(std::uint32_t width, const Range& range, std::uint64_t bits) {
  const std::int64_t number = signed_value(width, bits);
  return range.low <= bits && bits <= range.high && range.signed_low <= number &&
         number <= range.signed_high;
}

std::vector<std::uint64_t> values(std::uint32_t width, const Range& range) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t bits = 0; bits <= mask_of(width); ++bits)
    if (has(width, range, bits)) result.push_back(bits);
  return result;
}

Range some_range(std::mt19937_64& random, std::uint32_t width) {
  for (;;) {
    const std::uint64_t all = mask_of(width);
    const std::uint64_t a = random() & all, b = random() & all;
    const std::int64_t c = signed_value(width, random() & all),
                       d = signed_value(width, random() & all);
    Range made{std::min(a, b), std::max(a, b), std::min(c, d), std::max(c, d)};
    const Range full = full_range(width);
    if (random() % 3 == 0) made.low = full.low, made.high = full.high;
    if (random() % 3 == 0) made.signed_low = full.signed_low, made.signed_high = full.signed_high;
    if (!values(width, made).empty()) return made;
  }
}

TEST(Range, ReducedIsTheSmallestWithTheSameValues) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto width = static_cast<std::uint32_t>(1 + random() % 6);
    const std::uint64_t all = mask_of(width);
    const Range made{random() & all, random() & all, signed_value(width, random() & all),
                     signed_value(width, random() & all)};
    const std::vector<std::uint64_t> expected = values(width, made);
    const Range less = reduced(width, made);
    ASSERT_EQ(values(width, less), expected);
    if (expected.empty()) {
      ASSERT_GT(less.low, less.high);
      continue;
    }
    ASSERT_EQ(less.low, expected.front());
    ASSERT_EQ(less.high, expected.back());
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    for (const std::uint64_t bits : expected) {
      low = std::min(low, signed_value(width, bits));
      high = std::max(high, signed_value(width, bits));
    }
    ASSERT_EQ(less.signed_low, low);
    ASSERT_EQ(less.signed_high, high);
  }
}

TEST(Range, BinaryOperatorsHoldEveryResult) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const bool power = random() % 2 == 0;
    const auto width = static_cast<std::uint32_t>(power ? 1U << random() % 3 : 1 + random() % 5);
    const auto op =
        static_cast<TermOp>(static_cast<std::uint64_t>(TermOp::bit_and) +
                            random() % (1 + static_cast<std::uint64_t>(TermOp::umul_overflows) -
                                        static_cast<std::uint64_t>(TermOp::bit_and)));
    const bool shifts = op == TermOp::shl || op == TermOp::lshr || op == TermOp::ashr;
    if (shifts && (width & (width - 1)) != 0) continue;
    const Range operands[] = {some_range(random, width), some_range(random, width)};
    TermNode node;
    node.op = op;
    node.arity = 2;
    node.width = static_cast<std::uint8_t>(gives_truth(op) ? 1 : width);
    const Range result = range_of(node, width, operands);
    for (const std::uint64_t left : values(width, operands[0]))
      for (const std::uint64_t right : values(width, operands[1]))
        ASSERT_TRUE(has(node.width, result, fold_binary(op, width, left, right)))
            << "op " << static_cast<int>(op) << " width " << width << ": " << left << ", " << right;
  }
}

TEST(Range, CutsAndExtensionsHoldEveryResult) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const auto width = static_cast<std::uint32_t>(1 + random() % 6);
    const Range operand = some_range(random, width);
    TermNode node;
    node.arity = 1;
    static const TermOp ops[] = {TermOp::bit_not, TermOp::neg, TermOp::zext, TermOp::sext,
                                 TermOp::extract};
    node.op = ops[random() % 5];
    node.width = static_cast<std::uint8_t>(width);
    if (node.op == TermOp::zext || node.op == TermOp::sext)
      node.width = static_cast<std::uint8_t>(width + random() % 5);
    if (node.op == TermOp::extract) {
      node.payload = random() % width;
      node.width = static_cast<std::uint8_t>(1 + random() % (width - node.payload));
    }
    const Range result = range_of(node, width, {&operand, 1});
    for (const std::uint64_t bits : values(width, operand)) {
      std::uint64_t value = bits;
      if (node.op == TermOp::bit_not || node.op == TermOp::neg)
        value = fold_unary(node.op, width, bits);
      if (node.op == TermOp::sext) value = static_cast<std::uint64_t>(signed_value(width, bits));
      if (node.op == TermOp::extract) value = bits >> node.payload;
      ASSERT_TRUE(has(node.width, result, value & mask_of(node.width)))
          << "op " << static_cast<int>(node.op) << " of " << bits;
    }
  }
}

TEST(Range, ConcatenationCoversEveryPair) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t high_width = 1 + random() % 4, low_width = 1 + random() % 4;
    const Range operands[] = {some_range(random, high_width), some_range(random, low_width)};
    const std::uint32_t width = high_width + low_width;
    const TermNode node{TermOp::concat, 2, static_cast<std::uint8_t>(width), {}, 0};
    const Range result = range_of(node, high_width, operands);
    for (const std::uint64_t high : values(high_width, operands[0]))
      for (const std::uint64_t low : values(low_width, operands[1]))
        ASSERT_TRUE(has(width, result, high << low_width | low)) << high << " " << low;
  }
}

}  // namespace
}  // namespace heddle::smt
