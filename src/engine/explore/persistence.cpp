#include "engine/explore/persistence.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/hash.hpp"
#include "passes/operands.hpp"

namespace heddle::engine::explore {

using passes::AccessSet;
using passes::CellIndex;
using passes::InstanceId;

namespace {

// A program that creates threads for ever must let the first of them run at some time. A function
// without a way to its end will hardly do anything else.
constexpr ThreadNumber most_threads_at_once = 24, most_threads_of_endless_one = 3;

}  // namespace

Persistence::Persistence(const machine::Machine& machine, const passes::PointsTo& points_to,
                         const passes::FutureAccesses& futures)
    : machine_(machine),
      program_(machine.program()),
      points_to_(points_to),
      futures_(futures),
      leaks_asked_(machine.property().has(verdict::Check::leak)),
      calls_into_(program_.locations().size()),
      roots_(program_.functions().size()),
      may_return_(program_.locations().size(), 0) {
  find_returns();
  for (const ir::Location& location : program_.locations())
    for (const ir::EdgeId edge : location.out)
      if (std::holds_alternative<ir::Call>(program_.edge(edge).statement))
        calls_into_[program_.edge(edge).to.value].push_back(edge);
  for (InstanceId i = 0; i < points_to.instances().size(); ++i)
    for (const ir::LocId at : program_.function(points_to.instances()[i].function).locations)
      for (const ir::EdgeId edge : program_.out(at)) {
        if (!std::holds_alternative<ir::Spawn>(program_.edge(edge).statement)) continue;
        for (const InstanceId root : points_to.callees(i, edge))
          roots_[points_to.instances()[root].function.value].push_back(root);
      }
  for (std::vector<InstanceId>& list : roots_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

void Persistence::find_returns() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = program_.locations().size(); i-- > 0;) {
      if (may_return_[i] != 0) continue;
      for (const ir::EdgeId edge : program_.locations()[i].out) {
        const ir::Edge& step = program_.edge(edge);
        if (std::holds_alternative<ir::Return>(step.statement) ||
            (!passes::ends_path(step.statement) && may_return_[step.to.value] != 0))
          may_return_[i] = 1;
      }
      changed = changed || may_return_[i] != 0;
    }
  }
}

// ---- stacks and their futures ------------------------------------------------------

void Persistence::add_frame(InstanceId instance, ir::LocId at, std::uint32_t frame,
                            AccessSet& cells, std::vector<ParameterRef>& parameters) const {
  const passes::FutureAccesses::Future future = futures_.from(instance, at);
  cells.add(future.cells);
  const std::span<const passes::ParameterAccess> accesses = futures_.parameter_accesses(instance);
  for (std::size_t i = 0; i < accesses.size(); ++i)
    if ((future.through_parameters >> i & 1) != 0) parameters.push_back({frame, accesses[i]});
}

Persistence::Stack Persistence::bottom(ir::LocId at, ThreadNumber thread) const {
  Stack stack;
  stack.at = at;
  stack.depth = 1;
  stack.below = AccessSet(futures_.cell_count());
  if (thread == 0)
    stack.instances = {0};
  else
    stack.instances = roots_[program_.location(at).function.value];
  return stack;
}

Persistence::Stack Persistence::on(const Stack& below, ir::LocId at) const {
  const ir::FunId function = program_.location(at).function;
  Stack stack;
  stack.at = at;
  stack.depth = below.depth + 1;
  stack.below = below.below;
  stack.below_parameters = below.below_parameters;
  for (const InstanceId caller : below.instances) {
    bool calls = false;
    for (const ir::EdgeId edge : calls_into_[below.at.value])
      for (const InstanceId callee : points_to_.callees(caller, edge)) {
        if (points_to_.instances()[callee].function != function) continue;
        calls = true;
        stack.instances.push_back(callee);
      }
    if (calls) add_frame(caller, below.at, below.depth - 1, stack.below, stack.below_parameters);
  }
  std::sort(stack.instances.begin(), stack.instances.end());
  stack.instances.erase(std::unique(stack.instances.begin(), stack.instances.end()),
                        stack.instances.end());
  return stack;
}

