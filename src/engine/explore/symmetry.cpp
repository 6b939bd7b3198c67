#include "engine/explore/symmetry.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <numeric>
#include <variant>

#include "base/hash.hpp"

namespace heddle::engine::explore {

using machine::Memory;
using machine::Object;
using machine::State;
using machine::Thread;

namespace {

constexpr std::uint32_t number_bytes = 4;

}  // namespace

Symmetry::Symmetry(const machine::Machine& machine, const Locality& locality,
                   const SymmetryFacts& facts)
    : machine_(machine),
      program_(machine.program()),
      locality_(locality),
      facts_(facts),
      pointer_bytes_(machine.memory().layout().pointer_bytes()),
      number_places_(program_.functions().size()) {
  for (const auto& [global, words] : facts.in_globals()) {
    const Object fresh = machine.memory().fresh_global(global);
    for (const std::uint64_t offset : words.offsets)
      for (std::uint64_t at = offset; at + number_bytes <= fresh.bytes.size(); at += words.period) {
        global_words_.push_back(machine.memory().layout().global(global) + at);
        // What is no number of a thread must not look like one.
        if (static_cast<std::int32_t>(field(fresh, at, number_bytes)) > 0) possible_ = false;
      }
  }
  for (std::uint32_t f = 0; f < program_.functions().size(); ++f)
    for (const ir::RegId reg : program_.functions()[f].registers)
      if (facts.number_register(reg)) number_places_[f].push_back(program_.reg(reg).index);
  for (std::uint32_t i = 0; i < program_.globals().size(); ++i)
    if (program_.globals()[i].storage == ir::Storage::thread) copied_.push_back({i});
}

std::uint64_t Symmetry::field(const Object& block, std::uint64_t offset, std::uint32_t size) const {
  std::uint64_t word = 0;
  std::memcpy(&word, block.bytes.data() + offset, size);
  return word;
}

std::optional<State> Symmetry::canonical(const State& state) {
  if (!possible_ || state.thread_count() < 3 || state.holder() || state.over()) return std::nullopt;
  View view{state};
  if (!find_blocks(view)) return std::nullopt;
  const std::vector<std::vector<Member>> groups = alike(view);
  if (groups.empty()) return std::nullopt;
  view.movable.assign(state.thread_count(), 0);
  for (const std::vector<Member>& group : groups)
    for (const Member thread : group) view.movable[thread] = in_order(view, thread);
  keep_what_is_told_apart(view);
  keep_what_others_name(view);
  find_holders(view);
  std::vector<ThreadNumber> to(state.thread_count());
  std::iota(to.begin(), to.end(), 0);
  bool changes = false;
  for (const std::vector<Member>& group : groups) {
    std::vector<ThreadNumber> places;
    std::vector<std::pair<std::uint64_t, ThreadNumber>> sorted;
    for (const Member thread : group) {
      if (view.movable[thread] == 0) continue;
      places.push_back(thread);
      sorted.emplace_back(signature(view, thread), thread);
    }
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < places.size(); ++i) {
      to[sorted[i].second] = places[i];
      changes = changes || sorted[i].second != places[i];
    }
  }
  if (!changes) return std::nullopt;
  return renamed(view, to);
}

// ---- who is who ----------------------------------------------------------------------

// Main alone creates threads, so the first block belongs to the first thread, and so on.
bool Symmetry::find_blocks(View& view) const {
  const std::vector<machine::ObjectEntry>& entries = view.state.objects();
  const machine::Arena arena = machine_.memory().layout().arena(0);
  auto at = std::lower_bound(
      entries.begin(), entries.end(), arena.model_base,
      [](const machine::ObjectEntry& entry, Address base) { return entry.base < base; });
  for (; at != entries.end() && at->base < arena.model_end; ++at)
    if (at->object->allocated_at == facts_.block().allocation)
      view.blocks.push_back(static_cast<std::size_t>(at - entries.begin()));
  const std::size_t threads = view.state.thread_count() - 1;
  if (view.blocks.size() < threads || view.blocks.size() > threads + 1) return false;
  view.blocks.resize(threads);
  return true;
}

