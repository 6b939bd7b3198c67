#include "engine/explore/abstract/feasibility.hpp"

#include <utility>
#include <vector>

#include "domain/symbolic.hpp"
#include "engine/explore/abstract/provenance.hpp"
#include "machine/target.hpp"

namespace heddle::engine::explore {
namespace {

using machine::Outcome;
using verdict::Check;

class PathWalk {
 public:
  PathWalk(const Candidate& candidate, const machine::Machine& machine)
      : candidate_(candidate),
        machine_(machine),
        semantics_(machine, domain_, everything_),
        state_(semantics_.initial()),
        provenance_(machine) {}

  Feasibility run() {
    for (const PathStep& step : candidate_.path) {
      const ir::EdgeId edge = step.choice.edge;
      inputs_before_.push_back(symbolic().inputs().size());
      const std::set<Variable> operands = provenance_.operands(state_, step.thread, edge);
      provenance_.note(state_, step.thread, step.choice);
      const machine::StepResult result = semantics_.take(state_, step.thread, step.choice);
      if (result.outcome == Outcome::pruned) return Spurious{operands, provenance_.written()};
      if (result.outcome == Outcome::cut) return Unclear{result.detail};
      if (result.violation || result.outcome != Outcome::moved) break;
    }
    inputs_before_.push_back(symbolic().inputs().size());
    for (const PathStep& next : candidate_.about_to_take)
      if (!agree(next)) return Spurious{{}, provenance_.written()};
    const auto inputs = symbolic().solve();
    if (!inputs) return Unclear{"a solver gave up on an abstract counterexample"};
    return replay(*inputs);
  }

 private:
  const domain::SymbolicStore& symbolic() const {
    return static_cast<const domain::SymbolicStore&>(state_.store());
  }

  // The operands that the thread's next step was found with.
  bool agree(const PathStep& next) {
    const std::size_t top = state_.known().thread(next.thread).frames.size() - 1;
    const FrameScope scope(machine_, state_, next.thread, top);
    for (const machine::KnownValue& known : next.choice.values)
      if (!state_.store().assume(domain::Equality::equal, known.value, known.expr, scope))
        return false;
    return true;
  }

  // What the machine does along the path with these inputs.
  Feasibility replay(const std::vector<std::uint64_t>& inputs) const {
    machine::State state = machine_.initial();
    verdict::Unsafe unsafe;
    machine::StepResult last;
    for (std::size_t i = 0; i < candidate_.path.size(); ++i) {
      const PathStep& step = candidate_.path[i];
      if (last.violation || last.outcome != Outcome::moved) break;
      const auto request = machine_.input_needed(state, step.thread, step.choice.edge);
      std::optional<std::uint64_t> input;
      if (request) input = input_of(i, inputs, step.choice.edge, *request);
      last = machine_.step(state, step.thread, step.choice.edge, input);
      if (last.outcome != Outcome::moved && last.outcome != Outcome::process_ended)
        return Unclear{"the path of an abstract counterexample does not replay"};
      unsafe.trace.steps.push_back({step.thread, step.choice.edge, input});
    }
    std::optional<verdict::Violation> violation = last.violation;
    if (!violation && candidate_.violation.check == Check::race) violation = machine_.race(state);
    if (!violation && candidate_.violation.check == Check::deadlock)
      violation = machine_.deadlock(state);
    if (!violation) return Unclear{"an abstract counterexample breaks nothing when it is replayed"};
    unsafe.violation = std::move(*violation);
    return unsafe;
  }

  std::uint64_t input_of(std::size_t step, const std::vector<std::uint64_t>& inputs,
                         ir::EdgeId edge, const machine::InputRequest& request) const {
    if (step + 1 >= inputs_before_.size()) return 0;
    const std::size_t first = inputs_before_[step];
    if (first >= inputs_before_[step + 1] || first >= inputs.size()) return 0;
    std::uint64_t value = inputs[first];
    // The cell of a bit-field holds the bytes that it lies in; asked for are its bits.
    if (const auto* load = std::get_if<ir::Load>(&machine_.program().edge(edge).statement))
      value >>= machine::target_of(machine_.program(), load->address, 0, load->bits).bits.offset;
    return request.limit != 0 ? value % request.limit : value;
  }

  const Candidate& candidate_;
  const machine::Machine& machine_;
  domain::SymbolicDomain domain_{machine_.program()};
  Precision everything_ = Precision::everything();
  Semantics semantics_;
  AbstractState state_;
  Provenance provenance_;
  std::vector<std::size_t> inputs_before_{};  // by step: inputs that those before it have taken
};

}  // namespace

Feasibility check_path(const Candidate& candidate, const machine::Machine& machine) {
  return PathWalk(candidate, machine).run();
}

}  // namespace heddle::engine::explore
