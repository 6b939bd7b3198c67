// A state of the machine in which some scalars are not one known number: those are
// cells of a domain's store. A cell's place in the machine's state holds zero, so that
// two states with the same cells differ there only in their stores.
//
// Pointers are never cells: where one may have several values, the search looks at
// each of them. So every address has one meaning, the machine's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "domain/store.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::explore {

using machine::Address;
using machine::ThreadNumber;

// Bytes in memory.
struct Extent {
  Address address = 0;
  std::uint32_t size = 0;  // at most 8
  Address end() const { return address + size; }
  auto operator<=>(const Extent&) const = default;
};

domain::Cell memory_cell(const Extent& extent);
domain::Cell register_cell(const ir::Program& program, ThreadNumber thread, std::size_t frame,
                           ir::RegId reg);

class AbstractState {
 public:
  AbstractState(machine::State known, std::unique_ptr<domain::Store> store)
      : known_(std::move(known)), store_(std::move(store)) {}
  AbstractState(const AbstractState& other)
      : known_(other.known_), store_(other.store_->clone()), extents_(other.extents_) {}
  AbstractState(AbstractState&&) noexcept = default;
  AbstractState& operator=(AbstractState&&) noexcept = default;

  machine::State& known() { return known_; }
  const machine::State& known() const { return known_; }
  domain::Store& store() { return *store_; }
  const domain::Store& store() const { return *store_; }

  // Cells in memory. They do not overlap.
  const std::vector<Extent>& extents() const { return extents_; }  // by rising address
  bool overlaps(const Extent& extent) const;
  bool holds(const Extent& extent) const;

  // The bytes become a cell that the caller has written, or will; what other cells know about them
  // is forgotten. `memory` must outlive the call only.
  void make_cell(const machine::Machine& machine, const Extent& extent);
  // The bytes are no cell any more.
  void forget_cell(const Extent& extent);
  // Bytes of the extent that belong to a cell which reaches beyond it: what that cell knows is
  // lost, and its other bytes may hold anything.
  void break_cells(const machine::Machine& machine, const Extent& extent);
  // Registers of frames, and bytes of objects, that exist no more.
  void forget_dead(const machine::Machine& machine);

  // The value of the bytes moves from the machine's state to a cell; they must be set.
  void lift(const machine::Machine& machine, const Extent& extent);
  // And back: the cell has this one value.
  void settle(const machine::Machine& machine, const Extent& extent, std::uint64_t bits);

 private:
  void blank(const machine::Machine& machine, const Extent& extent, std::uint64_t bits);
  std::vector<Extent>::iterator first_overlap(const Extent& extent);

  machine::State known_;
  std::unique_ptr<domain::Store> store_;
  std::vector<Extent> extents_{};
};

}  // namespace heddle::engine::explore
