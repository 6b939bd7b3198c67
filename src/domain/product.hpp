// Several domains side by side on the same cells: each knows what it knows, and where one
// knows that a cell read by a condition has but one value, the others are told.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "domain/store.hpp"

namespace heddle::domain {

class ProductStore final : public Store {
 public:
  // By width, an expression that reads a register: a way to name a number to a component.
  using Readers = std::map<std::uint32_t, ir::ExprId>;

  // Both must outlive the store.
  ProductStore(const ir::Program& program, const Readers& readers,
               std::vector<std::unique_ptr<Store>> parts)
      : program_(&program), readers_(&readers), parts_(std::move(parts)) {}

  std::unique_ptr<Store> clone() const override;
  std::vector<Cell> cells() const override { return parts_.front()->cells(); }
  bool holds(const Cell& cell) const override { return parts_.front()->holds(cell); }
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
  void widen(const Store& newer) override;
  std::uint64_t hash() const override;

  const Store& part(std::size_t index) const { return *parts_[index]; }

 private:
  bool tell(const std::set<Cell>& cells);

  const ir::Program* program_;
  const Readers* readers_;
  std::vector<std::unique_ptr<Store>> parts_;  // at least one; in the order of the domains
};

// The program must outlive the domain. Merges states only if all parts would.
std::unique_ptr<Domain> make_product(const ir::Program& program,
                                     std::vector<std::unique_ptr<Domain>> parts);

}  // namespace heddle::domain
