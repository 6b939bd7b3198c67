#include "engine/explore/abstract/merging.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::engine::explore {
namespace {

using domain::Cell;

// Where two states that stand at the same locations hold different numbers.
class Difference {
 public:
  Difference(const AbstractState& one, const AbstractState& other, const AccessMap& accesses,
             const machine::Machine& machine)
      : one_(one), other_(other), accesses_(accesses), program_(machine.program()) {}

  // The cells that both states need to differ in cells only.
  std::optional<CellList> cells() {
    found_ = one_.store().cells();
    const CellList theirs = other_.store().cells();
    found_.insert(found_.end(), theirs.begin(), theirs.end());
    const machine::State &left = one_.known(), &right = other_.known();
    if (left.thread_count() != right.thread_count() || left.holder() != right.holder() ||
        left.over() != right.over())
      return std::nullopt;
    for (ThreadNumber thread = 0; thread < left.thread_count(); ++thread)
      if (!compare(thread, left.thread(thread), right.thread(thread))) return std::nullopt;
    if (!compare(left.objects(), right.objects())) return std::nullopt;
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

 private:
  bool compare(ThreadNumber thread, const machine::Thread& left, const machine::Thread& right) {
    if (left.atomic_depth != right.atomic_depth || left.frames.size() != right.frames.size())
      return false;
    for (std::size_t i = 0; i < left.frames.size(); ++i) {
      if (left.frames[i] == right.frames[i]) continue;
      if (!compare(thread, i, *left.frames[i], *right.frames[i])) return false;
    }
    return true;
  }

  bool compare(ThreadNumber thread, std::size_t depth, const machine::Frame& left,
               const machine::Frame& right) {
    if (left.function != right.function || left.at != right.at || left.result != right.result ||
        left.stack_objects != right.stack_objects)
      return false;
    const std::vector<ir::RegId>& registers = program_.function(left.function).registers;
    for (std::size_t i = 0; i < registers.size(); ++i) {
      if (left.registers[i] == right.registers[i]) continue;
      if (program_.type(program_.reg(registers[i]).type).kind == ir::TypeKind::pointer)
        return false;
      found_.push_back(register_cell(program_, thread, depth, registers[i]));
    }
    return true;
  }

  bool compare(const std::vector<machine::ObjectEntry>& left,
               const std::vector<machine::ObjectEntry>& right) {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i].base != right[i].base) return false;
      if (left[i].object == right[i].object) continue;
      if (!compare(left[i].base, *left[i].object, *right[i].object)) return false;
    }
    return true;
  }

  bool compare(Address base, const machine::Object& left, const machine::Object& right) {
    if (left.kind != right.kind || left.global != right.global ||
        left.allocated_at != right.allocated_at || left.bytes.size() != right.bytes.size())
      return false;
    const auto set = [](const machine::Object& object, std::size_t i) {
      return object.set.empty() ? std::uint8_t{0xff} : object.set[i];
    };
    for (std::size_t i = 0; i < left.bytes.size(); ++i) {
      if (left.bytes[i] == right.bytes[i] && set(left, i) == set(right, i)) continue;
      if (in_cell(base + i)) continue;
      const auto part = accesses_.number_at(Variable::of(left), i);
      if (!part) return false;
      found_.push_back(memory_cell({base + part->offset, part->size}));
    }
    return true;
  }

  bool in_cell(Address byte) const {
    return one_.overlaps({byte, 1}) || other_.overlaps({byte, 1});
  }

  const AbstractState& one_;
  const AbstractState& other_;
  const AccessMap& accesses_;
  const ir::Program& program_;
  CellList found_{};
};

bool lift_register(AbstractState& state, const Cell& cell) {
  if (cell.thread >= state.known().thread_count()) return false;
  machine::Thread& thread = state.known().write_thread(cell.thread);
  if (cell.frame >= thread.frames.size()) return false;
  machine::Frame& frame = thread.frames[cell.frame].write();
  if (cell.place >= frame.registers.size()) return false;
  state.store().set(cell, std::exchange(frame.registers[cell.place], 0));
  return true;
}

bool lift_memory(AbstractState& state, const Cell& cell, const machine::Machine& machine) {
  const Extent extent{cell.place, static_cast<std::uint32_t>(cell.width / 8)};
  if (state.overlaps(extent)) return false;
  const auto place = machine.memory().find(state.known(), extent.address);
  if (!place || !place->index || place->offset + extent.size > place->object->bytes.size())
    return false;
  const machine::RawValue raw = machine::Memory::read(*place, extent.size);
  const std::uint64_t all =
      cell.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << cell.width) - 1;
  if ((raw.set & all) != all) return false;
  state.lift(machine, extent);
  return true;
}

}  // namespace

void AccessMap::note(Variable object, std::uint64_t offset, std::uint32_t size, Use use) {
  std::map<std::uint64_t, Entry>& entries = entries_[object];
  const auto at = entries.find(offset);
  if (at != entries.end() && at->second.size == size) {
    if (use == Use::untouched) at->second.use = use;
    return;
  }
  // Accesses that overlap in part: nothing of this belongs to one number.
  auto first = entries.lower_bound(offset);
  if (first != entries.begin() && std::prev(first)->first + std::prev(first)->second.size > offset)
    --first;
  for (; first != entries.end() && first->first < offset + size; ++first) {
    first->second.use = use = Use::untouched;
    size = static_cast<std::uint32_t>(
        std::max<std::uint64_t>(size, first->first + first->second.size - offset));
  }
  Entry& entry = entries[offset];
  entry = {std::max(entry.size, size), use};
}

std::optional<AccessMap::Part> AccessMap::number_at(Variable object, std::uint64_t offset) const {
  const auto entries = entries_.find(object);
  if (entries == entries_.end()) return std::nullopt;
  auto at = entries->second.upper_bound(offset);
  if (at == entries->second.begin()) return std::nullopt;
  --at;
  if (at->first + at->second.size <= offset || at->second.use != Use::number) return std::nullopt;
  return Part{at->first, at->second.size};
}

bool lift_to(AbstractState& state, const CellList& cells, const machine::Machine& machine) {
  const CellList own = state.store().cells();
  if (!std::includes(cells.begin(), cells.end(), own.begin(), own.end())) return false;
  for (const Cell& cell : cells) {
    if (std::binary_search(own.begin(), own.end(), cell)) continue;
    const bool lifted = cell.kind == Cell::Kind::reg ? lift_register(state, cell)
                                                     : lift_memory(state, cell, machine);
    if (!lifted) return false;
  }
  return true;
}

std::optional<AbstractState> combine(const AbstractState& older, const AbstractState& newer,
                                     Combine how, const AccessMap& accesses,
                                     const machine::Machine& machine) {
  const auto cells = Difference(older, newer, accesses, machine).cells();
  if (!cells) return std::nullopt;
  AbstractState one = older, other = newer;
  if (!lift_to(one, *cells, machine) || !lift_to(other, *cells, machine)) return std::nullopt;
  if (!(one.known() == other.known())) return std::nullopt;
  if (how == Combine::join)
    one.store().join(other.store());
  else
    one.store().widen(other.store());
  return one;
}

}  // namespace heddle::engine::explore
