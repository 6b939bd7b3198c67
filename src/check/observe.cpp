#include "check/observe.hpp"

#include <utility>

#include "machine/target.hpp"

namespace heddle::check {
namespace {

using machine::Machine;
using machine::State;
using verdict::Observation;

// What can be seen before the step: the place, and what is written there.
struct Before {
  const Machine& machine;
  const State& state;
  Observation& seen;
  std::optional<machine::Access>& updated;

  const ir::Program& program = machine.program();

  std::uint64_t value(ir::ExprId id) const { return machine.evaluate(state, seen.thread, id); }
  void place(ir::ExprId address, ir::BitRange bits) const {
    seen.shared = true;
    seen.object = machine.memory().describe(state, value(address), bits);
  }

  void operator()(const ir::Load& s) const { place(s.address, s.bits); }
  void operator()(const ir::Await& s) const { place(s.address, {}); }
  void operator()(const ir::Store& s) const {
    place(s.address, s.bits);
    seen.type = program.pointee(s.address);
    seen.written = value(s.value);
  }
  void operator()(const ir::Update& s) const {
    place(s.address, {});
    const auto access = machine.access(state, seen.thread, seen.edge);
    if (access && access->kind == machine::AccessKind::write) updated = access;
  }
  void operator()(const ir::Free& s) const {
    if (value(s.address) != 0) place(s.address, {});
  }
  void operator()(const ir::Clobber& s) const {
    if (value(s.address) != 0) place(s.address, {});
  }
  void operator()(const ir::Spawn&) const { seen.created = state.thread_count(); }
  void operator()(const ir::Assign&) const {}
  void operator()(const ir::Havoc&) const {}
  void operator()(const ir::Self&) const {}
  void operator()(const ir::Alloc&) const {}
  void operator()(const ir::Skip&) const {}
  void operator()(const ir::Assume&) const {}
  void operator()(const ir::Call&) const {}
  void operator()(const ir::Return&) const {}
  void operator()(const ir::Atomic&) const {}
  void operator()(const ir::ObjectSize&) const {}
  void operator()(const ir::Fail&) const {}
  void operator()(const ir::Exit&) const {}
  void operator()(const ir::Unsupported&) const {}
};

// What can be seen after it: the values read, and where a new object lies.
struct After {
  const Machine& machine;
  const State& state;
  Observation& seen;
  const std::optional<machine::Access>& updated;

  const ir::Program& program = machine.program();

  std::uint64_t value(ir::RegId reg) const {
    return state.top(seen.thread).registers[program.reg(reg).index];
  }
  void read_into(ir::RegId reg) const {
    seen.type = program.reg(reg).type;
    seen.read = value(reg);
  }
  void assigned(ir::RegId reg) const {
    if (program.reg(reg).temporary) return;
    seen.object = program.reg(reg).name;
    seen.type = program.reg(reg).type;
    seen.written = value(reg);
  }

  void operator()(const ir::Assign& s) const { assigned(s.to); }
  void operator()(const ir::Havoc& s) const {
    assigned(s.to);
    seen.type = program.reg(s.to).type;
  }
  void operator()(const ir::Self& s) const { assigned(s.to); }
  void operator()(const ir::Load& s) const { read_into(s.to); }
  void operator()(const ir::Await& s) const { read_into(s.loaded); }
  void operator()(const ir::Update& s) const {
    read_into(s.before);
    if (!updated) return;
    const machine::Target target = machine::target_of(program, s.address, updated->address, {});
    const auto found = machine.memory().find(state, target.address);
    if (found) seen.written = target.decode(machine::Memory::read(*found, target.size).bits);
  }
  void operator()(const ir::Alloc& s) const {
    seen.shared = true;
    seen.object = s.name.empty() ? machine.memory().describe(state, value(s.to)) : s.name;
  }
  void operator()(const ir::Store&) const {}
  void operator()(const ir::Free&) const {}
  void operator()(const ir::Clobber&) const {}
  void operator()(const ir::Spawn&) const {}
  void operator()(const ir::Skip&) const {}
  void operator()(const ir::Assume&) const {}
  void operator()(const ir::Call&) const {}
  void operator()(const ir::Return&) const {}
  void operator()(const ir::Atomic&) const {}
  void operator()(const ir::ObjectSize&) const {}
  void operator()(const ir::Fail&) const {}
  void operator()(const ir::Exit&) const {}
  void operator()(const ir::Unsupported&) const {}
};

}  // namespace

StepObserver::StepObserver(const Machine& machine, const State& before, const verdict::Step& step)
    : machine_(machine) {
  seen_.thread = step.thread;
  seen_.edge = step.edge;
  seen_.input = step.input;
  std::visit(Before{machine, before, seen_, updated_}, machine.program().edge(step.edge).statement);
}

Observation StepObserver::finish(const State& after) && {
  std::visit(After{machine_, after, seen_, updated_},
             machine_.program().edge(seen_.edge).statement);
  return std::move(seen_);
}

}  // namespace heddle::check
