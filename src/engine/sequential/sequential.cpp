#include "engine/sequential/sequential.hpp"

#include <algorithm>

#include "engine/sequential/proof.hpp"
#include "smt/horn.hpp"

namespace heddle::engine::sequential {
namespace {

using smt::HornResult;

// What this engine has no meaning for, if the entry function has it.
std::optional<verdict::Unknown> not_sequential(const ir::Program& program) {
  for (const ir::LocId at : program.function(program.entry()).locations)
    for (const ir::EdgeId id : program.out(at)) {
      const ir::Edge& edge = program.edge(id);
      const char* what = nullptr;
      if (std::holds_alternative<ir::Call>(edge.statement)) what = "a call";
      if (std::holds_alternative<ir::Spawn>(edge.statement)) what = "the start of a thread";
      if (std::holds_alternative<ir::Await>(edge.statement)) what = "a wait for other threads";
      if (std::holds_alternative<ir::Atomic>(edge.statement)) what = "an atomic section";
      if (what != nullptr)
        return verdict::Unknown{
            verdict::Gap::unsupported,
            std::string("the sequential engine takes one function without calls, but there is ") +
                what,
            edge.source,
            {}};
    }
  return std::nullopt;
}

// The nodes from which something wrong may be reached: only these need a formula.
std::vector<bool> dangerous(const Graph& graph) {
  std::vector<bool> found(graph.nodes.size());
  std::vector<std::vector<std::size_t>> before(graph.nodes.size());
  std::vector<std::size_t> todo;
  const auto add = [&](std::size_t node) {
    if (!found[node]) todo.push_back(node);
    found[node] = true;
  };
  for (const Transition& step : graph.transitions) {
    if (!step.from) continue;
    if (step.to)
      before[*step.to].push_back(*step.from);
    else
      add(*step.from);
  }
  while (!todo.empty()) {
    const std::size_t node = todo.back();
    todo.pop_back();
    for (const std::size_t from : before[node]) add(from);
  }
  return found;
}

class Clauses {
 public:
  Clauses(const Graph& graph, Arithmetic& arithmetic)
      : graph_(graph), arithmetic_(arithmetic), dangerous_(dangerous(graph)) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      predicates_.push_back(dangerous_[i] ? system_.add_predicate(graph.nodes[i].arguments.size())
                                          : smt::Predicate{});
    for (const Transition& step : graph.transitions)
      if (!step.to || dangerous_[*step.to]) add(step);
  }

  const smt::HornSystem& system() const { return system_; }
  bool any_wrong() const { return any_wrong_; }
  std::vector<NodeFormula> formulas(const HornResult& result) const {
    std::vector<NodeFormula> all;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (!dangerous_[i] || result.answer != HornResult::Answer::solved)
        all.push_back({arithmetic_.integers().yes(), {}});
      else
        all.push_back(
            {result.solution[predicates_[i].number], result.formals[predicates_[i].number]});
    }
    return all;
  }

 private:
  void add(const Transition& step) {
    smt::Integers& integers = arithmetic_.integers();
    smt::HornClause clause;
    Integer constraint = step.guard;
    std::vector<Integer> variables;
    std::vector<bool> seen;
    integers.collect_variables(step.guard, variables, seen);
    for (const Integer argument : step.arguments)
      integers.collect_variables(argument, variables, seen);
    if (step.from) {
      smt::Application body{predicates_[*step.from], {}};
      const Node& node = graph_.nodes[*step.from];
      for (const VariableIndex variable : node.arguments)
        body.arguments.push_back(argument_of(node, variable));
      for (const Integer argument : body.arguments)
        integers.collect_variables(argument, variables, seen);
      clause.body = std::move(body);
    }
    std::sort(variables.begin(), variables.end());
    for (const Integer variable : variables)
      if (const auto range = arithmetic_.ranges().find(variable);
          range != arithmetic_.ranges().end()) {
        const auto [low, high] = range->second;
        constraint = integers.both(
            constraint, integers.both(integers.at_most(integers.constant(low), variable),
                                      integers.at_most(variable, integers.constant(high))));
      }
    clause.constraint = constraint;
    if (step.to)
      clause.head = smt::Application{predicates_[*step.to], step.arguments};
    else
      any_wrong_ = true;
    system_.add_clause(std::move(clause));
  }
  static Integer argument_of(const Node& node, VariableIndex variable) {
    const auto registers = static_cast<std::uint32_t>(node.state.registers.size());
    return variable < registers ? node.state.registers[variable].expr
                                : node.state.cells[variable - registers].value.expr;
  }

