#include "machine/layout.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::machine {
namespace {

constexpr Address wide_thread_span = Address{1} << 52;
constexpr std::uint64_t wide_slot = std::uint64_t{1} << 34;
constexpr ThreadNumber wide_arenas = 2046;

constexpr Address narrow_main = 0x40000000, narrow_others = 0x80000000;
constexpr std::uint64_t narrow_slot = 0x10000, narrow_other_span = 0x2000000;
constexpr ThreadNumber narrow_other_arenas = 46;
constexpr Address narrow_copies = narrow_others + narrow_other_span * narrow_other_arenas;
constexpr Address narrow_end = 0xfff00000;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

Layout::Layout(const ir::Program& program) {
  const bool narrow = program.data_model() == ir::DataModel::ilp32;
  pointer_bytes_ = narrow ? 4 : 8;
  slot_size_ = narrow ? narrow_slot : wide_slot;
  functions_end_ = first_address + program.functions().size() * alignment;
  arenas_begin_ = narrow ? narrow_main : wide_thread_span;
  arenas_end_ = narrow ? narrow_others + narrow_other_span * narrow_other_arenas
                       : wide_thread_span * (wide_arenas + 1);
  place_globals(program);
}

void Layout::place_globals(const ir::Program& program) {
  const bool narrow = program.data_model() == ir::DataModel::ilp32;
  constexpr std::uint64_t mebibyte = 0x100000;
  for (std::uint64_t gap = narrow ? mebibyte : wide_slot; gap >= alignment; gap /= 16) {
    globals_.clear();
    thread_slots_ = thread_bytes_ = 0;
    copies_.assign(program.globals().size(), 0);
    Address next = round_up(functions_end_ + gap, gap);
    for (const ir::Global& global : program.globals()) {
      const std::uint64_t size = program.type(global.type).size;
      if (global.storage == ir::Storage::thread) {
        copies_[globals_.size()] = thread_bytes_;
        thread_bytes_ = round_up(thread_bytes_ + size + alignment, alignment);
        thread_slots_ += slots_for(size);
        globals_.push_back(thread_slots_);
        continue;
      }
      globals_.push_back(placed(next));
      next = round_up(next + size + gap, gap);
    }
    if (next <= arenas_begin_) return;
  }
  CHECK(false, "the front end accepts only programs whose globals fit into the address space");
}

std::optional<ir::FunId> Layout::function_at(Address address) const {
  if (!in_functions(address) || (address - first_address) % alignment != 0) return std::nullopt;
  return ir::FunId{static_cast<std::uint32_t>((address - first_address) / alignment)};
}

ThreadNumber Layout::arena_number(ThreadNumber thread) const {
  return std::min(thread, pointer_bytes_ == 8 ? wide_arenas - 1 : narrow_other_arenas);
}

Arena Layout::arena(ThreadNumber thread) const {
  const Address number = arena_number(thread);
  const auto divided = [&](Address base, std::uint64_t span) {
    Arena arena{base, slot_size_, span / 4 * 3 / slot_size_, 0, base + span / 8 * 7, base + span};
    arena.model_base = placed(arena.end());
    return arena;
  };
  if (pointer_bytes_ == 8) return divided((number + 1) * wide_thread_span, wide_thread_span);
  if (number == 0) return divided(narrow_main, narrow_others - narrow_main);
  return divided(narrow_others + (number - 1) * narrow_other_span, narrow_other_span);
}

std::optional<Address> Layout::thread_copy(ThreadNumber thread, ir::GlobalId id) const {
  if (pointer_bytes_ == 4 && thread > narrow_other_arenas) {
    const Address block =
        narrow_copies + (thread - narrow_other_arenas - 1) * Address{thread_bytes_};
    if (block + thread_bytes_ > narrow_end) return std::nullopt;
    return block + copies_[id.value];
  }
  const Arena own = arena(thread);
  const std::uint64_t sharing = thread - arena_number(thread);  // threads before it in this arena
  const std::uint64_t from_top = sharing * thread_slots_ + globals_[id.value];
  const Address copy = own.top - from_top * own.slot_size;
  if (copy < own.model_end) return std::nullopt;
  return placed(copy);
}

}  // namespace heddle::machine