std::vector<std::vector<Symmetry::Member>> Symmetry::alike(const View& view) const {
  const SymmetryFacts::Block& layout = facts_.block();
  std::map<std::array<std::uint64_t, 3>, std::vector<Member>> groups;
  for (ThreadNumber thread = 1; thread < view.state.thread_count(); ++thread) {
    const Object& block = view.block_object(thread);
    if (!block.set.empty() || field(block, layout.detached, number_bytes) != 0) continue;
    const std::uint64_t posix = field(block, layout.routine, pointer_bytes_);
    const std::uint64_t c11 = field(block, layout.c11_routine, pointer_bytes_);
    const auto routine = machine_.memory().layout().function_at(posix != 0 ? posix : c11);
    if (!routine || !facts_.owns_nothing(*routine)) continue;
    groups[{posix, c11, field(block, layout.argument, pointer_bytes_)}].push_back(thread);
  }
  std::vector<std::vector<Member>> result;
  for (auto& [what, members] : groups)
    if (members.size() > 1) result.push_back(std::move(members));
  return result;
}

// Its block and its stack are as they are between its start and its end.
bool Symmetry::in_order(const View& view, ThreadNumber thread) const {
  const std::uint64_t running =
      field(view.block_object(thread), facts_.block().running, number_bytes);
  const Thread& whole = view.state.thread(thread);
  if (running != 0 && running != thread + std::uint64_t{1}) return false;
  if (whole.frames.empty()) return running == 0;
  const machine::Frame& bottom = *whole.frames.front();
  if (program_.function(bottom.function).parameters.size() != 1 ||
      bottom.registers[0] != view.block(thread))
    return false;
  return std::all_of(whole.frames.begin(), whole.frames.end(),
                     [](const auto& frame) { return frame->stack_objects.empty(); });
}

void Symmetry::keep_what_is_told_apart(View& view) {
  const Thread& main = view.state.thread(0);
  if (!facts_.handles_unused()) {
    const std::vector<Address>& joined = joined_ahead(view);
    for (ThreadNumber thread = 1; thread < view.state.thread_count(); ++thread)
      if (std::find(joined.begin(), joined.end(), view.block(thread)) == joined.end())
        view.movable[thread] = 0;
    return;
  }
  for (ThreadNumber thread = 1; thread < view.state.thread_count(); ++thread) {
    const Address from = view.block(thread);
    const Address to = from + view.block_object(thread).bytes.size();
    for (const auto& frame : main.frames)
      for (const std::uint64_t value : frame->registers)
        if (value >= from && value < to) view.movable[thread] = 0;
  }
}

// A thread that another one has the number of in a register stays where it is.
void Symmetry::keep_what_others_name(View& view) const {
  for (ThreadNumber thread = 0; thread < view.state.thread_count(); ++thread)
    for (const auto& frame : view.state.thread(thread).frames)
      for (const std::uint32_t place : number_places_[frame->function.value]) {
        const auto number = static_cast<std::int32_t>(frame->registers[place]);
        if (number <= 0 || number == static_cast<std::int32_t>(thread) + 1) continue;
        if (static_cast<ThreadNumber>(number) <= view.state.thread_count())
          view.movable[static_cast<std::size_t>(number) - 1] = 0;
      }
}

void Symmetry::find_holders(View& view) const {
  const auto add = [&](Address address) {
    const auto place = machine_.memory().find(view.state, address);
    if (!place || place->object->bytes.size() - place->offset < number_bytes) return;
    const auto number = static_cast<std::int32_t>(Memory::read(*place, number_bytes).bits);
    if (number > 0 && static_cast<ThreadNumber>(number) <= view.state.thread_count())
      view.holders.emplace_back(address, static_cast<ThreadNumber>(number - 1));
  };
  for (const Address word : global_words_) add(word);
  for (const auto& [allocation, words] : facts_.in_allocations()) {
    if (allocation == facts_.block().allocation) continue;
    for (const machine::ObjectEntry& entry : view.state.objects()) {
      if (entry.object->allocated_at != allocation) continue;
      for (const std::uint64_t offset : words.offsets)
        for (std::uint64_t at = offset; at < entry.object->bytes.size(); at += words.period)
          add(entry.base + at);
    }
  }
}

