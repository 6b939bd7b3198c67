// What each statement does to a state: the meaning of the IR, statement by statement.
// Everything that may go wrong is found before anything is changed.
#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "ir/arithmetic.hpp"
#include "machine/known_values.hpp"
#include "machine/leak.hpp"
#include "machine/machine.hpp"
#include "machine/target.hpp"

namespace heddle::machine {
namespace {

using verdict::Check;
using verdict::Gap;

struct Stepper {
  const Machine& machine;
  State& state;
  ThreadNumber thread;
  ir::EdgeId edge_id;
  std::optional<std::uint64_t> input;
  KnownValues given;

  const ir::Program& program = machine.program();
  const Memory& memory = machine.memory();
  const ir::Edge& edge = program.edge(edge_id);

  // ---- helpers ----
  std::uint64_t value(ir::ExprId id) const {
    const std::optional<std::uint64_t> known = find_value(given, id);
    return known ? *known : machine.evaluate(state, thread, id);
  }
  const ir::Type& type_of(ir::ExprId id) const { return program.type(program.expr(id).type); }
  const ir::Type& type_of(ir::RegId id) const { return program.type(program.reg(id).type); }

  StepResult go() const {
    state.write_top(thread).at = edge.to;
    return {};
  }
  StepResult go_with(ir::RegId to, std::uint64_t result) const {
    Frame& frame = state.write_top(thread);
    frame.registers[program.reg(to).index] = result;
    frame.at = edge.to;
    return {};
  }
  static StepResult stop(Outcome outcome) { return {outcome, std::nullopt, Gap::unsupported, {}}; }
  static StepResult cut(Gap gap, std::string detail) {
    return {Outcome::cut, std::nullopt, gap, std::move(detail)};
  }
  verdict::Violation violation(Check check, std::string text) const {
    verdict::Violation found;
    found.check = check;
    found.thread = thread;
    found.edge = edge_id;
    found.text = std::move(text);
    return found;
  }
  StepResult error(Check check, std::string text) const {
    if (!machine.property().has(check)) return cut(Gap::undefined, std::move(text));
    return {Outcome::moved, violation(check, std::move(text)), Gap::unsupported, {}};
  }
  StepResult invalid(const Fault& fault) const {
    if (fault.kind == Fault::Kind::unknown_size) return cut(Gap::unsupported, fault.text);
    return error(Check::deref, fault.text);
  }

  // ---- registers and branches ----
  StepResult operator()(const ir::Skip&) const { return go(); }
  StepResult operator()(const ir::Assign& s) const { return go_with(s.to, value(s.value)); }
  StepResult operator()(const ir::Havoc& s) const {
    if (!input) return stop(Outcome::needs_input);
    CHECK(s.limit == 0 || *input < s.limit, "an input lies within its limit");
    return go_with(s.to, ir::truncate(type_of(s.to), *input));
  }
  StepResult operator()(const ir::Assume& s) const {
    return value(s.condition) != 0 ? go() : stop(Outcome::pruned);
  }
  StepResult operator()(const ir::Self& s) const { return go_with(s.to, thread + 1); }

