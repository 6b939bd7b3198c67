// What a step of an event touches: the part of the runner that fills in footprints.
#include <algorithm>
#include <variant>

#include "engine/explore/stateless/runner.hpp"
#include "engine/explore/stateless/runner_run.hpp"

namespace heddle::engine::explore {
namespace {

AccessRole role_of(const ir::Statement& statement) {
  if (std::holds_alternative<ir::Clobber>(statement)) return AccessRole::unseen;
  if (std::holds_alternative<ir::ObjectSize>(statement)) return AccessRole::none;
  return AccessRole::program;
}

bool looks_for_object(const ir::Statement& statement) {
  return std::holds_alternative<ir::Clobber>(statement) ||
         std::holds_alternative<ir::ObjectSize>(statement) ||
         std::holds_alternative<ir::Free>(statement);
}

}  // namespace

bool Runner::noticeable(ir::EdgeId edge) const {
  const ir::Statement& statement = program_.edge(edge).statement;
  return locality_.access(edge) || std::holds_alternative<ir::Spawn>(statement) ||
         std::holds_alternative<ir::Alloc>(statement) ||
         std::holds_alternative<ir::Return>(statement) ||
         std::holds_alternative<ir::Exit>(statement);
}

// Whether others may touch what the edge touches.
bool Runner::matters(ir::EdgeId edge) const {
  return local_steps_ == LocalSteps::off ? locality_.access(edge) : locality_.shared_access(edge);
}

void Runner::note_touches(Run& run, ir::EdgeId edge) const {
  if (noticeable_[edge.value] == 0) return;
  const ir::Statement& statement = program_.edge(edge).statement;
  Footprint& footprint = run.out.footprint;
  if (std::holds_alternative<ir::Spawn>(statement)) {
    footprint.add({.object = thread_numbers, .size = 1, .kind = AccessKind::write});
    if (footprint.spawned++ == 0) footprint.first_spawned = run.state.thread_count();
    run.out.changes_objects = true;
    return;
  }
  note_lifetimes(run, edge);
  if (!locality_.access(edge)) return;
  const std::optional<machine::Access> access = machine_.access(run.state, run.thread, edge);
  if (!access) {
    // Whether an object lives there decides what happens, and others may end its life.
    if (looks_for_object(statement) && matters(edge)) footprint.everything = true;
    return;
  }
  const std::optional<machine::Place> place = machine_.memory().find(run.state, access->address);
  if (local_steps_ == LocalSteps::on)
    audit_.note(*place, run.thread,
                locality_.shared_access(edge) ? SharingAudit::Belief::shared
                                              : SharingAudit::Belief::unshared);
  if (std::holds_alternative<ir::Free>(statement)) run.out.changes_objects = true;
  if (run.state.thread_count() == 1 || !matters(edge)) {
    if (access->kind == AccessKind::write) note_own(run, place->base);
    return;
  }
  footprint.add({.object = run.names.of(place->base),
                 .offset = access->address - place->base,
                 .size = access->size,
                 .kind = access->kind,
                 .plain = access->plain,
                 .role = role_of(statement)});
}

void Runner::note_own(Run& run, machine::Address base) const {
  if (!run.before) run.before = run.state;
  std::vector<machine::Address>& own = run.out.own_objects;
  if (std::find(own.begin(), own.end(), base) == own.end()) own.push_back(base);
}

// The first read of a value that was never set decides it for everyone.
void Runner::note_setting(Run& run, ir::EdgeId edge) const {
  if (!std::holds_alternative<ir::Load>(program_.edge(edge).statement)) return;
  if (run.state.thread_count() == 1 || !matters(edge)) {
    const std::optional<machine::Access> access = machine_.access(run.state, run.thread, edge);
    note_own(run, machine_.memory().find(run.state, access->address)->base);
    return;
  }
  Touched touch = run.out.footprint.touched.back();
  touch.kind = AccessKind::write;
  touch.role = AccessRole::none;
  run.out.footprint.add(touch);
}

void Runner::note_lifetimes(Run& run, ir::EdgeId edge) const {
  const ir::Statement& statement = program_.edge(edge).statement;
  const machine::Thread& thread = run.state.thread(run.thread);
  if (const auto* alloc = std::get_if<ir::Alloc>(&statement)) {
    run.out.changes_objects = true;
    if (!run.before) run.before = run.state;
    if (alloc->kind != ir::AllocKind::stack) return;
    for (const auto& [at, address] : thread.frames.back()->stack_objects)
      if (at == edge) touch_object(run, at, address);
    return;
  }
  const auto* exit = std::get_if<ir::Exit>(&statement);
  if (exit == nullptr && !std::holds_alternative<ir::Return>(statement)) return;
  if (exit == nullptr && thread.frames.size() > 1) {
    const bool leaves_main = run.thread == 0 && thread.frames.size() == 2 &&
                             thread.frames.back()->function == program_.main();
    if (leaves_main) return;  // its objects live on until the process ends
    for (const auto& [at, address] : thread.frames.back()->stack_objects)
      touch_object(run, at, address);
    return;
  }
  for (const machine::Shared<machine::Frame>& frame : thread.frames)
    for (const auto& [at, address] : frame->stack_objects) touch_object(run, at, address);
  if (!locality_.thread_locals_may_be_shared()) return;
  for (std::uint32_t i = 0; i < program_.globals().size(); ++i)
    if (program_.globals()[i].storage == ir::Storage::thread)
      touch_object(run, ir::EdgeId::none(),
                   *machine_.memory().layout().thread_copy(run.thread, {i}));
}

// The life of an object ends, which is no access of the program and so never a race.
void Runner::touch_object(Run& run, ir::EdgeId allocation, machine::Address base) const {
  run.out.changes_objects = true;
  const bool own = allocation.valid() && local_steps_ == LocalSteps::on &&
                   !locality_.object_may_be_shared(allocation);
  if (own || run.state.thread_count() == 1) return note_own(run, base);
  const std::optional<machine::Place> place = machine_.memory().find(run.state, base);
  run.out.footprint.add({.object = run.names.of(base),
                         .size = std::max<std::uint64_t>(1, place->object->bytes.size()),
                         .kind = AccessKind::write});
}

void Runner::note_allocation(Run& run, ir::EdgeId edge) const {
  const auto* alloc = std::get_if<ir::Alloc>(&program_.edge(edge).statement);
  if (alloc == nullptr) return;
  const machine::Address base = run.state.top(run.thread).registers[program_.reg(alloc->to).index];
  note_own(run, base);
  if (local_steps_ == LocalSteps::off || locality_.object_may_be_shared(edge))
    run.names.add(base, run.thread);
}

}  // namespace heddle::engine::explore
