// A relation over small cells: exactly which combinations of their values are possible, as a
// decision diagram. A cell of at most eight bits is always small, a wider one as long as all
// its values are near zero; other cells can have any value.
//
// Expressions are not turned into diagrams. They are computed, by the one arithmetic, for
// every combination of the values of the cells that they read; where there are too many, the
// result is unknown.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "domain/store.hpp"
#include "smt/bdd.hpp"

namespace heddle::domain {

// Which variables of the diagrams stand for which cell.
class BddSlots {
 public:
  static constexpr int bits = 8;
  static constexpr int count = smt::Bdd::variables / bits;

  // The same for all stores of the domain; nullopt: there was no room for the cell.
  std::optional<int> slot(const Cell& cell);
  // Rising. Bits of one rank are neighbours, so that comparisons stay small.
  static std::vector<int> variables(int slot, std::uint32_t width);
  static constexpr int scratch = 0;

 private:
  std::map<Cell, std::optional<int>> slots_{};
  int next_ = scratch + 1;
};

class BddStore final : public Store {
 public:
  // Both must outlive the store.
  BddStore(const ir::Program& program, BddSlots& slots)
      : program_(&program), slots_(&slots), relation_(smt::Bdd::yes()) {}

  std::unique_ptr<Store> clone() const override { return std::make_unique<BddStore>(*this); }

  std::vector<Cell> cells() const override;
  bool holds(const Cell& cell) const override { return cells_.contains(cell); }
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
  bool covers(const Store& other) const override;
  void join(const Store& other) override;
  void widen(const Store& newer) override { join(newer); }  // there are finitely many relations
  std::uint64_t hash() const override;

 private:
  enum class Tracking { related, unknown };
  static constexpr std::size_t most_nodes = 50'000;
  // The value as the bits in the relation; nullopt: it is not near zero.
  static std::optional<std::uint64_t> encoded(std::uint32_t width, std::uint64_t value);
  using Tuple = std::map<Cell, std::uint64_t>;  // values of related cells
  // Combinations of values: as they are, and as assignments of the variables.
  struct Tuples {
    std::vector<int> variables{};
    std::vector<std::uint64_t> listed{};
    std::vector<Tuple> values{};
  };
  // The value for a tuple; nullopt: any of the width.
  using Function = std::function<std::optional<std::uint64_t>(const Tuple&)>;
  struct Case {
    std::optional<std::uint64_t> value{};
    smt::Bdd when{};  // over the variables of the cells read
  };

  bool related(const Cell& cell) const {
    const auto found = cells_.find(cell);
    return found != cells_.end() && found->second == Tracking::related;
  }
  std::vector<int> variables(const Cell& cell) const;
  std::optional<smt::Bdd> cube(const Cell& cell, int slot, std::uint64_t value) const;
  // All combinations of the cells' values; nullopt: too many.
  std::optional<Tuples> tuples(const std::set<Cell>& read) const;
  std::optional<std::vector<Case>> cases(const std::set<Cell>& read, const Function& value) const;
  void compute(const Cell& to, const std::set<Cell>& read, const Function& value);
  bool keep(const std::set<Cell>& read, const Function& truth);
  void make_any(const Cell& cell);
  // The cell that an expression merely reads, if a cell of this width can become a copy of it.
  std::optional<Cell> copied(ir::ExprId expr, const Scope& scope, std::uint32_t width) const;
  bool copy(const Cell& to, const Cell& from);
  void make_unknown(const Cell& cell);
  void drop(const Cell& cell);  // from the relation
  bool assign_cases(const Cell& to, const std::vector<Case>& cases);
  std::optional<std::set<std::uint64_t>> values_of(const std::set<Cell>& read,
                                                   const Function& value) const;

  const ir::Program* program_;
  BddSlots* slots_;
  std::map<Cell, Tracking> cells_{};
  smt::Bdd relation_;
};

// The program must outlive the domain.
std::unique_ptr<Domain> make_bdd(const ir::Program& program);

}  // namespace heddle::domain
