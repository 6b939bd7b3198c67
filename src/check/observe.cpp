#include "check/observe.hpp"

#include "machine/target.hpp"

namespace heddle::check {
namespace {

using machine::Machine;
using machine::State;
using verdict::Observation;

struct Observer {
  const Machine& machine;
  const State& before;
  const State& after;
  Observation& seen;

  const ir::Program& program = machine.program();

  std::uint64_t value_before(ir::ExprId id) const {
    return machine.evaluate(before, seen.thread, id);
  }
  std::uint64_t register_after(ir::RegId reg) const {
    return after.top(seen.thread).registers[program.reg(reg).index];
  }
  void place(ir::ExprId address, ir::BitRange bits) const {
    seen.shared = true;
    seen.object = machine.memory().describe(before, value_before(address), bits);
  }
  void value_type(ir::TypeId type) const { seen.type = type; }
  void read_into(ir::RegId reg, ir::ExprId address, ir::BitRange bits) const {
    place(address, bits);
    value_type(program.reg(reg).type);
    seen.read = register_after(reg);
  }
  void assigned(ir::RegId reg) const {
    if (program.reg(reg).temporary) return;
    seen.object = program.reg(reg).name;
    value_type(program.reg(reg).type);
    seen.written = register_after(reg);
  }

  void operator()(const ir::Assign& s) const { assigned(s.to); }
  void operator()(const ir::Havoc& s) const {
    assigned(s.to);
    value_type(program.reg(s.to).type);
  }
  void operator()(const ir::Self& s) const { assigned(s.to); }
  void operator()(const ir::Load& s) const { read_into(s.to, s.address, s.bits); }
  void operator()(const ir::Await& s) const { read_into(s.loaded, s.address, {}); }
  void operator()(const ir::Store& s) const {
    place(s.address, s.bits);
    value_type(program.pointee(s.address));
    seen.written = value_before(s.value);
  }
  void operator()(const ir::Update& s) const {
    read_into(s.before, s.address, {});
    const auto access = machine.access(before, seen.thread, seen.edge);
    if (!access || access->kind == machine::AccessKind::read) return;
    const machine::Target target =
        machine::target_of(program, s.address, value_before(s.address), {});
    const auto found = machine.memory().find(after, target.address);
    if (found) seen.written = target.decode(machine::Memory::read(*found, target.size).bits);
  }
  void operator()(const ir::Free& s) const {
    if (value_before(s.address) != 0) place(s.address, {});
  }
  void operator()(const ir::Clobber& s) const {
    if (value_before(s.address) != 0) place(s.address, {});
  }
  void operator()(const ir::Alloc& s) const {
    seen.shared = true;
    seen.object = s.name.empty() ? machine.memory().describe(after, register_after(s.to)) : s.name;
  }
  void operator()(const ir::Spawn&) const { seen.created = before.thread_count(); }
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

Observation observe(const Machine& machine, const State& before, const State& after,
                    const verdict::Step& step) {
  Observation seen;
  seen.thread = step.thread;
  seen.edge = step.edge;
  seen.input = step.input;
  std::visit(Observer{machine, before, after, seen}, machine.program().edge(step.edge).statement);
  return seen;
}

}  // namespace heddle::check
