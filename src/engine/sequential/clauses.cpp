#include "engine/sequential/clauses.hpp"

#include <algorithm>
#include <unordered_set>

namespace heddle::engine::sequential {

Clauses::Clauses(const Graph& graph, Arithmetic& arithmetic)
    : graph_(graph), arithmetic_(arithmetic) {
  find_dangerous();
  find_relevant();
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto arity = std::count(relevant_[i].begin(), relevant_[i].end(), true);
    predicates_.push_back(dangerous_[i] ? system_.add_predicate(static_cast<std::size_t>(arity))
                                        : smt::Predicate{});
  }
  for (const Transition& step : graph.transitions)
    if (leads_to_wrong(step)) add(step);
}

void Clauses::find_dangerous() {
  dangerous_.resize(graph_.nodes.size());
  std::vector<std::vector<std::size_t>> before(graph_.nodes.size());
  std::vector<std::size_t> todo;
  const auto mark = [&](std::size_t node) {
    if (!dangerous_[node]) todo.push_back(node);
    dangerous_[node] = true;
  };
  for (const Transition& step : graph_.transitions) {
    if (!step.from) continue;
    if (step.to)
      before[*step.to].push_back(*step.from);
    else
      mark(*step.from);
  }
  while (!todo.empty()) {
    const std::size_t node = todo.back();
    todo.pop_back();
    for (const std::size_t from : before[node]) mark(from);
  }
}

Integer Clauses::formal(const Node& node, VariableIndex variable) {
  const auto registers = static_cast<std::uint32_t>(node.state.registers.size());
  return variable < registers ? node.state.registers[variable].expr
                              : node.state.cells[variable - registers].value.expr;
}

// Arguments that a condition reads, and those that a relevant argument of a next node is made of.
void Clauses::find_relevant() {
  std::vector<std::vector<const Transition*>> into(graph_.nodes.size());
  std::vector<std::size_t> todo;
  for (const Node& node : graph_.nodes) relevant_.emplace_back(node.arguments.size());
  for (const Transition& step : graph_.transitions) {
    if (!step.from || !leads_to_wrong(step)) continue;
    if (step.to) into[*step.to].push_back(&step);
    mark_relevant(*step.from, step.guard, todo);
  }
  while (!todo.empty()) {
    const std::size_t node = todo.back();
    todo.pop_back();
    for (const Transition* step : into[node])
      for (std::size_t i = 0; i < step->arguments.size(); ++i)
        if (relevant_[node][i]) mark_relevant(*step->from, step->arguments[i], todo);
  }
}

void Clauses::mark_relevant(std::size_t node, Integer used, std::vector<std::size_t>& todo) {
  std::vector<Integer> variables;
  std::unordered_set<std::uint32_t> seen;
  arithmetic_.integers().collect_variables(used, variables, seen);
  std::sort(variables.begin(), variables.end());
  const Node& at = graph_.nodes[node];
  bool changed = false;
  for (std::size_t i = 0; i < at.arguments.size(); ++i) {
    if (relevant_[node][i] ||
        !std::binary_search(variables.begin(), variables.end(), formal(at, at.arguments[i])))
      continue;
    relevant_[node][i] = changed = true;
  }
  if (changed) todo.push_back(node);
}

void Clauses::add(const Transition& step) {
  smt::Integers& integers = arithmetic_.integers();
  smt::HornClause clause;
  std::vector<Integer> variables;
  std::unordered_set<std::uint32_t> seen;
  integers.collect_variables(step.guard, variables, seen);
  if (step.from) {
    clause.body = smt::Application{predicates_[*step.from], {}};
    const Node& node = graph_.nodes[*step.from];
    for (std::size_t i = 0; i < node.arguments.size(); ++i)
      if (relevant_[*step.from][i])
        clause.body->arguments.push_back(formal(node, node.arguments[i]));
    for (const Integer argument : clause.body->arguments)
      integers.collect_variables(argument, variables, seen);
  }
  if (step.to) {
    clause.head = smt::Application{predicates_[*step.to], {}};
    for (std::size_t i = 0; i < step.arguments.size(); ++i)
      if (relevant_[*step.to][i]) clause.head->arguments.push_back(step.arguments[i]);
    for (const Integer argument : clause.head->arguments)
      integers.collect_variables(argument, variables, seen);
  } else {
    any_wrong_ = true;
  }
  std::sort(variables.begin(), variables.end());
  clause.constraint = step.guard;
  for (const Integer variable : variables) {
    const auto range = arithmetic_.ranges().find(variable);
    if (range == arithmetic_.ranges().end()) continue;
    const auto [low, high] = range->second;
    clause.constraint = integers.both(
        clause.constraint, integers.both(integers.at_most(integers.constant(low), variable),
                                         integers.at_most(variable, integers.constant(high))));
  }
  system_.add_clause(std::move(clause));
}

std::vector<NodeFormula> Clauses::formulas(const smt::HornResult& result) const {
  std::vector<NodeFormula> all;
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    NodeFormula formula{arithmetic_.integers().yes(), {}, {}};
    if (dangerous_[i] && result.answer == smt::HornResult::Answer::solved) {
      formula.formula = result.solution[predicates_[i].number];
      formula.formals = result.formals[predicates_[i].number];
      for (std::size_t k = 0; k < graph_.nodes[i].arguments.size(); ++k)
        if (relevant_[i][k]) formula.arguments.push_back(graph_.nodes[i].arguments[k]);
    }
    all.push_back(std::move(formula));
  }
  return all;
}

}  // namespace heddle::engine::sequential
