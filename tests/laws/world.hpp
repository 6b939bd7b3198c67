// A program of nothing but registers and random expressions over them, and cells for the
// registers and some memory: what the laws of the domains are tried on. Concrete values
// are computed by the machine.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "domain/store.hpp"
#include "generate/rng.hpp"
#include "ir/builder.hpp"
#include "machine/evaluate.hpp"

namespace heddle::laws {

using domain::Cell;
using generate::Rng;

// What every cell holds.
using Assignment = std::map<Cell, std::uint64_t>;

struct MemoryCell {
  Cell cell{};
  ir::TypeId type{};    // accessed
  ir::BitRange bits{};  // accessed
  ir::RegId reg{};      // of the type
};

enum class Widths { all, small };

class World {
 public:
  World(Rng& rng, Widths widths);

  const ir::Program& program() const { return *program_; }
  const std::vector<ir::RegId>& registers() const { return registers_; }
  const std::vector<MemoryCell>& memory() const { return memory_; }
  const std::vector<ir::ExprId>& exprs() const { return exprs_; }            // of any scalar type
  const std::vector<ir::ExprId>& conditions() const { return conditions_; }  // boolean

  Cell cell(ir::RegId reg) const;
  std::vector<Cell> cells() const;  // of all registers and of memory
  const ir::Type& type_of(ir::ExprId id) const { return program_->type(program_->expr(id).type); }
  std::vector<ir::ExprId> exprs_of(ir::TypeId type) const;
  ir::ExprId read(ir::RegId reg) const { return reads_.at(reg); }

  // The value under an assignment, by the machine.
  std::uint64_t value(ir::ExprId id, const Assignment& assignment) const;
  static std::uint64_t number(Rng& rng, std::uint32_t width);  // often near a border

  // Registers whose cells are in `known` count as known, all others as cells.
  class CellScope final : public domain::Scope {
   public:
    explicit CellScope(const World& world, Assignment known = {})
        : world_(world), known_(std::move(known)) {}
    domain::Operand reg(ir::RegId id) const override;
    std::uint64_t global(ir::GlobalId id) const override { return world_.layout_->global(id); }
    std::uint64_t function(ir::FunId id) const override { return world_.layout_->function(id); }

   private:
    const World& world_;
    Assignment known_;
  };
  CellScope scope() const { return CellScope(*this); }

 private:
  void make_types(Rng& rng, Widths widths);
  void make_memory(Rng& rng, Widths widths);
  ir::ExprId leaf(Rng& rng, ir::TypeId type);
  ir::ExprId expr(Rng& rng, ir::TypeId type, int depth);
  ir::ExprId number_expr(Rng& rng, ir::TypeId type, int depth);
  ir::ExprId pointer_expr(Rng& rng, ir::TypeId type, int depth);
  ir::ExprId condition(Rng& rng, int depth);

  ir::ProgramBuilder builder_;
  std::optional<ir::Program> program_{};
  std::optional<machine::Layout> layout_{};
  ir::FunId function_{};
  std::vector<ir::TypeId> types_{};
  ir::TypeId pointer_{}, record_pointer_{}, int_pointer_{}, int_{};
  std::vector<ir::RegId> registers_{};
  std::vector<MemoryCell> memory_{};
  std::map<ir::RegId, ir::ExprId> reads_{};
  std::vector<ir::ExprId> exprs_{}, conditions_{};
};

}  // namespace heddle::laws