void Persistence::finish(Stack& stack) const {
  stack.all = stack.below;
  stack.all_parameters = stack.below_parameters;
  for (const InstanceId instance : stack.instances)
    add_frame(instance, stack.at, stack.depth - 1, stack.all, stack.all_parameters);
  if (stack.instances.empty()) stack.all.anything = true;
}

Persistence::StackId Persistence::intern(std::optional<StackId> below, ir::LocId at,
                                         ThreadNumber thread) {
  // Main's outermost frame is told from a thread that runs the same function.
  const std::uint64_t under = below ? *below + std::uint64_t{2} : (thread == 0 ? 0 : 1);
  const auto [known, fresh] =
      known_.try_emplace(under << 32 | at.value, static_cast<StackId>(stacks_.size()));
  if (!fresh) return known->second;
  const StackId id = known->second;
  Stack stack = below ? on(stacks_[*below], at) : bottom(at, thread);
  finish(stack);
  contradicted_ = contradicted_ || stack.instances.empty();
  stacks_.push_back(std::move(stack));
  return id;
}

Persistence::StackId Persistence::stack_of(const machine::State& state, ThreadNumber thread) {
  std::optional<StackId> stack;
  for (const auto& frame : state.thread(thread).frames) stack = intern(stack, frame->at, thread);
  return *stack;
}

const std::optional<std::vector<CellIndex>>& Persistence::cells_at(StackId id, ir::EdgeId access) {
  Stack& stack = stacks_[id];
  if (stack.has_cells) return stack.cells;
  stack.has_cells = true;
  stack.cells.emplace();
  for (const InstanceId instance : stack.instances) {
    const passes::FutureAccesses::Cells& more = futures_.cells(instance, access);
    if (!more) {
      stack.cells.reset();
      break;
    }
    stack.cells->insert(stack.cells->end(), more->begin(), more->end());
  }
  return stack.cells;
}

// ---- the others --------------------------------------------------------------------

void Persistence::include(const machine::State& state, ThreadNumber thread, const OpenValues* open,
                          Others& into) {
  const Stack& stack = stacks_[stack_of(state, thread)];
  into.cells.add(stack.all);
  const machine::Address mask =
      program_.data_model() == ir::DataModel::lp64 ? ~machine::Address{0} : 0xffffffff;
  for (const ParameterRef& ref : stack.all_parameters) {
    if (open != nullptr && open->parameter(thread, ref.frame, ref.access.parameter)) {
      into.cells.anything = true;
      continue;
    }
    const machine::Frame& frame = *state.thread(thread).frames[ref.frame];
    const machine::Address from =
        (frame.registers[ref.access.parameter] + static_cast<machine::Address>(ref.access.offset)) &
        mask;
    into.ranges.push_back({from, from + ref.access.size, ref.access.writes});
  }
}

bool Persistence::may_end_wait(const machine::State& state, ThreadNumber waiting, ir::EdgeId await,
                               const Others& others) {
  const std::optional<machine::Access> access = machine_.access(state, waiting, await);
  const auto& cells = cells_at(stack_of(state, waiting), await);
  if (!access || !cells || others.cells.anything) return true;
  return std::any_of(cells->begin(), cells->end(),
                     [&](CellIndex cell) { return others.cells.writes(cell); }) ||
         std::any_of(others.ranges.begin(), others.ranges.end(), [&](const Others::Range& range) {
           return range.writes && range.from < access->address + access->size &&
                  access->address < range.to;
         });
}

Persistence::Others Persistence::others(const machine::State& state, ThreadNumber thread,
                                        const OpenValues* open) {
  Others result;
  result.cells = AccessSet(futures_.cell_count());
  std::vector<std::pair<ThreadNumber, ir::EdgeId>> waiting;
  for (ThreadNumber other = 0; other < state.thread_count(); ++other) {
    if (other == thread || !machine_.live(state, other)) continue;
    const auto wait = machine_.wait(state, other);
    if (wait && (open == nullptr || !open->waits(other, wait->edge)))
      waiting.emplace_back(other, wait->edge);
    else
      include(state, other, open, result);
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (!may_end_wait(state, waiting[i].first, waiting[i].second, result)) continue;
      include(state, waiting[i].first, open, result);
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
      grown = true;
      break;
    }
  }
  return result;
}

// ---- steps -------------------------------------------------------------------------

