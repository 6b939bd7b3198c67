#include "machine/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "ir/arithmetic.hpp"
#include "machine/evaluate.hpp"

namespace heddle::machine {
namespace {

constexpr std::uint64_t all_bits = ~std::uint64_t{0};

std::uint64_t word_at(const std::vector<std::uint8_t>& bytes, std::uint64_t offset,
                      std::uint32_t size) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + offset, size);
  return word;
}

void put_word(std::vector<std::uint8_t>& bytes, std::uint64_t offset, std::uint32_t size,
              std::uint64_t word, std::uint64_t mask) {
  const std::uint64_t merged = (word_at(bytes, offset, size) & ~mask) | (word & mask);
  std::memcpy(bytes.data() + offset, &merged, size);
}

bool holds(const Object& object, Address base, Address address) {
  return address == base || (address > base && address - base < object.bytes.size());
}

auto first_behind(const std::vector<ObjectEntry>& entries, Address address) {
  return std::upper_bound(entries.begin(), entries.end(), address,
                          [](Address at, const ObjectEntry& entry) { return at < entry.base; });
}

}  // namespace

Memory::Memory(const ir::Program& program) : program_(program), layout_(program) {
  for (std::uint32_t i = 0; i < program.globals().size(); ++i)
    if (program.globals()[i].kind == ir::GlobalKind::string_literal)
      literals_.emplace_back(layout_.global({i}), fresh_global({i}));
  std::sort(literals_.begin(), literals_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
}

std::optional<Place> Memory::find(const State& state, Address address) const {
  const std::vector<ObjectEntry>& entries = state.objects();
  const auto after = first_behind(entries, address);
  if (after != entries.begin()) {
    const ObjectEntry& entry = *(after - 1);
    if (holds(*entry.object, entry.base, address))
      return Place{&*entry.object, entry.base, address - entry.base,
                   static_cast<std::size_t>(after - 1 - entries.begin())};
  }
  const auto literal =
      std::upper_bound(literals_.begin(), literals_.end(), address,
                       [](Address at, const auto& entry) { return at < entry.first; });
  if (literal != literals_.begin()) {
    const auto& [base, object] = *(literal - 1);
    if (holds(object, base, address)) return Place{&object, base, address - base, std::nullopt};
  }
  return std::nullopt;
}

std::variant<Place, Fault> Memory::resolve(const State& state, Address address, std::uint64_t size,
                                           AccessKind kind) const {
  const std::optional<Place> place = find(state, address);
  if (!place || place->object->bytes.size() - place->offset < size)
    return fault_at(state, address, size);
  if (kind == AccessKind::write && !place->index)
    return Fault{Fault::Kind::invalid, "write into a string literal"};
  return *place;
}

Fault Memory::fault_at(const State& state, Address address, std::uint64_t size) const {
  if (address == 0) return {Fault::Kind::invalid, "null pointer dereferenced"};
  if (address < Layout::first_address)
    return {Fault::Kind::invalid, fmt::format("access at address {}, near null", address)};
  if (layout_.in_functions(address))
    return {Fault::Kind::invalid, "access to the code of a function as data"};
  if (std::optional<Fault> fault = fault_beside(state, address, size)) return *fault;
  if (!layout_.in_arena(address))
    return {Fault::Kind::invalid, "access to an address where no object lives"};
  return {Fault::Kind::invalid, "use of memory whose life has ended"};
}

// Just before or just behind a live object: an index that went wrong.
std::optional<Fault> Memory::fault_beside(const State& state, Address address,
                                          std::uint64_t size) const {
  const std::uint64_t near = layout_.slot_size() / 2;
  const std::string bytes = fmt::format("{} byte{}", size, size == 1 ? "" : "s");
  const std::vector<ObjectEntry>& entries = state.objects();
  const auto after = first_behind(entries, address);
  const std::uint64_t to_next = after == entries.end() ? near : after->base - address;
  if (after != entries.begin()) {
    const ObjectEntry& entry = *(after - 1);
    const Object& object = *entry.object;
    const std::uint64_t offset = address - entry.base;
    const bool global = object.global.valid();
    if (global && !program_.type(program_.global(object.global).type).complete)
      return Fault{Fault::Kind::unknown_size,
                   fmt::format("access to {}, whose size is not known", name_of(object))};
    const std::uint64_t past = offset - std::min<std::uint64_t>(offset, object.bytes.size());
    if (past < near && past <= to_next)
      return Fault{Fault::Kind::invalid,
                   fmt::format("access past the end of {} ({} at offset {} of {})", name_of(object),
                               bytes, offset, object.bytes.size())};
  }
  if (to_next < near)
    return Fault{Fault::Kind::invalid,
                 fmt::format("access before the start of {} ({} at offset -{})",
                             name_of(*after->object), bytes, to_next)};
  return std::nullopt;
}

// ---- values --------------------------------------------------------------------

RawValue Memory::read(const Place& place, std::uint32_t size) {
  const Object& object = *place.object;
  const std::uint64_t set = object.set.empty() ? all_bits : word_at(object.set, place.offset, size);
  return {word_at(object.bytes, place.offset, size), set};
}

void Memory::write(State& state, const Place& place, std::uint32_t size, std::uint64_t bits,
                   std::uint64_t mask) {
  CHECK(place.index, "string literals are never written");
  const std::uint64_t offset = place.offset;  // `place` dies with the first change
  Object& object = state.write_object(*place.index);
  put_word(object.bytes, offset, size, bits, mask);
  if (object.set.empty()) return;
  put_word(object.set, offset, size, all_bits, mask);
  // Only a write that completes its own bytes can complete the object.
  for (std::uint32_t i = 0; i < size; ++i)
    if (object.set[offset + i] != 0xff) return;
  if (std::all_of(object.set.begin(), object.set.end(), [](std::uint8_t b) { return b == 0xff; }))
    object.set.clear();
}

// ---- objects -------------------------------------------------------------------

Object Memory::fresh_object(ir::AllocKind kind, ir::EdgeId at, std::uint64_t size,
                            ir::Contents contents) {
  Object object;
  object.kind = kind;
  object.allocated_at = at;
  object.bytes.resize(size);
  if (contents == ir::Contents::unset) object.set.resize(size);
  return object;
}

Object Memory::fresh_global(ir::GlobalId id) const {
  const ir::Global& global = program_.global(id);
  const std::uint64_t size = program_.type(global.type).size;
  Object object = fresh_object(
      ir::AllocKind::model, ir::EdgeId::none(), size,
      global.kind == ir::GlobalKind::external ? ir::Contents::unset : ir::Contents::zero);
  object.global = id;
  for (const ir::Initializer& part : global.initializers) {
    const ir::Type& type = program_.type(program_.expr(part.value).type);
    std::uint64_t bits = constant_value(part.value);
    std::uint64_t mask = all_bits;
    std::uint32_t bytes = static_cast<std::uint32_t>(type.size);
    if (!part.bits.whole()) {
      mask = ir::insert_bits(part.bits, 0, all_bits);
      bits = ir::insert_bits(part.bits, 0, bits);
      bytes = (part.bits.offset + part.bits.width + 7) / 8;  // the unit may overhang
    }
    CHECK(part.offset + bytes <= size, "an initialiser lies inside its object");
    put_word(object.bytes, part.offset, bytes, bits, mask);
  }
  return object;
}

std::uint64_t Memory::constant_value(ir::ExprId id) const {
  return evaluate(program_, layout_, nullptr, std::nullopt, id);
}

// ---- fresh addresses -----------------------------------------------------------

namespace {

// The starts of the slots that a word of the part points into.
template <class Part, class Visit>
const std::vector<Address>& mentioned(const Shared<Part>& part, const Layout& layout,
                                      Visit each_word) {
  if (!part.addresses()) {
    std::vector<Address> found;
    each_word(*part, [&](std::uint64_t word) {
      if (layout.in_arena(word)) found.push_back(layout.slot_start(word));
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    part.addresses() = std::make_unique<const std::vector<Address>>(std::move(found));
  }
  return *part.addresses();
}

}  // namespace

template <class Visit>
void Memory::each_mention(const State& state, Visit visit) const {
  const std::uint32_t width = layout_.pointer_bytes();
  for (const ObjectEntry& entry : state.objects())
    visit(mentioned(entry.object, layout_, [&](const Object& object, const auto& word) {
      for (std::uint64_t at = 0; at + width <= object.bytes.size(); ++at)
        word(word_at(object.bytes, at, width));
    }));
  for (const Shared<Thread>& thread : state.threads())
    for (const Shared<Frame>& frame : thread->frames)
      visit(mentioned(frame, layout_, [&](const Frame& f, const auto& word) {
        for (const std::uint64_t value : f.registers) {
          word(width == 8 ? value : value & 0xffffffff);
          if (width == 4) word(value >> 32);
        }
      }));
}

// The lowest slots from `next` on where no object of the arena lives.
Address Memory::behind_objects(const State& state, const Arena& arena, Address next,
                               std::uint64_t needed) const {
  const std::vector<ObjectEntry>& entries = state.objects();
  auto entry = first_behind(entries, next);
  if (entry != entries.begin()) --entry;
  for (; entry != entries.end() && entry->base < arena.end(); ++entry) {
    if (entry->base < arena.base) continue;
    const Address from = layout_.slot_start(entry->base);
    if (from >= next + needed) break;
    next = std::max(next, from + layout_.slots_for(entry->object->bytes.size()) * arena.slot_size);
  }
  return next;
}

std::optional<Address> Memory::fresh_address(const State& state, ThreadNumber thread,
                                             std::uint64_t size) const {
  const Arena arena = layout_.arena(thread);
  const std::uint64_t needed = layout_.slots_for(size) * arena.slot_size;
  Address next = behind_objects(state, arena, arena.base, needed);
  // What is mentioned far behind matters only if all before it is taken.
  for (std::uint64_t window = needed + 16 * arena.slot_size;; window *= 4) {
    const Address end = std::min(arena.end(), next + window);
    std::vector<Address> pointed_into;
    each_mention(state, [&](const std::vector<Address>& part) {
      for (auto at = std::lower_bound(part.begin(), part.end(), next);
           at != part.end() && *at < end; ++at)
        pointed_into.push_back(*at);
    });
    std::sort(pointed_into.begin(), pointed_into.end());
    for (const Address slot : pointed_into) {
      if (slot < next) continue;
      if (slot >= next + needed) break;
      next = behind_objects(state, arena, slot + arena.slot_size, needed);
    }
    if (next + needed <= end || end == arena.end()) break;
  }
  if (next + needed > arena.end()) return std::nullopt;
  return layout_.placed(next);
}

std::optional<Address> Memory::fresh_model_address(const State& state, ThreadNumber thread,
                                                   std::uint64_t size) const {
  const Arena arena = layout_.arena(thread);
  const std::vector<ObjectEntry>& entries = state.objects();
  const auto after = first_behind(entries, arena.model_end - 1);
  Address next = arena.model_base;
  if (after != entries.begin() && (after - 1)->base >= next)
    next = Layout::behind_model_object((after - 1)->base, (after - 1)->object->bytes.size());
  if (next + size > arena.model_end) return std::nullopt;
  return next;
}

}  // namespace heddle::machine
