// Constrained Horn clauses over integers, with at most one predicate in a body: what has to be
// found are formulas for the predicates that make every clause true. Engines get inductive
// invariants from it. The solver behind it (Spacer in Z3) is seen by horn.cpp alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "smt/integer.hpp"

namespace heddle::smt {

struct Predicate {
  std::uint32_t number = UINT32_MAX;
  constexpr auto operator<=>(const Predicate&) const = default;
};

struct Application {
  Predicate predicate{};
  std::vector<Integer> arguments{};  // numbers; in a body: distinct variables
};

// For all values of the variables: body and constraint imply head.
struct HornClause {
  std::optional<Application> body{};  // none: true
  Integer constraint{};               // a truth value
  std::optional<Application> head{};  // none: false
};

class HornSystem {
 public:
  Predicate add_predicate(std::size_t arity);
  void add_clause(HornClause clause);

  std::size_t arity(Predicate of) const { return arities_[of.number]; }
  std::size_t predicates() const { return arities_.size(); }
  const std::vector<HornClause>& clauses() const { return clauses_; }

 private:
  std::vector<std::size_t> arities_{};
  std::vector<HornClause> clauses_{};
};

struct HornResult {
  enum class Answer {
    solved,
    refuted,        // the clauses derive false: there is no solution
    out_of_budget,  // of time or memory
    gave_up,        // the solver says no more than that
  };
  Answer answer = Answer::gave_up;
  // If solved: by predicate, a truth value over formals(predicate). Every clause holds with these,
  // as far as the solver is right.
  std::vector<Integer> solution{};
  std::vector<std::vector<Integer>> formals{};
  std::string reason{};  // why it gave up
};

// Numbers of the solution are made in `integers`. The same clauses give the same solution, but
// for where the budget ends.
HornResult solve(Integers& integers, const HornSystem& system, const base::Budget& budget);

}  // namespace heddle::smt
