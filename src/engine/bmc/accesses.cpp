// The memory part: objects fall into cells; a cell that no other thread can change
// is a matter of this thread alone, any other access is an event.
#include "engine/bmc/executor.hpp"

namespace heddle::engine::bmc {

using smt::TermOp;

std::uint64_t Executor::global(ir::GlobalId id) {
  if (program_.global(id).storage == ir::Storage::process)
    return round_.objects[round_.objects.global(id)].base;
  const std::optional<ObjectId> copy = round_.objects.thread_copy(context_, id);
  if (!copy) throw TooLarge{verdict::Gap::bound, "the address space of a thread is full"};
  return round_.objects[*copy].base;
}

bool Executor::is_shared(const Cell& cell) const {
  if (round_.options.local_memory == Switch::off && cell.offset != Cell::life)
    return thread_ != 0 || !spawned_.empty();
  return round_.facts.read_is_shared(context_, cell, spawned_);
}

NodeIndex Executor::here(State& state) {
  if (state.atomic_depth == 0) return round_.add_node(thread_);
  if (state.section.node == no_node) state.section.node = round_.add_node(thread_);
  return state.section.node;
}

NodeIndex Executor::node_of(State& state, Moment& moment) {
  if (state.atomic_depth > 0) return here(state);
  if (moment.node == no_node) moment.node = round_.add_node(thread_);
  return moment.node;
}

Term Executor::seen_value(const State& state, const Cell& cell) const {
  const Term* known = state.view.find(cell);
  if (known != nullptr) return *known;
  return round_.default_value(cell, state.view.version(cell.object));
}

// The pieces that the boundaries cut the bytes into.
std::vector<Cell> Executor::cells(const Target& target, std::uint32_t size) {
  const std::uint32_t end = target.offset + size;
  std::set<std::uint32_t>& noted = round_.boundaries[target.object];
  noted.insert(target.offset);
  noted.insert(end);
  const std::set<std::uint32_t>& known = round_.facts.boundaries(target.object);
  std::vector<Cell> result;
  std::uint32_t start = target.offset;
  for (auto at = known.upper_bound(start); at != known.end() && *at < end; ++at) {
    result.push_back({target.object, start, *at - start});
    start = *at;
  }
  result.push_back({target.object, start, end - start});
  return result;
}

// What a shared cell may hold: no more bits than the values need that anybody sets it to.
Term Executor::any_value(const Cell& cell) {
  if (cell.offset == Cell::life) return terms_.variable(1);
  const std::uint32_t width = 8 * cell.size;
  std::uint32_t bits = width;
  const Domain* domain = round_.facts.domain(cell);
  if (domain != nullptr && !domain->open && round_.options.narrow_reads == Switch::on) {
    for (bits = 1; bits < width && *domain->values.rbegin() >> bits != 0;) ++bits;
    const bool constant = domain->values.size() == 1;
    if (constant || bits < width) ++round_.unfolding.reads_narrowed;
    if (constant) return terms_.constant(width, *domain->values.begin());
  }
  const Term variable = terms_.variable(bits);
  round_.pointers.read_from(variable, cell);
  return terms_.zext(variable, width);
}

Term Executor::read_cell(State& state, Moment& moment, const Cell& cell, Term when) {
  CellUse& use = this->use(cell);
  (moment.order == ir::MemoryOrder::plain ? use.read_plainly : use.atomically) = true;
  if (!is_shared(cell)) {
    ++round_.unfolding.local_reads;
    return seen_value(state, cell);
  }
  use.read_shared = true;
  if (state.atomic_depth > 0) {
    const auto known = state.section.known.find(cell);
    if (known != state.section.known.end()) return known->second;
  }
  const Term value = any_value(cell);
  if (terms_.is_constant(value)) return value;
  state.section.touched = true;
  round_.unfolding.events.push_back({EventKind::read, thread_, node_of(state, moment), cell,
                                     terms_.and_(state.guard.term(), when), value, Term{}});
  if (state.atomic_depth > 0 && terms_.is_true(when)) state.section.known[cell] = value;
  return value;
}

void Executor::write_cell(State& state, Moment& moment, const Cell& cell, Term value, Term when) {
  if (terms_.is_false(terms_.and_(state.guard.term(), when))) return;
  note_change(state, when);
  if (moment.order != ir::MemoryOrder::plain) use(cell).atomically = true;
  const bool seen = round_.facts.write_is_seen(cell) ||
                    (round_.options.local_memory == Switch::off && cell.offset != Cell::life &&
                     (thread_ != 0 || !spawned_.empty()));
  if (seen && state.atomic_depth > 0) {
    here(state);
    // Others read it, so this thread's own read of it in the section needs an event, too.
    Term before = value;
    if (!terms_.is_true(when)) {
      const auto known = state.section.known.find(cell);
      before = known != state.section.known.end() ? known->second
                                                  : read_cell(state, moment, cell, terms_.yes());
    }
    state.section.known[cell] = terms_.ite(when, value, before);
    const auto [at, fresh] = state.section.dirty.emplace(cell, when);
    if (!fresh) at->second = terms_.or_(at->second, when);
  } else if (seen) {
    emit_write(node_of(state, moment), cell, value, terms_.and_(state.guard.term(), when));
  }
  // What others write is never looked up in the thread's own view.
  if (!is_shared(cell)) state.view.set(cell, terms_.ite(when, value, seen_value(state, cell)));
  CellUse& use = this->use(cell);
  use.written = true;
  use.last_write = static_cast<NodeIndex>(self().chain.size());
}

void Executor::emit_write(NodeIndex node, const Cell& cell, Term value, Term guard) {
  if (terms_.is_false(guard)) return;
  auto& events = round_.unfolding.events;
  const auto [at, fresh] =
      round_.writes.emplace(std::pair(node, cell), static_cast<std::uint32_t>(events.size()));
  if (fresh) {
    events.push_back({EventKind::write, thread_, node, cell, guard, value, Term{}});
    return;
  }
  Event& event = events[at->second];  // of a path that excludes this one
  event.value = terms_.ite(guard, value, event.value);
  event.guard = terms_.or_(event.guard, guard);
}

// The end of a section, or of the piece of it before a wait.
void Executor::flush(State& state) {
  state.section.touched = state.section.touched || !state.section.dirty.empty();
  for (const auto& [cell, when] : state.section.dirty)
    emit_write(here(state), cell, state.section.known.at(cell),
               terms_.and_(state.guard.term(), when));
  state.section.dirty.clear();
  state.section.known.clear();
}

// Where the access goes. Executions in which it is an error end here.
Executor::Reach Executor::reach(Step at, State& state, Moment& moment, Term address,
                                const machine::Target& touched, EventKind kind) {
  const std::uint64_t size = touched.size;
  const Term start =
      terms_.binary(TermOp::add, address, terms_.constant(terms_.width(address), touched.address));
  Targets found = round_.pointers.targets(start, size);
  cut(at, state, found.unknown, verdict::Gap::bound, "a pointer whose target we cannot follow");
  Term invalid = found.invalid;
  Reach reach;
  reach.size = static_cast<std::uint32_t>(size);
  for (Target& target : found.valid) {
    round_.tick();
    if (terms_.is_false(terms_.and_(state.guard.term(), target.when))) continue;
    const Object& object = round_.objects[target.object];
    if (object.read_only && kind == EventKind::write) {
      invalid = terms_.or_(invalid, target.when);
      continue;
    }
    if (round_.sizes.contains(target.object)) {
      const Term bytes = round_.size_of(target.object);
      const Term beyond = terms_.binary(TermOp::ult, bytes,
                                        terms_.constant(terms_.width(bytes), target.offset + size));
      invalid = terms_.or_(invalid, terms_.and_(target.when, beyond));
    }
    const Cell life{target.object, Cell::life, 1};
    const Term alive = read_cell(state, moment, life, target.when);
    invalid = terms_.or_(invalid, terms_.and_(target.when, terms_.not_(alive)));
    if (terms_.is_false(alive)) continue;
    note_early_use(state, target);
    reach.targets.push_back(target);
    touch(target.object);
  }
  fail(at, state, invalid, verdict::Check::deref, "an access outside of every live object");
  return reach;
}

// A guess may be the address of an object that is allocated later. That is followed, as if the
// object were there, for the sake of proofs, but no execution does it. Where other threads run,
// they might allocate it in time.
void Executor::note_early_use(const State& state, const Target& target) {
  if (!round_.facts.follows_inputs() || thread_ != 0 || !spawned_.empty()) return;
  if (!round_.objects[target.object].allocated) return;
  const auto made = round_.made.find(target.object);
  const Term early =
      made == round_.made.end() ? target.when : terms_.and_(target.when, terms_.not_(made->second));
  const Term here = terms_.and_(state.guard.term(), early);
  if (!terms_.is_false(here)) round_.unfolding.too_early.push_back(here);
}

void Executor::touch(ObjectId object) {
  if (!spawned_.empty() || thread_ != 0) round_.touched[object].insert(thread_);
}

Term Executor::read(State& state, Moment& moment, const Reach& reach) {
  Term result{};
  for (const Target& target : reach.targets) {
    Term value{};
    for (const Cell& cell : cells(target, reach.size)) {
      const Term piece = read_cell(state, moment, cell, target.when);
      value = value.valid() ? terms_.concat(piece, value) : piece;
    }
    result = result.valid() ? terms_.ite(target.when, value, result) : value;
  }
  return result.valid() ? result : terms_.constant(8 * reach.size, 0);
}

void Executor::write(State& state, Moment& moment, const Reach& reach, Term value, Term when) {
  for (const Target& target : reach.targets)
    for (const Cell& cell : cells(target, reach.size))
      write_cell(state, moment, cell,
                 terms_.extract(value, 8 * (cell.offset - target.offset), 8 * cell.size),
                 terms_.and_(when, target.when));
}

void Executor::note_race(State& state, Moment& moment, const Reach& reach, EventKind kind,
                         Term when) {
  if (!round_.property.has(verdict::Check::race)) return;
  if (thread_ == 0 && spawned_.empty()) return;
  for (const Target& target : reach.targets) {
    if (!round_.facts.shared_object(target.object)) continue;
    RacyAccess access;
    access.thread = thread_;
    access.node = node_of(state, moment);
    access.step = static_cast<std::uint32_t>(self().log.size());
    access.object = target.object;
    access.offset = target.offset;
    access.size = reach.size;
    access.kind = kind;
    access.plain = moment.order == ir::MemoryOrder::plain && state.atomic_depth == 0;
    access.comes_first = state.atomic_depth > 0 || !terms_.is_true(when);
    access.guard = terms_.and_(state.guard.term(), terms_.and_(target.when, when));
    round_.unfolding.accesses.push_back(access);
  }
}

}  // namespace heddle::engine::bmc