// The same for threads in the same situation, whatever their numbers. Should two that differ have
// the same, states are told apart that need not be.
std::uint64_t Symmetry::signature(const View& view, ThreadNumber thread) const {
  constexpr std::uint64_t own_block = 1, own_number = 2, nothing = 3;
  const Address block = view.block(thread);
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t value) { hash = base::combine(hash, value); };
  for (const auto& frame : view.state.thread(thread).frames) {
    std::vector<std::uint64_t> registers = frame->registers;
    if (program_.function(frame->function).origin == ir::Origin::model)
      std::replace(registers.begin(), registers.end(), block, own_block);
    for (const std::uint32_t place : number_places_[frame->function.value])
      if (frame->registers[place] == thread + std::uint64_t{1}) registers[place] = own_number;
    add(frame->at.value);
    add(frame->result ? frame->result->value : nothing);
    for (const std::uint64_t value : registers) add(value);
  }
  add(view.state.thread(thread).atomic_depth);
  for (const ir::GlobalId global : copied_) {
    const auto place =
        machine_.memory().find(view.state, *machine_.memory().layout().thread_copy(thread, global));
    const bool is_own =
        global == facts_.own_block() && place && field(*place->object, 0, pointer_bytes_) == block;
    add(!place ? nothing : is_own ? own_block : hash_of(*place->object));
  }
  const SymmetryFacts::Block& layout = facts_.block();
  add(field(view.block_object(thread), layout.running, number_bytes) != 0 ? own_number : nothing);
  add(field(view.block_object(thread), layout.result, pointer_bytes_));
  for (const auto& [address, holder] : view.holders)
    if (holder == thread) add(address);
  return hash;
}

// ---- other names ---------------------------------------------------------------------

State Symmetry::renamed(const View& view, const std::vector<ThreadNumber>& to) const {
  State result = view.state;
  const std::uint64_t running = facts_.block().running;
  for (ThreadNumber thread = 1; thread < to.size(); ++thread) {
    if (to[thread] == thread) continue;
    result.write_thread(to[thread]) = renamed(view, thread, to[thread]);
    Object& block = result.write_object(view.blocks[to[thread] - 1]);
    block = view.block_object(thread);
    const std::uint32_t number = to[thread] + 1;
    if (field(block, running, number_bytes) != 0)
      std::memcpy(block.bytes.data() + running, &number, number_bytes);
  }
  for (const auto& [address, holder] : view.holders) {
    if (to[holder] == holder) continue;
    const auto place = machine_.memory().find(result, address);
    Memory::write(result, *place, number_bytes, to[holder] + std::uint64_t{1}, 0xffffffff);
  }
  rename_copies(view, to, result);
  return result;
}

Thread Symmetry::renamed(const View& view, ThreadNumber from, ThreadNumber to) const {
  Thread result = view.state.thread(from);
  for (auto& frame : result.frames) {
    std::vector<std::uint64_t> registers = frame->registers;
    if (program_.function(frame->function).origin == ir::Origin::model)
      std::replace(registers.begin(), registers.end(), view.block(from), view.block(to));
    for (const std::uint32_t place : number_places_[frame->function.value])
      if (frame->registers[place] == from + std::uint64_t{1})
        registers[place] = to + std::uint64_t{1};
    if (registers != frame->registers) frame.write().registers = std::move(registers);
  }
  return result;
}

// A thread has copies of thread-local variables until it ends.
void Symmetry::rename_copies(const View& view, const std::vector<ThreadNumber>& to,
                             State& state) const {
  const machine::Layout& layout = machine_.memory().layout();
  const auto copy_of = [&](ThreadNumber thread, ir::GlobalId global) {
    return machine_.memory().find(view.state, *layout.thread_copy(thread, global));
  };
  for (ThreadNumber thread = 1; thread < to.size(); ++thread)
    for (const ir::GlobalId global : copied_)
      if (to[thread] != thread && copy_of(thread, global))
        state.remove_object(*layout.thread_copy(thread, global));
  for (ThreadNumber thread = 1; thread < to.size(); ++thread)
    for (const ir::GlobalId global : copied_) {
      const auto place = copy_of(thread, global);
      if (to[thread] == thread || !place) continue;
      Object object = *place->object;
      if (global == facts_.own_block() && field(object, 0, pointer_bytes_) == view.block(thread)) {
        const Address block = view.block(to[thread]);
        std::memcpy(object.bytes.data(), &block, pointer_bytes_);
      }
      state.add_object(*layout.thread_copy(to[thread], global), std::move(object));
    }
}

}  // namespace heddle::engine::explore
