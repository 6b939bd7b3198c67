// Cells as terms over inputs, under the conditions on the inputs that the path has
// assumed. Nothing is lost but floating-point arithmetic, so a model of the conditions is an
// execution.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "domain/path_solver.hpp"
#include "domain/store.hpp"

namespace heddle::domain {

class TermMatch;

// What a havoc made. The value is fixed once no cell depends on the input any more, or the path
// leaves it no choice.
struct Input {
  smt::Term variable{};
  std::optional<std::uint64_t> fixed{};
};

class SymbolicStore final : public Store {
 public:
  // Both must outlive the store.
  SymbolicStore(const ir::Program& program, PathSolver& solver)
      : program_(&program), solver_(&solver) {}

  std::unique_ptr<Store> clone() const override { return std::make_unique<SymbolicStore>(*this); }

  std::vector<Cell> cells() const override;
  bool holds(const Cell& cell) const override { return find(cell) != nullptr; }
  void forget(const Cell& cell) override;
  void set(const Cell& cell, std::uint64_t bits) override;
  void havoc(const Cell& cell, std::uint64_t limit) override;
  void assign(const Cell& to, ir::ExprId value, const Scope& scope) override;
  void load(const Cell& to, const Cell& memory, ir::TypeId type, ir::BitRange bits) override;
  void store(const Cell& memory, ir::TypeId type, ir::BitRange bits, ir::ExprId value,
             const Scope& scope) override;
  void update(const Cell& memory, ir::TypeId type, ir::RmwOp op, const Operand& before,
              ir::ExprId operand, const Scope& scope) override;

  bool assume(ir::ExprId condition, const Scope& scope) override;
  bool assume(Equality equality, const Operand& left, ir::ExprId right,
              const Scope& scope) override;
  std::optional<std::uint64_t> known(ir::ExprId expr, const Scope& scope) const override;
  std::optional<std::uint64_t> known(const Cell& cell) const override;
  std::optional<std::vector<std::uint64_t>> values(ir::ExprId expr, const Scope& scope,
                                                   std::size_t at_most) const override;

  // Sound, not complete: where our inputs can be matched with terms of the other's.
  bool covers(const Store& other) const override;
  // Cells that differ become new, unconditioned variables: the price of a join here.
  void join(const Store& other) override;
  void widen(const Store& newer) override { join(newer); }
  std::uint64_t hash() const override;

  // ---- what this domain alone can say ----
  const std::vector<Input>& inputs() const { return inputs_; }  // in the order of the havocs
  // A value for every input, in order, so that the path is taken; nullopt: nobody knows.
  std::optional<std::vector<std::uint64_t>> solve() const;
  // The store holds more than what can happen: what a model says proves nothing.
  bool inexact() const { return inexact_; }
  smt::Term term(const Cell& cell) const;
  const std::vector<smt::Term>& path() const { return path_; }

 private:
  class Leaves;
  struct Entry {
    Cell cell{};
    smt::Term term{};
  };

  smt::Terms& terms() const { return solver_->terms(); }
  const Entry* find(const Cell& cell) const;
  void write(const Cell& cell, smt::Term term);
  smt::Term translate(ir::ExprId expr, const Scope& scope);
  bool add_condition(smt::Term condition);
  // The variable that a condition leaves but one value, and that value.
  std::optional<std::pair<smt::Term, std::uint64_t>> decided_by(smt::Term condition) const;
  bool fix_decided();
  bool substitute(smt::Term variable, std::uint64_t value);
  smt::SatAnswer possible(smt::Term condition, smt::Model& model) const;
  std::optional<std::uint64_t> only_value(smt::Term term) const;
  bool varies(smt::Term term) const;
  std::vector<smt::Term> cell_terms() const;
  bool match_path(const SymbolicStore& other, TermMatch& match) const;
  bool implies(smt::Term condition) const;
  // Drops conditions on inputs that no cell depends on, once their values are fixed.
  void tidy() const;

  const ir::Program* program_;
  PathSolver* solver_;
  std::vector<Entry> entries_{};  // by cell
  mutable std::vector<smt::Term> path_{};
  mutable std::vector<Input> inputs_{};
  // Makes the path true, unless the solver gave up once.
  mutable smt::Model model_{};
  bool inexact_ = false;
  mutable bool tidy_ = true;
};

class SymbolicDomain final : public Domain {
 public:
  // The program must outlive the domain.
  explicit SymbolicDomain(const ir::Program& program, smt::Effort effort = {20'000})
      : program_(program), solver_(effort) {}

  std::string_view name() const override { return "symbolic"; }
  std::unique_ptr<Store> initial() override {
    return std::make_unique<SymbolicStore>(program_, solver_);
  }
  Merge merge() const override { return Merge::separate; }

  // When it is used up, or a question takes too much effort, the answer is the one that loses
  // nothing.
  void set_budget(const base::Budget& budget) { solver_.set_budget(budget); }
  const PathSolver::Statistics& statistics() const { return solver_.statistics(); }

 private:
  const ir::Program& program_;
  PathSolver solver_;
};

}  // namespace heddle::domain
