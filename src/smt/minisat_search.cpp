#include "smt/minisat_search.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::smt {

using Minisat::Clause;
using Minisat::CRef;
using Minisat::CRef_Undef;
using Minisat::lbool;  // named by MiniSat's macros

namespace {

// 1 1 2 1 1 2 4 1 1 2 ... : the term at that index, from 0.
std::uint64_t luby(std::uint64_t index) {
  std::uint64_t size = 1;
  std::uint64_t power = 0;
  for (; size < index + 1; size = 2 * size + 1) ++power;
  while (size - 1 != index) {
    size = (size - 1) / 2;
    --power;
    index %= size;
  }
  return std::uint64_t{1} << power;
}

}  // namespace

Lit MinisatSearch::fresh() {
  const Minisat::Var variable = newVar();
  theory_reason_.push_back(-1);
  visited_.push_back(0);
  return Lit::of(variable);
}

void MinisatSearch::add_clause(std::span<const Lit> literals) {
  clause_.clear();
  for (const Lit literal : literals) {
    CHECK(literal.valid() && literal.variable() < nVars(), "clauses are over existing variables");
    clause_.push(to_minisat(literal));
  }
  addClause_(clause_);
}

bool MinisatSearch::value_in_model(Lit literal) const {
  CHECK(literal.valid() && literal.variable() < model.size(), "the literal was there when solving");
  return modelValue(to_minisat(literal)) == l_True;
}

void MinisatSearch::count_into(OrderingStatistics& statistics) const {
  statistics.conflicts = conflicts;
  statistics.failed_literals = failed_literals_;
  statistics.hyper_binaries = hyper_binaries_;
}

SatAnswer MinisatSearch::solve(OrderingTheory& theory, const TheoryOptions& options,
                               std::span<const Lit> assumed, const base::Budget& budget) {
  if (!ok) return SatAnswer::unsat;
  theory_ = &theory;
  options_ = options;
  theory.restart();
  theory_head_ = 0;
  const SatAnswer answer = run(assumed, budget);
  backtrack(0);
  return answer;
}

SatAnswer MinisatSearch::run(std::span<const Lit> assumed, const base::Budget& budget) {
  max_learnts = std::max(nClauses() * learntsize_factor, 2000.0);
  learntsize_adjust_confl = learntsize_adjust_start_confl;
  learntsize_adjust_cnt = static_cast<int>(learntsize_adjust_confl);
  if (budget.out_of_time() || budget.out_of_memory()) return SatAnswer::out_of_budget;
  for (std::uint64_t round = 0;; ++round) {
    switch (search(luby(round) * 100, assumed, budget)) {
      case Step::sat:
        return SatAnswer::sat;
      case Step::unsat:
        return SatAnswer::unsat;
      case Step::out_of_budget:
        return SatAnswer::out_of_budget;
      case Step::go_on:
      case Step::restart:
        break;
    }
  }
}

MinisatSearch::Step MinisatSearch::search(std::uint64_t conflict_limit,
                                          std::span<const Lit> assumed,
                                          const base::Budget& budget) {
  const std::uint64_t stop = conflicts + conflict_limit;
  ++starts;
  while (true) {
    const CRef conflict_clause = propagate_all();
    Step step = Step::go_on;
    if (conflict_clause != CRef_Undef) {
      step = resolve(conflict_clause);
    } else {
      if (conflicts >= stop) {
        backtrack(0);
        return Step::restart;
      }
      if (decisionLevel() == 0 && !simplify()) return Step::unsat;
      if (wants_probing()) {
        step = probe(budget);
        if (step != Step::go_on) return step;
      }
      if (learnts.size() - nAssigns() >= max_learnts) reduceDB();
      step = decide(assumed);
    }
    if (step != Step::go_on) return step;
    if (out_of(budget)) return Step::out_of_budget;
  }
}

bool MinisatSearch::out_of(const base::Budget& budget) {
  ++steps_;
  // Few, since a step can take a millisecond where thousands of events share a cell.
  if (steps_ % 8 != 0) return false;
  return budget.out_of_time() || (steps_ % 4096 == 0 && budget.out_of_memory());
}

// ---- propagation -------------------------------------------------------------

CRef MinisatSearch::propagate_all() {
  while (true) {
    const CRef of_clauses = propagate();
    if (of_clauses != CRef_Undef) return of_clauses;
    if (theory_head_ == trail.size()) return CRef_Undef;
    const CRef of_theory = propagate_theory();
    if (of_theory != CRef_Undef) return of_theory;
  }
}

CRef MinisatSearch::propagate_theory() {
  while (theory_head_ < trail.size()) {
    const int place = theory_head_++;
    const Lit literal = from_minisat(trail[place]);
    if (theory_->watches(literal) && !theory_->assign(literal, static_cast<std::size_t>(place))) {
      scratch_ = theory_->conflict();
      return clause_of_conflict();
    }
    if (theory_->has_implied()) break;
  }
  while (theory_->has_implied()) {
    const auto [literal, reason] = theory_->take_implied();
    const Minisat::Lit implied = to_minisat(literal);
    if (value(implied) == l_True) continue;
    if (value(implied) == l_False) {
      scratch_.assign(1, ~literal);
      theory_->explain(reason, scratch_);
      return clause_of_conflict();
    }
    uncheckedEnqueue(implied);
    theory_reason_[Minisat::var(implied)] = reason;
  }
  return CRef_Undef;
}

