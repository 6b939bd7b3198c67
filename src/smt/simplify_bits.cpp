// Rules for not, and, xor and ite. Disjunction is a negated conjunction, so that each
// law is written once; what holds of truth values holds bit by bit of wider terms.
#include "smt/term.hpp"

#include <bit>
#include <optional>
#include <utility>

#include "smt/fold.hpp"

namespace heddle::smt {
namespace {

constexpr std::uint32_t fact_depth = 8;
constexpr std::uint32_t question_depth = 4;
constexpr int most_resolutions = 8;

}  // namespace

// Conjunctions are kept beside their parts: a question may be about either.
void Terms::collect_facts(Term truth, std::uint32_t depth, Facts& facts) const {
  if (facts.count == Facts::capacity) return;
  facts.items[facts.count++] = truth;
  const TermNode& shape = node(truth);
  if (shape.op != TermOp::bit_and || depth == 0) return;
  collect_facts(shape.args[0], depth - 1, facts);
  collect_facts(shape.args[1], depth - 1, facts);
}

Terms::Decision Terms::decide(const Facts& facts, Term asked, std::uint32_t depth) const {
  const TermNode& shape = node(asked);
  if (shape.op == TermOp::bit_not) {
    const Decision positive = decide(facts, shape.args[0], depth);
    if (positive == Decision::open) return Decision::open;
    return positive == Decision::yes ? Decision::no : Decision::yes;
  }
  const std::optional<Interval> interval = interval_of(asked);
  for (std::size_t i = 0; i < facts.count; ++i) {
    if (facts.items[i] == asked) return Decision::yes;
    if (complements(facts.items[i], asked)) return Decision::no;
    if (!interval) continue;
    const std::optional<Interval> known = interval_of(facts.items[i]);
    if (!known || known->unknown != interval->unknown) continue;
    const Decision decision = compare_intervals(*known, *interval);
    if (decision != Decision::open) return decision;
  }
  if (shape.op != TermOp::bit_and || depth == 0) return Decision::open;
  const Decision left = decide(facts, shape.args[0], depth - 1);
  if (left == Decision::no) return Decision::no;
  const Decision right = decide(facts, shape.args[1], depth - 1);
  if (right == Decision::no) return Decision::no;
  return left == Decision::yes && right == Decision::yes ? Decision::yes : Decision::open;
}

Term Terms::rewrite_not(Term operand) {
  const TermNode shape = node(operand);
  const std::uint32_t bits = shape.width;
  switch (shape.op) {
    case TermOp::bit_not:
      return shape.args[0];
    case TermOp::neg:  // ~(-x) is x - 1
      return add_constant(shape.args[0], ~std::uint64_t{0});
    case TermOp::add:  // ~(x + c) is (-c - 1) - x
      if (is_constant(shape.args[1]))
        return binary(TermOp::sub, constant(bits, ~value(shape.args[1])), shape.args[0]);
      break;
    case TermOp::sub:  // ~(c - x) is x + (-c - 1)
      if (is_constant(shape.args[0])) return add_constant(shape.args[1], ~value(shape.args[0]));
      break;
    case TermOp::bit_xor:
      if (is_constant(shape.args[1]))
        return binary(TermOp::bit_xor, shape.args[0], constant(bits, ~value(shape.args[1])));
      break;
    default:
      break;
  }
  return make(TermOp::bit_not, bits, {operand});
}

Term Terms::rewrite_and_constant(Term left, Term right) {
  const std::uint32_t bits = width(left);
  const std::uint64_t kept = value(right);
  if (kept == 0) return right;
  if (kept == mask_of(bits)) return left;
  const TermNode shape = node(left);
  switch (shape.op) {
    case TermOp::bit_and:
      if (is_constant(shape.args[1]))
        return and_(shape.args[0], constant(bits, kept & value(shape.args[1])));
      break;
    case TermOp::sext:
      if ((kept & ~mask_of(width(shape.args[0]))) != 0) break;
      [[fallthrough]];
    case TermOp::zext:
      return zext(and_(shape.args[0], constant(width(shape.args[0]), kept)), bits);
    case TermOp::concat: {
      const std::uint32_t low_bits = width(shape.args[1]);
      const Term high = and_(shape.args[0], constant(bits - low_bits, kept >> low_bits));
      return concat(high, and_(shape.args[1], constant(low_bits, kept)));
    }
    default:
      break;
  }
  if ((kept & (kept + 1)) == 0) {  // the low bits alone
    const auto count = static_cast<std::uint32_t>(std::bit_width(kept));
    return zext(extract(left, 0, count), bits);
  }
  const std::uint64_t dropped = ~kept & mask_of(bits);
  if ((dropped & (dropped + 1)) == 0) {  // the high bits alone
    const auto count = static_cast<std::uint32_t>(std::bit_width(dropped));
    return concat(extract(left, count, bits - count), constant(count, 0));
  }
  return make(TermOp::bit_and, bits, {left, right});
}

Term Terms::rewrite_and(Term left, Term right) {
  if (is_constant(right)) return rewrite_and_constant(left, right);
  const std::uint32_t bits = width(left);
  const Term zero = constant(bits, 0);
  for (int round = 0; round < most_resolutions; ++round) {
    Facts of_left, of_right;
    collect_facts(left, fact_depth, of_left);
    collect_facts(right, fact_depth, of_right);
    const Decision right_is = decide(of_left, right, question_depth);
    const Decision left_is = decide(of_right, left, question_depth);
    if (right_is == Decision::no || left_is == Decision::no) return zero;
    if (right_is == Decision::yes) return left;
    if (left_is == Decision::yes) return right;
    // a and (not a or b) is a and b.
    const std::optional<Term> shorter_right = resolve(of_left, right);
    const std::optional<Term> shorter_left = shorter_right ? std::nullopt : resolve(of_right, left);
    if (!shorter_right && !shorter_left) break;
    if (shorter_right) right = *shorter_right;
    if (shorter_left) left = *shorter_left;
    if (is_constant(left) || is_constant(right)) return and_(left, right);
  }
  if (const std::optional<Term> common = common_disjunct(left, right)) return *common;
  return make(TermOp::bit_and, bits, {left, right});
}

// Drops what the facts refute from a disjunction, not (p and q).
std::optional<Term> Terms::resolve(const Facts& facts, Term disjunction) {
  if (!has(disjunction, TermOp::bit_not)) return std::nullopt;
  const TermNode inner = node(node(disjunction).args[0]);
  if (inner.op != TermOp::bit_and) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i)
    if (decide(facts, inner.args[i], question_depth) == Decision::yes)
      return not_(inner.args[1 - i]);
  return std::nullopt;
}

