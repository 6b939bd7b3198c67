// Propositional satisfiability behind our own small interface. Knows nothing of
// programs; the solvers behind it are seen by this room alone.
#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "base/budget.hpp"

namespace heddle::smt {

// A propositional variable or its negation.
struct Lit {
  std::int32_t code = -1;  // 2 * variable + (1 if negated); -1: refers to nothing

  static constexpr Lit of(std::int32_t variable) { return {2 * variable}; }
  constexpr std::int32_t variable() const { return code >> 1; }
  constexpr bool negated() const { return (code & 1) != 0; }
  constexpr bool valid() const { return code >= 0; }
  constexpr Lit operator~() const { return {code ^ 1}; }
  constexpr auto operator<=>(const Lit&) const = default;
};

enum class SatAnswer {
  sat,
  unsat,
  out_of_budget,  // nothing is known
};

class Sat {
 public:
  virtual ~Sat() = default;

  virtual Lit fresh() = 0;
  virtual void add_clause(std::span<const Lit> literals) = 0;
  void add_clause(std::initializer_list<Lit> literals) {
    add_clause(std::span<const Lit>(literals.begin(), literals.size()));
  }
  // May be called again, with more clauses and other assumptions.
  virtual SatAnswer solve(std::span<const Lit> assumptions, const base::Budget& budget) = 0;
  virtual bool value(Lit literal) const = 0;  // after sat, in the assignment found

  Lit yes() const { return yes_; }  // always true
  Lit no() const { return ~yes_; }
  bool constant(Lit literal) const { return literal.variable() == yes_.variable(); }

 protected:
  Lit yes_{};  // made by the implementation's constructor
};

}  // namespace heddle::smt
