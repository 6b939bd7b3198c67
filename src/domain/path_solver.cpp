#include "domain/path_solver.hpp"

#include <algorithm>
#include <set>

#include "base/check.hpp"

namespace heddle::domain {

using smt::Model;
using smt::SatAnswer;
using smt::Term;

// A solver that has grown large is slow even on small questions.
void PathSolver::reset() {
  blaster_.reset();
  sat_ = smt::make_cadical(effort_);
  blaster_ = std::make_unique<smt::BitBlaster>(terms_, *sat_);
}

bool PathSolver::holds(std::span<const Term> conditions, const Model& model) const {
  smt::Valuation value(terms_, model);
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](Term condition) { return value(condition) != 0; });
}

Model PathSolver::restricted(const std::vector<Term>& conditions, const Model& model) {
  Model result;
  for (const Term condition : conditions)
    for (const Term variable : variables_.of(condition)) {
      const auto found = model.find(variable);
      result[variable] = found == model.end() ? 0 : found->second;
    }
  return result;
}

std::vector<Term> PathSolver::related(std::span<const Term> path, std::span<const Term> asked) {
  std::set<Term> reached;
  for (const Term term : asked)
    reached.insert(variables_.of(term).begin(), variables_.of(term).end());
  std::vector<Term> result;
  std::vector<Term> rest(path.begin(), path.end());
  for (bool grows = true; grows;) {
    grows = false;
    std::vector<Term> others;
    for (const Term condition : rest) {
      const std::vector<Term>& used = variables_.of(condition);
      if (std::none_of(used.begin(), used.end(), [&](Term at) { return reached.contains(at); })) {
        others.push_back(condition);
        continue;
      }
      reached.insert(used.begin(), used.end());
      result.push_back(condition);
      grows = true;
    }
    rest = std::move(others);
  }
  return result;
}

SatAnswer PathSolver::satisfiable(std::vector<Term> conditions, Model& model) {
  ++statistics_.asked;
  std::sort(conditions.begin(), conditions.end());
  conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
  std::erase_if(conditions, [&](Term at) { return terms_.is_true(at); });
  if (std::any_of(conditions.begin(), conditions.end(),
                  [&](Term at) { return terms_.is_false(at); }))
    return SatAnswer::unsat;
  const auto accept = [&](const Model& found) {
    for (const auto& [variable, value] : found) model[variable] = value;
    return SatAnswer::sat;
  };
  if (holds(conditions, model)) {
    ++statistics_.by_model;
    return accept(restricted(conditions, model));
  }
  for (const Model& known : models_)
    if (holds(conditions, known)) {
      ++statistics_.by_model;
      return accept(restricted(conditions, known));
    }
  const auto given = answers_.find(conditions);
  if (given != answers_.end()) {
    ++statistics_.by_answer;
    if (given->second.answer != SatAnswer::sat) return given->second.answer;
    return accept(given->second.model);
  }
  ++statistics_.solved;
  Model found;
  const SatAnswer answer = solve(conditions, found);
  if (answer == SatAnswer::out_of_budget) ++statistics_.gave_up;
  if (answers_.size() >= most_answers) answers_.clear();
  answers_.emplace(std::move(conditions), Answer{answer, found});
  if (answer != SatAnswer::sat) return answer;
  models_.push_front(found);
  if (models_.size() > most_models) models_.pop_back();
  return accept(found);
}

SatAnswer PathSolver::solve(const std::vector<Term>& conditions, Model& found) {
  if (blaster_->statistics().gates > most_gates) reset();
  std::vector<smt::Lit> assumptions;
  for (const Term condition : conditions) assumptions.push_back(blaster_->literal(condition));
  const SatAnswer answer = sat_->solve(assumptions, budget_);
  if (answer != SatAnswer::sat) return answer;
  for (const Term condition : conditions)
    for (const Term variable : variables_.of(condition))
      found[variable] = blaster_->value(variable);
  CHECK(holds(conditions, found), "a model makes the conditions true");
  return answer;
}

}  // namespace heddle::domain