  const Graph& graph_;
  Arithmetic& arithmetic_;
  std::vector<bool> dangerous_;
  smt::HornSystem system_{};
  std::vector<smt::Predicate> predicates_{};
  bool any_wrong_ = false;
};

// The first thing that might go wrong, for want of a better one.
verdict::Unknown no_proof(const ir::Program& program, const Graph& graph) {
  verdict::Unknown unknown;
  unknown.gap = verdict::Gap::bound;
  unknown.detail = "no inductive invariant was found";
  for (const Transition& step : graph.transitions) {
    if (step.to) continue;
    unknown.detail += " that excludes this: " + step.what;
    unknown.source = program.edge(step.edge).source;
    break;
  }
  return unknown;
}

verdict::Unknown out_of_means(const base::Budget& budget) {
  const bool time = budget.out_of_time();
  return {time ? verdict::Gap::time : verdict::Gap::memory,
          time ? "out of time" : "out of memory",
          {},
          {}};
}

}  // namespace

std::optional<verdict::Unknown> Sequential::explore(Explorer& explorer, Arithmetic& arithmetic,
                                                    const base::Budget& budget) {
  std::vector<Splitting> ways{Splitting::all, Splitting::written, Splitting::counters,
                              Splitting::addresses};
  if (options_.split_by_values == Switch::off) ways = {Splitting::addresses};
  for (const Splitting way : ways) switch (explorer.explore(arithmetic, way, budget)) {
      case Explorer::Outcome::done:
        return std::nullopt;
      case Explorer::Outcome::too_many:
        break;
      case Explorer::Outcome::out_of_budget:
        return out_of_means(budget);
    }
  return verdict::Unknown{
      verdict::Gap::bound, "too many combinations of addresses at loop heads", {}, {}};
}

verdict::Verdict Sequential::attempt(const ir::Program& program, const machine::Memory& memory,
                                     MemoryMap& map, Explorer& explorer, Wrapping wrapping,
                                     const base::Budget& budget) {
  smt::Integers integers;
  Arithmetic arithmetic(program, memory.layout(), integers, wrapping);
  const std::optional<verdict::Unknown> unknown = explore(explorer, arithmetic, budget);
  statistics_.explorations = explorer.explorations();
  statistics_.nodes = explorer.graph().nodes.size();
  statistics_.cells = map.cells().size();
  if (unknown) return *unknown;
  const Clauses clauses(explorer.graph(), arithmetic);
  statistics_.predicates = clauses.system().predicates();
  statistics_.clauses = clauses.system().clauses().size();
  HornResult result;
  if (clauses.any_wrong()) {
    result = smt::solve(integers, clauses.system(), budget);
    if (result.answer == HornResult::Answer::out_of_budget) return out_of_means(budget);
    if (result.answer != HornResult::Answer::solved) return no_proof(program, explorer.graph());
  }
  return verdict::Safe{
      write_invariant(program, map, explorer.graph(), integers, clauses.formulas(result))};
}

verdict::Verdict Sequential::run(const ir::Program& program, const verdict::Property& property,
                                 const base::Budget& budget, Listener&) {
  statistics_ = {};
  if (std::optional<verdict::Unknown> unknown = not_sequential(program)) return *unknown;
  // Exact wrap-around finds most proofs at once; where it does not, overflow that gives any value
  // may be easier to reason about.
  const machine::Memory memory(program);
  MemoryMap map(program, memory);
  Explorer explorer(program, property, map, options_);
  verdict::Verdict exact =
      attempt(program, memory, map, explorer, Wrapping::exact, budget.share(60, 100));
  const auto* unknown = std::get_if<verdict::Unknown>(&exact);
  if (unknown == nullptr || unknown->gap != verdict::Gap::time || budget.out_of_time())
    return exact;
  return attempt(program, memory, map, explorer, Wrapping::any_value, budget);
}

}  // namespace heddle::engine::sequential
