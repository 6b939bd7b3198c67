// Where objects live. Every object is far from every other one, so that pointer
// arithmetic that leaves an object reaches no other. An address depends on the
// thread that allocates and on what that thread has allocated, not on how threads
// interleave.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.hpp"
#include "machine/state.hpp"

namespace heddle::machine {

// The part of the address space from which one thread allocates, in equal slots. An object
// starts at the start of a slot and takes as many slots as leave half a slot free behind it.
// What the model library allocates, which is small and lives for ever, lies close together behind
// the slots; the thread's copies of thread-local globals are at the top.
struct Arena {
  Address base = 0;
  std::uint64_t slot_size = 0;
  std::uint64_t slots = 0;  // three quarters of the arena
  Address model_base = 0, model_end = 0;
  Address top = 0;

  Address end() const { return base + slot_size * slots; }
};

// LP64 (no address is negative as a signed number):
//   functions, then globals 16 GiB apart                      below 2^52
//   thread t's arena, 2^18 slots of 16 GiB                    (t + 1) << 52
// ILP32:
//   functions, then globals with 1 MiB (or what fits) between below 1 GiB
//   main's arena, 1 GiB; 46 further ones of 32 MiB            slots of 64 KiB
//   copies of thread-local globals of further threads         close together, below 4 GiB
// Threads beyond the last arena share it. A thread's copies of thread-local globals are at the
// top of its arena, as far as each thread has its own.
class Layout {
 public:
  static constexpr Address first_address = 0x10000;  // nothing lives below
  static constexpr std::uint64_t alignment = 16;

  explicit Layout(const ir::Program& program);

  Address global(ir::GlobalId id) const { return globals_[id.value]; }  // process-wide ones only
  // The thread's copy of a thread-local global; nullopt if the arena is too small for it.
  std::optional<Address> thread_copy(ThreadNumber thread, ir::GlobalId id) const;
  Address function(ir::FunId id) const { return first_address + id.value * alignment; }
  std::optional<ir::FunId> function_at(Address address) const;
  bool in_functions(Address address) const {
    return address >= first_address && address < functions_end_;
  }
  Arena arena(ThreadNumber thread) const;
  // Where the model library's next object goes behind one that starts at `last`.
  static Address behind_model_object(Address last, std::uint64_t size) {
    return (last + size + 2 * alignment) / alignment * alignment;
  }
  // Whether the address lies in some thread's arena; and the start of its slot if so.
  bool in_arena(Address address) const { return address >= arenas_begin_ && address < arenas_end_; }
  // Where in its slot an object starts. On LP64 the lower halves of addresses differ too, since
  // programs cut pointers down to an int.
  Address placed(Address slot) const {
    if (pointer_bytes_ == 4) return slot;
    return slot + ((slot >> 52) & 0x1ff) * 0x400000 + ((slot >> 34) & 0x3ffff) * alignment;
  }
  Address slot_start(Address address) const { return address & ~(slot_size_ - 1); }
  std::uint64_t slot_size() const { return slot_size_; }
  std::uint64_t slots_for(std::uint64_t size) const {
    return (size + slot_size_ / 2) / slot_size_ + 1;
  }
  std::uint32_t pointer_bytes() const { return pointer_bytes_; }

 private:
  void place_globals(const ir::Program& program);
  ThreadNumber arena_number(ThreadNumber thread) const;

  std::vector<Address> globals_{};       // of a thread-local one: slots from the top of its block
  std::uint64_t thread_slots_ = 0;       // slots that one thread's copies take
  std::uint64_t thread_bytes_ = 0;       // bytes that they take close together
  std::vector<std::uint64_t> copies_{};  // by global: where its copy starts among these
  Address functions_end_ = 0;
  Address arenas_begin_ = 0, arenas_end_ = 0;
  std::uint64_t slot_size_ = 0;
  std::uint32_t pointer_bytes_ = 8;
};

}  // namespace heddle::machine
