// MiniSat's solver with a search of its own that asks the ordering theory after every
// round of unit propagation. Reasons of what the theory implied are built only when a
// conflict looks at them. Seen by minisat_ordering.cpp alone.
#pragma once

// MiniSat's options are older than user-defined literals, which Clang does not forgive.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wreserved-user-defined-literal"
#endif
#include <minisat/core/Solver.h>
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "smt/ordering_theory.hpp"

namespace heddle::smt {

// The codes of literals are the same on both sides.
inline Minisat::Lit to_minisat(Lit literal) { return Minisat::toLit(literal.code); }
inline Lit from_minisat(Minisat::Lit literal) { return {Minisat::toInt(literal)}; }

class MinisatSearch : private Minisat::Solver {
 public:
  Lit fresh();
  void add_clause(std::span<const Lit> literals);
  void try_true_first(Lit literal) { polarity[literal.variable()] = literal.negated(); }
  SatAnswer solve(OrderingTheory& theory, const TheoryOptions& options,
                  std::span<const Lit> assumed, const base::Budget& budget);

  // After sat.
  bool value_in_model(Lit literal) const;
  const std::vector<Node>& order() const { return order_; }
  void count_into(OrderingStatistics& statistics) const;

 private:
  enum class Step { go_on, sat, unsat, restart, out_of_budget };

  SatAnswer run(std::span<const Lit> assumed, const base::Budget& budget);
  Step search(std::uint64_t conflict_limit, std::span<const Lit> assumed,
              const base::Budget& budget);
  Minisat::CRef propagate_all();
  Minisat::CRef propagate_theory();
  Step resolve(Minisat::CRef conflict_clause);
  Step decide(std::span<const Lit> assumed);
  void learn();
  void backtrack(int target);
  void keep_model();
  void build_reasons(Minisat::CRef conflict_clause);
  Minisat::CRef clause_of_conflict();
  int fall_to_conflict(Minisat::CRef conflict_clause);
  bool out_of(const base::Budget& budget);

  // minisat_probing.cpp
  bool wants_probing() const;
  Step probe(const base::Budget& budget);
  Step probe(Minisat::Lit literal, std::vector<char>& reached);
  Minisat::Var dominator_of(Minisat::Var variable);
  bool wants_binary(Minisat::Lit first, Minisat::Lit second);
  std::vector<char> implied_by_binaries() const;

  OrderingTheory* theory_ = nullptr;  // while solving
  TheoryOptions options_{};
  int theory_head_ = 0;                        // the theory knows the trail up to here
  std::vector<std::int64_t> theory_reason_{};  // per variable: of the theory, or -1
  std::vector<Minisat::CRef> borrowed_{};      // clauses built for one conflict
  std::vector<Lit> scratch_{};
  std::vector<char> visited_{};  // per variable, within build_reasons
  Minisat::vec<Minisat::Lit> clause_{};
  std::uint64_t steps_ = 0;
  std::vector<Node> order_{};

  std::uint64_t next_probing_ = 0;  // not before so many conflicts
  std::uint64_t probings_ = 0;
  int next_probe_ = 0;  // the code of the literal probed last
  std::uint64_t failed_literals_ = 0;
  std::uint64_t hyper_binaries_ = 0;
  std::vector<Minisat::Var> parent_{};  // per variable that a probe implied: its dominator
  std::vector<std::uint32_t> depth_{};
};

}  // namespace heddle::smt
