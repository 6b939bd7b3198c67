// The memory objects of an unfolding, each at an address of its own: globals, one
// thread's copies of thread-local ones, and one object for each allocation in each
// context. An object keeps its number and address in all unfoldings of one program.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/bmc/contexts.hpp"
#include "ir/program.hpp"
#include "machine/memory.hpp"

namespace heddle::engine::bmc {

using ObjectId = base::Id<struct ObjectTag>;
using machine::Address;

// Bytes of an object that every access touches either whole or not at all.
struct Cell {
  ObjectId object{};
  std::uint32_t offset = 0;  // `life` for the pseudo-cell that says whether the object is live
  std::uint32_t size = 1;

  static constexpr std::uint32_t life = UINT32_MAX;
  auto operator<=>(const Cell&) const = default;
};

struct Object {
  Address base = 0;
  std::uint64_t size = 0;
  ir::AllocKind kind = ir::AllocKind::heap;
  ir::GlobalId global{};  // valid for globals
  ir::Contents contents = ir::Contents::unset;
  bool read_only = false;  // a string literal
  bool allocated = false;  // by an Alloc; else it is there from the start, of its thread at least
};

class Objects {
 public:
  Objects(const ir::Program& program, const machine::Memory& memory);

  const Object& operator[](ObjectId id) const { return objects_[id.value]; }
  std::size_t size() const { return objects_.size(); }
  ObjectId global(ir::GlobalId id) const { return {globals_[id.value]}; }  // process-wide ones
  // nullopt: the address space is full.
  std::optional<ObjectId> thread_copy(ContextId thread, ir::GlobalId id);
  std::vector<ObjectId> thread_copies(ContextId thread) const;  // made so far
  std::optional<ObjectId> allocation(ContextId context, std::uint64_t size, ir::AllocKind kind,
                                     ir::Contents contents);
  // The object whose bytes include the address, or that starts or ends there.
  std::optional<ObjectId> at(Address address) const;
  // The same, or the one that lies closest within a few pages: where an index is still to be added,
  // `&a[i - 1]` starts before `a`.
  std::optional<ObjectId> near(Address address) const;
  // Contents of a global's byte range when it comes to life: the bits, and which of them are set.
  std::pair<std::uint64_t, std::uint64_t> initial(const Cell& cell) const;

 private:
  ObjectId add(Object object);
  std::optional<Address> next_address(std::uint64_t size);

  const ir::Program& program_;
  const machine::Memory& memory_;
  std::vector<Object> objects_{};
  std::vector<std::uint32_t> globals_{};  // by GlobalId; of a thread-local one: meaningless
  std::map<Address, ObjectId> by_address_{};
  std::map<std::pair<ContextId, ir::GlobalId>, ObjectId> copies_{};
  std::map<std::pair<ContextId, std::uint64_t>, ObjectId> allocations_{};  // by context and size
  mutable std::map<ir::GlobalId, machine::Object> contents_{};
  std::uint32_t arena_ = 0;
  std::uint64_t slot_ = 1;
};

}  // namespace heddle::engine::bmc
