// A SAT "solver" that only propagates units: enough to run a circuit from its inputs,
// and strict, since every variable must get its value and every clause must hold.
#pragma once

#include <vector>

#include "smt/sat.hpp"

namespace heddle::smt::testing {

class PropagatingSat : public Sat {
 public:
  PropagatingSat() {
    yes_ = fresh();
    add_clause({yes_});
  }
  using Sat::add_clause;

  Lit fresh() override {
    holds_.resize(holds_.size() + 2, 0);
    uses_.resize(uses_.size() + 2);
    return Lit::of(static_cast<std::int32_t>(holds_.size() / 2 - 1));
  }
  void add_clause(std::span<const Lit> literals) override {
    for (const Lit literal : literals) uses_[index(literal)].push_back(clauses_.size());
    clauses_.emplace_back(literals.begin(), literals.end());
  }
  // sat: one assignment follows, and it satisfies all clauses. out_of_budget: variables are open.
  SatAnswer solve(std::span<const Lit> assumptions, const base::Budget&) override {
    std::fill(holds_.begin(), holds_.end(), 0);
    trail_.clear();
    for (const Lit literal : assumptions)
      if (!assign(literal)) return SatAnswer::unsat;
    for (const std::vector<Lit>& clause : clauses_)
      if (!examine(clause)) return SatAnswer::unsat;
    for (std::size_t next = 0; next < trail_.size(); ++next)
      for (const std::size_t clause : uses_[index(~trail_[next])])
        if (!examine(clauses_[clause])) return SatAnswer::unsat;
    return 2 * trail_.size() == holds_.size() ? SatAnswer::sat : SatAnswer::out_of_budget;
  }
  bool value(Lit literal) const override { return holds_[index(literal)] != 0; }

 private:
  static std::size_t index(Lit literal) { return static_cast<std::size_t>(literal.code); }
  bool assign(Lit literal) {
    if (holds_[index(~literal)] != 0) return false;
    if (holds_[index(literal)] == 0) {
      holds_[index(literal)] = 1;
      trail_.push_back(literal);
    }
    return true;
  }
  // False: every literal of the clause is false.
  bool examine(const std::vector<Lit>& clause) {
    Lit open{};
    for (const Lit literal : clause) {
      if (value(literal)) return true;
      if (value(~literal)) continue;
      if (open.valid()) return true;
      open = literal;
    }
    return open.valid() && assign(open);
  }

  std::vector<char> holds_{};  // by literal
  std::vector<std::vector<std::size_t>> uses_{};
  std::vector<std::vector<Lit>> clauses_{};
  std::vector<Lit> trail_{};
};

}  // namespace heddle::smt::testing
