// Stores that know each cell on its own (and copies of one another), over any lattice of
// values.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/access.hpp"
#include "domain/cells.hpp"
#include "domain/filter.hpp"
#include "domain/reading.hpp"
#include "domain/store.hpp"

namespace heddle::domain {

template <Lattice L>
class NonRelational final : public Store {
 public:
  using Value = typename L::Value;

  // Both must outlive the store.
  NonRelational(const ir::Program& program, const L& lattice)
      : program_(&program), lattice_(&lattice), cells_(lattice) {}

  std::unique_ptr<Store> clone() const override { return std::make_unique<NonRelational>(*this); }

  std::vector<Cell> cells() const override {
    std::vector<Cell> result;
    for (const auto& entry : cells_.entries()) result.push_back(entry.cell);
    return result;
  }
  bool holds(const Cell& cell) const override { return cells_.find(cell) != nullptr; }
  void forget(const Cell& cell) override { cells_.erase(cell); }

  void set(const Cell& cell, std::uint64_t bits) override {
    cells_.write(cell, lattice_->constant(cell.width, bits));
  }
  void havoc(const Cell& cell, std::uint64_t limit) override {
    Value value = lattice_->top(cell.width);
    if (limit != 0 && limit <= smt::mask_of(cell.width))
      value = *lattice_->restrict_left(Order::unsigned_less, value,
                                       lattice_->constant(cell.width, limit));
    cells_.write(cell, value);
  }
  void assign(const Cell& to, ir::ExprId value, const Scope& scope) override {
    Reading<L> reading = reader(scope);
    if (const std::optional<Cell> from = reading.cell(value); from && from->width == to.width)
      cells_.copy(to, *from);
    else
      cells_.write(to, lattice_->resize_unsigned(reading(value), to.width));
  }
  void load(const Cell& to, const Cell& memory, ir::TypeId type, ir::BitRange bits) override {
    const ir::Type& accessed = program_->type(type);
    if (bits.whole() && accessed.width == memory.width && memory.width == to.width)
      return cells_.copy(to, memory);
    const Value value =
        Access<const L>(*lattice_).loaded(memory, cells_.value(memory), accessed, bits);
    cells_.write(to, lattice_->resize_unsigned(value, to.width));
  }
  void store(const Cell& memory, ir::TypeId type, ir::BitRange bits, ir::ExprId value,
             const Scope& scope) override {
    Reading<L> reading = reader(scope);
    const std::optional<Cell> from = reading.cell(value);
    if (from && bits.whole() && program_->type(type).width == memory.width &&
        from->width == memory.width)
      return cells_.copy(memory, *from);
    std::optional<Value> unit;
    if (holds(memory)) unit = cells_.value(memory);
    cells_.write(memory, Access<const L>(*lattice_).stored(memory, unit, bits, reading(value)));
  }
  void update(const Cell& memory, ir::TypeId type, ir::RmwOp op, const Operand& before,
              ir::ExprId operand, const Scope& scope) override {
    Reading<L> reading = reader(scope);
    const std::uint32_t width = program_->type(type).width;
    const Value old = reading.read(before, width);
    const Value by = lattice_->resize_unsigned(reading(operand), width);
    const Value result = Access<const L>(*lattice_).updated(op, old, by);
    cells_.write(memory, lattice_->resize_unsigned(result, memory.width));
  }

  bool assume(ir::ExprId condition, const Scope& scope) override {
    return Filter<L>(*program_, *lattice_, cells_, scope)
        .require(condition, lattice_->constant(1, 1));
  }
  bool assume(Equality equality, const Operand& left, ir::ExprId right,
              const Scope& scope) override {
    Filter<L> filter(*program_, *lattice_, cells_, scope);
    const bool equal = equality == Equality::equal;
    if (const auto* cell = std::get_if<Cell>(&left))
      return equal ? filter.require_equal(*cell, right) : filter.require_different(*cell, right);
    const std::uint64_t bits = std::get<std::uint64_t>(left);
    if (!equal) return filter.require_other(right, bits);
    const std::uint32_t width = program_->type(program_->expr(right).type).width;
    return filter.require(right, lattice_->constant(width, bits));
  }

  std::optional<std::uint64_t> known(ir::ExprId expr, const Scope& scope) const override {
    return lattice_->constant_of(reader(scope)(expr));
  }
  std::optional<std::uint64_t> known(const Cell& cell) const override {
    return lattice_->constant_of(cells_.value(cell));
  }
  std::optional<std::vector<std::uint64_t>> values(ir::ExprId expr, const Scope& scope,
                                                   std::size_t at_most) const override {
    return lattice_->values(reader(scope)(expr), at_most);
  }

  bool covers(const Store& other) const override { return cells_.covers(same_kind(other)); }
  void join(const Store& other) override {
    cells_.merge(same_kind(other),
                 [&](const Value& a, const Value& b) { return lattice_->join(a, b); });
  }
  void widen(const Store& newer) override {
    cells_.merge(same_kind(newer),
                 [&](const Value& a, const Value& b) { return lattice_->widen(a, b); });
  }
  std::uint64_t hash() const override { return cells_.hash(); }

  // What is known of a cell.
  Value value(const Cell& cell) const { return cells_.value(cell); }

 private:
  static const Cells<L>& same_kind(const Store& other) {
    const auto* store = dynamic_cast<const NonRelational*>(&other);
    CHECK(store != nullptr, "both stores are of one domain");
    return store->cells_;
  }
  Reading<L> reader(const Scope& scope) const {
    return Reading<L>(*program_, *lattice_, cells_, scope);
  }

  const ir::Program* program_;
  const L* lattice_;
  Cells<L> cells_;
};

template <Lattice L>
class NonRelationalDomain final : public Domain {
 public:
  // The program must outlive the domain.
  NonRelationalDomain(std::string name, Merge merge, const ir::Program& program, L lattice)
      : name_(std::move(name)), merge_(merge), program_(program), lattice_(std::move(lattice)) {}

  std::string_view name() const override { return name_; }
  std::unique_ptr<Store> initial() override {
    return std::make_unique<NonRelational<L>>(program_, lattice_);
  }
  Merge merge() const override { return merge_; }

 private:
  std::string name_;
  Merge merge_;
  const ir::Program& program_;
  L lattice_;
};

}  // namespace heddle::domain
