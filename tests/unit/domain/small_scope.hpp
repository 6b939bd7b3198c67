// A program of a few registers, each of which is a cell, for tests of single domains.
#pragma once

#include <map>

#include "domain/store.hpp"
#include "ir/builder.hpp"

namespace heddle::testing {

struct SmallProgram {
  ir::ProgramBuilder b{ir::DataModel::lp64};
  ir::TypeId i32 = b.int_type(32, true), u32 = b.int_type(32, false), u8 = b.int_type(8, false);
  ir::TypeId i8 = b.int_type(8, true);
  ir::FunId f =
      b.declare_function("f", b.function_type(b.void_type(), {}, false), ir::Origin::user);

  ir::RegId var(ir::TypeId type) { return b.add_register(f, "r", type); }
  ir::ExprId num(ir::TypeId type, std::int64_t value) {
    return b.constant(type, static_cast<std::uint64_t>(value));
  }
  ir::ExprId less(ir::ExprId left, ir::ExprId right) { return b.binary(ir::Op::lt, left, right); }
  ir::ExprId plus(ir::ExprId left, ir::ExprId right) { return b.binary(ir::Op::add, left, right); }

  ir::Program finish() {
    const ir::LocId entry = b.add_location(f);
    b.set_function_entry(f, entry);
    b.add_edge(entry, entry, ir::Return{}, {});
    b.set_entry(f);
    b.set_main(f);
    return std::move(b).finish();
  }
};

inline domain::Cell cell_of(const ir::Program& program, ir::RegId reg) {
  domain::Cell cell;
  cell.width = static_cast<std::uint8_t>(program.type(program.reg(reg).type).width);
  cell.place = program.reg(reg).index;
  return cell;
}

inline domain::Cell word(std::uint64_t address, std::uint8_t width = 32) {
  domain::Cell cell;
  cell.kind = domain::Cell::Kind::memory;
  cell.width = width;
  cell.place = address;
  return cell;
}

class AllCells final : public domain::Scope {
 public:
  explicit AllCells(const ir::Program& program) : program_(program) {}
  domain::Operand reg(ir::RegId id) const override {
    const auto found = known.find(id);
    if (found != known.end()) return found->second;
    return cell_of(program_, id);
  }
  std::uint64_t global(ir::GlobalId id) const override { return 0x1000 + 16 * id.value; }
  std::uint64_t function(ir::FunId id) const override { return 0x100 + 16 * id.value; }

  std::map<ir::RegId, std::uint64_t> known{};

 private:
  const ir::Program& program_;
};

}  // namespace heddle::testing
