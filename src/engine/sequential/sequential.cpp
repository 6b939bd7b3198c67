#include "engine/sequential/sequential.hpp"

#include "engine/sequential/clauses.hpp"
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
            verdict::Gap::technique,
            std::string("the sequential engine takes one function without calls, but there is ") +
                what,
            edge.source,
            {}};
    }
  return std::nullopt;
}

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
