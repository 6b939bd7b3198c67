#include "check/formula.hpp"

#include "base/check.hpp"

namespace heddle::check {

using smt::Term;
using smt::TermOp;
using verdict::Formula;
using verdict::Number;
using verdict::Variable;

Term& InvariantReader::variable(SymbolicState& state, std::uint32_t index) const {
  const Variable& what = invariant_.variables[index];
  switch (what.kind) {
    case Variable::Kind::reg:
      return state.registers[program_.reg(what.reg).index];
    case Variable::Kind::cell:
      return state.cells[what.cell].value;
    case Variable::Kind::is_set:
      return state.cells[what.cell].set;
    case Variable::Kind::base:
      return state.allocated[allocation_of_[index]].base;
    case Variable::Kind::is_live:
      return state.allocated[allocation_of_[index]].live;
  }
  CHECK(false, "every kind of variable is found in a state");
  return state.guard;
}

Term InvariantReader::variable(const SymbolicState& state, std::uint32_t index) const {
  return variable(const_cast<SymbolicState&>(state), index);
}

bool InvariantReader::is_signed(std::uint32_t index) const {
  const Variable& what = invariant_.variables[index];
  if (what.kind == Variable::Kind::cell) return invariant_.cells[what.cell].is_signed;
  if (what.kind != Variable::Kind::reg) return false;
  const ir::Type& type = program_.type(program_.reg(what.reg).type);
  return type.kind == ir::TypeKind::integer && type.is_signed;
}

std::optional<Term> InvariantReader::formula(const SymbolicState& state, std::uint32_t index) {
  const Formula& formula = invariant_.formulas[index];
  switch (formula.kind) {
    case Formula::Kind::all:
    case Formula::Kind::any:
    case Formula::Kind::negation:
      return compound(state, formula);
    case Formula::Kind::at_most_zero:
    case Formula::Kind::is_zero:
    case Formula::Kind::divisible:
      return compare(state, formula);
  }
  CHECK(false, "every formula has a meaning");
  return std::nullopt;
}

// Stops at the first operand that settles it: most alternatives of a large invariant are
// refused by their first conjunct.
std::optional<Term> InvariantReader::compound(const SymbolicState& state, const Formula& formula) {
  if (formula.kind == Formula::Kind::negation) {
    const std::optional<Term> inner = this->formula(state, formula.operands[0]);
    if (!inner) return std::nullopt;
    return terms_.not_(*inner);
  }
  const bool all = formula.kind == Formula::Kind::all;
  const Term settled = all ? terms_.no() : terms_.yes();
  Term result = all ? terms_.yes() : terms_.no();
  for (const std::uint32_t operand : formula.operands) {
    const std::optional<Term> inner = this->formula(state, operand);
    if (!inner) return std::nullopt;
    result = all ? terms_.and_(result, *inner) : terms_.or_(result, *inner);
    if (result == settled) break;
  }
  return result;
}

auto InvariantReader::bounds(const SymbolicState& state, const Formula& formula) const
    -> std::optional<Bounds> {
  constexpr Number most = Number{1} << 120;
  Bounds total{formula.constant, formula.constant};
  if (formula.constant > most || formula.constant < -most) return std::nullopt;
  for (const auto& [factor, index] : formula.sum) {
    if (factor > (Number{1} << 50) || factor < -(Number{1} << 50)) return std::nullopt;
    const smt::Range range = terms_.range(variable(state, index));
    const bool negative = is_signed(index);
    const Number low = negative ? Number{range.signed_low} : Number{range.low};
    const Number high = negative ? Number{range.signed_high} : Number{range.high};
    total.low += factor < 0 ? factor * high : factor * low;
    total.high += factor < 0 ? factor * low : factor * high;
    if (total.low < -most || total.high > most) return std::nullopt;
  }
  return total;
}

std::optional<Term> InvariantReader::compare(const SymbolicState& state, const Formula& formula) {
  const std::optional<Bounds> total = bounds(state, formula);
  if (!total) return std::nullopt;
  using Kind = Formula::Kind;
  if (formula.kind == Kind::at_most_zero) {
    if (total->high <= 0) return terms_.yes();
    if (total->low > 0) return terms_.no();
  } else if (formula.kind == Kind::is_zero) {
    if (total->low > 0 || total->high < 0) return terms_.no();
    if (total->low == 0 && total->high == 0) return terms_.yes();
  }
  const auto fits = [&](std::uint32_t width) {
    const Number half = Number{1} << (width - 1);
    return total->low >= -half && total->high < half;
  };
  if (!fits(64)) {
    if (formula.kind == Kind::divisible) return std::nullopt;
    const Long sum = wide_sum(state, formula);
    const Term zero = terms_.constant(64, 0);
    const Term is_zero = terms_.and_(terms_.equal(sum.low, zero), terms_.equal(sum.high, zero));
    if (formula.kind == Kind::is_zero) return is_zero;
    return terms_.or_(is_zero, terms_.binary(TermOp::slt, sum.high, zero));
  }
  // Widths in between would be exact too; few widths share more circuits.
  const std::uint32_t width = fits(8) ? 8 : fits(16) ? 16 : fits(40) ? 40 : 64;
  const Term sum = narrow_sum(state, formula, width), zero = terms_.constant(width, 0);
  if (formula.kind == Kind::is_zero) return terms_.equal(sum, zero);
  if (formula.kind == Kind::at_most_zero) return terms_.binary(TermOp::sle, sum, zero);
  if (formula.divisor >= (Number{1} << (width - 1))) return std::nullopt;
  const Term divisor = terms_.constant(width, static_cast<std::uint64_t>(formula.divisor));
  return terms_.equal(terms_.binary(TermOp::srem, sum, divisor), zero);
}

// Modulo 2^width, which is exact since the whole sum fits.
Term InvariantReader::narrow_sum(const SymbolicState& state, const Formula& formula,
                                 std::uint32_t width) {
  Term sum = terms_.constant(width, static_cast<std::uint64_t>(formula.constant));
  for (const auto& [factor, index] : formula.sum) {
    const Term value = variable(state, index);
    const Term cut = is_signed(index) ? terms_.resize_signed(value, width)
                                      : terms_.resize_unsigned(value, width);
    const Term by = terms_.constant(width, static_cast<std::uint64_t>(factor));
    sum = terms_.binary(TermOp::add, sum, terms_.binary(TermOp::mul, cut, by));
  }
  return sum;
}

auto InvariantReader::wide(Number constant) -> Long {
  return {terms_.constant(64, static_cast<std::uint64_t>(constant)),
          terms_.constant(64, static_cast<std::uint64_t>(constant >> 64))};
}

auto InvariantReader::plus(Long left, Long right) -> Long {
  const Term low = terms_.binary(TermOp::add, left.low, right.low);
  const Term carry = terms_.zext(terms_.binary(TermOp::ult, low, left.low), 64);
  const Term high = terms_.binary(TermOp::add, left.high, right.high);
  return {low, terms_.binary(TermOp::add, high, carry)};
}

auto InvariantReader::minus(Long value) -> Long {
  return plus({terms_.not_(value.low), terms_.not_(value.high)}, wide(1));
}

auto InvariantReader::times(Long value, Number factor) -> Long {
  if (factor < 0) return minus(times(value, -factor));
  Long sum = wide(0);
  for (; factor != 0; factor >>= 1) {
    if ((factor & 1) != 0) sum = plus(sum, value);
    value = plus(value, value);
  }
  return sum;
}

auto InvariantReader::wide_sum(const SymbolicState& state, const Formula& formula) -> Long {
  Long sum = wide(formula.constant);
  for (const auto& [factor, index] : formula.sum) {
    const Term value = variable(state, index);
    Long extended;
    if (is_signed(index)) {
      extended.low = terms_.resize_signed(value, 64);
      extended.high = terms_.binary(TermOp::ashr, extended.low, terms_.constant(64, 63));
    } else {
      extended = {terms_.resize_unsigned(value, 64), terms_.constant(64, 0)};
    }
    sum = plus(sum, times(extended, factor));
  }
  return sum;
}

}  // namespace heddle::check
