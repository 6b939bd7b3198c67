// Random terms, each with the values that ir/arithmetic gives it under several
// assignments of its variables: a second opinion on every simplification and circuit.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "ir/arithmetic.hpp"
#include "smt/term.hpp"

namespace heddle::smt::testing {

enum class Sign { ignored, counted };

inline ir::Type integer_type(std::uint32_t width, Sign sign) {
  ir::Type type;
  type.kind = ir::TypeKind::integer;
  type.width = width;
  type.is_signed = sign == Sign::counted;
  return type;
}

// The operators by name, spelled out here once more: not what the terms themselves use.
struct Reference {
  ir::Op op = ir::Op::constant;
  Sign sign = Sign::ignored;
};
inline Reference reference_of(TermOp op) {
  using enum TermOp;
  static const std::map<TermOp, Reference> all = {
      {bit_not, {ir::Op::bit_not, Sign::ignored}},
      {neg, {ir::Op::neg, Sign::ignored}},
      {bit_and, {ir::Op::bit_and, Sign::ignored}},
      {bit_or, {ir::Op::bit_or, Sign::ignored}},
      {bit_xor, {ir::Op::bit_xor, Sign::ignored}},
      {add, {ir::Op::add, Sign::ignored}},
      {sub, {ir::Op::sub, Sign::ignored}},
      {mul, {ir::Op::mul, Sign::ignored}},
      {udiv, {ir::Op::div, Sign::ignored}},
      {sdiv, {ir::Op::div, Sign::counted}},
      {urem, {ir::Op::rem, Sign::ignored}},
      {srem, {ir::Op::rem, Sign::counted}},
      {shl, {ir::Op::shl, Sign::ignored}},
      {lshr, {ir::Op::shr, Sign::ignored}},
      {ashr, {ir::Op::shr, Sign::counted}},
      {eq, {ir::Op::eq, Sign::ignored}},
      {ult, {ir::Op::lt, Sign::ignored}},
      {ule, {ir::Op::le, Sign::ignored}},
      {slt, {ir::Op::lt, Sign::counted}},
      {sle, {ir::Op::le, Sign::counted}},
      {sadd_overflows, {ir::Op::add_overflows, Sign::counted}},
      {uadd_overflows, {ir::Op::add_overflows, Sign::ignored}},
      {ssub_overflows, {ir::Op::sub_overflows, Sign::counted}},
      {usub_overflows, {ir::Op::sub_overflows, Sign::ignored}},
      {smul_overflows, {ir::Op::mul_overflows, Sign::counted}},
      {umul_overflows, {ir::Op::mul_overflows, Sign::ignored}},
  };
  return all.at(op);
}

inline std::uint64_t reference(TermOp op, std::uint32_t width, std::uint64_t left,
                               std::uint64_t right) {
  const Reference meant = reference_of(op);
  const ir::Type type = integer_type(width, meant.sign);
  if (meant.op == ir::Op::bit_not || meant.op == ir::Op::neg)
    return ir::apply_unary(meant.op, type, left);
  if (meant.op == ir::Op::shl || meant.op == ir::Op::shr)
    return ir::apply_shift(meant.op, type, left, right);
  return ir::apply_binary(meant.op, type, left, right);
}

inline constexpr std::array binary_ops = {TermOp::bit_and,
                                          TermOp::bit_or,
                                          TermOp::bit_xor,
                                          TermOp::add,
                                          TermOp::sub,
                                          TermOp::mul,
                                          TermOp::udiv,
                                          TermOp::sdiv,
                                          TermOp::urem,
                                          TermOp::srem,
                                          TermOp::shl,
                                          TermOp::lshr,
                                          TermOp::ashr,
                                          TermOp::eq,
                                          TermOp::ult,
                                          TermOp::ule,
                                          TermOp::slt,
                                          TermOp::sle,
                                          TermOp::sadd_overflows,
                                          TermOp::uadd_overflows,
                                          TermOp::ssub_overflows,
                                          TermOp::usub_overflows,
                                          TermOp::smul_overflows,
                                          TermOp::umul_overflows};

inline bool is_shift(TermOp op) {
  return op == TermOp::shl || op == TermOp::lshr || op == TermOp::ashr;
}
inline bool yields_truth(TermOp op) { return op >= TermOp::eq && op <= TermOp::umul_overflows; }
inline std::uint64_t low_bits(std::uint32_t width) {
  return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
inline std::uint64_t extend_sign(std::uint32_t from, std::uint32_t to, std::uint64_t bits) {
  const bool negative = ((bits >> (from - 1)) & 1) != 0;
  return (negative ? bits | ~low_bits(from) : bits) & low_bits(to);
}

class RandomTerms {
 public:
  static constexpr std::size_t assignments = 12;
  using Values = std::array<std::uint64_t, assignments>;
  struct Entry {
    Term term{};
    Values values{};
  };

  RandomTerms(std::uint64_t seed, std::vector<std::uint32_t> widths)
      : random_(seed), widths_(std::move(widths)) {
    for (const std::uint32_t width : widths_)
      for (int i = 0; i < 3; ++i) add_variable(width);
    for (int i = 0; i < 3; ++i) add_variable(1);
  }

  const Terms& terms() const { return terms_; }
  std::uint64_t value_of(Term variable, std::size_t assignment) const {
    return variables_.at(variable)[assignment];
  }
  const std::map<Term, Values>& variables() const { return variables_; }
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  // One more term over earlier ones.
  Entry grow() {
    Entry made;
    switch (below(12)) {
      case 0:
        made = grow_unary();
        break;
      case 1:
      case 2:
      case 3:
        made = grow_ite();
        break;
      case 4:
        made = grow_extract();
        break;
      case 5:
        made = grow_concat();
        break;
      case 6:
        made = grow_extension();
        break;
      case 7:
        made = grow_truth();
        break;
      default:
        made = grow_binary();
        break;
    }
    remember(made);
    return made;
  }

 private:
  void add_variable(std::uint32_t width) {
    Entry entry{terms_.variable(width), {}};
    for (std::uint64_t& value : entry.values) value = interesting(width);
    variables_[entry.term] = entry.values;
    remember(entry);
  }
  void remember(const Entry& entry) { by_width_[terms_.width(entry.term)].push_back(entry); }

  std::uint64_t interesting(std::uint32_t width) {
    const std::uint64_t most = low_bits(width);
    switch (below(7)) {
      case 0:
        return 0;
      case 1:
        return most;
      case 2:
        return (most >> 1) + below(2);
      case 3:
        return std::uint64_t{1} << below(width);
      case 4:
        return below(6) & most;
      case 5:
        return (0 - below(6)) & most;
      default:
        return random_() & most;
    }
  }
  std::uint32_t some_width() {
    if (below(3) != 0) return widths_[below(widths_.size())];
    auto it = by_width_.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(below(by_width_.size())));
    return it->first;
  }
  // Mostly recent terms, sometimes constants: what meets in programs.
  Entry pick(std::uint32_t width) {
    std::vector<Entry>& pool = by_width_[width];
    if (pool.empty() || below(4) == 0) {
      const std::uint64_t bits = interesting(width);
      Entry entry{terms_.constant(width, bits), {}};
      entry.values.fill(bits);
      return entry;
    }
    const std::size_t recent = std::min<std::size_t>(pool.size(), 12);
    return below(2) == 0 ? pool[below(pool.size())] : pool[pool.size() - 1 - below(recent)];
  }
  template <class Function>
  static Values each(const Function& function) {
    Values values;
    for (std::size_t i = 0; i < assignments; ++i) values[i] = function(i);
    return values;
  }

  Entry grow_unary() {
    const Entry x = pick(some_width());
    const std::uint32_t width = terms_.width(x.term);
    const TermOp op = below(2) == 0 ? TermOp::bit_not : TermOp::neg;
    return {terms_.unary(op, x.term),
            each([&](std::size_t i) { return reference(op, width, x.values[i], 0); })};
  }
  Entry apply(TermOp op, const Entry& x, const Entry& y) {
    const std::uint32_t width = terms_.width(x.term);
    return {terms_.binary(op, x.term, y.term),
            each([&](std::size_t i) { return reference(op, width, x.values[i], y.values[i]); })};
  }
  Entry grow_binary() {
    const std::uint32_t width = some_width();
    TermOp op = binary_ops[below(binary_ops.size())];
    while (is_shift(op) && (width & (width - 1)) != 0) op = binary_ops[below(binary_ops.size())];
    const Entry x = pick(width);
    return apply(op, x, pick(width));
  }
  // Conditions over few atoms, so that they contradict, absorb and imply one another.
  Entry grow_truth() {
    const TermOp op = below(2) == 0 ? TermOp::bit_and : TermOp::bit_or;
    const auto atom = [&] {
      std::vector<Entry>& pool = by_width_[1];
      Entry entry = pool[below(std::min<std::size_t>(pool.size(), below(2) == 0 ? 4 : 40))];
      if (below(2) == 0)
        entry = {terms_.not_(entry.term), each([&](std::size_t i) { return entry.values[i] ^ 1; })};
      return entry;
    };
    Entry result = atom();
    for (std::uint64_t left = 1 + below(4); left > 0; --left)
      result = below(2) == 0 ? apply(op, result, atom()) : apply(op, atom(), result);
    return result;
  }
  Entry grow_ite() {
    const Entry condition = pick(1);
    const std::uint32_t width = some_width();
    const Entry x = pick(width), y = pick(width);
    return {terms_.ite(condition.term, x.term, y.term), each([&](std::size_t i) {
              return condition.values[i] != 0 ? x.values[i] : y.values[i];
            })};
  }
  Entry grow_extract() {
    const Entry x = pick(some_width());
    const std::uint32_t from = terms_.width(x.term);
    const auto width = static_cast<std::uint32_t>(1 + below(from));
    const auto low = static_cast<std::uint32_t>(below(from - width + 1));
    return {terms_.extract(x.term, low, width),
            each([&](std::size_t i) { return (x.values[i] >> low) & low_bits(width); })};
  }
  Entry grow_concat() {
    const Entry high = pick(some_width());
    Entry low = pick(some_width());
    while (terms_.width(high.term) + terms_.width(low.term) > 64) {
      if (terms_.width(high.term) == 64) return high;
      low = pick(1);
    }
    const std::uint32_t by = terms_.width(low.term);
    return {terms_.concat(high.term, low.term),
            each([&](std::size_t i) { return (high.values[i] << by) | low.values[i]; })};
  }
  Entry grow_extension() {
    const Entry x = pick(some_width());
    const std::uint32_t from = terms_.width(x.term);
    const auto to = static_cast<std::uint32_t>(from + below(65 - from));
    if (below(2) == 0) return {terms_.zext(x.term, to), x.values};
    return {terms_.sext(x.term, to),
            each([&](std::size_t i) { return extend_sign(from, to, x.values[i]); })};
  }

  std::mt19937_64 random_;
  std::vector<std::uint32_t> widths_;
  Terms terms_{};
  std::map<std::uint32_t, std::vector<Entry>> by_width_{};
  std::map<Term, Values> variables_{};
};

}  // namespace heddle::smt::testing
