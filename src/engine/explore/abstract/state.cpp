#include "engine/explore/abstract/state.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::engine::explore {

using domain::Cell;

Cell memory_cell(const Extent& extent) {
  return {Cell::Kind::memory, static_cast<std::uint8_t>(8 * extent.size), 0, 0, extent.address};
}

Cell register_cell(const ir::Program& program, ThreadNumber thread, std::size_t frame,
                   ir::RegId reg) {
  const ir::Register& found = program.reg(reg);
  return {Cell::Kind::reg, static_cast<std::uint8_t>(program.type(found.type).width), thread,
          static_cast<std::uint32_t>(frame), found.index};
}

std::vector<Extent>::iterator AbstractState::first_overlap(const Extent& extent) {
  return std::find_if(extents_.begin(), extents_.end(), [&](const Extent& cell) {
    return cell.address < extent.end() && extent.address < cell.end();
  });
}

bool AbstractState::overlaps(const Extent& extent) const {
  return std::any_of(extents_.begin(), extents_.end(), [&](const Extent& cell) {
    return cell.address < extent.end() && extent.address < cell.end();
  });
}

bool AbstractState::holds(const Extent& extent) const {
  return std::binary_search(extents_.begin(), extents_.end(), extent);
}

void AbstractState::blank(const machine::Machine& machine, const Extent& extent,
                          std::uint64_t bits) {
  const auto place = machine.memory().find(known_, extent.address);
  CHECK(place && place->index, "a cell lies in a live object");
  machine::Memory::write(known_, *place, extent.size, bits, ~std::uint64_t{0});
}

void AbstractState::make_cell(const machine::Machine& machine, const Extent& extent) {
  if (!holds(extent)) {
    break_cells(machine, extent);
    extents_.insert(std::lower_bound(extents_.begin(), extents_.end(), extent), extent);
  }
  blank(machine, extent, 0);
}

void AbstractState::forget_cell(const Extent& extent) {
  const auto at = std::lower_bound(extents_.begin(), extents_.end(), extent);
  if (at == extents_.end() || *at != extent) return;
  extents_.erase(at);
  store_->forget(memory_cell(extent));
}

void AbstractState::break_cells(const machine::Machine& machine, const Extent& extent) {
  std::vector<Extent> outside;  // single bytes of broken cells
  for (auto at = first_overlap(extent); at != extents_.end(); at = first_overlap(extent)) {
    const Extent broken = *at;
    forget_cell(broken);
    for (Address byte = broken.address; byte < broken.end(); ++byte)
      if (byte < extent.address || byte >= extent.end()) outside.push_back({byte, 1});
  }
  for (const Extent& byte : outside) {
    make_cell(machine, byte);
    store_->havoc(memory_cell(byte), 0);
  }
}

void AbstractState::forget_dead(const machine::Machine& machine) {
  for (std::size_t i = extents_.size(); i-- > 0;)
    if (!machine.memory().find(known_, extents_[i].address)) forget_cell(Extent(extents_[i]));
  for (const Cell& cell : store_->cells())
    if (cell.kind == Cell::Kind::reg && cell.frame >= known_.thread(cell.thread).frames.size())
      store_->forget(cell);
}

void AbstractState::lift(const machine::Machine& machine, const Extent& extent) {
  const auto place = machine.memory().find(known_, extent.address);
  CHECK(place && place->index, "only a live object has bytes to lift");
  const machine::RawValue raw = machine::Memory::read(*place, extent.size);
  make_cell(machine, extent);
  store_->set(memory_cell(extent), raw.bits);
}

void AbstractState::settle(const machine::Machine& machine, const Extent& extent,
                           std::uint64_t bits) {
  forget_cell(extent);
  blank(machine, extent, bits);
}

}  // namespace heddle::engine::explore
