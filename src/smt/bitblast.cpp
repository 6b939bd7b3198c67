// Walks a term's operands before the term, and builds each one's circuit once.
#include "smt/bitblast.hpp"

#include "base/check.hpp"
#include "smt/circuits.hpp"
#include "smt/fold.hpp"

namespace heddle::smt {

const std::vector<Lit>& BitBlaster::bits(Term term) {
  if (bits_.size() < terms_.size()) bits_.resize(terms_.size());
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term current = open.back();
    if (!bits_[current.id].empty()) {
      open.pop_back();
      continue;
    }
    const std::size_t before = open.size();
    for (const Term arg : terms_.node(current).operands())
      if (bits_[arg.id].empty()) open.push_back(arg);
    if (open.size() != before) continue;
    open.pop_back();
    tick_();
    bits_[current.id] = build(current);
  }
  return bits_[term.id];
}

Bits BitBlaster::build(Term term) {
  const TermNode& node = terms_.node(term);
  switch (node.op) {
    case TermOp::constant: {
      Bits result;
      for (std::uint32_t i = 0; i < node.width; ++i)
        result.push_back(((node.payload >> i) & 1) != 0 ? sat_.yes() : sat_.no());
      return result;
    }
    case TermOp::variable: {
      Bits result;
      for (std::uint32_t i = 0; i < node.width; ++i) result.push_back(sat_.fresh());
      return result;
    }
    case TermOp::bit_not:
      return complement(operand(node, 0));
    case TermOp::neg:
      return negate(gates_, operand(node, 0));
    case TermOp::ite:
      return choose(gates_, operand(node, 0)[0], operand(node, 1), operand(node, 2));
    case TermOp::extract: {
      const auto first = operand(node, 0).begin() + static_cast<std::ptrdiff_t>(node.payload);
      return Bits(first, first + node.width);
    }
    case TermOp::concat: {
      Bits result = operand(node, 1);
      result.insert(result.end(), operand(node, 0).begin(), operand(node, 0).end());
      return result;
    }
    case TermOp::zext:
    case TermOp::sext: {
      Bits result = operand(node, 0);
      result.resize(node.width, node.op == TermOp::sext ? result.back() : sat_.no());
      return result;
    }
    default:
      return gives_truth(node.op) ? Bits{build_truth(node)} : build_binary(node);
  }
}

Bits BitBlaster::build_binary(const TermNode& node) {
  const Bits &left = operand(node, 0), &right = operand(node, 1);
  const auto each = [&](auto gate) {
    Bits result;
    for (std::size_t i = 0; i < left.size(); ++i) result.push_back(gate(left[i], right[i]));
    return result;
  };
  switch (node.op) {
    case TermOp::bit_and:
      return each([&](Lit a, Lit b) { return gates_.both(a, b); });
    case TermOp::bit_xor:
      return each([&](Lit a, Lit b) { return gates_.differ(a, b); });
    case TermOp::add:
      return add(gates_, left, right, sat_.no());
    case TermOp::sub:
      return subtract(gates_, left, right);
    case TermOp::mul:
      return multiply(gates_, left, right, left.size());
    case TermOp::udiv:
      return divide_unsigned(gates_, left, right).quotient;
    case TermOp::urem:
      return divide_unsigned(gates_, left, right).remainder;
    case TermOp::sdiv:
      return divide_signed(gates_, left, right).quotient;
    case TermOp::srem:
      return divide_signed(gates_, left, right).remainder;
    case TermOp::shl:
      return shift(gates_, ShiftTo::left, left, right, sat_.no());
    case TermOp::lshr:
      return shift(gates_, ShiftTo::right, left, right, sat_.no());
    case TermOp::ashr:
      return shift(gates_, ShiftTo::right, left, right, left.back());
    default:
      break;
  }
  CHECK(false, "every operator that nodes have has its circuit");
  return {};
}

Lit BitBlaster::build_truth(const TermNode& node) {
  const Bits &left = operand(node, 0), &right = operand(node, 1);
  switch (node.op) {
    case TermOp::eq:
      return equal(gates_, left, right);
    case TermOp::ult:
      return less_unsigned(gates_, left, right);
    case TermOp::slt:
      return less_signed(gates_, left, right);
    case TermOp::sadd_overflows:
      return add_overflows_signed(gates_, left, right, sat_.no());
    case TermOp::uadd_overflows:
      return carry_out(gates_, left, right, sat_.no());
    case TermOp::ssub_overflows:
      return add_overflows_signed(gates_, left, complement(right), sat_.yes());
    case TermOp::smul_overflows:
      return multiply_overflows_signed(gates_, left, right);
    case TermOp::umul_overflows:
      return multiply_overflows_unsigned(gates_, left, right);
    default:
      break;
  }
  CHECK(false, "every operator that nodes have has its circuit");
  return {};
}

std::uint64_t BitBlaster::value(Term term) const {
  if (term.id >= bits_.size()) return 0;
  std::uint64_t result = 0;
  const Bits& bits = bits_[term.id];
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (sat_.value(bits[i])) result |= std::uint64_t{1} << i;
  return result;
}

}  // namespace heddle::smt
