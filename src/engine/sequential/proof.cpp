#include "engine/sequential/proof.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace heddle::engine::sequential {
namespace {

using verdict::Formula;
using verdict::Variable;
using Kind = verdict::Formula::Kind;

struct Linear {
  std::map<std::uint32_t, Wide> sum{};
  Wide constant = 0;
};

class Writer {
 public:
  Writer(const ir::Program& program, const MemoryMap& map, const Graph& graph,
         const smt::Integers& integers, const std::vector<NodeFormula>& formulas)
      : program_(program), map_(map), graph_(graph), integers_(integers), formulas_(formulas) {}

  verdict::InductiveInvariant write() {
    for (const CellInfo& cell : map_.cells()) {
      const Object& object = map_.objects()[cell.object];
      result_.cells.push_back(
          {object.global, object.allocation, cell.offset, cell.bytes, cell.is_signed});
    }
    std::map<ir::LocId, std::vector<std::size_t>> nodes_at;
    const ir::Function& function = program_.function(program_.entry());
    for (const ir::LocId at : function.locations)
      if (program_.location(at).loop_head) nodes_at[at];
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
      if (!integers_.is_no(formulas_[i].formula)) nodes_at[graph_.nodes[i].at].push_back(i);
    for (const auto& [at, nodes] : nodes_at) result_.at.emplace_back(at, alternatives(nodes));
    return std::move(result_);
  }

 private:
  std::uint32_t add(Formula formula) {
    result_.formulas.push_back(std::move(formula));
    return static_cast<std::uint32_t>(result_.formulas.size() - 1);
  }
  std::uint32_t variable(const Variable& what) {
    const auto [at, is_new] =
        variables_.try_emplace(what, static_cast<std::uint32_t>(result_.variables.size()));
    if (is_new) result_.variables.push_back(what);
    return at->second;
  }
  std::uint32_t variable(VariableIndex index) {
    const ir::Function& function = program_.function(program_.entry());
    const auto registers = static_cast<std::uint32_t>(function.registers.size());
    if (index < registers)
      return variable(Variable{Variable::Kind::reg, function.registers[index], 0, {}});
    return variable(Variable{Variable::Kind::cell, {}, index - registers, {}});
  }
  std::uint32_t compare(Kind kind, const Linear& linear, Wide divisor = 1) {
    Formula formula;
    formula.kind = kind;
    for (const auto& [index, factor] : linear.sum)
      if (factor != 0) formula.sum.emplace_back(factor, index);
    formula.constant = linear.constant;
    formula.divisor = divisor;
    return add(std::move(formula));
  }
  std::uint32_t is(const Variable& what, Wide value) {
    return compare(Kind::is_zero, {{{variable(what), 1}}, -value});
  }

  std::uint32_t alternatives(const std::vector<std::size_t>& nodes);
  std::uint32_t tree(const std::vector<std::size_t>& nodes, const std::vector<std::size_t>& order,
                     std::size_t depth);
  std::vector<std::size_t> most_telling_first(const std::vector<std::size_t>& nodes) const;
  void say(std::size_t position, std::uint32_t entry, std::vector<std::uint32_t>& conjuncts);
  std::uint32_t formula_of(std::size_t node);
  std::optional<std::uint32_t> convert(Integer truth,
                                       const std::map<Integer, std::uint32_t>& names);
  std::optional<std::uint32_t> division(const smt::IntegerNode& divided, Wide limit,
                                        const std::map<Integer, std::uint32_t>& names);
  std::uint32_t negated(std::uint32_t formula) {
    return add({.kind = Kind::negation, .operands = {formula}});
  }
  std::optional<std::uint32_t> relation(const smt::IntegerNode& node,
                                        const std::map<Integer, std::uint32_t>& names);
  std::optional<Linear> linear(Integer number, const std::map<Integer, std::uint32_t>& names) const;

