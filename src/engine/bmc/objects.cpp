#include "engine/bmc/objects.hpp"

namespace heddle::engine::bmc {

Objects::Objects(const ir::Program& program, const machine::Memory& memory)
    : program_(program), memory_(memory) {
  for (std::uint32_t i = 0; i < program.globals().size(); ++i) {
    const ir::Global& global = program.globals()[i];
    globals_.push_back(0);
    if (global.storage == ir::Storage::thread) continue;
    globals_.back() = add({.base = memory.layout().global({i}),
                           .size = program.type(global.type).size,
                           .kind = ir::AllocKind::model,
                           .global = {i},
                           .contents = ir::Contents::zero,
                           .read_only = global.kind == ir::GlobalKind::string_literal})
                          .value;
  }
}

ObjectId Objects::add(Object object) {
  const ObjectId id{static_cast<std::uint32_t>(objects_.size())};
  by_address_.emplace(object.base, id);
  objects_.push_back(object);
  return id;
}

// Slots of the machine's arenas, one arena after the other, none used twice.
std::optional<Address> Objects::next_address(std::uint64_t size) {
  constexpr std::uint32_t arenas = 60;
  const machine::Layout& layout = memory_.layout();
  const std::uint64_t needed = layout.slots_for(size);
  while (arena_ < arenas) {
    const machine::Arena arena = layout.arena(arena_);
    if (slot_ + needed < arena.slots) {
      const Address base = layout.placed(arena.base + slot_ * arena.slot_size);
      slot_ += needed;
      return base;
    }
    ++arena_;
    slot_ = 1;
  }
  return std::nullopt;
}

std::optional<ObjectId> Objects::thread_copy(ContextId thread, ir::GlobalId id) {
  const auto known = copies_.find({thread, id});
  if (known != copies_.end()) return known->second;
  const std::uint64_t size = program_.type(program_.global(id).type).size;
  const std::optional<Address> base = next_address(size);
  if (!base) return std::nullopt;
  const ObjectId made = add({.base = *base,
                             .size = size,
                             .kind = ir::AllocKind::model,
                             .global = id,
                             .contents = ir::Contents::zero});
  copies_.emplace(std::pair(thread, id), made);
  return made;
}

std::vector<ObjectId> Objects::thread_copies(ContextId thread) const {
  std::vector<ObjectId> found;
  for (auto at = copies_.lower_bound({thread, ir::GlobalId{0}});
       at != copies_.end() && at->first.first == thread; ++at)
    found.push_back(at->second);
  return found;
}

std::optional<ObjectId> Objects::allocation(ContextId context, std::uint64_t size,
                                            ir::AllocKind kind, ir::Contents contents) {
  const auto known = allocations_.find({context, size});
  if (known != allocations_.end()) return known->second;
  const std::optional<Address> base = next_address(size);
  if (!base) return std::nullopt;
  const ObjectId made =
      add({.base = *base, .size = size, .kind = kind, .contents = contents, .allocated = true});
  allocations_.emplace(std::pair(context, size), made);
  return made;
}

std::optional<ObjectId> Objects::at(Address address) const {
  auto after = by_address_.upper_bound(address);
  if (after == by_address_.begin()) return std::nullopt;
  const ObjectId id = std::prev(after)->second;
  const Object& object = objects_[id.value];
  if (address - object.base > object.size) return std::nullopt;
  return id;
}

std::optional<ObjectId> Objects::near(Address address) const {
  constexpr std::uint64_t far = 4 * 4096;
  if (const std::optional<ObjectId> found = at(address)) return found;
  std::optional<ObjectId> closest;
  std::uint64_t distance = far;
  const auto after = by_address_.upper_bound(address);
  if (after != by_address_.end() && after->first - address < distance) {
    closest = after->second;
    distance = after->first - address;
  }
  if (after == by_address_.begin()) return closest;
  const ObjectId before = std::prev(after)->second;
  const Object& object = objects_[before.value];
  return address - object.base - object.size < distance ? before : closest;
}

std::pair<std::uint64_t, std::uint64_t> Objects::initial(const Cell& cell) const {
  const Object& object = objects_[cell.object.value];
  const std::uint64_t all =
      cell.size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * cell.size)) - 1;
  if (!object.global.valid()) return {0, object.contents == ir::Contents::zero ? all : 0};
  auto known = contents_.find(object.global);
  if (known == contents_.end())
    known = contents_.emplace(object.global, memory_.fresh_global(object.global)).first;
  std::uint64_t bits = 0, set = 0;
  for (std::uint32_t i = 0; i < cell.size; ++i) {
    const std::size_t at = cell.offset + i;
    bits |= std::uint64_t{known->second.bytes[at]} << (8 * i);
    const std::uint8_t mask = known->second.set.empty() ? 0xff : known->second.set[at];
    set |= std::uint64_t{mask} << (8 * i);
  }
  return {bits & set, set};
}

}  // namespace heddle::engine::bmc
