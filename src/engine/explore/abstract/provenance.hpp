// Which variables the value of each register and of memory was computed from, along
// one path.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "engine/explore/abstract/semantics.hpp"

namespace heddle::engine::explore {

class Provenance {
 public:
  explicit Provenance(const machine::Machine& machine)
      : machine_(machine), program_(machine.program()) {}

  // To be told of every step before it is taken.
  void note(const AbstractState& state, ThreadNumber thread, const Choice& choice);
  // All variables that the operands of the edge hang on.
  std::set<Variable> operands(const AbstractState& state, ThreadNumber thread,
                              ir::EdgeId edge) const;
  const std::set<Variable>& written() const { return written_; }

 private:
  using Register = std::pair<std::pair<ThreadNumber, std::size_t>, std::uint32_t>;
  std::set<Variable> of(const AbstractState& state, ThreadNumber thread, ir::ExprId expr) const;
  void set(const AbstractState& state, ThreadNumber thread, std::size_t frame, ir::RegId reg,
           std::set<Variable> from);

  const machine::Machine& machine_;
  const ir::Program& program_;
  std::map<Register, std::set<Variable>> registers_{};
  std::map<Address, std::set<Variable>> memory_{};
  std::set<Variable> written_{};
};

}  // namespace heddle::engine::explore