  const ir::Program& program_;
  const MemoryMap& map_;
  const Graph& graph_;
  const smt::Integers& integers_;
  const std::vector<NodeFormula>& formulas_;
  verdict::InductiveInvariant result_{};
  std::map<Variable, std::uint32_t> variables_{};
};

std::uint32_t Writer::alternatives(const std::vector<std::size_t>& nodes) {
  if (nodes.empty()) return add({.kind = Kind::any});
  return tree(nodes, most_telling_first(nodes), 0);
}

// Whoever looks for the alternative of a state should be done after few questions.
std::vector<std::size_t> Writer::most_telling_first(const std::vector<std::size_t>& nodes) const {
  std::vector<std::pair<std::size_t, std::size_t>> count;
  const std::size_t size = graph_.nodes[nodes.front()].key.size();
  for (std::size_t position = 0; position < size; ++position) {
    std::set<std::uint32_t> values;
    for (const std::size_t node : nodes) values.insert(graph_.nodes[node].key[position]);
    count.emplace_back(values.size(), position);
  }
  std::stable_sort(count.begin(), count.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> order;
  for (const auto& [values, position] : count) order.push_back(position);
  return order;
}

std::uint32_t Writer::tree(const std::vector<std::size_t>& nodes,
                           const std::vector<std::size_t>& order, std::size_t depth) {
  std::vector<std::uint32_t> conjuncts;
  for (; depth < order.size(); ++depth) {
    std::map<std::uint32_t, std::vector<std::size_t>> groups;
    for (const std::size_t node : nodes)
      groups[graph_.nodes[node].key[order[depth]]].push_back(node);
    if (groups.size() > 1) {
      std::vector<std::uint32_t> choices;
      for (const auto& [entry, group] : groups) {
        std::vector<std::uint32_t> parts;
        say(order[depth], entry, parts);
        parts.push_back(tree(group, order, depth + 1));
        choices.push_back(add({.kind = Kind::all, .operands = parts}));
      }
      conjuncts.push_back(add({.kind = Kind::any, .operands = choices}));
      return add({.kind = Kind::all, .operands = conjuncts});
    }
    say(order[depth], groups.begin()->first, conjuncts);
  }
  conjuncts.push_back(formula_of(nodes.front()));
  return add({.kind = Kind::all, .operands = conjuncts});
}

// What an entry of a key claims.
void Writer::say(std::size_t position, std::uint32_t entry, std::vector<std::uint32_t>& conjuncts) {
  const std::size_t registers = program_.function(program_.entry()).registers.size();
  const std::size_t variables = registers + map_.cells().size();
  if (position >= variables) {
    const Object& object = map_.objects()[map_.first_allocation() + position - variables];
    const Variable live{Variable::Kind::is_live, {}, 0, object.allocation};
    conjuncts.push_back(is(live, entry == static_cast<std::uint32_t>(Life::live) ? 1 : 0));
    return;
  }
  const auto index = static_cast<VariableIndex>(position);
  if (position >= registers && entry != key_dead && entry != key_maybe_set) {
    const auto cell = static_cast<std::uint32_t>(position - registers);
    if (map_.objects()[map_.cells()[cell].object].may_be_unset)
      conjuncts.push_back(is({Variable::Kind::is_set, {}, cell, {}}, entry == key_unset ? 0 : 1));
  }
  if (entry >= key_maybe_set) return;
  const auto [base, offset] = integers_.shifted(Integer{entry});
  Linear claim{{{variable(index), 1}}, -offset};
  for (std::size_t i = map_.first_allocation(); base.valid() && i < map_.objects().size(); ++i)
    if (map_.objects()[i].base.expr == base)
      claim.sum[variable(Variable{Variable::Kind::base, {}, 0, map_.objects()[i].allocation})] = -1;
  conjuncts.push_back(compare(Kind::is_zero, claim));
}

// ---- formulas of the solver ------------------------------------------------------

std::uint32_t Writer::formula_of(std::size_t node) {
  std::map<Integer, std::uint32_t> names;
  for (std::size_t i = 0; i < formulas_[node].formals.size(); ++i)
    names[formulas_[node].formals[i]] = variable(formulas_[node].arguments[i]);
  const std::optional<std::uint32_t> formula = convert(formulas_[node].formula, names);
  return formula ? *formula : add({.kind = Kind::all});
}

std::optional<Linear> Writer::linear(Integer number,
                                     const std::map<Integer, std::uint32_t>& names) const {
  const smt::IntegerNode& node = integers_.node(number);
  switch (node.op) {
    case smt::IntegerOp::constant:
      return Linear{{}, node.payload};
    case smt::IntegerOp::variable: {
      const auto name = names.find(number);
      if (name == names.end()) return std::nullopt;
      return Linear{{{name->second, 1}}, 0};
    }
    case smt::IntegerOp::scale: {
      std::optional<Linear> inner = linear(node.args[0], names);
      if (!inner) return std::nullopt;
      for (auto& [index, factor] : inner->sum) factor *= node.payload;
      inner->constant *= node.payload;
      return inner;
    }
    case smt::IntegerOp::add: {
      std::optional<Linear> left = linear(node.args[0], names);
      const std::optional<Linear> right = linear(node.args[1], names);
      if (!left || !right) return std::nullopt;
      for (const auto& [index, factor] : right->sum) left->sum[index] += factor;
      left->constant += right->constant;
      return left;
    }
    default:
      return std::nullopt;
  }
}

// That a quotient or remainder is at most a number.
std::optional<std::uint32_t> Writer::division(const smt::IntegerNode& divided, Wide limit,
                                              const std::map<Integer, std::uint32_t>& names) {
  std::optional<Linear> number = linear(divided.args[0], names);
  const Wide by = divided.payload;
  if (!number) return std::nullopt;
  if (divided.op == smt::IntegerOp::quotient) {
    number->constant -= by * limit + by - 1;
    return compare(Kind::at_most_zero, *number);
  }
  constexpr Wide most_rests = 16;
  if (limit >= by - 1) return add({.kind = Kind::all});
  if (limit >= most_rests) return std::nullopt;
  Formula rests{.kind = Kind::any};
  for (Wide rest = 0; rest <= limit; ++rest) {
    rests.operands.push_back(compare(Kind::divisible, *number, by));
    number->constant -= 1;
  }
  return add(std::move(rests));
}

std::optional<std::uint32_t> Writer::relation(const smt::IntegerNode& node,
                                              const std::map<Integer, std::uint32_t>& names) {
  for (const std::size_t side : {0, 1}) {
    const smt::IntegerNode& divided = integers_.node(node.args[side]);
    const bool is_division =
        divided.op == smt::IntegerOp::remainder || divided.op == smt::IntegerOp::quotient;
    if (!is_division) continue;
    if (!integers_.is_constant(node.args[1 - side])) return std::nullopt;
    const Wide other = integers_.value(node.args[1 - side]);
    if (node.op == smt::IntegerOp::equal) {
      const auto below = division(divided, other, names),
                 before = division(divided, other - 1, names);
      if (!below || !before) return std::nullopt;
      return add({.kind = Kind::all, .operands = {*below, negated(*before)}});
    }
    if (side == 0) return division(divided, other, names);
    const auto before = division(divided, other - 1, names);
    if (!before) return std::nullopt;
    return negated(*before);
  }
  std::optional<Linear> sum = linear(node.args[0], names);
  const std::optional<Linear> right = linear(node.args[1], names);
  if (!sum || !right) return std::nullopt;
  for (const auto& [index, factor] : right->sum) sum->sum[index] -= factor;
  sum->constant -= right->constant;
  return compare(node.op == smt::IntegerOp::equal ? Kind::is_zero : Kind::at_most_zero, *sum);
}

std::optional<std::uint32_t> Writer::convert(Integer truth,
                                             const std::map<Integer, std::uint32_t>& names) {
  const smt::IntegerNode node = integers_.node(truth);
  switch (node.op) {
    case smt::IntegerOp::yes:
      return add({.kind = Kind::all});
    case smt::IntegerOp::no:
      return add({.kind = Kind::any});
    case smt::IntegerOp::negation:
    case smt::IntegerOp::both:
    case smt::IntegerOp::either: {
      Formula formula;
      formula.kind = node.op == smt::IntegerOp::both     ? Kind::all
                     : node.op == smt::IntegerOp::either ? Kind::any
                                                         : Kind::negation;
      for (const Integer operand : node.operands()) {
        const std::optional<std::uint32_t> part = convert(operand, names);
        if (!part) return std::nullopt;
        formula.operands.push_back(*part);
      }
      return add(std::move(formula));
    }
    case smt::IntegerOp::at_most:
    case smt::IntegerOp::equal:
      return relation(node, names);
    default:
      return std::nullopt;
  }
}

}  // namespace

verdict::InductiveInvariant write_invariant(const ir::Program& program, const MemoryMap& map,
                                            const Graph& graph, const smt::Integers& integers,
                                            const std::vector<NodeFormula>& formulas) {
  return Writer(program, map, graph, integers, formulas).write();
}

}  // namespace heddle::engine::sequential