// Of true literals in scratch_ that cannot all be: a clause that is false now.
CRef MinisatSearch::clause_of_conflict() {
  clause_.clear();
  for (const Lit literal : scratch_) clause_.push(~to_minisat(literal));
  borrowed_.push_back(ca.alloc(clause_));
  return borrowed_.back();
}

void MinisatSearch::backtrack(int target) {
  if (decisionLevel() <= target) return;
  for (int place = trail_lim[target]; place < trail.size(); ++place)
    theory_reason_[Minisat::var(trail[place])] = -1;
  cancelUntil(target);
  theory_head_ = std::min(theory_head_, trail.size());
  theory_->undo_from(static_cast<std::size_t>(trail.size()));
}

// ---- conflicts ---------------------------------------------------------------

MinisatSearch::Step MinisatSearch::resolve(CRef conflict_clause) {
  ++conflicts;
  if (fall_to_conflict(conflict_clause) == 0) {
    ok = false;
    return Step::unsat;
  }
  build_reasons(conflict_clause);
  clause_.clear();
  int target = 0;
  analyze(conflict_clause, clause_, target);
  backtrack(target);
  for (const CRef borrowed : borrowed_) ca.free(borrowed);
  borrowed_.clear();
  learn();
  return Step::go_on;
}

// Backtracks until the conflict has a literal of the current level, which is returned.
int MinisatSearch::fall_to_conflict(CRef conflict_clause) {
  const Clause& clause = ca[conflict_clause];
  int highest = 0;
  for (int at = 0; at < clause.size(); ++at)
    highest = std::max(highest, level(Minisat::var(clause[at])));
  backtrack(highest);
  return highest;
}

void MinisatSearch::learn() {
  if (clause_.size() == 1) {
    uncheckedEnqueue(clause_[0]);
  } else {
    const CRef learnt = ca.alloc(clause_, true);
    learnts.push(learnt);
    attachClause(learnt);
    claBumpActivity(ca[learnt]);
    uncheckedEnqueue(clause_[0], learnt);
  }
  varDecayActivity();
  claDecayActivity();
  if (--learntsize_adjust_cnt == 0) {
    learntsize_adjust_confl *= learntsize_adjust_inc;
    learntsize_adjust_cnt = static_cast<int>(learntsize_adjust_confl);
    max_learnts *= learntsize_inc;
  }
}

// analyze() walks from the conflict back along the current level and wants a clause for
// every literal that was implied there. This walk is the same and builds the theory's.
void MinisatSearch::build_reasons(CRef conflict_clause) {
  scratch_.clear();
  std::vector<Minisat::Var> marked;
  int open = 0;
  const auto mark = [&](const Clause& clause, int from) {
    for (int at = from; at < clause.size(); ++at) {
      const Minisat::Var variable = Minisat::var(clause[at]);
      if (visited_[variable] || level(variable) < decisionLevel()) continue;
      visited_[variable] = 1;
      marked.push_back(variable);
      ++open;
    }
  };
  mark(ca[conflict_clause], 0);
  for (int place = trail.size() - 1; open > 1; --place) {
    const Minisat::Var variable = Minisat::var(trail[place]);
    if (!visited_[variable]) continue;
    --open;
    if (theory_reason_[variable] >= 0) {
      scratch_.clear();
      theory_->explain(static_cast<std::uint32_t>(theory_reason_[variable]), scratch_);
      clause_.clear();
      clause_.push(trail[place]);
      for (const Lit literal : scratch_) clause_.push(~to_minisat(literal));
      borrowed_.push_back(ca.alloc(clause_));
      vardata[variable].reason = borrowed_.back();
      theory_reason_[variable] = -1;
    }
    mark(ca[reason(variable)], 1);
  }
  for (const Minisat::Var variable : marked) visited_[variable] = 0;
}

// ---- decisions ---------------------------------------------------------------

MinisatSearch::Step MinisatSearch::decide(std::span<const Lit> assumed) {
  Minisat::Lit next = Minisat::lit_Undef;
  while (decisionLevel() < static_cast<int>(assumed.size())) {
    const Minisat::Lit assumption = to_minisat(assumed[static_cast<std::size_t>(decisionLevel())]);
    if (value(assumption) == l_False) return Step::unsat;
    if (value(assumption) == l_Undef) {
      next = assumption;
      break;
    }
    newDecisionLevel();
  }
  if (next == Minisat::lit_Undef) next = pickBranchLit();
  if (next == Minisat::lit_Undef) {
    keep_model();
    return Step::sat;
  }
  ++decisions;
  newDecisionLevel();
  uncheckedEnqueue(next);
  return Step::go_on;
}

void MinisatSearch::keep_model() {
  model.growTo(nVars());
  for (int variable = 0; variable < nVars(); ++variable) model[variable] = value(variable);
  order_ = theory_->linear_order();
}

}  // namespace heddle::smt