  // ---- memory ----
  StepResult operator()(const ir::Load& s) const {
    const Target target = target_of(program, s.address, value(s.address), s.bits);
    const auto found = memory.resolve(state, target.address, target.size, AccessKind::read);
    if (const auto* fault = std::get_if<Fault>(&found)) return invalid(*fault);
    const Place place = std::get<Place>(found);
    const RawValue raw = Memory::read(place, target.size);
    const std::uint64_t unset = target.mask() & ~raw.set;
    if (unset == 0 || s.order != ir::MemoryOrder::plain)
      return go_with(s.to, target.decode(raw.bits));
    if (!input) return stop(Outcome::needs_input);
    const std::uint64_t bits = (raw.bits & ~unset) | (target.encode(*input) & unset);
    Memory::write(state, place, target.size, bits, target.mask());
    return go_with(s.to, target.decode(bits));
  }
  StepResult operator()(const ir::Store& s) const {
    const Target target = target_of(program, s.address, value(s.address), s.bits);
    const auto found = memory.resolve(state, target.address, target.size, AccessKind::write);
    if (const auto* fault = std::get_if<Fault>(&found)) return invalid(*fault);
    Memory::write(state, std::get<Place>(found), target.size, target.encode(value(s.value)),
                  target.mask());
    return go();
  }
  std::optional<std::uint64_t> updated(const ir::Update& s, const ir::Type& type,
                                       std::uint64_t before) const {
    const std::uint64_t operand = value(s.operand);
    switch (s.op) {
      case ir::RmwOp::exchange:
        return operand;
      case ir::RmwOp::add:
        return ir::apply_binary(ir::Op::add, type, before, operand);
      case ir::RmwOp::sub:
        return ir::apply_binary(ir::Op::sub, type, before, operand);
      case ir::RmwOp::bit_and:
        return before & operand;
      case ir::RmwOp::bit_or:
        return before | operand;
      case ir::RmwOp::bit_xor:
        return before ^ operand;
      case ir::RmwOp::nand:
        return ir::truncate(type, ~(before & operand));
      case ir::RmwOp::compare_exchange:
        if (before != value(s.expected)) return std::nullopt;
        return operand;
    }
    CHECK(false, "every operator has a meaning");
    return std::nullopt;
  }
  StepResult operator()(const ir::Update& s) const {
    const Target target = target_of(program, s.address, value(s.address), {});
    const auto found = memory.resolve(state, target.address, target.size, AccessKind::write);
    if (const auto* fault = std::get_if<Fault>(&found)) return invalid(*fault);
    const Place place = std::get<Place>(found);
    const std::uint64_t before = target.decode(Memory::read(place, target.size).bits);
    if (const auto after = updated(s, *target.type, before))
      Memory::write(state, place, target.size, *after, target.mask());
    return go_with(s.before, before);
  }
  StepResult operator()(const ir::Await& s) const {
    const std::optional<std::uint64_t> known = find_value(given, s.condition);
    if (known ? *known == 0 : machine.blocked(state, thread)) return stop(Outcome::blocked);
    const Target target = target_of(program, s.address, value(s.address), {});
    const auto found = memory.resolve(state, target.address, target.size, AccessKind::read);
    if (const auto* fault = std::get_if<Fault>(&found)) return invalid(*fault);
    return go_with(s.loaded, target.decode(Memory::read(std::get<Place>(found), target.size).bits));
  }
  StepResult operator()(const ir::ObjectSize& s) const {
    const std::optional<Place> place = memory.find(state, value(s.address));
    return go_with(s.to, place ? ir::truncate(type_of(s.to), place->object->bytes.size()) : 0);
  }
  StepResult operator()(const ir::Clobber& s) const {
    // An address that leads nowhere is no error: nothing says that the unknown code follows it.
    const std::optional<Place> place = memory.find(state, value(s.address));
    if (place && place->index) {
      Object& object = state.write_object(*place->index);
      std::fill(object.bytes.begin(), object.bytes.end(), 0);
      object.set.assign(object.bytes.size(), 0);
    }
    return go();
  }

  // ---- lifetimes ----
  StepResult operator()(const ir::Alloc& s) const {
    const std::uint64_t size = value(s.size);
    if (size > Memory::largest_object)
      return cut(Gap::bound, fmt::format("an object of {} bytes is larger than we model", size));
    if (s.kind == ir::AllocKind::model) {
      const std::optional<Address> address = memory.fresh_model_address(state, thread, size);
      if (!address) return cut(Gap::bound, "the address space of a thread is full");
      state.add_object(*address, Memory::fresh_object(s.kind, edge_id, size, s.contents));
      return go_with(s.to, *address);
    }
    State next = state;  // the old object of this edge must be gone when the new address is chosen
    Frame& frame = next.write_top(thread);
    frame.registers[program.reg(s.to).index] = 0;
    if (s.kind == ir::AllocKind::stack) {
      const auto old = std::find_if(frame.stack_objects.begin(), frame.stack_objects.end(),
                                    [&](const auto& entry) { return entry.first == edge_id; });
      if (old != frame.stack_objects.end()) {
        next.remove_object(old->second);
        frame.stack_objects.erase(old);
      }
    }
    const std::optional<Address> address = memory.fresh_address(next, thread, size);
    if (!address) return cut(Gap::bound, "the address space of a thread is full");
    next.add_object(*address, Memory::fresh_object(s.kind, edge_id, size, s.contents));
    Frame& after = next.write_top(thread);
    if (s.kind == ir::AllocKind::stack || s.kind == ir::AllocKind::frame)
      after.stack_objects.emplace_back(edge_id, *address);
    after.registers[program.reg(s.to).index] = *address;
    after.at = edge.to;
    state = std::move(next);
    return {};
  }
  StepResult operator()(const ir::Free& s) const {
    const Address address = value(s.address);
    if (address == 0) return go();
    const std::optional<Place> place = memory.find(state, address);
    if (!place)
      return error(Check::free, memory.layout().in_arena(address)
                                    ? "free of a block that is not live (freed before?)"
                                    : "free of an address where no object lives");
    if (place->object->kind != ir::AllocKind::heap)
      return error(Check::free, fmt::format("free of {}, which is no heap block",
                                            memory.name_of(*place->object)));
    if (place->offset != 0)
      return error(Check::free, fmt::format("free of a pointer to offset {} of {}", place->offset,
                                            memory.name_of(*place->object)));
    state.remove_object(place->base);
    return go();
  }
  void end_frame_objects(const Frame& frame) const {
    for (const auto& [at, address] : frame.stack_objects) state.remove_object(address);
  }
  StepResult end_thread() const {
    for (const Shared<Frame>& frame : state.thread(thread).frames) end_frame_objects(*frame);
    for (std::uint32_t i = 0; i < program.globals().size(); ++i)
      if (program.globals()[i].storage == ir::Storage::thread)
        state.remove_object(*memory.layout().thread_copy(thread, {i}));
    state.write_thread(thread) = Thread{};
    return {};
  }
  StepResult end_process(ir::ExitScope scope) const {
    StepResult result = stop(Outcome::process_ended);
    if (machine.property().has(Check::leak) && scope == ir::ExitScope::process)
      if (std::optional<std::string> text = find_leak(memory, state))
        result.violation = violation(Check::leak, std::move(*text));
    state.end_process();
    return result;
  }