bool Persistence::access_undisturbed(const machine::State& state, ThreadNumber thread,
                                     ir::EdgeId next, const Others& others) {
  const std::optional<machine::Access> access = machine_.access(state, thread, next);
  if (!access) return false;
  const auto& cells = cells_at(stack_of(state, thread), next);
  if (!cells) return false;
  // A first read of unset memory settles what is there.
  const bool writes = access->kind == machine::AccessKind::write ||
                      machine_.input_needed(state, thread, next).has_value();
  for (const CellIndex cell : *cells)
    if (others.cells.writes(cell) || (writes && others.cells.reads(cell))) return false;
  return std::none_of(others.ranges.begin(), others.ranges.end(), [&](const Others::Range& range) {
    return (writes || range.writes) && range.from < access->address + access->size &&
           access->address < range.to;
  });
}

bool Persistence::ends_undisturbed(const machine::State& state, const machine::Frame& frame,
                                   const Others& others) const {
  for (const auto& [allocation, address] : frame.stack_objects) {
    for (const CellIndex cell : futures_.cells_of_allocation(allocation))
      if (others.cells.writes(cell) || others.cells.reads(cell)) return false;
    const std::optional<machine::Place> place = machine_.memory().find(state, address);
    if (!place) return false;
    const machine::Address to = place->base + std::max<std::size_t>(place->object->bytes.size(), 1);
    for (const Others::Range& range : others.ranges)
      if (range.from < to && place->base < range.to) return false;
  }
  return true;
}

bool Persistence::undisturbed(const machine::State& state, ThreadNumber thread, ir::EdgeId next,
                              const Others& others) {
  if (others.cells.anything || (leaks_asked_ && others.cells.ends_process)) return false;
  const ir::Statement& statement = program_.edge(next).statement;
  // Threads are numbered in the order of their creation.
  if (std::holds_alternative<ir::Spawn>(statement)) {
    const auto& frames = state.thread(thread).frames;
    const bool endless = std::any_of(frames.begin() + 1, frames.end(), [&](const auto& frame) {
      return may_return_[frame->at.value] == 0;
    });
    return !others.cells.spawns &&
           state.thread_count() < (endless ? most_threads_of_endless_one : most_threads_at_once);
  }
  if (std::holds_alternative<ir::Exit>(statement)) return false;
  const bool returns = std::holds_alternative<ir::Return>(statement);
  if (returns && state.thread(thread).frames.size() == 1) return false;
  if (returns || std::holds_alternative<ir::Alloc>(statement))
    return ends_undisturbed(state, state.top(thread), others);
  return access_undisturbed(state, thread, next, others);
}

// ---- the audit ---------------------------------------------------------------------

bool Persistence::foreseen(const machine::Place& place, const machine::Access& access,
                           StackId stack) const {
  for (const InstanceId instance : stacks_[stack].instances) {
    const passes::Touched touched = points_to_.touched(instance, access.edge);
    if (touched.anything) return true;
    for (const passes::TouchedBytes& bytes : touched.bytes) {
      const passes::AbstractObject& object = points_to_.objects()[bytes.object];
      const bool same = object.kind == passes::ObjectKind::global
                            ? object.global == place.object->global
                            : object.kind == passes::ObjectKind::allocation &&
                                  object.allocation == place.object->allocated_at;
      if (!same) continue;
      if (bytes.whole) return true;
      const auto offset = static_cast<std::int64_t>(place.offset % points_to_.period(bytes.object));
      const auto end = offset + static_cast<std::int64_t>(access.size);
      if (bytes.first <= offset && end <= bytes.last + 1) return true;
    }
  }
  return false;
}

void Persistence::note(const machine::State& state, ThreadNumber thread, ir::EdgeId edge,
                       machine::KnownValues given) {
  const std::optional<machine::Access> access = machine_.access(state, thread, edge, given);
  if (!access) return;
  const std::optional<machine::Place> place = machine_.memory().find(state, access->address);
  if (!place || !place->index) return;  // nobody writes a string literal
  const StackId stack = stack_of(state, thread);
  std::uint64_t key = base::combine(stack, place->object->allocated_at.value);
  key = base::combine(base::combine(key, place->object->global.value), place->offset);
  if (!noted_.insert(key).second) return;
  contradicted_ = contradicted_ || !foreseen(*place, *access, stack);
}

}  // namespace heddle::engine::explore
