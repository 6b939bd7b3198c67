// What a step does to an abstract state. The machine takes every step; here it is told
// the values of the operands that only the store knows, and the store is told what the
// step does to its cells. Where an operand must be one number (an address, a callee, a
// pointer) and may be several, each is a choice of its own.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/explore/abstract/precision.hpp"
#include "engine/explore/abstract/scope.hpp"
#include "engine/explore/abstract/state.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::explore {

// One way to take the next step of a thread.
struct Choice {
  ir::EdgeId edge{};
  std::vector<machine::KnownValue> values{};     // of operands, as chosen
  std::optional<domain::Equality> comparison{};  // of a compare_exchange on a cell
  bool operator==(const Choice&) const = default;
};

// Why a state has successors that nobody can name.
struct Cut {
  verdict::Gap gap = verdict::Gap::bound;
  std::string detail{};
  ir::EdgeId edge{};
};

struct Choices {
  std::vector<Choice> open{};  // some may turn out impossible when taken
  std::optional<Cut> cut{};
};

class Semantics {
 public:
  // All must outlive the semantics.
  Semantics(const machine::Machine& machine, domain::Domain& domain, const Precision& precision);

  AbstractState initial() const;
  // Whether the thread may be able to step.
  bool enabled(const AbstractState& state, ThreadNumber thread) const;
  Choices choices(const AbstractState& state, ThreadNumber thread) const;
  // Takes the step. Unless it has `moved`, the state is not to be used any more.
  machine::StepResult take(AbstractState& state, ThreadNumber thread, const Choice& choice) const;

  // The accesses that the thread may be about to make, as far as they can race.
  struct Pending {
    std::vector<machine::Access> accesses{};
    std::vector<Choice> ways{};  // by access: how it comes to be made
    std::optional<Cut> cut{};
  };
  Pending pending(const AbstractState& state, ThreadNumber thread) const;

  const machine::Machine& machine() const { return machine_; }
  const ir::Program& program() const { return machine_.program(); }
  domain::Domain& domain() const { return domain_; }

  // Whether the expression hangs on cells, in the thread's top frame.
  bool reads_cells(const AbstractState& state, ThreadNumber thread, ir::ExprId expr) const;
  const std::vector<ir::RegId>& registers(ir::ExprId expr) const { return registers_[expr.value]; }
  const Precision& precision() const { return precision_; }

 private:
  void choose(const AbstractState& state, ThreadNumber thread,
              const std::vector<ir::ExprId>& operands, Choice chosen, Choices& result) const;
  ir::ExprId open_leaf(const AbstractState& state, ThreadNumber thread, ir::ExprId expr) const;
  bool compares_cells(const AbstractState& state, ThreadNumber thread, const Choice& choice) const;
  std::vector<ir::ExprId> needed_operands(const ir::Statement& statement) const;
  bool is_pointer(ir::ExprId expr) const;

  const machine::Machine& machine_;
  domain::Domain& domain_;
  const Precision& precision_;
  std::vector<std::vector<ir::RegId>> registers_;  // by expression: those that it reads
  std::vector<std::vector<ir::ExprId>> needed_{};  // by edge: operands that must be one number
};

}  // namespace heddle::engine::explore
