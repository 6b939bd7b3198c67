#include "machine/machine.hpp"

#include "base/check.hpp"
#include "machine/evaluate.hpp"
#include "machine/known_values.hpp"
#include "machine/target.hpp"

namespace heddle::machine {
namespace {

// Where a statement reads or writes memory; the place of a Free or Clobber is its whole object.
struct AccessFinder {
  const Machine& machine;
  const State& state;
  ThreadNumber thread;
  ir::EdgeId edge;
  KnownValues given;

  using Found = std::optional<Access>;

  std::uint64_t value(ir::ExprId id) const {
    const std::optional<std::uint64_t> known = find_value(given, id);
    return known ? *known : machine.evaluate(state, thread, id);
  }

  Found scalar(ir::ExprId address, ir::BitRange bits, AccessKind kind,
               ir::MemoryOrder order) const {
    const Target target = target_of(machine.program(), address, value(address), bits);
    const auto place = machine.memory().resolve(state, target.address, target.size, kind);
    if (std::holds_alternative<Fault>(place)) return std::nullopt;
    const bool plain = order == ir::MemoryOrder::plain && state.thread(thread).atomic_depth == 0;
    return Access{thread, edge, target.address, target.size, kind, plain};
  }

  Found whole_object(ir::ExprId address, AccessKind kind, bool plain) const {
    const std::optional<Place> place = machine.memory().find(state, value(address));
    if (!place || !place->index) return std::nullopt;
    return Access{thread, edge, place->base, place->object->bytes.size(), kind, plain};
  }

