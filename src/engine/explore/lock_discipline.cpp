#include "engine/explore/lock_discipline.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

namespace heddle::engine::explore {
namespace {

constexpr std::uint64_t joined_mark = 2;  // as heddle_join leaves it

}  // namespace

LockDiscipline::LockDiscipline(const machine::Machine& machine, const Locality& locality)
    : machine_(machine), program_(machine.program()), locality_(locality) {
  find_thread_blocks();
  matters_.assign(program_.edges().size(), 0);
  bool any_lock = false;
  for (const ir::Location& location : program_.locations())
    for (const ir::EdgeId edge : location.out) {
      const ir::Statement& statement = program_.edge(edge).statement;
      any_lock = any_lock || awaits_lock(edge);
      matters_[edge.value] = (locality.access(edge) && locality.shared_access(edge)) ||
                             std::holds_alternative<ir::Return>(statement) ||
                             std::holds_alternative<ir::Exit>(statement) ||
                             std::holds_alternative<ir::Alloc>(statement);
    }
  if (any_lock) learn();
}

void LockDiscipline::find_thread_blocks() {
  for (const ir::Function& function : program_.functions()) {
    if (function.origin != ir::Origin::model || function.name != "heddle_new_thread") continue;
    for (const ir::LocId at : function.locations)
      for (const ir::EdgeId edge : program_.out(at))
        if (std::holds_alternative<ir::Alloc>(program_.edge(edge).statement)) thread_block_ = edge;
  }
  bool has_running = false, has_joined = false;
  for (const ir::Type& type : program_.types()) {
    if (type.kind != ir::TypeKind::record || type.name != "heddle_thread") continue;
    for (const ir::Field& field : type.fields) {
      if (field.name == "running") running_offset_ = field.offset, has_running = true;
      if (field.name == "detached") joined_offset_ = field.offset, has_joined = true;
    }
  }
  if (!has_running || !has_joined) thread_block_ = ir::EdgeId::none();
}

// ---- what a state says -------------------------------------------------------------

std::optional<std::uint64_t> LockDiscipline::word(const machine::State& state,
                                                  Address address) const {
  const std::optional<machine::Place> place = machine_.memory().find(state, address);
  if (!place || place->object->bytes.size() - place->offset < lock_bytes) return std::nullopt;
  return machine::Memory::read(*place, lock_bytes).bits;
}

bool LockDiscipline::holds(const machine::State& state, ThreadNumber thread, Address lock) const {
  return word(state, lock) == thread + std::uint64_t{1};
}

// Every thread but main has ended, and has been joined. That it has ended alone is not enough: it
// might have ended early only because the search did not let main go first.
bool LockDiscipline::all_joined(const machine::State& state) const {
  for (ThreadNumber other = 1; other < state.thread_count(); ++other)
    if (machine_.live(state, other)) return false;
  if (!thread_block_.valid()) return false;
  std::uint64_t joined = 0;
  for (const machine::ObjectEntry& entry : state.objects()) {
    if (entry.object->allocated_at != thread_block_) continue;
    if (word(state, entry.base + running_offset_) != 0 ||
        word(state, entry.base + joined_offset_) != joined_mark)
      return false;
    ++joined;
  }
  return joined + 1 == state.thread_count();
}

bool LockDiscipline::exempt(const machine::State& state, ThreadNumber thread) const {
  return state.thread_count() == 1 || (thread == 0 && all_joined(state));
}

// ---- what a step does --------------------------------------------------------------

bool LockDiscipline::awaits_lock(ir::EdgeId edge) const {
  const auto* await = std::get_if<ir::Await>(&program_.edge(edge).statement);
  if (await == nullptr || await->waits_for != ir::WaitsFor::holder) return false;
  if (program_.type(program_.pointee(await->address)).size != lock_bytes) return false;
  const ir::Expr& condition = program_.expr(await->condition);
  if (condition.op != ir::Op::eq) return false;
  const ir::Expr& left = program_.expr(condition.args[0]);
  const ir::Expr& right = program_.expr(condition.args[1]);
  return left.op == ir::Op::reg && left.payload == await->loaded.value &&
         right.op == ir::Op::constant && right.payload == 0;
}

std::vector<LockDiscipline::Touched> LockDiscipline::touched(const machine::State& state,
                                                             ThreadNumber thread, ir::EdgeId next,
                                                             machine::KnownValues given) const {
  std::vector<Touched> result;
  const auto end_of = [&](Address address) {
    const std::optional<machine::Place> place = machine_.memory().find(state, address);
    if (!place) return;
    const std::uint64_t size = place->object->bytes.size();
    result.push_back({place->base, place->base + size, place->base, size, true});
  };
  const ir::Statement& statement = program_.edge(next).statement;
  const auto* exit = std::get_if<ir::Exit>(&statement);
  const auto* alloc = std::get_if<ir::Alloc>(&statement);
  if (exit != nullptr && exit->scope == ir::ExitScope::thread) {
    for (const auto& frame : state.thread(thread).frames)
      for (const auto& [at, address] : frame->stack_objects) end_of(address);
  } else if (std::holds_alternative<ir::Return>(statement)) {
    for (const auto& [at, address] : state.top(thread).stack_objects) end_of(address);
  } else if (alloc != nullptr && alloc->kind == ir::AllocKind::stack) {
    for (const auto& [at, address] : state.top(thread).stack_objects)
      if (at == next) end_of(address);
  } else if (locality_.access(next) && locality_.shared_access(next)) {
    const std::optional<machine::Access> access = machine_.access(state, thread, next, given);
    if (!access) return result;
    const std::optional<machine::Place> place = machine_.memory().find(state, access->address);
    if (!place || !place->index) return result;
    const bool whole = std::holds_alternative<ir::Free>(statement) ||
                       std::holds_alternative<ir::Clobber>(statement);
    result.push_back({access->address, access->address + access->size, place->base,
                      place->object->bytes.size(), whole});
  }
  return result;
}

// To take the lock is to write one's own number where 0 was; to release it, to write 0 where one's
// own number was. Whoever only looks is in no one's way, but a release no longer commutes with it.
LockDiscipline::Use LockDiscipline::use_of_lock(const machine::State& state, ThreadNumber thread,
                                                ir::EdgeId next, const Touched& what,
                                                Address lock) const {
  if (what.whole) return Use::breaks;
  const bool exact = what.from == lock && what.to == lock + lock_bytes;
  const bool own = holds(state, thread, lock);
  const ir::Statement& statement = program_.edge(next).statement;
  if (awaits_lock(next)) return Use::allowed;
  if (std::holds_alternative<ir::Load>(statement) ||
      std::holds_alternative<ir::ObjectSize>(statement))
    return own ? Use::allowed : Use::reads;
  const auto* store = std::get_if<ir::Store>(&statement);
  if (store == nullptr || !exact || !store->bits.whole()) return Use::breaks;
  const std::uint64_t value = machine_.evaluate(state, thread, store->value);
  if (own) return value == 0 || value == thread + std::uint64_t{1} ? Use::allowed : Use::breaks;
  return value == thread + std::uint64_t{1} && word(state, lock) == 0 ? Use::allowed : Use::breaks;
}

// ---- relying on it, and watching it --------------------------------------------------

bool LockDiscipline::held(const machine::State& state, ThreadNumber thread, ir::EdgeId next) const {
  if (ranges_.empty()) return false;
  const ir::Statement& statement = program_.edge(next).statement;
  if (!std::holds_alternative<ir::Load>(statement) &&
      !std::holds_alternative<ir::Store>(statement) &&
      !std::holds_alternative<ir::Update>(statement))
    return false;
  const std::optional<machine::Access> access = machine_.access(state, thread, next);
  if (!access) return false;
  const auto after = ranges_.upper_bound(access->address);
  if (after == ranges_.begin()) return false;
  const auto& [from, range] = *std::prev(after);
  return access->address + access->size <= range.to && holds(state, thread, range.lock);
}

void LockDiscipline::distrust(Address from, Address to) {
  for (auto lock = locks_.lower_bound(from < lock_bytes ? 0 : from - lock_bytes + 1);
       lock != locks_.end() && *lock < to; ++lock)
    broken_locks_.insert(*lock);
}

void LockDiscipline::note(const machine::State& state, ThreadNumber thread, ir::EdgeId next,
                          machine::KnownValues given) {
  if (ranges_.empty() || state.thread_count() == 1 || matters_[next.value] == 0) return;
  for (const Touched& what : touched(state, thread, next, given)) {
    auto range = ranges_.upper_bound(what.from);
    if (range != ranges_.begin()) --range;
    for (; range != ranges_.end() && range->first < what.to; ++range) {
      if (range->second.to <= what.from || range->second.lock == range->first) continue;
      if (!holds(state, thread, range->second.lock) && !exempt(state, thread))
        broken_ranges_.insert(range->first);
    }
    for (auto lock = locks_.lower_bound(what.from < lock_bytes ? 0 : what.from - lock_bytes + 1);
         lock != locks_.end() && *lock < what.to; ++lock) {
      const Use use = use_of_lock(state, thread, next, what, *lock);
      if (use == Use::allowed || exempt(state, thread)) continue;
      const auto own = ranges_.find(*lock);
      if (use == Use::breaks)
        broken_locks_.insert(*lock);
      else if (own != ranges_.end() && own->second.lock == *lock)
        broken_ranges_.insert(*lock);
    }
  }
}

// A lock that others only look at still protects what it did; one that is broken does not.
void LockDiscipline::forget_broken() {
  for (const Address range : broken_ranges_) ranges_.erase(range);
  for (const Address lock : broken_locks_) locks_.erase(lock);
  std::erase_if(ranges_,
                [&](const auto& range) { return broken_locks_.contains(range.second.lock); });
  broken_ranges_.clear();
  broken_locks_.clear();
}

}  // namespace heddle::engine::explore