  // ---- control ----
  StepResult no_function(Address address) const {
    return error(Check::deref, address == 0 ? "call of a null function pointer"
                                            : "call of an address that is no function");
  }
  Frame frame_of(ir::FunId id) const {
    const ir::Function& function = program.function(id);
    Frame frame;
    frame.function = id;
    frame.at = function.entry;
    frame.registers.resize(function.registers.size());
    return frame;
  }
  StepResult operator()(const ir::Call& s) const {
    const Address address = value(s.callee);
    const std::optional<ir::FunId> callee = memory.layout().function_at(address);
    if (!callee) return no_function(address);
    const ir::Function& function = program.function(*callee);
    if (s.args.size() < function.parameters.size())
      return cut(Gap::undefined, fmt::format("call of '{}' with too few arguments", function.name));
    Frame frame = frame_of(*callee);
    frame.result = s.result;
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      frame.registers[i] =
          ir::convert(type_of(s.args[i]), type_of(function.parameters[i]), value(s.args[i]));
    Thread& self = state.write_thread(thread);
    self.frames.back().write().at = edge.to;
    self.frames.emplace_back(std::move(frame));
    return {};
  }
  StepResult operator()(const ir::Return& s) const {
    if (state.thread(thread).frames.size() == 1) {
      if (thread != 0) return end_thread();
      // The locals of the function that returns are dead, and keep no block from being a leak.
      end_frame_objects(state.top(thread));
      state.write_thread(thread).frames.clear();
      return end_process(ir::ExitScope::process);
    }
    const std::uint64_t result = s.value ? value(*s.value) : 0;
    // The process ends at once when main returns: nobody ever finds its locals dead.
    const bool leaves_main = thread == 0 && state.thread(thread).frames.size() == 2 &&
                             state.top(thread).function == program.main();
    if (!leaves_main) end_frame_objects(state.top(thread));
    Thread& self = state.write_thread(thread);
    const std::optional<ir::RegId> to = self.frames.back()->result;
    self.frames.pop_back();
    if (to)
      self.frames.back().write().registers[program.reg(*to).index] =
          s.value ? ir::convert(type_of(*s.value), type_of(*to), result) : 0;
    return {};
  }
  StepResult operator()(const ir::Spawn& s) const {
    const Address address = value(s.routine);
    const std::optional<ir::FunId> routine = memory.layout().function_at(address);
    if (!routine) return no_function(address);
    const ir::Function& function = program.function(*routine);
    if (function.parameters.size() > 1)
      return cut(Gap::undefined,
                 fmt::format("thread routine '{}' has more than one parameter", function.name));
    const ThreadNumber number = state.thread_count();
    std::vector<std::pair<ir::GlobalId, Address>> copies;
    for (std::uint32_t i = 0; i < program.globals().size(); ++i) {
      if (program.globals()[i].storage != ir::Storage::thread) continue;
      const std::optional<Address> copy = memory.layout().thread_copy(number, {i});
      if (!copy || memory.find(state, *copy))
        return cut(Gap::bound, "the address space of a thread is full");
      copies.emplace_back(ir::GlobalId{i}, *copy);
    }
    Frame frame = frame_of(*routine);
    if (!function.parameters.empty())
      frame.registers[0] =
          ir::convert(type_of(s.argument), type_of(function.parameters[0]), value(s.argument));
    Thread created;
    created.frames.emplace_back(std::move(frame));
    state.add_thread(std::move(created));
    for (const auto& [id, copy] : copies) state.add_object(copy, memory.fresh_global(id));
    return go_with(s.number, number + 1);
  }
  StepResult operator()(const ir::Atomic& s) const {
    if (s.mark == ir::AtomicMark::end && state.thread(thread).atomic_depth == 0)
      return cut(Gap::undefined, "the end of an atomic section that was not begun");
    Thread& self = state.write_thread(thread);
    self.atomic_depth += s.mark == ir::AtomicMark::begin ? 1 : -1;
    return go();
  }
  StepResult operator()(const ir::Exit& s) const {
    return s.scope == ir::ExitScope::thread ? end_thread() : end_process(s.scope);
  }
  StepResult operator()(const ir::Unsupported& s) const {
    auto [gap, what] = gap_of(s);
    return cut(gap, std::move(what));
  }
  StepResult operator()(const ir::Fail& s) const {
    StepResult result = go();
    const std::optional<Check> check = check_of(s.kind);
    if (check && machine.property().has(*check)) result.violation = violation(*check, s.text);
    return result;
  }
};

bool changed(const StepResult& result) {
  return result.outcome == Outcome::moved || result.outcome == Outcome::process_ended;
}

}  // namespace

std::optional<Check> check_of(ir::FailKind kind) {
  switch (kind) {
    case ir::FailKind::error_call:
      return Check::error_call;
    case ir::FailKind::assertion:
      return Check::assertion;
    case ir::FailKind::overflow:
      return Check::overflow;
    case ir::FailKind::division_by_zero:
      return std::nullopt;
  }
  CHECK(false, "every kind of failure is judged");
  return std::nullopt;
}

std::pair<Gap, std::string> gap_of(const ir::Unsupported& statement) {
  constexpr std::string_view undefined = "undefined: ", bound = "bound: ";
  if (statement.what.starts_with(undefined))
    return {Gap::undefined, statement.what.substr(undefined.size())};
  if (statement.what.starts_with(bound)) return {Gap::bound, statement.what.substr(bound.size())};
  return {Gap::unsupported, statement.what};
}

StepResult Machine::step(State& state, ThreadNumber thread, ir::EdgeId edge,
                         std::optional<std::uint64_t> input, KnownValues given) const {
  CHECK(live(state, thread) && program_.edge(edge).from == state.top(thread).at,
        "a live thread takes an edge that leaves its location");
  if (state.holder() && *state.holder() != thread) return {.outcome = Outcome::blocked};
  if (property_.has(Check::race) && may_race_unseen(state, thread, edge))
    return {.outcome = Outcome::cut,
            .violation = {},
            .gap = Gap::unsupported,
            .detail = "an undefined function may race on what its argument points to"};
  const StepResult result =
      std::visit(Stepper{*this, state, thread, edge, input, given}, program_.edge(edge).statement);
  if (!changed(result)) return result;
  const bool alone =
      live(state, thread) && state.thread(thread).atomic_depth > 0 && !blocked(state, thread);
  state.set_holder(alone ? std::optional(thread) : std::nullopt);
  return result;
}

std::optional<InputRequest> Machine::input_needed(const State& state, ThreadNumber thread,
                                                  ir::EdgeId edge) const {
  const ir::Statement& statement = program_.edge(edge).statement;
  if (const auto* havoc = std::get_if<ir::Havoc>(&statement))
    return InputRequest{program_.reg(havoc->to).type, havoc->limit};
  const auto* load = std::get_if<ir::Load>(&statement);
  if (load == nullptr || load->order != ir::MemoryOrder::plain) return std::nullopt;
  const Target target =
      target_of(program_, load->address, evaluate(state, thread, load->address), load->bits);
  const auto found = memory_.resolve(state, target.address, target.size, AccessKind::read);
  if (std::holds_alternative<Fault>(found)) return std::nullopt;
  const RawValue raw = Memory::read(std::get<Place>(found), target.size);
  if ((target.mask() & ~raw.set) == 0) return std::nullopt;
  const bool whole = load->bits.whole() || load->bits.width >= 64;
  return InputRequest{program_.reg(load->to).type,
                      whole ? 0 : std::uint64_t{1} << load->bits.width};
}

}  // namespace heddle::machine
