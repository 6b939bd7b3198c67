// Small programs for the tests of the machine, built statement by statement. Each
// function is a straight line unless a test adds edges of its own.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "machine/machine.hpp"
#include "machine/oracle.hpp"

namespace heddle::testing {

using verdict::Check;

// The builder with the few types and shapes that the tests use.
struct Maker {
  explicit Maker(ir::DataModel model = ir::DataModel::lp64) : b(model) {}

  ir::ProgramBuilder b;
  std::uint32_t line = 0;  // every edge gets a line of its own

  ir::TypeId i32 = b.int_type(32, true);
  ir::TypeId u8 = b.int_type(8, false);
  ir::TypeId u64 = b.int_type(64, false);
  ir::TypeId truth = b.bool_type();
  ir::TypeId bytes = b.pointer_to(b.void_type());
  base::FileId file = b.add_file({"test.c", ""});

  ir::ExprId num(std::uint64_t value) { return b.constant(i32, value); }
  ir::ExprId size(std::uint64_t value) { return b.constant(b.size_type(), value); }
  ir::ExprId reg(ir::RegId id) { return b.reg(id); }
  ir::ExprId eq(ir::RegId id, std::uint64_t value) {
    return b.binary(ir::Op::eq, b.reg(id), b.constant(b.view().reg(id).type, value));
  }
  ir::ExprId ne(ir::RegId id, std::uint64_t value) { return b.negation(eq(id, value)); }
  ir::ExprId plus(ir::RegId id, std::uint64_t value) {
    return b.binary(ir::Op::add, b.reg(id), b.constant(b.view().reg(id).type, value));
  }
  ir::ExprId at(ir::GlobalId id) { return b.global_address(id); }

  ir::GlobalId global(std::string name, ir::TypeId type) {
    return b.add_global({.name = std::move(name), .type = type});
  }
  ir::GlobalId global(std::string name) { return global(std::move(name), i32); }

  // The value of a variable when the program starts.
  void init(ir::GlobalId id, std::uint64_t value) {
    b.global(id).initializers.push_back({.offset = 0, .value = num(value)});
  }

  ir::FunId function(const std::string& name, std::vector<ir::TypeId> parameters = {},
                     ir::TypeId result = {}) {
    const ir::TypeId type =
        b.function_type(result.valid() ? result : b.void_type(), parameters, false);
    const ir::FunId id = b.declare_function(name, type, ir::Origin::user);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      b.add_parameter(id, "p" + std::to_string(i), parameters[i]);
    here[id] = b.add_location(id);
    b.set_function_entry(id, here[id]);
    return id;
  }
  ir::FunId routine(const std::string& name) { return function(name, {bytes}); }
  ir::RegId var(ir::FunId id, const std::string& name, ir::TypeId type) {
    return b.add_register(id, name, type);
  }
  ir::RegId var(ir::FunId id, const std::string& name) { return var(id, name, i32); }

  // Appends to the straight line of a function.
  ir::EdgeId then(ir::FunId id, ir::Statement statement) {
    const ir::LocId from = here[id];
    here[id] = b.add_location(id);
    return edge(from, here[id], std::move(statement));
  }
  ir::EdgeId edge(ir::LocId from, ir::LocId to, ir::Statement statement) {
    ++line;
    return b.add_edge(from, to, std::move(statement), {file, line, 1, line, 1});
  }
  // `if (!condition) fail`, both ways going on at one place.
  void assert_that(ir::FunId id, ir::ExprId condition) {
    const ir::LocId from = here[id], bad = b.add_location(id), on = b.add_location(id);
    edge(from, on, ir::Assume{condition});
    edge(from, bad, ir::Assume{b.negation(condition)});
    edge(bad, on, ir::Fail{ir::FailKind::assertion, "condition"});
    here[id] = on;
  }
  void store(ir::FunId id, ir::GlobalId to, std::uint64_t value,
             ir::MemoryOrder order = ir::MemoryOrder::plain) {
    const ir::TypeId type = b.view().global(to).type;
    then(id, ir::Store{at(to), b.constant(type, value), order});
  }
  void load(ir::FunId id, ir::RegId to, ir::GlobalId from,
            ir::MemoryOrder order = ir::MemoryOrder::plain) {
    then(id, ir::Load{to, at(from), order});
  }
  void begin(ir::FunId id) { then(id, ir::Atomic{ir::AtomicMark::begin}); }
  void end(ir::FunId id) { then(id, ir::Atomic{ir::AtomicMark::end}); }
  // A lock is a word that holds 0 or the owner's number + 1.
  void lock(ir::FunId id, ir::GlobalId word) {
    const ir::RegId seen = b.add_temporary(id, i32), self = b.add_temporary(id, i32);
    begin(id);
    then(id, ir::Await{seen, at(word), eq(seen, 0), ir::WaitsFor::holder});
    then(id, ir::Self{self});
    then(id, ir::Store{at(word), b.reg(self), ir::MemoryOrder::seq_cst});
    end(id);
  }
  void unlock(ir::FunId id, ir::GlobalId word) { store(id, word, 0, ir::MemoryOrder::seq_cst); }
  void spawn(ir::FunId id, ir::FunId started) {
    const ir::RegId number = b.add_temporary(id, i32);
    then(id, ir::Spawn{number, b.function_address(started), b.constant(bytes, 0)});
  }
  void await_value(ir::FunId id, ir::GlobalId word, std::uint64_t value,
                   ir::WaitsFor waits_for = ir::WaitsFor::anyone) {
    const ir::RegId seen = b.add_temporary(id, i32);
    then(id, ir::Await{seen, at(word), eq(seen, value), waits_for});
  }

  ir::Program finish(ir::FunId entry) && {
    // Every function returns at the end of its line.
    for (const auto& [id, last] : here)
      if (b.view().location(last).out.empty()) edge(last, last, ir::Return{});
    b.set_entry(entry);
    b.set_main(entry);
    return std::move(b).finish();
  }

  std::map<ir::FunId, ir::LocId> here{};  // where each straight line ends
};

// Runs thread 0 alone to its end, or until something happens. Inputs are taken in order.
struct MainRun {
  MainRun(const ir::Program& program, verdict::Property asked,
          std::vector<std::uint64_t> given = {})
      : property(std::move(asked)), machine(program, property), state(machine.initial()) {
    std::size_t next = 0;
    for (int steps = 0; steps < 10000 && !machine.ended(state); ++steps) {
      bool moved = false;
      for (const ir::EdgeId edge : machine.edges(state, 0)) {
        std::optional<std::uint64_t> input;
        if (machine.input_needed(state, 0, edge) && next < given.size()) input = given[next++];
        last = machine.step(state, 0, edge, input);
        if (last.outcome == machine::Outcome::pruned) continue;
        moved = last.outcome == machine::Outcome::moved && !last.violation;
        break;
      }
      if (!moved) break;
    }
    inputs_used = next;
  }

  verdict::Property property;
  machine::Machine machine;
  machine::State state;
  machine::StepResult last{};
  std::size_t inputs_used = 0;

  // The value in a process-wide variable.
  std::uint64_t word(ir::GlobalId id) const {
    const auto place = machine.memory().find(state, machine.memory().layout().global(id));
    return machine::Memory::read(*place, static_cast<std::uint32_t>(place->object->bytes.size()))
        .bits;
  }
};

inline verdict::Property everything() {
  return {{Check::error_call, Check::assertion, Check::deadlock, Check::race, Check::deref,
           Check::free, Check::leak, Check::overflow}};
}

}  // namespace heddle::testing
