// Which memory is kept as variables of its own: cells, each a scalar at a fixed place of a global
// or of the newest object of an Alloc edge. Cells are found while the program is executed; where
// accesses of different extent overlap, nothing is kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/sequential/arithmetic.hpp"
#include "ir/program.hpp"
#include "machine/memory.hpp"

namespace heddle::engine::sequential {

struct Object {
  ir::GlobalId global{};
  ir::EdgeId allocation{};  // if it is no global
  std::uint64_t size = 0;
  std::uint64_t address = 0;  // of a global
  Value base{};               // of an allocation: the address of the newest object
  ir::AllocKind kind = ir::AllocKind::model;
  ir::Contents contents = ir::Contents::zero;
  bool read_only = false;
  bool may_be_unset = false;
};

struct CellInfo {
  std::size_t object = 0;
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
  bool is_signed = false;
  Shape shape() const { return {bytes * 8, is_signed}; }
};

// Where an address leads.
struct Place {
  std::size_t object = 0;
  // Bytes from its start: a number, or several that the address may have.
  std::optional<std::uint64_t> offset{};
  Integer distance{};  // without offset: as a number
  std::uint64_t stride = 1, first = 0;
};

class MemoryMap {
 public:
  MemoryMap(const ir::Program& program, const machine::Memory& memory);

  // Anew for each set of integers.
  void make_bases(Arithmetic& arithmetic);
  const std::vector<Object>& objects() const { return objects_; }
  const std::vector<CellInfo>& cells() const { return cells_; }
  std::size_t first_allocation() const { return first_allocation_; }
  std::optional<std::size_t> object_of(ir::EdgeId allocation) const;
  std::vector<std::size_t> cells_of(std::size_t object) const;

  // nullopt: nobody knows where.
  std::optional<Place> find(Arithmetic& arithmetic, const Value& address) const;
  // The cell there; nullopt: not kept. A new one makes the map grow.
  std::optional<std::size_t> cell(std::size_t object, std::uint64_t offset, const ir::Type& type);
  // Nothing in these bytes is kept.
  void forget(std::size_t object, std::uint64_t offset, std::uint64_t bytes);
  // What the cell of a global holds at the start; nullopt: unset.
  std::optional<Wide> initial(const CellInfo& cell) const;
  bool grown() const { return grown_; }  // since the last settle()
  void settle() { grown_ = false; }

 private:
  struct Bytes {
    std::uint64_t offset = 0, size = 0;
  };
  bool forgotten(std::size_t object, std::uint64_t offset, std::uint64_t bytes) const;

  const ir::Program& program_;
  const machine::Memory& memory_;
  std::vector<Object> objects_{};  // globals, then allocations
  std::size_t first_allocation_ = 0;
  std::vector<CellInfo> cells_{};
  std::map<std::size_t, std::vector<Bytes>> forgotten_{};  // by object
  bool grown_ = false;
};

}  // namespace heddle::engine::sequential
