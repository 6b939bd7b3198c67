#include "check/cubes.hpp"

#include <iterator>
#include <optional>

namespace heddle::check {
namespace {

using smt::Term;
using verdict::Formula;
using verdict::Number;

constexpr std::size_t most_cubes = 20'000;

// nullopt: too many.
std::optional<std::vector<Cube>> split(const verdict::InductiveInvariant& invariant,
                                       std::uint32_t index) {
  const Formula& formula = invariant.formulas[index];
  if (formula.kind == Formula::Kind::any) {
    std::vector<Cube> all;
    for (const std::uint32_t operand : formula.operands) {
      auto part = split(invariant, operand);
      if (!part || all.size() + part->size() > most_cubes) return std::nullopt;
      std::move(part->begin(), part->end(), std::back_inserter(all));
    }
    return all;
  }
  if (formula.kind != Formula::Kind::all) return std::vector<Cube>{{index}};
  std::vector<Cube> product{{}};
  bool has_split = false;
  for (const std::uint32_t operand : formula.operands) {
    // One choice among the conjuncts is followed; of further ones the product would grow.
    auto part = split(invariant, operand);
    if (!part || (part->size() > 1 && has_split)) part = std::vector<Cube>{{operand}};
    if (part->size() != 1) has_split = true;
    std::vector<Cube> next;
    for (const Cube& left : product)
      for (const Cube& right : *part) {
        next.push_back(left);
        next.back().insert(next.back().end(), right.begin(), right.end());
      }
    product = std::move(next);
  }
  return product;
}

bool is_known(const smt::Terms& terms, Term term) {
  return terms.node(term).op != smt::TermOp::variable;
}

}  // namespace

std::vector<Cube> cubes_of(const verdict::InductiveInvariant& invariant, std::uint32_t formula) {
  if (auto cubes = split(invariant, formula)) return *cubes;
  return {{formula}};
}

bool substitute(smt::Terms& terms, const InvariantReader& reader,
                const verdict::InductiveInvariant& invariant, const Formula& part,
                SymbolicState& state) {
  using Kind = verdict::Variable::Kind;
  if (part.sum.size() == 1 && (part.sum[0].first == 1 || part.sum[0].first == -1)) {
    Term& place = reader.variable(state, part.sum[0].second);
    const std::uint32_t width = terms.width(place);
    const Number value = part.sum[0].first == 1 ? -part.constant : part.constant;
    const Number span = Number{1} << width;
    const bool is_signed = reader.is_signed(part.sum[0].second);
    if (value < (is_signed ? -span / 2 : 0) || value >= (is_signed ? span / 2 : span)) return false;
    if (!is_known(terms, place)) place = terms.constant(width, static_cast<std::uint64_t>(value));
    return true;
  }
  if (part.sum.size() != 2 || part.sum[0].first != -part.sum[1].first) return true;
  const bool first_is_base = invariant.variables[part.sum[0].second].kind == Kind::base;
  const auto& [base_factor, base] = part.sum[first_is_base ? 0 : 1];
  const auto& [factor, variable] = part.sum[first_is_base ? 1 : 0];
  if (invariant.variables[base].kind != Kind::base || (factor != 1 && factor != -1)) return true;
  if (invariant.variables[variable].kind == Kind::base) return true;
  Term& place = reader.variable(state, variable);
  const Term object = reader.variable(state, base);
  const std::uint32_t width = terms.width(place);
  if (is_known(terms, place) || terms.width(object) != width) return true;
  const Number offset = factor == 1 ? -part.constant : part.constant;
  place = terms.binary(smt::TermOp::add, object,
                       terms.constant(width, static_cast<std::uint64_t>(offset)));
  return true;
}

}  // namespace heddle::check
