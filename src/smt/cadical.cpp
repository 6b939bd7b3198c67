#include "smt/cadical.hpp"

#include <cadical.hpp>
#include <cstdint>
#include <vector>

#include "base/check.hpp"

namespace heddle::smt {
namespace {

class BudgetTerminator final : public CaDiCaL::Terminator {
 public:
  explicit BudgetTerminator(const base::Budget& budget) : budget_(budget) {}
  bool terminate() override {
    ++calls_;
    stopped_ = stopped_ || budget_.out_of_time() || (calls_ % 1024 == 0 && budget_.out_of_memory());
    return stopped_;
  }

 private:
  const base::Budget& budget_;
  std::uint64_t calls_ = 0;
  bool stopped_ = false;
};

class Cadical final : public Sat {
 public:
  explicit Cadical(Effort effort) : effort_(effort) {
    solver_.set("quiet", 1);
    yes_ = Cadical::fresh();
    solver_.add(number(yes_));
    solver_.add(0);
  }

  Lit fresh() override { return Lit::of(variables_++); }

  void add_clause(std::span<const Lit> literals) override {
    for (const Lit literal : literals) solver_.add(number(literal));
    solver_.add(0);
  }

  SatAnswer solve(std::span<const Lit> assumptions, const base::Budget& budget) override {
    if (budget.out_of_time() || budget.out_of_memory()) return SatAnswer::out_of_budget;
    for (const Lit literal : assumptions) solver_.assume(number(literal));
    if (effort_.conflicts >= 0) solver_.limit("conflicts", effort_.conflicts);
    BudgetTerminator terminator(budget);
    solver_.connect_terminator(&terminator);
    const int answer = solver_.solve();
    solver_.disconnect_terminator();
    if (answer == unsatisfiable) return SatAnswer::unsat;
    if (answer != satisfiable) return SatAnswer::out_of_budget;
    model_.assign(static_cast<std::size_t>(variables_), 0);
    // Variables that no clause ever named are unknown to the solver: any value does.
    for (std::int32_t at = 0; at < variables_ && at < solver_.vars(); ++at)
      model_[static_cast<std::size_t>(at)] = solver_.val(at + 1) > 0;
    return SatAnswer::sat;
  }

  bool value(Lit literal) const override {
    const auto at = static_cast<std::size_t>(literal.variable());
    CHECK(literal.valid() && at < model_.size(), "the literal was there when solving");
    return (model_[at] != 0) != literal.negated();
  }

 private:
  static constexpr int satisfiable = 10;  // as the IPASIR interface says
  static constexpr int unsatisfiable = 20;

  int number(Lit literal) const {
    CHECK(literal.valid() && literal.variable() < variables_, "literals are of existing variables");
    return literal.negated() ? -(literal.variable() + 1) : literal.variable() + 1;
  }

  Effort effort_;
  CaDiCaL::Solver solver_{};
  std::int32_t variables_ = 0;
  std::vector<char> model_{};
};

}  // namespace

std::unique_ptr<Sat> make_cadical(Effort effort) { return std::make_unique<Cadical>(effort); }

}  // namespace heddle::smt