// (p or q) and (p or not q) is p. Guards meet again this way where branches join.
std::optional<Term> Terms::common_disjunct(Term left, Term right) {
  if (!has(left, TermOp::bit_not) || !has(right, TermOp::bit_not)) return std::nullopt;
  const TermNode a = node(node(left).args[0]), b = node(node(right).args[0]);
  if (a.op != TermOp::bit_and || b.op != TermOp::bit_and) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      if (a.args[i] == b.args[j] && complements(a.args[1 - i], b.args[1 - j]))
        return not_(a.args[i]);
  return std::nullopt;
}

Term Terms::rewrite_xor(Term left, Term right) {
  const std::uint32_t bits = width(left);
  if (left == right) return constant(bits, 0);
  if (complements(left, right)) return constant(bits, ~std::uint64_t{0});
  if (is_constant(right)) {
    if (value(right) == 0) return left;
    if (value(right) == mask_of(bits)) return not_(left);
    const TermNode shape = node(left);
    if (shape.op == TermOp::bit_not)
      return binary(TermOp::bit_xor, shape.args[0], constant(bits, ~value(right)));
    if (shape.op == TermOp::bit_xor && is_constant(shape.args[1]))
      return binary(TermOp::bit_xor, shape.args[0],
                    constant(bits, value(right) ^ value(shape.args[1])));
    return make(TermOp::bit_xor, bits, {left, right});
  }
  if (has(left, TermOp::bit_not)) return not_(binary(TermOp::bit_xor, node(left).args[0], right));
  if (has(right, TermOp::bit_not)) return not_(binary(TermOp::bit_xor, left, node(right).args[0]));
  for (const auto& [outer, inner] : {std::pair{left, right}, std::pair{right, left}}) {
    const TermNode shape = node(inner);
    if (shape.op != TermOp::bit_xor) continue;
    if (shape.args[0] == outer) return shape.args[1];
    if (shape.args[1] == outer) return shape.args[0];
  }
  return make(TermOp::bit_xor, bits, {left, right});
}

}  // namespace heddle::smt
