// Probing: now and then, with nothing decided, every promising literal is assumed alone.
// If that is contradictory, its negation is a fact. If it implies x in more than one step
// of binary clauses, the binary clause (dominator implies x) is kept: unit propagation,
// which would not have found that the negation of x refutes the dominator, now does
// (hyper-binary resolution, Bacchus and Winter 2003). The theory takes part.
//
// On sums of racing counters this halves the conflicts and makes learnt clauses shorter.
#include <algorithm>
#include <utility>
#include <vector>

#include "smt/minisat_search.hpp"

namespace heddle::smt {

using Minisat::Clause;
using Minisat::CRef;
using Minisat::CRef_Undef;
using Minisat::lbool;  // named by MiniSat's macros
using Minisat::Var;

namespace {

// Probing may use this share of all propagations, and always so many.
constexpr std::uint64_t share = 10;
constexpr std::uint64_t least = 10'000;

// A literal that has more watchers gets no further binary clause: to look for one that is there
// already, for all that a probe implies, would take time beyond every budget.
constexpr int most_watchers = 1'000;

}  // namespace

bool MinisatSearch::wants_probing() const {
  return options_.probe_interval != 0 && decisionLevel() == 0 &&
         conflicts >= std::max<std::uint64_t>(next_probing_, options_.probe_interval);
}

MinisatSearch::Step MinisatSearch::probe(const base::Budget& budget) {
  const std::vector<char> phases(&polarity[0], &polarity[0] + polarity.size());
  const std::uint64_t start = propagations;
  const std::uint64_t limit = std::max(start / share, least);
  const std::vector<char> implied = implied_by_binaries();
  std::vector<char> reached(implied.size(), 0);  // by another probe: says nothing new
  parent_.resize(static_cast<std::size_t>(nVars()), 0);
  depth_.resize(static_cast<std::size_t>(nVars()), 0);
  const int codes = 2 * nVars();
  Step step = Step::go_on;
  for (int count = 0; count < codes && step == Step::go_on; ++count) {
    if (propagations - start > limit) break;
    next_probe_ = (next_probe_ + 1) % codes;
    const Minisat::Lit literal = Minisat::toLit(next_probe_);
    const bool is_root = !implied[next_probe_] && implied[next_probe_ ^ 1];
    if (is_root && !reached[next_probe_] && value(literal) == l_Undef)
      step = out_of(budget) ? Step::out_of_budget : probe(literal, reached);
  }
  for (std::size_t at = 0; at < phases.size(); ++at) polarity[static_cast<int>(at)] = phases[at];
  ++probings_;
  next_probing_ = conflicts + options_.probe_interval * probings_;
  return step;
}

MinisatSearch::Step MinisatSearch::probe(Minisat::Lit literal, std::vector<char>& reached) {
  newDecisionLevel();
  uncheckedEnqueue(literal);
  const CRef refuted = propagate_all();
  if (refuted != CRef_Undef) {
    ++failed_literals_;
    if (resolve(refuted) == Step::unsat || propagate_all() != CRef_Undef) {
      ok = false;
      return Step::unsat;
    }
    return Step::go_on;
  }
  std::vector<std::pair<Minisat::Lit, Minisat::Lit>> found;
  depth_[Minisat::var(literal)] = 0;
  for (int at = trail_lim[0] + 1; at < trail.size(); ++at) {
    const Minisat::Lit implied = trail[at];
    const Var variable = Minisat::var(implied);
    const Var dominator = dominator_of(variable);
    parent_[variable] = dominator;
    depth_[variable] = depth_[dominator] + 1;
    reached[Minisat::toInt(implied)] = 1;
    const Minisat::Lit cause = Minisat::mkLit(dominator, value(dominator) == l_False);
    if (wants_binary(~cause, implied)) found.emplace_back(~cause, implied);
  }
  backtrack(0);
  for (const auto& [first, second] : found) {
    clause_.clear();
    clause_.push(first);
    clause_.push(second);
    const CRef binary = ca.alloc(clause_);
    clauses.push(binary);
    attachClause(binary);
  }
  hyper_binaries_ += found.size();
  return Step::go_on;
}

// The last variable that all ways from the probe to this one go through.
Var MinisatSearch::dominator_of(Var variable) {
  Var dominator = Minisat::var(trail[trail_lim[0]]);
  bool first = true;
  const auto meet = [&](Var other) {
    if (level(other) == 0) return;
    if (std::exchange(first, false)) {
      dominator = other;
      return;
    }
    while (dominator != other)
      if (depth_[dominator] >= depth_[other])
        dominator = parent_[dominator];
      else
        other = parent_[other];
  };
  if (theory_reason_[variable] >= 0) {
    scratch_.clear();
    theory_->explain(static_cast<std::uint32_t>(theory_reason_[variable]), scratch_);
    for (const Lit literal : scratch_) meet(literal.variable());
  } else {
    const Clause& clause = ca[reason(variable)];
    for (int at = 1; at < clause.size(); ++at) meet(Minisat::var(clause[at]));
  }
  return dominator;
}

bool MinisatSearch::wants_binary(Minisat::Lit first, Minisat::Lit second) {
  const auto& watchers = watches.lookup(~first);
  if (watchers.size() > most_watchers) return false;
  for (int at = 0; at < watchers.size(); ++at)
    if (watchers[at].blocker == second && ca[watchers[at].cref].size() == 2) return false;
  return true;
}

// Per literal: whether some binary clause implies it from another one.
std::vector<char> MinisatSearch::implied_by_binaries() const {
  std::vector<char> implied(2 * static_cast<std::size_t>(nVars()), 0);
  for (const Minisat::vec<CRef>* list : {&clauses, &learnts})
    for (int at = 0; at < list->size(); ++at) {
      const Clause& clause = ca[(*list)[at]];
      if (clause.size() != 2) continue;
      implied[Minisat::toInt(clause[0])] = implied[Minisat::toInt(clause[1])] = 1;
    }
  return implied;
}

}  // namespace heddle::smt