  Found operator()(const ir::Load& s) const {
    return scalar(s.address, s.bits, AccessKind::read, s.order);
  }
  Found operator()(const ir::Store& s) const {
    return scalar(s.address, s.bits, AccessKind::write, s.order);
  }
  Found operator()(const ir::Update& s) const {
    Found found = scalar(s.address, {}, AccessKind::write, s.order);
    if (found && s.op == ir::RmwOp::compare_exchange) {
      const auto place = machine.memory().find(state, found->address);
      const RawValue raw = Memory::read(*place, static_cast<std::uint32_t>(found->size));
      const Target target = target_of(machine.program(), s.address, found->address, {});
      if (target.decode(raw.bits) != value(s.expected)) found->kind = AccessKind::read;
    }
    return found;
  }
  Found operator()(const ir::Await& s) const {
    return scalar(s.address, {}, AccessKind::read, s.order);
  }
  Found operator()(const ir::Free& s) const {
    return whole_object(s.address, AccessKind::write, state.thread(thread).atomic_depth == 0);
  }
  // Neither is an access of the user's program: they never race, but they do not commute either.
  Found operator()(const ir::Clobber& s) const {
    return whole_object(s.address, AccessKind::write, false);
  }
  Found operator()(const ir::ObjectSize& s) const {
    return whole_object(s.address, AccessKind::read, false);
  }
  Found operator()(const ir::Skip&) const { return std::nullopt; }
  Found operator()(const ir::Assign&) const { return std::nullopt; }
  Found operator()(const ir::Havoc&) const { return std::nullopt; }
  Found operator()(const ir::Assume&) const { return std::nullopt; }
  Found operator()(const ir::Call&) const { return std::nullopt; }
  Found operator()(const ir::Return&) const { return std::nullopt; }
  Found operator()(const ir::Spawn&) const { return std::nullopt; }
  Found operator()(const ir::Atomic&) const { return std::nullopt; }
  Found operator()(const ir::Alloc&) const { return std::nullopt; }
  Found operator()(const ir::Self&) const { return std::nullopt; }
  Found operator()(const ir::Fail&) const { return std::nullopt; }
  Found operator()(const ir::Exit&) const { return std::nullopt; }
  Found operator()(const ir::Unsupported&) const { return std::nullopt; }
};

}  // namespace

Machine::Machine(const ir::Program& program, const verdict::Property& property)
    : program_(program), property_(property), memory_(program) {}

State Machine::initial() const {
  State state;
  const ir::Function& entry = program_.function(program_.entry());
  Frame frame;
  frame.function = program_.entry();
  frame.at = entry.entry;
  frame.registers.resize(entry.registers.size());
  Thread main;
  main.frames.emplace_back(std::move(frame));
  state.add_thread(std::move(main));
  for (std::uint32_t i = 0; i < program_.globals().size(); ++i) {
    const ir::Global& global = program_.globals()[i];
    if (global.kind == ir::GlobalKind::string_literal) continue;
    const std::optional<Address> address = global.storage == ir::Storage::process
                                               ? memory_.layout().global({i})
                                               : memory_.layout().thread_copy(0, {i});
    CHECK(address, "main's thread-local globals fit into its arena");
    state.add_object(*address, memory_.fresh_global({i}));
  }
  return state;
}

ThreadNumber Machine::thread_count(const State& state) const { return state.thread_count(); }

bool Machine::live(const State& state, ThreadNumber thread) const {
  return !state.over() && !state.thread(thread).frames.empty();
}

bool Machine::ended(const State& state) const {
  if (state.over()) return true;
  for (ThreadNumber t = 0; t < state.thread_count(); ++t)
    if (live(state, t)) return false;
  return true;
}

std::span<const ir::EdgeId> Machine::edges(const State& state, ThreadNumber thread) const {
  if (!live(state, thread)) return {};
  return program_.out(state.top(thread).at);
}

std::optional<Machine::Wait> Machine::wait(const State& state, ThreadNumber thread) const {
  const std::span<const ir::EdgeId> out = edges(state, thread);
  if (out.size() != 1) return std::nullopt;
  const auto* await = std::get_if<ir::Await>(&program_.edge(out[0]).statement);
  if (await == nullptr) return std::nullopt;
  const Target target =
      target_of(program_, await->address, evaluate(state, thread, await->address), {});
  const auto place = memory_.resolve(state, target.address, target.size, AccessKind::read);
  if (std::holds_alternative<Fault>(place)) return std::nullopt;  // taking it is an error
  const std::uint64_t word = target.decode(Memory::read(std::get<Place>(place), target.size).bits);
  if (machine::evaluate(program_, memory_.layout(), &state.top(thread), thread, await->condition,
                        {await->loaded, word}) != 0)
    return std::nullopt;
  Wait wait{out[0], target.address, std::nullopt};
  if (await->waits_for == ir::WaitsFor::holder && word != 0 && word <= state.thread_count())
    wait.holder = static_cast<ThreadNumber>(word - 1);
  return wait;
}

bool Machine::blocked(const State& state, ThreadNumber thread) const {
  return wait(state, thread).has_value();
}

bool Machine::enabled(const State& state, ThreadNumber thread) const {
  if (edges(state, thread).empty()) return false;
  if (state.holder() && *state.holder() != thread) return false;
  return !blocked(state, thread);
}

std::optional<ThreadNumber> Machine::atomic_holder(const State& state) const {
  return state.holder();
}

std::uint64_t Machine::evaluate(const State& state, ThreadNumber thread, ir::ExprId expr) const {
  return machine::evaluate(program_, memory_.layout(), &state.top(thread), thread, expr);
}

std::optional<Access> Machine::access(const State& state, ThreadNumber thread, ir::EdgeId edge,
                                      KnownValues given) const {
  return std::visit(AccessFinder{*this, state, thread, edge, given}, program_.edge(edge).statement);
}

bool Machine::ends_lifetimes(const State& state, ThreadNumber thread, ir::EdgeId edge) const {
  const ir::Statement& statement = program_.edge(edge).statement;
  if (std::holds_alternative<ir::Free>(statement) || std::holds_alternative<ir::Exit>(statement))
    return true;
  const Frame& frame = state.top(thread);
  if (std::holds_alternative<ir::Return>(statement))
    return !frame.stack_objects.empty() || state.thread(thread).frames.size() == 1;
  const auto* alloc = std::get_if<ir::Alloc>(&statement);
  if (alloc == nullptr || alloc->kind != ir::AllocKind::stack) return false;
  for (const auto& [at, address] : frame.stack_objects)
    if (at == edge) return true;
  return false;
}

}  // namespace heddle::machine
